#!/usr/bin/env python3
"""The program loads HDF5, and the 32 libraries behind it, only for commands that read or write such files: startup_test.py PROGRAM SCENE"""
import os
import subprocess
import sys
import tempfile


def libraries(*command):
    """The names of the shared libraries that a command loads."""
    environment = dict(os.environ, LD_DEBUG="files")
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return {line.split("file=")[1].split()[0] for line in done.stderr.splitlines() if "file=" in line}


def main():
    program, scene = sys.argv[1:]
    at_start = libraries(program, "--version")
    assert any("libsqlite3" in name for name in at_start), f"cannot see what is loaded: {at_start}"
    assert not any("hdf5" in name for name in at_start), at_start
    assert len(at_start) < 20, at_start
    with tempfile.TemporaryDirectory() as folder:
        run_file = os.path.join(folder, "run.h5")
        with_file = libraries(program, "run", scene, "-q", "--set", "until=0.1", "-o", run_file)
        assert any("hdf5" in name for name in with_file), with_file
        assert os.path.getsize(run_file) > 0
    print("ok")


main()
