#!/usr/bin/env python3
"""`mpirun tenpin sweep`: the same table for any number of processes, and after the loss of any."""
import json
import os
import signal
import subprocess
import sys
import time

from place import SKIPPED, need, study_place

TRIALS = 800
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--enable-recovery"]
ENVIRONMENT = dict(os.environ, OMPI_MCA_btl_vader_single_copy_mechanism="none",
                   OMPI_MCA_rmaps_base_oversubscribe="1")


def sweep_words(place, processes, table):
    return MPIRUN + ["-n", str(processes), str(place.program), "sweep", "study.yaml", "-o", table,
                     "--threads", "1", "--lease", "2", "-q"]


def same_table_for_any_number_of_processes(place, expected):
    for processes in (2, 4):
        table = f"{processes}.sqlite"
        outcome = place.run(*sweep_words(place, processes, table), "--json", env=ENVIRONMENT)
        assert json.loads(outcome.stdout)["table_hash"] == expected, outcome.stdout


def find_workers(mpirun):
    """Process numbers by rank."""
    ranks = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
            if parent != mpirun:
                continue
            with open(f"/proc/{name}/environ", "rb") as file:
                variables = dict(entry.split(b"=", 1) for entry in file.read().split(b"\0") if b"=" in entry)
        except (OSError, IndexError):
            continue
        if b"OMPI_COMM_WORLD_RANK" in variables:
            ranks[int(variables[b"OMPI_COMM_WORLD_RANK"])] = int(name)
    return ranks


def disturb(place, expected, table, processes, rank, number):
    """Starts a job, sends a signal to one of its processes once rows are written, and runs the study to its end."""
    job = subprocess.Popen(sweep_words(place, processes, table), cwd=place.folder, env=ENVIRONMENT,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    while not (place.folder / table).exists() and job.poll() is None:
        time.sleep(0.02)
    time.sleep(0.3)
    workers = find_workers(job.pid)
    if rank in workers:
        os.kill(workers[rank], number)
    try:
        job.communicate(timeout=600)
    finally:
        for worker in find_workers(job.pid).values():
            os.kill(worker, signal.SIGKILL)
        job.kill()
    # Whatever the job left undone, the next one does; a table that is whole stays as it is.
    outcome = place.run(*sweep_words(place, 2, table), "--json", env=ENVIRONMENT)
    assert json.loads(outcome.stdout)["table_hash"] == expected, outcome.stdout
    return workers


def main(program):
    need("mpirun")
    if not os.path.exists(os.path.join(os.path.dirname(program), "libtenpin_mpi.so")):
        print("skipped: the program was built without MPI")
        return SKIPPED
    with study_place(program, TRIALS) as place:
        expected = place.sweep_alone()
        same_table_for_any_number_of_processes(place, expected)
        disturb(place, expected, "killed.sqlite", 3, 2, signal.SIGKILL)
        disturb(place, expected, "hung.sqlite", 3, 2, signal.SIGSTOP)
        disturb(place, expected, "owner.sqlite", 3, 0, signal.SIGKILL)
        # A program without its library must not let every process do all of the work.
        bare = place.folder / "tenpin"
        bare.write_bytes(open(program, "rb").read())
        bare.chmod(0o755)
        outcome = place.attempt(bare, "sweep", "study.yaml", "-o", "bare.sqlite",
                                env=dict(os.environ, OMPI_COMM_WORLD_SIZE="4"))
        assert outcome.returncode == 4 and "libopenmpi-dev" in outcome.stderr, outcome
        assert not (place.folder / "bare.sqlite").exists()
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
