#!/usr/bin/env python3
"""What Python adds to a step, and what two threads gain.   build/venv/bin/python bench/python_bench.py [--json]

step     one ball in free flight; Python's loop over sim.step() against the library's own loop (Batch.step), processor time
control  a step of a cart-pole with another joint force before each step, against the same force always, processor time
threads  two simulations one after the other against two threads at once, and against two processes, which share no lock:
         wall time; needs two cores that are free
batch    64 simulations by one thread against all cores, wall time, and the same bits as alone
The least of several repetitions counts: what disturbs a measurement only makes it longer."""
import argparse
import json
import os
import pathlib
import threading
import time

import tenpin

SCENES = pathlib.Path(__file__).resolve().parents[1] / "scenes"
BALL = {"bodies": [{"name": "ball", "mass": 1, "shapes": [{"sphere": {"radius": 0.1}}]}], "until": 1e6}


def least(clock, call, repetitions):
    times = []
    for _ in range(repetitions):
        begin = clock()
        call()
        times.append(clock() - begin)
    return min(times)


def measure_step(count=20000, repetitions=7):
    """Microseconds per step: in Python's loop, in C++'s loop, the difference."""
    sim = tenpin.load(BALL)
    batch = tenpin.Batch(BALL, 1, threads=1)
    step = sim.step

    def python_loop():
        for _ in range(count):
            step()

    python = least(time.process_time, python_loop, repetitions) / count * 1e6
    library = least(time.process_time, lambda: batch.step(count), repetitions) / count * 1e6
    return {"python_us": python, "library_us": library, "added_us": python - library}


def measure_control(count=4000, repetitions=7):
    """Microseconds per step of a scene with a joint: with one force, and with another one before each step."""
    sim = tenpin.load(SCENES.parent / "examples" / "scenes" / "cart-pole.yaml")
    forces = [0.01 * (k % 7) for k in range(count)]

    def steady():
        sim.reset()
        sim.force["cart"] = 0.03
        for _ in range(count):
            sim.step()

    def changing():
        sim.reset()
        for force in forces:
            sim.force["cart"] = force
            sim.step()

    def writing():
        for force in forces:
            sim.force["cart"] = force

    times = [least(time.process_time, call, repetitions) / count * 1e6 for call in (steady, changing, writing)]
    return {"steady_us": times[0], "changing_us": times[1], "writing_us": times[2]}


def measure_threads(repetitions=7, until=1.0, times=20):
    """How much sooner two runs end if two threads share them."""
    sims = [tenpin.load(SCENES / "four-balls.yaml") for _ in range(2)]

    def run(sim):
        for _ in range(times):
            sim.reset()
            while sim.time < until:
                sim.advance_to(sim.time + 0.02)

    def one_after_the_other():
        for sim in sims:
            run(sim)

    def at_once():
        team = [threading.Thread(target=run, args=(sim,)) for sim in sims]
        for member in team:
            member.start()
        for member in team:
            member.join()

    def in_two_processes():
        children = []
        for sim in sims:
            child = os.fork()
            if child == 0:
                run(sim)
                os._exit(0)
            children.append(child)
        for child in children:
            os.waitpid(child, 0)

    one_after_the_other()
    serial = least(time.perf_counter, one_after_the_other, repetitions)
    parallel = least(time.perf_counter, at_once, repetitions)
    processes = least(time.perf_counter, in_two_processes, repetitions)
    return {"serial_s": serial, "threads_s": parallel, "processes_s": processes, "speed_up": serial / parallel,
            "speed_up_of_processes": serial / processes}


def measure_batch(count=64, steps=200, repetitions=5):
    times, hashes = {}, set()
    for threads in (1, 0):
        batch = tenpin.Batch(SCENES / "four-balls.yaml", count, threads=threads)

        def run():
            batch.reset()
            batch.step(steps)

        times[threads] = least(time.perf_counter, run, repetitions)
        hashes |= {batch._hash(k) for k in range(count)}
    single = tenpin.load(SCENES / "four-balls.yaml")
    for _ in range(steps):
        single.step()
    return {"one_thread_s": times[1], "all_cores_s": times[0], "speed_up": times[1] / times[0],
            "same_bits": hashes == {single.state_hash}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = {"cores": os.cpu_count(), "step": measure_step(), "control": measure_control(), "threads": measure_threads(), "batch": measure_batch()}
    if options.json:
        print(json.dumps(results, indent=2))
        return
    s, c, t, b = results["step"], results["control"], results["threads"], results["batch"]
    print(f"step     {s['python_us']:.2f} us in Python, {s['library_us']:.2f} us in the library: {s['added_us']:.2f} us more")
    print(f"control  {c['steady_us']:.2f} us by one force, {c['changing_us']:.2f} us by another one before each step, "
          f"of which {c['writing_us']:.2f} us write it")
    print(f"threads  {t['serial_s']:.3f} s one after the other, {t['threads_s']:.3f} s at once: {t['speed_up']:.2f} times faster; "
          f"two processes {t['speed_up_of_processes']:.2f} times")
    print(f"batch    {b['one_thread_s']:.3f} s by one thread, {b['all_cores_s']:.3f} s by {results['cores']}: "
          f"{b['speed_up']:.2f} times faster, {'same bits' if b['same_bits'] else 'OTHER BITS'}")


if __name__ == "__main__":
    main()
