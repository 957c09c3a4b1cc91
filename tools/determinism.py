#!/usr/bin/env python3
"""Same input, same bits: runs scenes with differently compiled programs, numbers of threads and kernels, and
fails unless every run of a scene ends in the same state, bit by bit. With --ways each scene is also run by every
method, and by time stepping of both orders; within a way all bits must agree.

A corner is a program that exists already, or one built below build/determinism with a given compiler
and optimisation level. `tenpin run --json` reports the state as a hash.
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
# Compiles file by file and so finds missing includes, but takes minutes longer: built only together with all corners.
ALONE = "clang++-O0"
HASH = re.compile(r"[0-9a-f]{16,}")
KERNELS = ("baseline", "avx2", "avx512")
# Ways to run a scene, as further arguments of the program.
WAYS = {"": [], "order 1": ["--method", "time-stepping", "--set", "method.time-stepping.order=1"],
        "order 2": ["--method", "time-stepping", "--set", "method.time-stepping.order=2"],
        "impulse": ["--method", "impulse"], "analytic": ["--method", "analytic"]}
REFUSED = "refused: the method cannot do the scene"


def build_corner(corner, jobs, together):
    """Builds only the program and returns its path."""
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


def supported_kernels():
    """The kernels that the processor supports; without /proc, the one that the program chooses."""
    try:
        flags = re.search(r"^flags\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE).group(1).split()
    except (OSError, AttributeError):
        return [""]
    return ["baseline"] + ["avx2"] * ("avx2" in flags) + ["avx512"] * ({"avx512f", "avx512dq"} <= set(flags))


def state_hash(program, scene, threads, kernel, arguments):
    """The hash of the final state, or the error."""
    command = [program, "run", scene, "--json", "--threads", str(threads), *arguments]
    environment = {**os.environ, **({"TENPIN_KERNEL": kernel} if kernel else {})}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode == 2:
        return REFUSED
    try:
        found = json.loads(done.stdout)["state_hash"]
        return found if HASH.fullmatch(found) else f"not a hash: {found!r}"
    except (ValueError, KeyError, TypeError):
        return f"no state_hash, exit code {done.returncode}: {done.stderr.strip()[-300:]}"


def scene_name(scene):
    """A name for the scene. The files of experiments are all called scene.yaml, so the folder is used."""
    return scene.stem if scene.stem != "scene" else "/".join(scene.resolve().parts[-3:-1])


def disagreements(programs, scenes, matrix, ways, jobs):
    """Yields (scene and way, {hash: [runs]}) where runs do not all agree. `matrix`: threads and kernel of each run."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for scene in scenes:
            for way, arguments in ways.items():
                runs = {f"{name}, {n} threads, {kernel or 'own'} kernels":
                        pool.submit(state_hash, program, scene, n, kernel, arguments)
                        for name, program in programs.items() for n, kernel in matrix}
                groups = collections.defaultdict(list)
                for who, run in runs.items():
                    groups[run.result()].append(who)
                only = next(iter(groups))
                agreed = len(groups) == 1 and (HASH.fullmatch(only) or (way and only == REFUSED))
                print(f"{scene_name(scene):24} {way:9} {only if agreed else 'DIFFERS'}", flush=True)
                if not agreed:
                    yield f"{scene} {way}", groups


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("scenes", nargs="*", type=pathlib.Path, help="default: all of scenes/ and of experiments/order2/")
    parser.add_argument("--corner", action="append", choices=CORNERS, help="default: all six")
    parser.add_argument("--program", action="append", default=[], type=pathlib.Path,
                        help="a program that exists, as a further corner")
    parser.add_argument("--threads", default="1,2,7,16", help="default: 1,2,7,16")
    parser.add_argument("--kernels", default=",".join(supported_kernels()),
                        help=f"of {', '.join(KERNELS)}; default: all that the processor has")
    parser.add_argument("--ways", action="store_true", help="every method and order, not only the scene's own")
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
    kernels = args.kernels.split(",")
    # Each number of threads with the best kernels, and each of the other kernels with the first number of threads.
    matrix = [(n, kernels[-1]) for n in threads] + [(threads[0], kernel) for kernel in kernels[:-1]]
    settings = [part for setting in args.set for part in ("--set", setting)]
    ways = {way: [*arguments, *settings] for way, arguments in (WAYS if args.ways else {"": []}).items()}
    failed = list(disagreements(programs, scenes, matrix, ways, args.jobs))
    for scene, groups in failed:
        print(f"\n{scene}:")
        for result, runs in groups.items():
            print(f"  {result}\n    " + "\n    ".join(runs))
    print(f"{len(scenes)} scenes, {len(ways)} ways, {len(programs)} programs, threads {args.threads}, "
          f"kernels {args.kernels}: " + (f"{len(failed)} differ" if failed else "all bits agree"))
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
