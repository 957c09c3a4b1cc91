"""Runs the program on files of a test, and states what a fault must lead to."""
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["TENPIN"]
SOURCE = pathlib.Path(os.environ["TENPIN_SOURCE"])

# file:line:column: path: problem
PLACE = re.compile(r"^[^:\n]+:\d+:\d+: \S")

BALL = "{name: ball, mass: 1, position: [0, 0, 0.1], shapes: [{sphere: {radius: 0.1}}]}"
FLOOR = "{name: floor, fixed: true, shapes: [{plane: {normal: [0, 0, 1]}}]}"


def scene(bodies=(FLOOR, BALL), head="", method="{time-stepping: {step: 0.01}}", until="0.1"):
    """The text of a small scene: a ball on a floor unless told otherwise."""
    lines = ["tenpin: 1"]
    if head:
        lines.append(head)
    lines.append("bodies:" if bodies else "bodies: []")
    lines += [f"  - {body}" for body in bodies]
    lines += [f"method: {method}", f"until: {until}"]
    return "\n".join(lines) + "\n"


class Outcome:
    def __init__(self, done):
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr
        self.text = done.stderr.decode(errors="replace")


class FaultTest(unittest.TestCase):
    """A folder for each test, and the outcomes that the catalogue names."""

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory(prefix="tenpin_fault_")
        self.folder = pathlib.Path(self._folder.name)

    def tearDown(self):
        self._folder.cleanup()

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content)
        return path

    def call(self, *arguments, limits=None, environment=None, **options):
        """Runs `tenpin arguments...` in the folder. `limits`: {resource: bytes}."""

        def prepare():
            for what, size in (limits or {}).items():
                resource.setrlimit(what, (size, size))
            if resource.RLIMIT_FSIZE in (limits or {}):
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, capture_output=True,
                              preexec_fn=prepare, stdin=subprocess.DEVNULL, timeout=3600,
                              env={**os.environ, **(environment or {})}, **options)
        return Outcome(done)

    def run_scene(self, content, *arguments, **options):
        self.write("scene.yaml", content)
        return self.call("run", "scene.yaml", "-q", *arguments, **options)

    # What the catalogue calls E-IN, OK!, E-NUM, E-ENV and E-RES.

    def refuse(self, content, *mentions, name="scene.yaml", set_values=()):
        """Bad input: code 2, one line per problem with its place, nothing written."""
        self.write(name, content)
        before = sorted(p.name for p in self.folder.iterdir())
        changes = [part for value in set_values for part in ("--set", value)]
        outcome = self.call("run", name, "-q", "-o", "run.h5", *changes)
        self.assertEqual(outcome.code, 2, outcome.text or content[:500])
        lines = outcome.text.splitlines()
        self.assertTrue(lines, "a refusal says why")
        self.assertLessEqual(len(lines), 22)
        self.assertTrue(any(PLACE.match(line) for line in lines), outcome.text)
        for mention in mentions:
            self.assertIn(mention, outcome.text)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), before, "something was written")
        return outcome

    def accept(self, content, *arguments, **options):
        outcome = self.run_scene(content, *arguments, **options)
        self.assertEqual(outcome.code, 0, outcome.text)
        return outcome

    def state_hash(self, content, *arguments, **options):
        return json.loads(self.accept(content, "--json", *arguments, **options).out)["state_hash"]

    def expect_honest(self, outcome, codes=(0, 2, 3, 5)):
        """Any of the stated ends, and never a crash or silence."""
        self.assertIn(outcome.code, codes, outcome.text)
        if outcome.code != 0:
            self.assertTrue(outcome.text.strip(), "a failure says why")
