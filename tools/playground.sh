#!/usr/bin/env bash
# Builds and tests the playground after `make build`; called by `make playground`.
#   tools/playground.sh JOBS OUT
# All unit tests must pass in WebAssembly and all scenes must end with the native program's bits, or there is no page.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=$1 out=$2
wasm=build/playground page=build/playground/page
export NODE_PATH=/usr/share/nodejs  # acorn, which emscripten's linker loads

tools/wasm_sources.sh "$PWD/$wasm/libraries"
cmake --preset playground -Wno-dev > "$wasm/configure.log" || { cat "$wasm/configure.log"; exit 1; }
cmake --build --preset playground -j "$jobs" --target playground unit_tests
node tests/playground/unit.mjs "$wasm/tests/playground" "$jobs"
node tests/playground/hashes.mjs "$wasm/apps/playground" build/tenpin scenes/*.yaml

# Everything is bundled in the build folder, which contains links to the sources.
mkdir -p "$page" "$out"
cp playground/{package.json,package-lock.json,tsconfig.json,build.mjs,scene_files.mjs} "$page"
ln -sfn "$PWD/playground/src" "$page/src"
ln -sfn "$PWD/viewer/src" "$page/viewer"
if ! [ "$page/node_modules/.package-lock.json" -nt playground/package-lock.json ]; then
  (cd "$page" && npm ci --no-audit --no-fund --ignore-scripts --prefer-offline --loglevel=error)
fi
(cd "$page" && node node_modules/typescript/bin/tsc --noEmit &&
  node build.mjs ../apps/playground "$OLDPWD/scenes" "$OLDPWD/build/release/viewer/viewer.html" "$OLDPWD/$out")
export TENPIN_PLAYGROUND_BUILD=$PWD/$page TENPIN_PLAYGROUND=$PWD/$out TENPIN_SOURCE=$PWD TENPIN_PROGRAM=$PWD/build/tenpin
TENPIN_CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
export TENPIN_CHROMIUM
node --test tests/playground/completion.test.mjs
if [ -n "$TENPIN_CHROMIUM" ]; then
  node --test tests/playground/page.test.mjs
else
  echo "no Chromium: the page itself was not tested" >&2
fi
echo "open $out/playground.html, or serve $out/site"
