#!/usr/bin/env python3
"""Runs the fuzz targets of build/fuzz, one after the other or several at once, and reports the results.

Inputs that reach new code are stored in build/fuzz/corpus/TARGET, inputs that fail in build/fuzz/findings/TARGET.
`--minimise` selects small files of that corpus for fuzz/corpus, which every build replays as tests.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import sys

from project_files import ROOT

BUILD = ROOT / "build" / "fuzz"
# For each target: its dictionary and the files of the project with which it starts.
TARGETS = {
    "expression": ("expression", []),
    "fclib": (None, ["tests/record/fclib/*.hdf5"]),
    "mesh": ("mesh", ["scenes/meshes/*", "scenes/models/**/*.obj", "scenes/models/**/*.stl"]),
    "mjcf": ("xml", ["scenes/models/**/*.xml", "examples/scenes/*.xml", "tests/scene/import/**/*.xml"]),
    "override": ("yaml", []),
    "problem": ("json", ["tests/apps/impact_bad/*.json", "tests/complementarity/data/*.json", "tests/impact/data/*.json"]),
    "request": ("http", []),
    "run_file": (None, []),
    "scene": ("yaml", ["scenes/*.yaml", "tests/scene/bad/*.yaml", "examples/scenes/*.yaml"]),
    "simulate": (None, []),
    "study": ("yaml", ["experiments/**/study.yaml"]),
    "urdf": ("xml", ["scenes/models/**/*.urdf", "tests/scene/import/**/*.urdf"]),
}
MOST_BYTES = {"fclib": 1 << 20, "run_file": 120, "simulate": 128, "expression": 256, "override": 1024}
MOST_SEED_BYTES = 64 << 10
STATISTIC = re.compile(r"stat::(\w+):\s+(\d+)")
COVERAGE = re.compile(r"cov: (\d+) ft: (\d+)")


def folder(name, target):
    path = BUILD / name / target
    path.mkdir(parents=True, exist_ok=True)
    return path


def make_seeds(target):
    seeds = folder("seeds", target)
    for pattern in TARGETS[target][1]:
        for path in ROOT.glob(pattern):
            if path.is_file() and path.stat().st_size <= MOST_SEED_BYTES:
                shutil.copy(path, seeds / f"{path.parent.name}-{path.name}")
    return seeds


def run(target, seconds):
    """Fuzzes one target; returns (target, figures, text)."""
    dictionary = TARGETS[target][0]
    command = [BUILD / "fuzz" / f"fuzz_{target}", f"-max_total_time={seconds}", "-print_final_stats=1", "-timeout=60",
               "-rss_limit_mb=4096", "-close_fd_mask=1", "-use_value_profile=0",
               f"-max_len={MOST_BYTES.get(target, 16384)}", f"-artifact_prefix={folder('findings', target)}/"]
    if dictionary:
        command.append(f"-dict={ROOT / 'fuzz/dictionaries' / dictionary}.dict")
    command += [folder("corpus", target), make_seeds(target)]
    stored = ROOT / "fuzz/corpus" / target
    command += [stored] if stored.exists() else []
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    text = done.stderr.decode(errors="replace")
    figures = {name: int(value) for name, value in STATISTIC.findall(text)}
    found = COVERAGE.findall(text)
    figures["coverage"], figures["features"] = map(int, found[-1]) if found else (0, 0)
    figures["code"] = done.returncode
    return target, figures, text


def minimise(target, most_files, most_bytes):
    """Selects files that together reach the same code as the corpus, the smallest first."""
    reduced = BUILD / "reduced" / target
    shutil.rmtree(reduced, ignore_errors=True)
    reduced.mkdir(parents=True)
    subprocess.run([BUILD / "fuzz" / f"fuzz_{target}", "-merge=1", "-close_fd_mask=3",
                    f"-max_len={MOST_BYTES.get(target, 16384)}", reduced, folder("corpus", target)], check=True)
    stored = ROOT / "fuzz/corpus" / target
    stored.mkdir(parents=True, exist_ok=True)
    total = sum(path.stat().st_size for path in stored.iterdir())
    for path in sorted(reduced.iterdir(), key=lambda p: p.stat().st_size)[:most_files]:
        total += path.stat().st_size
        if total > most_bytes:
            break
        shutil.copy(path, stored / path.name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []], help="default: all")
    parser.add_argument("--seconds", type=int, default=60, help="for each target; default: 60")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--minimise", action="store_true", help="add small files to fuzz/corpus instead")
    args = parser.parse_args()
    targets = args.targets or list(TARGETS)
    if args.minimise:
        for target in targets:
            minimise(target, most_files=40, most_bytes=64 << 10)
        return 0
    failed = False
    print(f"{'target':12} {'executions':>12} {'per second':>11} {'coverage':>9} {'features':>9}")
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for target, figures, text in pool.map(lambda t: run(t, args.seconds), targets):
            with open(BUILD / "log.jsonl", "a") as log:
                log.write(json.dumps({"target": target, "seconds": args.seconds, **figures}) + "\n")
            print(f"{target:12} {figures.get('number_of_executed_units', 0):12} "
                  f"{figures.get('average_exec_per_sec', 0):11} {figures['coverage']:9} {figures['features']:9}"
                  + ("" if figures["code"] == 0 else "   FAILED"), flush=True)
            if figures["code"] != 0:
                failed = True
                print(text[-6000:], flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
