#!/usr/bin/env python3
"""Measures which lines the tests reach: coverage.py BUILD OUT, after the tests of a build with --coverage.

Writes pages to OUT and prints a table of the modules. Fails if a module is below its floor.
"""
import collections
import pathlib
import subprocess
import sys

from project_files import ROOT

CORE = {"complementarity", "collide", "dynamics", "contact", "impact", "methods"}
CORE_FLOOR = 92.0  # %   of the lines of each of these modules
WHOLE_FLOOR = 88.0  # %   of the lines of src/


def capture(build, trace):
    """Collects the counts of all files of src/ into one trace file."""
    whole = trace.with_suffix(".all")
    subprocess.run(["lcov", "--quiet", "--capture", "--directory", build, "--output-file", whole,
                    "--rc", "geninfo_unexecuted_blocks=1", "--ignore-errors", "gcov,source"], check=True)
    subprocess.run(["lcov", "--quiet", "--extract", whole, f"{ROOT}/src/*", "--output-file", trace], check=True)


def count_lines(trace):
    """Returns {module: [lines reached, lines]} of a trace file."""
    counts = collections.defaultdict(lambda: [0, 0])
    module = None
    for line in trace.read_text().splitlines():
        if line.startswith("SF:"):
            module = pathlib.Path(line[3:]).relative_to(ROOT / "src").parts[0]
        elif line.startswith("DA:"):
            counts[module][0] += int(line.split(",")[1]) > 0
            counts[module][1] += 1
    return counts


def report(counts):
    """Prints the table; returns the names of modules that are below their floor."""
    low = []
    total = [sum(pair[i] for pair in counts.values()) for i in (0, 1)]
    for name, (reached, lines) in [*sorted(counts.items()), ("all", total)]:
        share = 100.0 * reached / max(lines, 1)
        floor = WHOLE_FLOOR if name == "all" else CORE_FLOOR if name in CORE else 0.0
        print(f"{name:16} {lines:7} lines  {share:5.1f} %{f'  below {floor:.0f} %' if share < floor else ''}")
        if share < floor:
            low.append(name)
    return low


def main():
    build, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    trace = out / "lines.info"
    capture(build, trace)
    subprocess.run(["genhtml", "--quiet", "--prefix", ROOT, "--output-directory", out, trace], check=True)
    low = report(count_lines(trace))
    print(f"open {out}/index.html")
    sys.exit(1 if low else 0)


if __name__ == "__main__":
    main()
