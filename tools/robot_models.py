#!/usr/bin/env python3
"""Runs every robot model below a folder and prints a table of the results.

    tools/robot_models.py FOLDER [--seconds 1] [--lenient] [--program build/release/apps/tenpin/tenpin]

A model is any .urdf, .mjcf or .xml file whose root element is <robot> or <mujoco>. They run one after the
other. With --oracle PROGRAM (the scene tests, build/release/tests/test_scene) the MJCF files that the packaged MuJoCo
loads are also compared with it: masses, joints, shapes, mass matrix and free fall. It writes only the table
and, with --report FILE, one line per model.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

ROOT = re.compile(rb"<(robot|mujoco)\b")
# J over the scale of the energy: rounding that moving bodies apart at the start may add.
LARGEST_GAIN = 1e-9


def find_models(folder):
    models = []
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".urdf", ".mjcf", ".xml") and path.is_file():
            root = ROOT.search(path.read_bytes()[:20000])
            if root:
                models.append((path, "URDF" if root.group(1) == b"robot" else "MJCF"))
    return models


def is_fragment(path):
    """True if an MJCF file is only a part of others: neither it nor the files it includes have bodies or geoms."""
    text = path.read_text(errors="replace")
    has_parts = re.search(r"<worldbody>.*<(body|geom|attach|include)\b.*</worldbody>", text, re.DOTALL)
    return path.suffix != ".urdf" and not has_parts and not re.search(r"<(include|link)\b", text)


def limit_cpu(seconds):
    """Limits CPU time, so that the result does not depend on the load of the machine."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))


def run_model(program, path, options):
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "run", str(path), "--set", f"until={options.seconds}", "--json", "-q",
                   "-o", os.path.join(folder, "run.h5")]
        if options.lenient:
            command.append("--lenient")
        start = time.monotonic()
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=20 * options.limit, check=False,
                                  preexec_fn=lambda: limit_cpu(options.limit))
        except subprocess.TimeoutExpired:
            return "too slow", time.monotonic() - start, "hangs"
        seconds = time.monotonic() - start
    if -done.returncode in (signal.SIGXCPU, signal.SIGKILL):
        return "too slow", seconds, f"more than {options.limit} s of CPU time"
    if done.returncode < 0:
        return "crashed", seconds, f"signal {-done.returncode}"
    if done.returncode == 2:
        return "refused", seconds, first_line(done.stderr)
    try:
        summary = json.loads(done.stdout)
    except json.JSONDecodeError:
        return "failed", seconds, f"exit code {done.returncode}: {first_line(done.stderr)}"
    if done.returncode != 0:
        return "failed", seconds, f"at {summary['t']:g} s: {summary['message']}"
    gained = summary["start"]["energy_change"]
    scale = 1.0 + abs(summary["ledger"]["energy_start"])
    if gained > LARGEST_GAIN * scale:
        return "gained energy", seconds, f"{gained:g} J at the start"
    return "ran", seconds, ""


def first_line(text):
    lines = [line for line in text.splitlines() if line and not line.startswith("note:")]
    return lines[0] if lines else ""


def compare(oracle, path):
    environment = dict(os.environ, TENPIN_MODELS=str(path))
    try:
        done = subprocess.run([oracle, "--gtest_filter=*GivenModels*"], capture_output=True, text=True, timeout=120,
                              env=environment, check=False)
    except subprocess.TimeoutExpired:
        return "too slow to compare", ""
    if "MuJoCo does not load it" in done.stdout:
        return "not loaded", ""
    if done.returncode == 0 and "weighed as boxes" in done.stdout:
        return "weighs meshes otherwise", ""
    if done.returncode == 0:
        numbers = re.search(r": mass matrix .*", done.stdout)
        return "agrees", numbers.group(0)[2:] if numbers else ""
    failures = [line for line in done.stdout.splitlines() if "Failure" in line or "what()" in line]
    return "differs", " ".join(done.stdout.split("Failure", 1)[-1].split())[:300] if failures else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--program", default="build/release/apps/tenpin/tenpin")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--limit", type=int, default=60, help="seconds of CPU time for each model")
    parser.add_argument("--lenient", action="store_true")
    parser.add_argument("--oracle")
    parser.add_argument("--report", type=pathlib.Path)
    options = parser.parse_args()
    counts = collections.defaultdict(collections.Counter)
    report = open(options.report, "w", encoding="utf-8") if options.report else None
    for path, kind in find_models(options.folder):
        if is_fragment(path):
            outcome, seconds, text = "fragment", 0.0, ""
        else:
            outcome, seconds, text = run_model(options.program, path, options)
        counts[kind][outcome] += 1
        agreement = ""
        if options.oracle and kind == "MJCF" and outcome not in ("fragment", "refused"):
            agreement, numbers = compare(options.oracle, path)
            counts["MJCF and MuJoCo"][agreement] += 1
            text = " ".join((text, numbers)).strip()
        if report:
            print(path, outcome, f"{seconds:.1f} s", agreement, text, sep="\t", file=report, flush=True)
    for kind, outcomes in sorted(counts.items()):
        print(f"| {kind} | {sum(outcomes.values())} |")
        for outcome, count in outcomes.most_common():
            print(f"|   {outcome} | {count} |")
    return 1 if any(outcomes["crashed"] for outcomes in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
