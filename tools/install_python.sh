#!/usr/bin/env bash
# Installs the built Python package for a Python interpreter.   install_python.sh <build> user|<environment>
# user: the user's site-packages of Debian's Python; otherwise a virtual environment, created if necessary.
set -euo pipefail
build=$1 where=$2
if [ "$where" = user ]; then
  python=/usr/bin/python3
  site=$("$python" -c 'import site; print(site.getusersitepackages())')
else
  [ -x "$where/bin/python" ] || /usr/bin/python3 -m venv --system-site-packages "$where"
  python=$(cd "$where" && pwd)/bin/python
  site=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
fi
mkdir -p "$site"
rm -rf "$site/tenpin"
cp -rL "$build/python/tenpin" "$site/tenpin"
find "$site/tenpin" -name __pycache__ -prune -exec rm -rf {} +
cd /
"$python" -c 'import sys, tenpin; print("tenpin", tenpin.__version__, "is in", tenpin.__path__[0], "- run", sys.executable)'
