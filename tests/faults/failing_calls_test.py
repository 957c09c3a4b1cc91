#!/usr/bin/env python3
"""Faults R4 and R5: each write, sync, rename, resize and allocation fails once in turn.

A command that was told to write either ends with code 4 and names the file, or with code 0 and has written
it completely; what was there before is still there or has been replaced by something complete.
"""
import errno
import os
import shutil
import unittest

from program import FaultTest, scene

SHIM = os.environ["TENPIN_FAILING_CALLS"]
# Allocations are too many to fail each: with a stride of this share they are spread over the whole run.
MOST_TRIES = int(os.environ.get("TENPIN_FAULT_TRIES", "1000"))

STUDY = """tenpin_study: 1
scene: scene.yaml
trials: 3
seed: 1
vary: {mass: {path: bodies.ball.mass, from: 1, to: 2}}
measures: {height: {final: bodies.ball.position.z}}
"""


class FailingCalls(FaultTest):
    def setUp(self):
        super().setUp()
        self.write("scene.yaml", scene(until="0.3"))
        self.write("study.yaml", STUDY)
        done = self.call("run", "scene.yaml", "-q", "-o", "base.h5")
        self.assertEqual(done.code, 0, done.text)

    def call_failing(self, arguments, what, k, number, on=False):
        environment = {"LD_PRELOAD": SHIM, "TENPIN_FAIL": f"{what}:{k}:{number}{':on' if on else ''}",
                       "TENPIN_FAIL_COUNT": str(self.folder / "count")}
        return self.call(*arguments, environment=environment)

    def count(self, arguments, what):
        outcome = self.call_failing(arguments, what, 0, 1)
        self.assertEqual(outcome.code, 0, outcome.text)
        return int((self.folder / "count").read_text())

    def tries(self, total):
        stride = max(1, total // MOST_TRIES)
        return range(1, total + 1, stride)

    def expect_old_or_new(self, name, old, is_complete, context):
        path = self.folder / name
        self.assertTrue(path.exists(), f"{context}: the earlier file is gone")
        if path.read_bytes() != old:
            self.assertTrue(is_complete(name), f"{context}: neither the earlier file nor a new one")
        drafts = [p.name for p in self.folder.iterdir() if ".tmp" in p.name]
        self.assertEqual(drafts, [], context)

    def is_run(self, name):
        return self.call("info", name).code == 0

    def fail_each(self, arguments, output, is_complete, whats):
        shutil.copy(self.folder / "base.h5", self.folder / "input.h5")
        first = self.call(*arguments)
        self.assertEqual(first.code, 0, first.text)
        old = (self.folder / output).read_bytes()
        for what, number, on in whats:
            total = self.count(arguments, what)
            if what in ("write", "sync", "rename"):
                self.assertGreater(total, 0, f"{arguments} makes no {what} that could fail")
            for k in self.tries(total):
                (self.folder / output).write_bytes(old)
                outcome = self.call_failing(arguments, what, k, number, on)
                context = f"{' '.join(arguments)}: {what} {k} of {total}: code {outcome.code}: {outcome.text}"
                self.assertIn(outcome.code, (0, 4), context)
                if outcome.code == 4 and what != "malloc":
                    self.assertIn(output.split(".")[0], outcome.text, context)
                if outcome.code == 0:
                    self.assertTrue(is_complete(output), context)
                self.expect_old_or_new(output, old, is_complete, context)

    DISK = (("write", errno.ENOSPC, True), ("write", errno.EIO, False), ("sync", errno.EIO, False),
            ("rename", errno.EIO, False), ("resize", errno.EIO, False))

    def test_R4_R5_run_file(self):
        self.fail_each(["run", "scene.yaml", "-q", "-o", "out.h5"], "out.h5", self.is_run, self.DISK)

    def test_R4_R5_page(self):
        def is_page(name):
            text = (self.folder / name).read_bytes().rstrip()
            return text.endswith(b"</html>")
        self.fail_each(["view", "base.h5", "--html", "out.html"], "out.html", is_page, self.DISK[:4])

    def test_R4_R5_exports(self):
        whole = {}
        for option, name in (("--gltf", "out.glb"), ("--csv", "out.csv")):
            with self.subTest(name=name):
                arguments = ["export", "base.h5", option, name]
                self.assertEqual(self.call(*arguments).code, 0)
                whole[name] = (self.folder / name).read_bytes()
                self.fail_each(arguments, name,
                               lambda n: (self.folder / n).read_bytes() == whole[n], self.DISK[:4])

    def test_R4_R5_arrays(self):
        self.fail_each(["export", "base.h5", "--hdf5", "out.hdf5"], "out.hdf5", self.is_arrays,
                       (self.DISK[0], self.DISK[3]))

    def is_arrays(self, name):
        import h5py
        try:
            with h5py.File(self.folder / name) as f:
                return len(f.keys()) > 0
        except OSError:
            return False

    def test_R4_R5_study(self):
        """A study that could not write goes on where it stopped, to the table of an undisturbed one."""
        sweep = ["sweep", "study.yaml", "-q", "--threads", "1", "-o"]
        done = self.call(*sweep, "whole.sqlite", "--csv", "whole.csv")
        self.assertEqual(done.code, 0, done.text)
        want = (self.folder / "whole.csv").read_bytes()
        for what, number, on in self.DISK[:3]:
            arguments = [*sweep, "out.sqlite"]
            total = self.count(arguments, what)
            self.assertGreater(total, 0, what)
            for k in self.tries(total):
                for path in self.folder.glob("out.*"):
                    path.unlink()
                outcome = self.call_failing(arguments, what, k, number, on)
                context = f"{what} {k} of {total}: code {outcome.code}: {outcome.text}"
                self.assertIn(outcome.code, (0, 4), context)
                if outcome.code == 4:
                    self.assertIn("out", outcome.text, context)
                again = self.call(*arguments, "--csv", "out.csv")
                self.assertEqual(again.code, 0, context + again.text)
                self.assertEqual((self.folder / "out.csv").read_bytes(), want, context)

    def test_R14_N9_each_allocation(self):
        self.fail_each(["run", "scene.yaml", "-q", "-o", "out.h5"], "out.h5", self.is_run,
                       (("malloc", errno.ENOMEM, True),))


if __name__ == "__main__":
    unittest.main()
