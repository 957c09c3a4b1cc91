#!/usr/bin/env python3
"""Fails when a C++ file is not as clang-format would write it; with --fix, rewrites it."""
import subprocess
import sys

from project_files import CXX, project_files

mode = ["-i"] if "--fix" in sys.argv[1:] else ["--dry-run", "-Werror"]
files = project_files(CXX)
sys.exit(subprocess.run(["clang-format", "--style=file", *mode, *files]).returncode)
