#!/usr/bin/env bash
# Installs a build to an empty prefix, moves the prefix elsewhere, and builds and runs a program
# outside the tree against it, as a user of the libraries would.   consumer_test.sh <cmake> <build>
set -euo pipefail
cmake=$1 build=$2
source=$(cd "$(dirname "$0")/../consumer" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$cmake" --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix"
cp -r "$source" "$work/source"
"$cmake" -S "$work/source" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_BUILD_TYPE=Release
"$cmake" --build "$work/build"
"$work/build/consumer"
"$work/prefix/bin/tenpin" --version
