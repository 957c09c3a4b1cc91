#!/usr/bin/env python3
"""Measures what the search for the least contact forces costs (docs/contact-forces.md).

    tools/least_force_cost.py                      all rows of the table; some minutes
    tools/least_force_cost.py "crate at rest"      rows whose name contains this

Counts instructions with valgrind's callgrind, which does not depend on the load of the machine: those of
OpenImpulses::make_least relative to all other instructions of the same steps. Needs valgrind, and a
program with its symbols (make build).
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
SEARCH = "OpenImpulses::make_least("
STEPS = "FixedStep::advance("
HEAD = "tenpin: 1\nmaterials: {m: {friction: 0.5, restitution: 0}}\nbodies:\n" \
       "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"


def box(name, position, size="0.4, 0.4, 0.4", more=""):
    return (f"  - {{name: {name}, material: m, mass: 10, position: {position}, "
            f"shapes: [{{box: {{size: [{size}]}}}}]{more}}}\n")


def pyramid(rows):
    return "".join(box(f"b{row}-{i}", f"[{0.21 * (2 * i - rows + row + 1)}, 0, {0.2 + 0.4 * row}]")
                   for row in range(rows) for i in range(rows - row))


STACK = box("crate", "[0, 0, 0.2]", more=", repeat: {stack: 10, spacing: 0.4}")
FALLING = box("crate", "[0, 0, 0.21]", more=", repeat: {stack: 10, spacing: 0.41, jitter: 0.004}")
DOMINOES = box("domino", "[0, 0, 0.2]", "0.04, 0.2, 0.4", ", repeat: {grid: [49, 1, 1], spacing: 0.15}") + \
    box("first", "[-0.15, 0, 0.205]", "0.04, 0.2, 0.4", ", orientation: {axis: [0, 1, 0], degrees: 14}")
ROWS = {  # name: bodies, solver, duration (s)
    "crate that slides": (box("crate", "[0, 0, 0.2]", more=", velocity: [6, 2, 0]"), "cone", 0.2),
    "stack of ten boxes that falls and settles": (FALLING, "cone", 1.0),
    "fifty dominoes that fall": (DOMINOES, "cone", 1.0),
    "stack of ten boxes at rest": (STACK, "cone", 0.5),
    "pyramid of 55 boxes at rest": (pyramid(10), "cone", 0.5),
    "crate at rest": (box("crate", "[0, 0, 0.2]"), "cone", 1.0),
    "crate at rest, by Lemke's algorithm": (box("crate", "[0, 0, 0.2]"), "lemke", 1.0),
    "stack of ten boxes at rest, by Lemke's algorithm": (STACK, "lemke", 0.2),
}


def count(program, scene, folder):
    """Counts the instructions of the search and of all steps."""
    path = folder / "scene.yaml"
    path.write_text(scene)
    out = folder / "callgrind.out"
    subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", program, "run", path, "-q",
                    "--threads", "1", "--step-limit", "100000"], check=True, capture_output=True)
    text = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", out], check=True,
                          capture_output=True, text=True).stdout

    def largest(name):
        costs = [int(m[1].replace(",", "")) for line in text.splitlines()
                 if name in line and (m := re.match(r"\s*([\d,]+) ", line))]
        return max(costs, default=0)
    return largest(SEARCH), largest(STEPS)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("names", nargs="*", help="parts of names of rows")
    parser.add_argument("--program", default=ROOT / "build" / "tenpin")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, (bodies, solver, until) in ROWS.items():
            if arguments.names and not any(part in name for part in arguments.names):
                continue
            scene = HEAD + bodies + f"method: {{time-stepping: {{solver: {solver}}}}}\nuntil: {until}\n"
            search, steps = count(arguments.program, scene, pathlib.Path(folder))
            if steps <= search:
                sys.exit(f"{name}: no steps were counted; does the program have its symbols?")
            print(f"{name}: {100 * search / (steps - search):.1f} %", flush=True)


if __name__ == "__main__":
    main()
