#!/usr/bin/env python3
"""`tenpin submit` on a real Slurm of one machine, in a private folder: an array, an MPI job, a requeue."""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from place import SKIPPED, need, study_place

TRIALS = 800
PATIENCE = 900.0  # s   for a job, on a busy machine; only a hang meets it

CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CryptoType=crypto/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd.log
SlurmctldPort={port}
SlurmdPort={port_of_node}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
MinJobAge=3600
JobRequeue=1
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.2)


class Cluster:
    """Munge, controller and node daemon; gone when the block ends."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tenpin-slurm-"))
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"),
                                OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                                OMPI_MCA_rmaps_base_oversubscribe="1")

    def call(self, *words):
        return subprocess.run(words, env=self.environment, text=True, capture_output=True, check=False,
                              stdin=subprocess.DEVNULL)

    def __enter__(self):
        self.folder.chmod(0o755)
        for name in ("state", "spool", "log"):
            (self.folder / name).mkdir()
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], folder=self.folder, port=free_port(),
            port_of_node=free_port()))
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        started = self.call(
            "munged", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.sock",
            f"--pid-file={self.folder}/munge.pid", f"--log-file={self.folder}/log/munge.log",
            f"--seed-file={self.folder}/munge.seed")
        assert started.returncode == 0, started
        for daemon in (("slurmctld", "-c"), ("slurmd",)):
            started = self.call(daemon[0], "-f", self.environment["SLURM_CONF"], *daemon[1:])
            assert started.returncode == 0, started
        wait_until(lambda: "idle" in self.call("sinfo", "-h", "-o", "%T").stdout, "an idle node")
        return self

    def __exit__(self, *_):
        self.call("scancel", "--state=RUNNING,PENDING", "--me")
        for name in ("slurmd", "slurmctld", "munge"):
            pid_file = self.folder / f"{name}.pid"
            try:
                os.kill(int(pid_file.read_text()), signal.SIGTERM)
            except (OSError, ValueError):
                continue
            wait_until(lambda file=pid_file: not file.exists(), f"the end of {name}")
        shutil.rmtree(self.folder, ignore_errors=True)

    def is_queued(self, job):
        return job in self.call("squeue", "-h", "-o", "%A %F").stdout.split()

    def state(self, job):
        return self.call("squeue", "-h", "-j", job, "-o", "%T", "-t", "all").stdout.split()


def submit(place, cluster, *options):
    outcome = place.run(place.program, "submit", "study.yaml", "--time", "10", *options,
                        env=cluster.environment)
    return [line.split()[1] for line in outcome.stdout.splitlines() if line.startswith("job ")]


def read_logs(place):
    return {path.name: path.read_text() for path in place.folder.glob("*.log")}


def main(program):
    need("slurmctld", "slurmd", "sbatch", "munged", "mpirun")
    if os.geteuid() != 0:
        print("skipped: a private Slurm needs root")
        return SKIPPED
    if not os.path.exists(os.path.join(os.path.dirname(program), "libtenpin_mpi.so")):
        print("skipped: the program was built without MPI")
        return SKIPPED
    with study_place(program, TRIALS) as place, Cluster() as cluster:
        expected = place.sweep_alone()

        array, merge = submit(place, cluster, "--array", "2", "-o", "array.sqlite")
        wait_until(lambda: not cluster.is_queued(array) and not cluster.is_queued(merge), "the array")
        assert (place.folder / "array.sqlite").exists(), read_logs(place)
        assert place.hash_of("array.sqlite") == expected

        (job,) = submit(place, cluster, "--nodes", "1", "-o", "mpi.sqlite")
        wait_until(lambda: (place.folder / "mpi.sqlite").exists(), "rows of the MPI job")
        requeued = cluster.call("scontrol", "requeue", job)

        def is_over():
            # Slurm would let a job that is queued again wait for two minutes.
            cluster.call("scontrol", "update", f"JobId={job}", "StartTime=now")
            return not cluster.is_queued(job)

        wait_until(is_over, "the MPI job")
        assert place.hash_of("mpi.sqlite") == expected, (requeued, read_logs(place))
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
