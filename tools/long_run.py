#!/usr/bin/env python3
"""Runs a scene for very many steps and fails if its memory grows; reports the time per step.

    tools/long_run.py --steps 1000000          100 bodies at rest and in motion

The memory of the process is read while it runs; the first tenth of the run does not count. Nothing is recorded.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from project_files import ROOT

SCENE = """tenpin: 1
materials: {{m: {{friction: 0.4, restitution: 0.2}}}}
bodies:
  - {{name: floor, fixed: true, material: m, shapes: [{{plane: {{normal: [0, 0, 1]}}}}]}}
  - {{name: ball, material: m, density: 1000, position: [0, 0, 0.06], repeat: {{grid: [7, 7, 1], spacing: 0.3}},
     shapes: [{{sphere: {{radius: 0.05}}}}]}}
  - {{name: box, material: m, density: 1000, position: [0, 3, 0.05], repeat: {{grid: [7, 7, 1], spacing: 0.3}},
     shapes: [{{box: {{size: [0.1, 0.1, 0.1]}}}}]}}
  - {{name: arm, joint: {{hinge: {{axis: [0, 1, 0], anchor: [0, 0, 0.5], at: 0.5}}}}, position: [0, -2, 2], density: 1000,
     shapes: [{{box: {{size: [0.1, 0.1, 1]}}}}]}}
method: {{time-stepping: {{step: {step}{options}}}}}
record: {{every: {every}}}
until: {until}
"""
STEP = 0.002
GROWTH_KB = 512     # allowed growth of the largest resident size after the first tenth: memory that the allocator keeps


def resident_kb(pid):
    try:
        return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text()).group(1))
    except (OSError, AttributeError):
        return None


def cpu_seconds(pid):
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def watch(process, interval):
    """Yields (CPU seconds, resident kB) until the process ends."""
    while process.poll() is None:
        sample = cpu_seconds(process.pid), resident_kb(process.pid)
        if None not in sample:
            yield sample
        time.sleep(interval)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/tenpin")
    parser.add_argument("--options", default="", help="of time-stepping, e.g. 'order: 1, solver: cone'")
    parser.add_argument("--interval", type=float, default=1.0, help="s between two looks")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scene = pathlib.Path(folder) / "scene.yaml"
        until = args.steps * STEP
        options = f", {args.options}" if args.options else ""
        scene.write_text(SCENE.format(step=STEP, until=until, every=until, options=options))
        process = subprocess.Popen([args.program, "run", scene, "-q", "--json", "--threads", "1"],
                                   stdout=subprocess.PIPE, text=True)
        samples = list(watch(process, args.interval))
        summary = json.loads(process.stdout.read())
    warm = [sample for sample in samples if sample[0] > 0.1 * samples[-1][0]]
    growth = max(kb for _, kb in warm) - warm[0][1] if warm else 0
    print(json.dumps({"steps": summary["steps"], "code": process.returncode, "cpu_seconds": samples[-1][0],
                      "us_per_step": round(1e6 * samples[-1][0] / summary["steps"], 2),
                      "resident_kb_at_10_percent": warm[0][1] if warm else None, "growth_kb": growth}))
    return int(process.returncode != 0 or summary["steps"] < args.steps or growth > GROWTH_KB)


if __name__ == "__main__":
    sys.exit(main())
