#!/usr/bin/env bash
# Builds the wheel and the Debian package from a finished build, installs each where nothing of the
# project is, without network, and uses it. Installs the package as `make python` does, too.   package_test.sh <build>
set -euo pipefail
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1
unset PYTHONPATH
program='import tenpin
run = tenpin.simulate("four-balls.yaml", until=0.2)
assert run.certificate["passed"] and len(run.html()) > 10000
print("tenpin", tenpin.__version__, "from", tenpin.__path__[0], run.state_hash)'
hash_of() { "$1" run four-balls.yaml --set until=0.2 --json | tr ',{}' '\n' | grep state_hash; }
cp "$root/scenes/four-balls.yaml" "$work/"
cd "$work"

# The wheel. Numpy comes from the system, since there is no network to fetch it from.
cp -r "$root/bindings/python" "$work/python"
TENPIN_BUILD=$build /usr/bin/python3 -m pip wheel --quiet --no-index --no-deps --no-build-isolation \
  --wheel-dir "$work" "$work/python"
/usr/bin/python3 -m venv --system-site-packages "$work/environment"
"$work/environment/bin/python" -m pip install --quiet --no-index "$work"/tenpin-*.whl
"$work/environment/bin/python" -c "$program"
"$work/environment/bin/tenpin" --version

# What `make python` does after the build: into a virtual environment that is there or not, and for a user.
install=$root/tools/install_python.sh
for time in first again; do
  "$install" "$build" "$work/venv" >"$work/said"
  grep -q "is in $work/venv/lib/.*run $work/venv/bin/python" "$work/said" || { cat "$work/said"; exit 1; }
  touch "$work/venv/lib/python3.11/site-packages/tenpin/left-over-$time.py"
done
[ ! -e "$work/venv/lib/python3.11/site-packages/tenpin/left-over-first.py" ]
"$work/venv/bin/python" -c "$program"
"$work/venv/bin/python" -m tenpin --version
[ -z "$(find "$work/venv/lib/python3.11/site-packages/tenpin" -type l)" ]  # nothing points back to the build
export PYTHONUSERBASE=$work/user
"$install" "$build" user >"$work/said"
grep -q "is in $work/user/lib/.*run /usr/bin/python3" "$work/said" || { cat "$work/said"; exit 1; }
/usr/bin/python3 -c "$program"
unset PYTHONUSERBASE
make=$(cd "$root" && make --no-print-directory -n python)
grep -q 'tools/install_python.sh build/release build/venv' <<<"$make"
make=$(cd "$root" && make --no-print-directory -n python PREFIX=user)
grep -q 'tools/install_python.sh build/release user' <<<"$make"

# The Debian package, by dpkg itself into a root of its own.
cpack --config "$build/CPackConfig.cmake" -B "$work/deb" >/dev/null
package=$(echo "$work"/deb/tenpin_*.deb)
dpkg-deb --field "$package" Depends | grep -q libhdf5
mkdir -p "$work/root/var/lib/dpkg/"{updates,info}
touch "$work/root/var/lib/dpkg/status" "$work/root/var/lib/dpkg/available"
as_root=()
[ "$(id -u)" = 0 ] || as_root=(fakeroot)
# Not configured, since the root has no shell to run scripts with.
"${as_root[@]}" dpkg --root="$work/root" --log=/dev/null --force-depends --force-not-root --force-bad-path \
  --unpack "$package" >/dev/null
usr=$work/root/usr
[ "$(hash_of "$usr/bin/tenpin")" = "$(hash_of "$build/apps/tenpin/tenpin")" ]
PATH=$usr/bin:$PATH PYTHONPATH=$usr/lib/python3/dist-packages /usr/bin/python3 -m tenpin --version
PYTHONPATH=$usr/lib/python3/dist-packages /usr/bin/python3 -c "$program"
"$usr/bin/tenpin" check "$usr"/share/tenpin/scenes/*.yaml >/dev/null
"$usr/bin/tenpin" reproduce ST00/balls >/dev/null
bash -n "$usr/share/bash-completion/completions/tenpin"
for file in share/man/man1/tenpin.1 include/tenpin/tenpin.h share/doc/tenpin/copyright; do [ -s "$usr/$file" ]; done
if command -v man >/dev/null; then
  for page in "$usr"/share/man/man1/*.1; do
    [ -z "$(man --warnings -E UTF-8 -l "$page" 2>&1 >/dev/null)" ] || {
      echo "$page has mistakes"
      exit 1
    }
  done
fi
