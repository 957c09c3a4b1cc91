"""python3 -m tenpin: the program, with its arguments."""
import os
import shutil
import sys

here = os.path.join(os.path.dirname(__file__), "program")
program = here if os.access(here, os.X_OK) else os.environ.get("TENPIN_PROGRAM") or shutil.which("tenpin")
if program is None:
    sys.exit("tenpin: the program is not installed beside the package, want `make python` or `make install`")
os.execv(program, ["tenpin", *sys.argv[1:]])
