#!/usr/bin/env bash
# tools/wasm_sources.sh asks the archives that the machine's own apt sources name, in both formats.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v apt-config >/dev/null || { echo "no Debian system"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/apt/sources.list.d" "$folder/apt/apt.conf.d"
cat > "$folder/apt/sources.list" <<'END'
# deb http://comment.example/debian bookworm main
deb [signed-by=/k.gpg arch=amd64] http://one.example/debian bookworm main
deb-src http://one.example/debian bookworm main
END
cat > "$folder/apt/sources.list.d/two.sources" <<'END'
Types: deb deb-src
URIs: http://two.example/debian
Suites: bookworm
Components: main
END
echo "deb http://three.example/debian bookworm main" > "$folder/apt/sources.list.d/three.list"
echo "deb http://four.example/debian bookworm main" > "$folder/apt/sources.list.d/four.list.save"
echo "Dir::Etc \"$folder/apt\";" > "$folder/apt.conf"
wanted="deb-src [signed-by=/k.gpg arch=amd64] http://one.example/debian bookworm main
deb-src http://three.example/debian bookworm main
Types: deb-src
URIs: http://two.example/debian
Suites: bookworm
Components: main"
got=$(APT_CONFIG=$folder/apt.conf tools/wasm_sources.sh --list)
[ "$got" = "$wanted" ] || { printf 'got:\n%s\nwant:\n%s\n' "$got" "$wanted" >&2; exit 1; }
if grep -nE 'https?://' tools/wasm_sources.sh; then
  echo "tools/wasm_sources.sh names a host" >&2
  exit 1
fi
