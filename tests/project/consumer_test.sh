#!/usr/bin/env bash
# Installs a build to an empty prefix, moves the prefix elsewhere, and builds and runs the programs
# of examples/cpp outside the tree against it, as a user would.   consumer_test.sh <cmake> <build>
set -euo pipefail
cmake=$1 build=$2
examples=$(cd "$(dirname "$0")/../../examples" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$cmake" --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix"
cp -r "$examples/cpp" "$work/source"
# Folders of the user that are called as ours: they must not be found instead, nor hide.
mkdir -p "$work/source/math" "$work/source/base"
echo '#error "the wrong math/types.h"' >"$work/source/math/types.h"
echo '#error "the wrong base/check.h"' >"$work/source/base/check.h"
"$cmake" -S "$work/source" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_CXX_FLAGS=-I"$work/source"
"$cmake" --build "$work/build" -j 2
cd "$examples/scenes"
"$work/build/first_simulation"
for method in time-stepping impulse analytic; do "$work/build/cart_pole" cart-pole.yaml $method; done
"$work/build/gripper" gripper.yaml
"$work/build/branches"
"$work/build/inverse_dynamics"
"$work/prefix/bin/tenpin" --version

# The same by pkg-config.
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name tenpin.pc)")
if command -v pkg-config >/dev/null; then
  # shellcheck disable=SC2046
  c++ -std=c++20 "$work/source/first_simulation.cpp" -o "$work/by_pkg_config" \
    $(pkg-config --cflags --libs tenpin)
  LD_LIBRARY_PATH=$(pkg-config --variable=libdir tenpin) "$work/by_pkg_config"
fi
[ "$(find "$work/prefix/include" -name '*.h' | wc -l)" -le 12 ] || {
  echo "more headers than the public ones are installed"
  exit 1
}
