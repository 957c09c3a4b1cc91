#!/usr/bin/env python3
"""Measures Tenpin and other engines on the same scenes: run.py --build DIR --out DIR [--quick] [--only NAME]... [--orders]

Writes OUT/results.json and, by the program peers_page, OUT/index.html. An engine whose program is not there is left out.
--quick: each scene once, a short time, and only small ones.
--orders: instead, where the other engines end on the scenes of experiments/order2, with several steps; writes peers.json beside each."""
import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys

import scenes

ROOT = pathlib.Path(__file__).resolve().parents[2]
ACCURACY = ROOT / "experiments" / "accuracy"
ORDERS = ROOT / "experiments" / "order2"

# label: (program, arguments). The first label of a program is the one that the text speaks of.
CONE = ["--set", "method.time-stepping.contact=rigid"]
ENGINES = {
    "Tenpin": ("tenpin", CONE),
    "Tenpin analytic": ("tenpin", ["--set", "method={analytic: {collisions: propagation}}"]),
    "Tenpin compliant": ("tenpin", []),
    "Bullet": ("bullet", []),
    "Bullet double": ("bullet64", []),
    "ODE step": ("ode", []),
    "ODE quick": ("ode", ["--option", "quick"]),
    "DART": ("dart", []),
    "MuJoCo": ("mujoco", []),
    "MuJoCo RK4": ("mujoco", ["--option", "rk4"]),
    "Simbody": ("simbody", []),
    "Jolt": ("jolt", []),
    "Jolt, 50 iterations": ("jolt", ["--option", "50"]),
    "Box3D": ("box3d", []),
    "Box3D, 16 substeps": ("box3d", ["--option", "16"]),
}
FOR_ACCURACY = ["Tenpin", "Tenpin analytic", "Bullet double", "ODE step", "ODE quick", "DART", "MuJoCo", "MuJoCo RK4",
                "Simbody"]
FOR_SPEED = ["Tenpin compliant", "Tenpin", "Bullet", "ODE quick", "ODE step", "DART", "MuJoCo", "Simbody", "Jolt",
             "Jolt, 50 iterations", "Box3D", "Box3D, 16 substeps"]

# title, scene, what is measured, its unit, the run of expected.json that has the exact value, changes
ACCURACY_ROWS = [
    ("Ramp, 1 % above critical: creep in 9 s", "ramp-stick", "creep", "m", "cone", {}),
    ("Ramp, 1 % below critical: acceleration", "ramp-slide", "acceleration", "m/s²", "cone", {}),
    *[(f"Heavy on light, {ratio} : 1: sinking over size", "mass-ratio", "sink", "", f"cone-{ratio}",
       {"bodies.heavy.mass": ratio}) for ratio in (10, 100, 1000, 10000)],
    ("Three balls: velocity of the last", "three-balls", "last", "m/s", "propagation", {}),
    ("Three balls: energy after over before", "three-balls", "energy", "", "propagation", {}),
    ("Cradle of five: velocity of the last", "cradle", "last", "m/s", "propagation", {}),
    ("Cradle of five: energy after over before", "cradle", "energy", "", "propagation", {}),
    ("Torque-free rotation: energy after 100 s", "torque-free", "energy", "", "cone", {}),
    ("Platter: radius after four rounds", "platter", "growth", "", "analytic", {}),
    ("Slide to roll: way in 1 s", "slide-to-roll", "way", "m", "analytic", {}),
    ("Bounce: height of the third", "bounce", "height/3", "m", "analytic", {}),
    ("Tower of ten: drift in 19 s", "tower", "drift", "m", "cone", {}),
    ("Tower, 1 : 100 in turn: drift in 19 s", "tower-alternating", "drift", "m", "cone", {}),
    ("Friction at 22.5 degrees: direction", "direction", "angle", "rad", "cone", {}),
]
WORK_PRECISION = ["platter", "slide-to-roll", "bounce", "torque-free"]
WORK_STEPS = [60, 120, 240, 480, 960]  # 1/s
# These are to come to the end of every speed scene; the others solve exactly or nearly so and get a sample of it.
SWEEPING = {"Tenpin compliant", "Bullet", "ODE quick", "Jolt", "Jolt, 50 iterations", "Box3D", "Box3D, 16 substeps"}

# The scenes of experiments/order2 that have a limit, and no joints: the body that is followed, and steps per second.
ORDER_SCENES = {"platter": "ball", "puck": "puck", "slide": "ball", "ramp": "block", "dish": "ball", "hill": "ball",
                "chaplygin": "ball", "bounce": "ball", "bounce-elastic": "ball", "stack": "box-3"}
ORDER_STEPS = [60, 120, 240, 480]
FOR_ORDERS = ["Bullet double", "ODE step", "DART", "MuJoCo RK4", "Simbody"]

FRICTION_SOLVERS = ["tenpin", "nsgs", "nsn_ac", "nsn_fb", "admm", "prox", "vi_eg"]


class Bench:
    def __init__(self, options):
        self.options = options
        self.programs = {p.name[len("peer_"):]: p for p in pathlib.Path(options.build).glob("peer_*") if os.access(p, os.X_OK)}
        self.settings = {}
        self.cache = {}

    def labels(self, labels):
        return [label for label in labels if ENGINES[label][0] in self.programs]

    def say(self, text):
        print(f"\r\033[K{text}" if sys.stderr.isatty() else text, end="" if sys.stderr.isatty() else "\n",
              file=sys.stderr, flush=True)

    def run_once(self, label, scene, more):
        program, arguments = ENGINES[label]
        limit = self.options.limit * (4 if label in SWEEPING else 1)
        command = [str(self.programs[program]), str(scene), "--limit", str(limit), *arguments, *more]
        try:  # an engine may hang in one step; a loaded machine takes longer than the CPU time
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=8 * limit)
        except subprocess.TimeoutExpired:
            return {"status": "limit", "reason": f"no answer in {8 * limit:g} s"}
        lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
        if not lines:
            words = (done.stderr.strip().splitlines() or [f"ended with code {done.returncode}"])[-1]
            return {"status": "failed", "reason": words[:200]}
        return json.loads(lines[-1])

    def run(self, label, scene, changes=None, more=()):
        """The run with the median CPU time. A long one is not repeated."""
        arguments = [word for path, value in (changes or {}).items() for word in ("--set", f"{path}={value}")]
        arguments += more
        key = (label, str(scene), *arguments)
        if key in self.cache:
            return self.cache[key]
        self.say(f"{scene.parent.name}/{scene.stem}  {label}  {' '.join(arguments)}")
        runs = [self.run_once(label, scene, arguments)]
        while (runs[0]["status"] == "done" and len(runs) < self.options.repeats
               and sum(r["cpu"] for r in runs) < self.options.patience):
            runs.append(self.run_once(label, scene, arguments))
        result = sorted(runs, key=lambda r: r.get("cpu", 0))[len(runs) // 2]
        result["repeats"] = len(runs)
        if "settings" in result:
            self.settings[label] = {"version": result["version"], "settings": result["settings"]}
        self.cache[key] = result
        return result


def wanted(bench, name):
    return not bench.options.only or name in bench.options.only


def exact_value(scene, run, key):
    numbers = json.loads((ACCURACY / scene / "expected.json").read_text())["numbers"]
    return next(n["paper"] for n in numbers if n["key"] == f"{run}/{key}")


def make_entry(label, result, exact=None, key=None):
    entry = {"engine": label, **{k: result[k] for k in ("status", "reason", "cpu", "steps", "repeats", "overlap") if k in result}}
    if exact is not None and "measures" in result:
        entry["value"] = result["measures"][key]
        entry["error"] = abs(entry["value"] - exact)
    return entry


def measure_accuracy(bench):
    rows = []
    for title, scene, key, unit, run, changes in ACCURACY_ROWS:
        if not wanted(bench, scene):
            continue
        exact = exact_value(scene, run, key)
        labels = bench.labels(FOR_ACCURACY)
        entries = [make_entry(label, bench.run(label, ACCURACY / scene / "scene.yaml", changes), exact, key) for label in labels]
        rows.append({"title": title, "scene": scene, "measure": key, "unit": unit, "exact": exact, "engines": entries})
    return rows


def measure_work_precision(bench):
    plots = []
    steps = WORK_STEPS[:3] if bench.options.quick else WORK_STEPS
    for title, scene, key, unit, run, _ in ACCURACY_ROWS:
        if scene not in WORK_PRECISION or not wanted(bench, scene):
            continue
        exact = exact_value(scene, run, key)
        curves = []
        for label in bench.labels(FOR_ACCURACY):
            if label == "Tenpin analytic":
                continue  # chooses its steps itself
            points = []
            for rate in steps:
                result = bench.run(label, ACCURACY / scene / "scene.yaml",
                                   more=["--set", f"method.time-stepping.step={1 / rate!r}"])
                entry = make_entry(label, result, exact, key)
                if "error" in entry:
                    points.append({"step": 1 / rate, "cpu": entry["cpu"], "error": entry["error"]})
            if points:
                curves.append({"engine": label, "points": points})
        plots.append({"title": title, "unit": unit, "curves": curves})
    return plots


def measure_orders(bench):
    """peers.json in the folders of experiments/order2: where the followed body ends, engine by engine."""
    for name, body in ORDER_SCENES.items():
        if not wanted(bench, name):
            continue
        entries = []
        for label in bench.labels(FOR_ORDERS):
            entry = {"engine": label, "ends": []}
            for rate in ORDER_STEPS:
                result = bench.run(label, ORDERS / name / "scene.yaml",
                                   more=["--ends", "--set", f"method.time-stepping.step={1 / rate!r}"])
                if "ends" in result:
                    entry["ends"].append({"rate": rate, "position": result["ends"][body]})
                else:
                    entry["reason"] = f"{result['status']}: {result['reason']}"
            entry.update(bench.settings.get(label, {}))
            entries.append(entry)
        (ORDERS / name / "peers.json").write_text(json.dumps(
            {"made by": f"bench/peers/run.py --orders --only {name}", "engines": entries}, indent=1) + "\n")


def measure_speed(bench):
    files = scenes.make_scenes(pathlib.Path(bench.options.out) / "scenes")
    rows = []
    for name, (_, count, _, _, until) in scenes.SCENES.items():
        if not wanted(bench, name) or (bench.options.quick and count > 60):
            continue
        entries = []
        for label in bench.labels(FOR_SPEED):
            result = bench.run(label, files[name])
            entry = make_entry(label, result)
            if "cpu" in result and result["steps"] > 0:
                entry["ms_per_step"] = 1e3 * result["cpu"] / result["steps"]
            if result["status"] == "done":
                entry["ms_per_step_rest"] = 4e3 * result["rest"] / result["steps"]
            entries.append(entry)
        rows.append({"scene": name, "bodies": count, "seconds": until, "engines": entries})
    return rows


def solve_friction(bench, solver, file, repeats):
    """None when the solver crashes or takes too long."""
    try:
        done = subprocess.run([str(bench.programs["siconos"]), solver, str(file), repeats], capture_output=True, text=True,
                              check=True, timeout=60)
        return json.loads(done.stdout)
    except (subprocess.SubprocessError, json.JSONDecodeError):
        return None


def measure_friction(bench):
    if "siconos" not in bench.programs or not wanted(bench, "friction"):
        return []
    folder = pathlib.Path(os.environ.get("TENPIN_FCLIB", ROOT / "tests" / "record" / "fclib"))
    files = sorted(folder.glob("*.hdf5"))
    problems = {}  # solver: results by problem
    for solver in FRICTION_SOLVERS:
        bench.say(f"friction problems  {solver}")
        problems[solver] = {f.stem: solve_friction(bench, solver, f, str(bench.options.repeats)) for f in files}
    rows = []
    for solver, results in problems.items():
        solved = {name: r["cpu"] for name, r in results.items() if r and r["solved"]}
        rows.append({"solver": solver, "problems": len(files), "solved": len(solved),
                     "solved_strictly": sum(bool(r and r["err_q"] <= 1e-8) for r in results.values()),
                     "median": statistics.median(solved.values()) if solved else None,
                     "sum": sum(solved.values()) if solved else None})
    best = [min((r[name]["cpu"] for s, r in problems.items() if s != "tenpin" and r[name] and r[name]["solved"]), default=None)
            for name in (f.stem for f in files)]
    ours = [problems["tenpin"][f.stem] for f in files]
    pairs = [(o["cpu"], b) for o, b in zip(ours, best) if o and o["solved"] and b is not None]
    return [{"problems": problems, "solvers": rows, "best_of_siconos": {
        "solved": len(pairs), "median_ratio": statistics.median(b / o for o, b in pairs) if pairs else None,
        "sum_ratio": sum(b for _, b in pairs) / sum(o for o, _ in pairs) if pairs else None}}]


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", required=True, help="folder of the programs peer_* and peers_page")
    parser.add_argument("--out", default=str(ROOT / "out" / "peers"))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--orders", action="store_true")
    parser.add_argument("--only", action="append", default=[], help="name of a scene, or friction")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--limit", type=float, default=5.0, help="CPU seconds of one run; four times that for engines that sweep")
    parser.add_argument("--patience", type=float, default=2.0, help="CPU seconds after which a run is not repeated")
    options = parser.parse_args()
    if options.quick:
        options.repeats = 1
        options.limit = min(options.limit, 2.0)
    bench = Bench(options)
    if options.orders:
        measure_orders(bench)
        return
    if "tenpin" not in bench.programs:
        sys.exit(f"{options.build}: no program peer_tenpin there")
    out = pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    results = {"machine": {"processor": processor(), "cores": os.cpu_count(), "load": os.getloadavg()[0]},
               "quick": options.quick, "accuracy": [], "work_precision": [], "speed": [], "friction": []}
    for part, measure in (("accuracy", measure_accuracy), ("work_precision", measure_work_precision),
                          ("speed", measure_speed), ("friction", measure_friction)):
        results[part] = measure(bench)
        results["settings"] = bench.settings
        # After each part, so that a run that is stopped leaves a page.
        (out / "results.json").write_text(json.dumps(results, indent=1))
        subprocess.run([str(pathlib.Path(options.build) / "peers_page"), str(out / "results.json"), str(out / "index.html")],
                       check=True)
    bench.say(f"{out}/index.html\n")


if __name__ == "__main__":
    main()
