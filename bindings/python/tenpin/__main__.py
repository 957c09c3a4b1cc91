"""python3 -m tenpin: the program, with its arguments."""
import os
import shutil
import sys


def find_program():
    """The program beside the package, or the one that TENPIN_PROGRAM or the path names; None if there is none."""
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "program")
    if os.access(here, os.X_OK):
        return here
    return os.environ.get("TENPIN_PROGRAM") or shutil.which("tenpin")


def main():
    program = find_program()
    if program is None:
        sys.exit("tenpin: the program is not installed beside the package, want `make python` or `make install`")
    os.execv(program, ["tenpin", *sys.argv[1:]])


if __name__ == "__main__":
    main()
