#!/usr/bin/env bash
# `make help` names every target that a user may call, and the README names only such.
set -euo pipefail
cd "$(dirname "$0")/../.."
help=$(make --no-print-directory help)
for target in run test build python wheel deb playground site debug asan asan-clang ubsan tsan fuzz bench determinism format tidy lint docs install clean; do
  grep -q "^make $target " <<<"$help" || { echo "make help does not tell of: $target"; exit 1; }
done
for target in $(grep -ohE '(^    |`)make [a-z]+' README.md CONTRIBUTING.md docs/*.md | sed 's/.*make //' | sort -u); do
  grep -q "^make $target " <<<"$help" || { echo "documented, but no target: $target"; exit 1; }
done
