#!/usr/bin/env python3
"""Same input, same bits: runs scenes with differently compiled programs and different numbers of
threads, and fails unless every run of a scene ends in the same state, bit by bit.

A corner is a compiler and an optimisation level, built below build/determinism, or a program that
exists already. `tenpin run --json` reports the state as a hash.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

from project_files import ROOT

COMPILERS = {"g++": "gcc", "clang++": "clang"}
CORNERS = [f"{compiler}-{level}" for compiler in COMPILERS for level in ("O0", "O2", "O3")]
# Compiles file by file, and so finds what a file forgot to include, when all corners are built: it takes minutes more.
ALONE = "clang++-O0"
HASH = re.compile(r"[0-9a-f]{16,}")


def build_corner(corner, jobs, together):
    """Builds the program alone and returns its path."""
    cxx, _, level = corner.rpartition("-")
    folder = ROOT / "build" / "determinism" / corner
    configure = ["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DTENPIN_TESTS=OFF",
                 "-DTENPIN_VIEWER=OFF", "-DTENPIN_PRECOMPILE=ON", "-DCMAKE_BUILD_TYPE=None",
                 f"-DCMAKE_UNITY_BUILD={'ON' if together else 'OFF'}",
                 f"-DCMAKE_CXX_FLAGS=-{level} -DNDEBUG",
                 f"-DCMAKE_CXX_COMPILER={cxx}", f"-DCMAKE_C_COMPILER={COMPILERS[cxx]}"]
    for command in (configure, ["cmake", "--build", folder, "-j", str(jobs), "--target", "tenpin"]):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            sys.exit(f"{corner} does not build:\n{done.stdout}")
    return folder / "apps" / "tenpin" / "tenpin"


def state_hash(program, scene, threads, settings):
    """The hash of the final state, or what went wrong instead."""
    command = [program, "run", scene, "--json", "--threads", str(threads)]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        found = json.loads(done.stdout)["state_hash"]
        return found if HASH.fullmatch(found) else f"not a hash: {found!r}"
    except (ValueError, KeyError, TypeError):
        return f"no state_hash, exit code {done.returncode}: {done.stderr.strip()[-300:]}"


def scene_name(scene):
    """Experiments call theirs scene.yaml: their folder says which it is."""
    return scene.stem if scene.stem != "scene" else "/".join(scene.resolve().parts[-3:-1])


def disagreements(programs, scenes, threads, settings, jobs):
    """Yields (scene, {hash: [who got it]}) for each scene whose runs do not all agree on a hash."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for scene in scenes:
            runs = {f"{name}, {n} threads": pool.submit(state_hash, program, scene, n, settings)
                    for name, program in programs.items() for n in threads}
            groups = collections.defaultdict(list)
            for who, run in runs.items():
                groups[run.result()].append(who)
            agreed = len(groups) == 1 and HASH.fullmatch(next(iter(groups)))
            print(f"{scene_name(scene):24} {next(iter(groups)) if agreed else 'DIFFERS'}", flush=True)
            if not agreed:
                yield scene, groups


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("scenes", nargs="*", type=pathlib.Path, help="default: all of scenes/ and of experiments/order2/")
    parser.add_argument("--corner", action="append", choices=CORNERS, help="default: all six")
    parser.add_argument("--program", action="append", default=[], type=pathlib.Path,
                        help="a program that exists, as a further corner")
    parser.add_argument("--threads", default="1,2,8", help="default: 1,2,8")
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE",
                        help="passed to every run, e.g. until=0.2")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()

    scenes = args.scenes or [*sorted((ROOT / "scenes").glob("*.yaml")),
                             *sorted((ROOT / "experiments/order2").glob("*/scene.yaml"))]
    if not scenes:
        sys.exit("no scenes to run")
    programs = {str(path): path for path in args.program}
    for corner in args.corner or CORNERS:
        programs[corner] = build_corner(corner, args.jobs, together=bool(args.corner) or corner != ALONE)
    threads = [int(n) for n in args.threads.split(",")]
    failed = list(disagreements(programs, scenes, threads, args.set, args.jobs))
    for scene, groups in failed:
        print(f"\n{scene}:")
        for result, runs in groups.items():
            print(f"  {result}\n    " + "\n    ".join(runs))
    print(f"{len(scenes)} scenes, {len(programs)} programs, {len(threads)} thread counts: "
          + (f"{len(failed)} scenes differ" if failed else "all bits agree"))
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
