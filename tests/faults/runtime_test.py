#!/usr/bin/env python3
"""Faults R2 to R17 and N1 to N9: what happens to a run while it runs, and to its file afterwards."""
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import time
import unittest

import h5py

from program import BALL, FLOOR, PROGRAM, FaultTest, scene

LONG = scene(until="100000", method="{time-stepping: {step: 0.001}}")


class Runtime(FaultTest):
    def start(self, *arguments, content=LONG):
        self.write("scene.yaml", content)
        return subprocess.Popen([PROGRAM, "run", "scene.yaml", "-q", *arguments], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def wait_for(self, name, process):
        while not (self.folder / name).exists():
            self.assertIsNone(process.poll(), "ended by itself")
            time.sleep(0.02)

    def finish(self, process):
        _, text = process.communicate()
        return process.returncode, text.decode(errors="replace")

    def test_R2_signals(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with self.subTest(number=number):
                process = self.start("-o", "run.h5")
                self.wait_for("run.h5", process)
                process.send_signal(number)
                self.assertEqual(self.finish(process)[0], code)
                info = json.loads(self.call("info", "run.h5", "--json").out)
                self.assertEqual(info["status"], "interrupted")
                (self.folder / "run.h5").unlink()

    def test_R3_stopped_and_continued(self):
        self.write("scene.yaml", scene(until="2"))
        want = json.loads(self.call("run", "scene.yaml", "-q", "--json").out)["state_hash"]
        process = self.start("--json", content=scene(until="2"))
        process.send_signal(signal.SIGSTOP)
        process.send_signal(signal.SIGCONT)
        out, _ = process.communicate()
        self.assertEqual(json.loads(out)["state_hash"], want)

    def test_R4_file_size_limit(self):
        outcome = self.run_scene(scene(until="1000"), "-o", "run.h5", limits={resource.RLIMIT_FSIZE: 3_000_000})
        self.assertEqual(outcome.code, 4, outcome.text)
        self.assertIn("run.h5", outcome.text)
        self.assertEqual(self.call("info", "run.h5").code, 0, "what was committed stays")

    def test_R6_places_that_cannot_be_written(self):
        self.write("file", "")
        for target in ("none/run.h5", "file/run.h5", ".", "/proc/run.h5"):
            with self.subTest(target=target):
                outcome = self.run_scene(scene(), "-o", target)
                self.assertEqual(outcome.code, 4, outcome.text)
                self.assertIn(target.split("/")[0], outcome.text)

    def make_run(self):
        self.accept(scene(until="1"), "-o", "run.h5")
        return (self.folder / "run.h5").read_bytes()

    def test_R7_N3_cut_files(self):
        whole = self.make_run()
        for part in (0.2, 0.5, 0.7, 0.9, 0.99):
            with self.subTest(part=part):
                self.write("cut.h5", whole[: int(len(whole) * part)])
                self.assertEqual(self.call("info", "cut.h5").code, 2)
                outcome = self.call("repair", "cut.h5", "-o", "saved.h5")
                self.expect_honest(outcome, codes=(0, 2))
                if outcome.code == 0:
                    self.assertIn(b"frames", outcome.out)
                    self.assertEqual(self.call("info", "saved.h5").code, 0)

    def test_R8_N2_flipped_bits(self):
        whole = self.make_run()
        places = self.row_bytes("run.h5")
        draw = random.Random(3)
        for _ in range(40):
            place = draw.choice(places)
            damaged = bytearray(whole)
            damaged[place] ^= 1 << draw.randrange(8)
            self.write("bad.h5", bytes(damaged))
            outcome = self.call("info", "bad.h5")
            self.assertEqual(outcome.code, 2, f"byte {place}: not noticed")
            self.assertIn("bad.h5", outcome.text)

    def row_bytes(self, name):
        """The places in the file of all committed rows."""
        places = []
        with h5py.File(self.folder / name) as f:
            tables = ["steps", "contacts", *(f"frames/{key}" for key in f["frames"])]
            for table in tables:
                data = f[table]
                for i in range(data.id.get_num_chunks()):
                    chunk = data.id.get_chunk_info(i)
                    row_bytes = chunk.size // data.chunks[0]
                    rows = min(data.chunks[0], data.shape[0] - chunk.chunk_offset[0])
                    places.extend(range(chunk.byte_offset, chunk.byte_offset + rows * row_bytes, 13))
        return places

    def test_R9_other_versions(self):
        self.make_run()
        # The header is sealed: a changed version is damage, and says so.
        with h5py.File(self.folder / "run.h5", "r+") as f:
            f["format_version"][()] = 999
        outcome = self.call("info", "run.h5")
        self.assertEqual(outcome.code, 2)
        self.assertIn("run.h5", outcome.text)

    def test_R10_two_runs_to_one_file(self):
        process = self.start("-o", "run.h5")
        self.wait_for("run.h5", process)
        outcome = self.call("run", "scene.yaml", "-q", "-o", "run.h5")
        self.assertEqual(outcome.code, 4)
        self.assertIn(str(process.pid), outcome.text)
        process.kill()
        self.finish(process)
        self.accept(scene(), "-o", "run.h5")  # the lock went with its owner

    def test_R11_N4_folder_deleted_during_a_run(self):
        (self.folder / "out").mkdir()
        process = self.start("-o", "out/run.h5")
        self.wait_for("out/run.h5", process)
        shutil.rmtree(self.folder / "out")
        process.send_signal(signal.SIGTERM)
        code, text = self.finish(process)
        self.assertEqual(code, 4, text)
        self.assertIn("out/run.h5", text)

    def expect_whole_or_none(self, outcome, context):
        """Code 0 with a complete run file, or code 4 with a reason and no half file."""
        self.assertIn(outcome.code, (0, 4), f"{context}: {outcome.text}")
        if outcome.code == 0:
            info = self.call("info", "run.h5", "--json")
            self.assertEqual(json.loads(info.out)["status"], "finished", context)
        else:
            self.assertTrue(outcome.text.strip(), context)
            left = [p.name for p in self.folder.iterdir()]
            if "run.h5" in left:  # it failed on the way: what was committed can be read
                self.assertEqual(self.call("info", "run.h5").code, 0, context)
            self.assertFalse([name for name in left if name.endswith(".tmp")], context)
        (self.folder / "run.h5").unlink(missing_ok=True)

    def test_R14_N9_little_memory(self):
        """From too little for the first body to enough for the whole run."""
        ball = BALL.replace("shapes", "repeat: {grid: [300, 300, 3], spacing: 0.3}, shapes")
        codes = []
        for megabytes in (60, 100, 150, 200, 300, 600):
            with self.subTest(megabytes=megabytes):
                outcome = self.run_scene(scene([FLOOR, ball], until="0.01"), "-o", "run.h5",
                                         limits={resource.RLIMIT_AS: megabytes << 20})
                self.expect_whole_or_none(outcome, f"{megabytes} MB")
                codes.append(outcome.code)
        self.assertEqual(codes[0], 4, "270,000 bodies do not fit into 60 MB")
        self.assertEqual(codes, sorted(codes, reverse=True), "more memory never makes it fail")

    def test_R15_N13_no_gpu(self):
        """Without a driver or without a device: a message, or the processor where that was allowed."""
        self.write("scene.yaml", scene(method="{time-stepping: {step: 0.01, order: 1, contact: {compliance: 0.03}}}"))
        self.write("study.yaml", "tenpin_study: 1\nscene: scene.yaml\ntrials: 3\n"
                   "vary: {mass: {path: bodies.ball.mass, from: 1, to: 2}}\n"
                   "measures: {height: {final: bodies.ball.position.z}}\n")
        none = {"CUDA_VISIBLE_DEVICES": ""}
        outcome = self.call("sweep", "study.yaml", "-q", "--device", "gpu", "-o", "t.sqlite", environment=none)
        self.assertEqual(outcome.code, 4, outcome.text)
        self.assertRegex(outcome.text, "GPU|CUDA|device|driver")
        outcome = self.call("sweep", "study.yaml", "-q", "--device", "auto", "-o", "t.sqlite", "--csv", "t.csv",
                            environment=none)
        self.assertEqual(outcome.code, 0, outcome.text)
        self.assertEqual(len((self.folder / "t.csv").read_text().splitlines()), 4, "no trial is lost")

    def test_R16_closed_pipe(self):
        self.write("scene.yaml", scene())
        shell = f"{PROGRAM} run scene.yaml -q -o run.h5 | true; exit ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", shell], cwd=self.folder, capture_output=True, check=False)
        self.assertIn(done.returncode, (0, 141), done.stderr)
        self.assertEqual(self.call("info", "run.h5").code, 0)

    def test_R17_small_stack(self):
        self.accept(scene(), limits={resource.RLIMIT_STACK: 256 << 10})

    def test_N1_links_out_of_a_run_file(self):
        self.make_run()
        os.rename(self.folder / "run.h5", self.folder / "other.h5")
        self.make_run()
        with h5py.File(self.folder / "run.h5", "r+") as f:
            del f["frames/q"]
            f["frames/q"] = h5py.ExternalLink("other.h5", "/frames/q")
        self.assertEqual(self.call("info", "run.h5").code, 2)

    def test_N1_other_places_of_a_run_file(self):
        """Data in another file, and soft links, are refused by name as well."""
        def store_outside(f):
            old = f["frames/q"]
            kind, shape = old.dtype, old.shape
            del f["frames/q"]
            f.create_dataset("frames/q", shape, kind, external=[(str(self.folder / "secret"), 0, h5py.h5f.UNLIMITED)])

        def link_softly(f):
            f.move("frames/q", "frames/other")
            f["frames/q"] = h5py.SoftLink("/frames/other")

        self.write("secret", b"not for others" * 10000)
        for change in (store_outside, link_softly):
            with self.subTest(change=change.__name__):
                self.make_run()
                with h5py.File(self.folder / "run.h5", "r+") as f:
                    change(f)
                for command in (("info", "run.h5"), ("export", "run.h5", "--csv", "out.csv"),
                                ("view", "run.h5", "--html", "out.html")):
                    outcome = self.call(*command)
                    self.assertEqual(outcome.code, 2, outcome.text)
                    self.assertNotIn("not for others", outcome.text)
                self.assertFalse((self.folder / "out.csv").exists())
                (self.folder / "run.h5").unlink()

    def test_N5_too_many_open_files(self):
        """The run takes the place of an earlier one, which it holds open until then."""
        codes = []
        for most in range(3, 12):
            with self.subTest(most=most):
                self.make_run()
                outcome = self.run_scene(scene(), "-o", "run.h5", limits={resource.RLIMIT_NOFILE: most})
                if outcome.code == 127:  # the system could not load the program's libraries
                    continue
                self.expect_whole_or_none(outcome, f"{most} files")
                codes.append(outcome.code)
        self.assertIn(4, codes)
        self.assertEqual(codes[-1], 0)
        self.assertEqual(codes, sorted(codes, reverse=True), "more files never make it fail")

    def test_N6_fast_spins_and_needles(self):
        bodies = {"box": "{name: a, mass: 1, angular_velocity: [1, 1e7, 2], shapes: [{box: {size: [1, 2, 3]}}]}",
                  "needle": "{name: a, mass: 1, angular_velocity: [0.1, 0, 0.3], "
                            "shapes: [{cylinder: {radius: 3e-9, length: 1}}]}"}
        for name, body in bodies.items():
            for method in ("{time-stepping: {step: 0.01}}", "{impulse: {}}"):
                with self.subTest(name=name, method=method):
                    self.expect_honest(self.run_scene(scene([body], method=method)))

    def test_N7_plastic_hits_without_gravity(self):
        for speed in ("1e-12", "1e-6", "1", "1e3"):
            with self.subTest(speed=speed):
                ball = BALL.replace("0.1]", "0.15]").replace("mass: 1", f"mass: 1, velocity: [0, 0, -{speed}]")
                self.accept(scene([FLOOR, ball], head="gravity: [0, 0, 0]"))

    def test_N8_thin_walls(self):
        wall = "{name: wall, fixed: true, position: [1, 0, 0], shapes: [{box: {size: [0.001, 9, 9]}}]}"
        for speed in (10, 100, 500):
            for method in ("{time-stepping: {step: 0.01}}", "{impulse: {}}", "{analytic: {}}"):
                with self.subTest(speed=speed, method=method):
                    ball = f"{{name: ball, mass: 1, velocity: [{speed}, 0, 0], shapes: [{{sphere: {{radius: 0.1}}}}]}}"
                    outcome = self.run_scene(scene([wall, ball], method=method, until="0.3"), "--json")
                    self.expect_honest(outcome)
                    if outcome.code == 0:
                        x = json.loads(outcome.out)["bodies"][1]["position"][0]
                        self.assertLess(x, 1.0, "through the wall")


if __name__ == "__main__":
    unittest.main()
