#!/usr/bin/env python3
"""How well a study runs on two processes of MPI, against two threads of one process.

    bench/study_ranks.py build/release/apps/tenpin/tenpin [--repeats 5]

For tiny trials and for trials of about 10 ms. The two ways take turns. Efficiency is the time of
the threads over that of the processes: by the clock, which other programs on the machine disturb,
and by CPU time (user and system, all processes), less what the same command takes when there is
nothing left to do. Each pair of runs gives one ratio; the median counts, and the least and the
largest are printed with it. Every table must be the same.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile

SCENE = """tenpin: 1
bodies:
  - {name: floor, fixed: true, shapes: [plane: {}]}
  - {name: ball, mass: 1, position: [0, 0, 1], velocity: [1, 0, 0], shapes: [{sphere: {radius: 0.1}}]}
method: {time-stepping: {step: 0.01}}
until: %g
"""
STUDY = """tenpin_study: 1
scene: scene.yaml
trials: %d
vary: {height: {path: bodies.ball.position.2, from: 1, to: 2}}
measures: {x: {final: bodies.ball.position.x}}
"""
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "2"]
ENVIRONMENT = dict(os.environ, OMPI_MCA_btl_vader_single_copy_mechanism="none")


def cpu_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def sweep(program, folder, table, processes):
    """The study from nothing. Wall time, CPU time less that of a start, hash."""
    launcher = MPIRUN if processes > 1 else []
    words = launcher + [program, "sweep", "study.yaml", "-o", table, "--json", "-q",
                        "--threads", str(2 // processes)]

    def run():
        before = cpu_of_children()
        outcome = subprocess.run(words, cwd=folder, env=ENVIRONMENT, check=True, text=True,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        return json.loads(outcome.stdout), cpu_of_children() - before

    result, cpu = run()
    again, start = run()
    assert again["fresh"] == 0
    for name in ("", "-wal", "-shm"):
        pathlib.Path(folder, table + name).unlink(missing_ok=True)
    return {"wall": result["seconds"], "cpu": cpu - start, "hash": result["table_hash"],
            "busy": [share["busy"] for share in result["processes"]]}


def compare(program, name, until, trials, repeats):
    with tempfile.TemporaryDirectory(prefix="tenpin-bench-") as folder:
        pathlib.Path(folder, "scene.yaml").write_text(SCENE % until, encoding="utf-8")
        pathlib.Path(folder, "study.yaml").write_text(STUDY % trials, encoding="utf-8")
        pairs = []
        for _ in range(repeats):
            pairs.append((sweep(program, folder, "threads.sqlite", 1),
                          sweep(program, folder, "ranks.sqlite", 2)))
    assert len({run["hash"] for pair in pairs for run in pair}) == 1, pairs
    per_trial = statistics.median(threads["cpu"] for threads, _ in pairs) / trials
    print(f"{name}: {trials} trials of {1e3 * per_trial:.3g} ms of CPU time, {repeats} pairs of runs")
    for clock in ("cpu", "wall"):
        ratios = sorted(threads[clock] / ranks[clock] for threads, ranks in pairs)
        print(f"  efficiency by {clock} time {100 * statistics.median(ratios):.1f} % "
              f"({100 * ratios[0]:.1f} to {100 * ratios[-1]:.1f})")
    busy = [statistics.median(ranks["busy"][i] for _, ranks in pairs) for i in range(2)]
    print(f"  busy share of the ranks {100 * busy[0]:.1f} % and {100 * busy[1]:.1f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--trials", type=int, default=40000, help="tiny ones; a hundredth of the others")
    arguments = parser.parse_args()
    compare(arguments.program, "tiny", 0.1, arguments.trials, arguments.repeats)
    compare(arguments.program, "10 ms", 25.0, arguments.trials // 100, arguments.repeats)


if __name__ == "__main__":
    main()
