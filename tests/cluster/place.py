"""A folder with a small study, and the program in it."""
import contextlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

SCENE = """tenpin: 1
bodies:
  - {name: floor, fixed: true, shapes: [plane: {}]}
  - {name: ball, mass: 1, position: [0, 0, 1], velocity: [1, 0, 0], shapes: [{sphere: {radius: 0.1}}]}
method: {time-stepping: {step: 0.002}}
until: 1
"""
STUDY = """tenpin_study: 1
scene: scene.yaml
trials: %d
vary:
  height: {path: bodies.ball.position.2, from: 0.2, to: 1}
measures:
  x: {final: bodies.ball.position.x}
  landed: {first: {quantity: bodies.ball.position.z, below: 0.11}}
"""
SKIPPED = 77


def need(*programs):
    """Ends the test as skipped if a program is missing."""
    for program in programs:
        if shutil.which(program) is None:
            print(f"skipped: {program} is not installed")
            sys.exit(SKIPPED)


class Place:
    def __init__(self, folder, program, trials):
        self.folder = pathlib.Path(folder)
        self.program = program
        (self.folder / "scene.yaml").write_text(SCENE)
        (self.folder / "study.yaml").write_text(STUDY % trials)

    def run(self, *words, **keywords):
        """The outcome of a command in the folder; fails the test if it does not end with 0."""
        outcome = self.attempt(*words, **keywords)
        assert outcome.returncode == 0, (words, outcome.returncode, outcome.stdout, outcome.stderr)
        return outcome

    def attempt(self, *words, **keywords):
        return subprocess.run([str(word) for word in words], cwd=self.folder, text=True, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, **keywords)

    def sweep_alone(self, table="alone.sqlite"):
        """The hash of the table that one process makes."""
        outcome = self.run(self.program, "sweep", "study.yaml", "-o", table, "--json", "-q")
        return json.loads(outcome.stdout)["table_hash"]

    def hash_of(self, table):
        """The hash of a table that is whole; it is not computed again."""
        outcome = self.run(self.program, "sweep", "study.yaml", "-o", table, "--json", "-q")
        result = json.loads(outcome.stdout)
        assert result["fresh"] == 0, result
        return result["table_hash"]


@contextlib.contextmanager
def study_place(program, trials):
    with tempfile.TemporaryDirectory(prefix="tenpin-cluster-") as folder:
        yield Place(folder, program, trials)
