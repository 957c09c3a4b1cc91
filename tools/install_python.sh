#!/usr/bin/env bash
# Puts the built Python package where a Python finds it.   install_python.sh <build> user|<environment>
# user: the site-packages of the user for Debian's Python; else a virtual environment, made if need be.
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
