#!/usr/bin/env bash
# Installs a build to an empty prefix, moves the prefix elsewhere, and builds and runs the programs
# of examples/cpp and of docs/cpp.md outside the tree against it, as a user would. Then looks at what
# the library shows and needs, and embeds the sources.   consumer_test.sh <cmake> <build>
set -euo pipefail
cmake=$1 build=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
examples=$root/examples
fail() {
  echo "$*"
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$cmake" --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix"
cp -r "$examples/cpp" "$work/source"
# Folders of the user that are called as ours: they must not be found instead, nor hide.
mkdir -p "$work/source/math" "$work/source/base"
echo '#error "the wrong math/types.h"' >"$work/source/math/types.h"
echo '#error "the wrong base/check.h"' >"$work/source/base/check.h"
# The programs of the tutorial: its blocks of C++ that have a main().
awk -v out="$work/source" '/^```cpp/ { n += 1; file = out "/page" n ".cpp"; next } /^```/ { file = "" } file { print >file }' \
  "$root/docs/cpp.md"
pages=()
for page in "$work"/source/page*.cpp; do
  if grep -q 'int main' "$page"; then pages+=("$(basename "$page" .cpp)"); else rm "$page"; fi
done
[ ${#pages[@]} -ge 3 ] || fail "docs/cpp.md has ${#pages[@]} programs, want 3 or more"
for page in "${pages[@]}"; do
  printf 'add_executable(%s %s.cpp)\ntarget_link_libraries(%s PRIVATE tenpin::core)\n' "$page" "$page" "$page"
done >>"$work/source/CMakeLists.txt"
"$cmake" -S "$work/source" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_CXX_FLAGS=-I"$work/source"
"$cmake" --build "$work/build" -j 2
cd "$examples/scenes"
"$work/build/first_simulation"
for method in time-stepping impulse analytic; do "$work/build/cart_pole" cart-pole.yaml $method; done
"$work/build/gripper" gripper.yaml
"$work/build/branches"
"$work/build/inverse_dynamics"
for page in "${pages[@]}"; do "$work/build/$page" || fail "docs/cpp.md: $page fails"; done
"$work/prefix/bin/tenpin" --version
for file in bin/tenpin share/man/man1/tenpin.1 share/man/man1/tenpin-run.1 share/bash-completion/completions/tenpin \
  share/tenpin/scenes/four-balls.yaml share/tenpin/examples/scenes/gripper.yaml; do
  [ -s "$work/prefix/$file" ] || fail "$file is not installed"
done

# The same by pkg-config.
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name tenpin.pc)")
if command -v pkg-config >/dev/null; then
  # shellcheck disable=SC2046
  c++ -std=c++20 "$work/source/first_simulation.cpp" -o "$work/by_pkg_config" \
    $(pkg-config --cflags --libs tenpin)
  LD_LIBRARY_PATH=$(pkg-config --variable=libdir tenpin) "$work/by_pkg_config"
fi
[ "$(find "$work/prefix/include" -name '*.h' | wc -l)" -le 12 ] || fail "more headers than the public ones are installed"

# The library shows its public functions and nothing else, and needs none of the program's libraries.
library=$(find "$work/prefix" -name libtenpin.so | head -1)
public='((Simulation|Batch)::[^I]|Scene::|SceneBuilder::|BodyBuilder::|Snapshot::|calc_|linearize|to_string|(Input|Limit|Numerical|Scene)Error$)'
hidden=$(nm -DC --defined-only "$library" | cut -d' ' -f3- | grep -vE "^(typeinfo (name )?for )?tenpin::$public" || true)
[ -z "$hidden" ] || fail "the library shows: $hidden"
if readelf -d "$library" | grep -E 'NEEDED.*(hdf5|sqlite|[Cc]lp|[Cc]oin|boost|mpi)'; then fail "the library needs these"; fi

# A project with the sources in a folder of its own configures without the program's libraries, and
# builds the first modules. All of them would take many minutes, even unoptimised.
mkdir "$work/embedding"
cat >"$work/embedding/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.22)
project(mine LANGUAGES CXX)
foreach(package HDF5 SQLite3 CLI11 nlohmann_json MPI pybind11)
  set(CMAKE_DISABLE_FIND_PACKAGE_\${package} ON)
endforeach()
add_subdirectory($root tenpin)
add_executable(mine $work/source/first_simulation.cpp)
target_link_libraries(mine PRIVATE tenpin::core)
EOF
"$cmake" -S "$work/embedding" -B "$work/embedding/build" -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DCMAKE_UNITY_BUILD=ON >/dev/null
"$cmake" --build "$work/embedding/build" --target tenpin_math -j 2 >"$work/embedding/log" 2>&1 || {
  tail -n 40 "$work/embedding/log"
  fail "the sources do not build within another project"
}
