#!/usr/bin/python3
"""Compares the results of this build, bit by bit, with those stored in tests/random/hashes.txt.

    tools/hashes.py --quick      a few scenes under all settings: the test random.hashes
    tools/hashes.py              all scenes, experiments and random scenes: some minutes
    tools/hashes.py --store      writes the file again, after a change that is meant to change results

A line of the file has a scene, a setting of the method and two hashes: of the final state, and of
the steps and contacts of the run file. Each run is made with 1 and with 4 threads, which must
agree. Debian's own Python, because it has h5py.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile

import h5py
import numpy as np
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "random"))
import scenes as random_scenes  # noqa: E402

STORED = ROOT / "tests" / "random" / "hashes.txt"
THREADS = (1, 4)
CPU_LIMIT = 4    # s   a run that takes longer is neither stored nor compared
UNTIL = 0.6      # s   of each run
STEP = 1 / 240   # s


SLOW = "slow"


def stepping(**options):
    return {"time-stepping": {"step": STEP, **options}}


SETTINGS = {
    "own": None,  # the method that the scene names
    "order2": stepping(order=2),
    "order2-lemke": stepping(order=2, solver="lemke"),
    "order2-poisson": stepping(order=2, restitution="poisson"),
    "order2-plastic": stepping(order=2, restitution="none"),
    "order2-sleep": stepping(order=2, sleeping=True),
    "order2-coarse": stepping(order=2, passes=1, step=1 / 60),
    "order1": stepping(order=1),
    "order1-lemke": stepping(order=1, solver="lemke"),
    "order1-poisson": stepping(order=1, restitution="poisson"),
    "order1-velocity": stepping(order=1, formulation="velocity"),
    "order1-printed": stepping(order=1, formulation="velocity", projection=False, lever="printed",
                               solver="lemke"),
    "order1-nonlinear": stepping(order=1, formulation="nonlinear"),
    "order1-all": stepping(order=1, active_set="all"),
    "order1-sleep": stepping(order=1, sleeping=True),
    "order1-compliant": stepping(order=1, contact={"compliance": 0.03}),
    "order1-compliant-sleep": stepping(order=1, contact={"compliance": 0.03}, sleeping=True),
    "order1-springs": stepping(order=1, contact="springs"),
    "impulse": {"impulse": {"interval": STEP}},
    "analytic": {"analytic": {}},
    "penalty": {"penalty": {"step": STEP, "stiffness": 1e4, "damping": 10.0}},
}

# Families and seeds of random scenes.
RANDOM = [*(("scenes", seed) for seed in range(12)), *(("coins", seed) for seed in range(4)),
          *(("walls", seed) for seed in range(2)), *(("stacks", seed) for seed in range(4))]

# Scenes of the quick form: impacts, joints, loops, sliding, rest, prescribed motion, rims.
QUICK = {"scenes/four-balls", "scenes/four-bar", "scenes/mixed-shapes", "scenes/newtons-cradle",
         "scenes/tilted-coin", "scenes/platter", "random/scenes-1", "random/scenes-5",
         "random/stacks-0", "random/walls-0"}

# Durations (s) of scenes with many or stiff bodies.
SHORT = {"scenes/pile-of-balls": 0.04, "scenes/dominoes": 0.03, "scenes/brick-wall": 0.02,
         "scenes/ten-pins": 0.03, "scenes/chain": 0.06, "scenes/stools": 0.1,
         "experiments/MC95/cost": 0.03, "experiments/MC95/dominoes": 0.03,
         "experiments/MC95/bowling": 0.03, "experiments/order2/pile": 0.05}

# Settings used for experiments; other scenes use all settings.
OF_EXPERIMENTS = {"own", "order2", "order1"}

# The compared fields of steps and contacts in the run file. Fields that are added later are ignored.
STEP_FIELDS = """step t status solver passed residual penetration cone_violation dissipation_gap
    work_free_flight work_applied work_scheme work_normal work_friction work_constraint
    work_projection work_prescribed kinetic potential closure excess_work forces_unique
    normals_independent spans_disjoint num_contacts num_active problem_size pivots solves iterations
    contraction num_recorded""".split()
CONTACT_FIELDS = """step body_a body_b part_a part_b feature_a feature_b mode position normal gap
    impulse normal_impulse spin_impulse slip normal_velocity residual dissipation_gap normal_work
    friction_work painleve free_acceleration no_acceleration_solution excess_work
    force_unique""".split()


def find_scenes(folder):
    """Finds scene files by name; random scenes are written to the folder."""
    found = {}
    for path in sorted((ROOT / "scenes").glob("*.yaml")):
        found[f"scenes/{path.stem}"] = path
    for path in sorted((ROOT / "experiments").glob("*/*/scene.yaml")):
        found["/".join(path.parts[-4:-1])] = path
    for family, seed in RANDOM:
        scene = random_scenes.make_scene(family, seed, "default")
        path = folder / f"{family}-{seed}.yaml"
        path.write_text(json.dumps(scene))
        found[f"random/{family}-{seed}"] = path
    return found


def hash_run(path):
    """A hash of the numbers of steps and contacts in a run file."""
    total = hashlib.sha256()
    with h5py.File(path) as run:
        committed = run["committed"][()]
        for table, fields in (("steps", STEP_FIELDS), ("contacts", CONTACT_FIELDS)):
            rows = run[table][: int(committed[table])]
            for field in fields:
                total.update(np.ascontiguousarray(rows[field]).tobytes())
    return total.hexdigest()[:16]


def limit_time():
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT, CPU_LIMIT + 1))


def run_case(program, name, path, setting, threads, folder):
    """Returns the two hashes of one run as text, or its exit code if the run failed."""
    out = folder / f"{name.replace('/', '-')}-{setting}-{threads}.h5"
    until = min(SHORT.get(name, UNTIL), float(yaml.safe_load(path.read_text())["until"]))
    command = [program, "run", path, "--json", "--force", "-q", "-o", out, "--threads", str(threads),
               "--set", f"until={until}", "--set", "record={every: 0.1, contacts: steps}"]
    if SETTINGS[setting] is not None:
        command += ["--set", f"method={json.dumps(SETTINGS[setting])}"]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit_time)
    if done.returncode < 0:
        return SLOW if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL) else f"signal{done.returncode}"
    if done.returncode not in (0, 3):
        return f"exit-{done.returncode}"
    text = f"{json.loads(done.stdout)['state_hash']} {hash_run(out)}"
    out.unlink()
    return text if done.returncode == 0 else text + f" exit-{done.returncode}"


def read_stored():
    lines = STORED.read_text().splitlines() if STORED.exists() else []
    rows = [line.split(maxsplit=2) for line in lines if line and not line.startswith("#")]
    return {(name, setting): result for name, setting, result in rows}


def store(results):
    lines = ["# Results of tools/hashes.py: scene, setting, hash of the final state, hash of steps and contacts."]
    lines += [f"{name} {setting} {result}" for (name, setting), result in sorted(results.items())
              if result != SLOW]
    STORED.write_text("\n".join(lines) + "\n")


def select(names, arguments):
    """Selects the requested cases."""
    cases = [(name, setting) for name in names for setting in SETTINGS
             if setting in OF_EXPERIMENTS or not name.startswith("experiments/")]
    if arguments.quick:
        cases = [case for case in cases if case[0] in QUICK]
    if arguments.scene:
        cases = [case for case in cases if any(part in case[0] for part in arguments.scene)]
    if arguments.setting:
        cases = [case for case in cases if case[1] in arguments.setting]
    return cases


def compare(cases, stored, arguments, folder, found):
    """Runs the cases and returns their results; prints those that differ."""
    results, problems = {}, 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        runs = {(case, n): pool.submit(run_case, arguments.program, case[0], found[case[0]], case[1], n, folder)
                for case in cases for n in arguments.threads}
        for case in cases:
            got = [runs[case, n].result() for n in arguments.threads]
            results[case] = SLOW if SLOW in got else got[0]
            if SLOW in got:  # on a busy machine: neither stored nor compared
                continue
            if len(set(got)) > 1:
                problems += 1
                print(f"{' '.join(case)}: threads disagree: {dict(zip(arguments.threads, got))}", flush=True)
            if not arguments.store and case in stored and got[0] != stored[case]:
                problems += 1
                print(f"{' '.join(case)}: got {got[0]}, stored {stored[case]}", flush=True)
    return results, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--quick", action="store_true", help="a few scenes, under all settings")
    parser.add_argument("--store", action="store_true", help="store the results instead of comparing them")
    parser.add_argument("--scene", action="append", help="only scenes whose name contains this; may be repeated")
    parser.add_argument("--setting", action="append", choices=list(SETTINGS), help="may be repeated")
    parser.add_argument("--threads", type=lambda text: [int(n) for n in text.split(",")], default=THREADS,
                        help="default: 1,4")
    parser.add_argument("--program", default=os.environ.get("TENPIN", ROOT / "build/release/apps/tenpin/tenpin"))
    parser.add_argument("-j", "--jobs", type=int, default=1, help="runs at the same time")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tenpin-hashes-") as name:
        folder = pathlib.Path(name)
        found = find_scenes(folder)
        cases = select(found, arguments)
        stored = read_stored()
        results, problems = compare(cases, stored, arguments, folder, found)
    if arguments.store:
        store({**stored, **results})
    if not cases:
        sys.exit("no cases selected")
    print(f"{len(cases)} cases: " + (f"{problems} problems" if problems else "stored" if arguments.store else "all bits agree"))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
