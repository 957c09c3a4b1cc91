#!/usr/bin/env bash
# Unpacks the sources of the libraries that the wasm build compiles itself, from the archives that this machine uses.
#   tools/wasm_sources.sh FOLDER     into FOLDER/NAME
#   tools/wasm_sources.sh --list     prints the apt sources that it would use
# Apt checks signatures and checksums; neither root nor a change of the system's lists is needed.
set -euo pipefail
packages=(yaml-cpp qhull zlib)

# The machine's apt sources, in both formats, with source packages in place of binary ones: written to the folder $1.
copy_sources() {
  local list='' parts='' file
  eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
  mkdir -p "$1"
  for file in "$list" "$parts"/*.list; do
    [ ! -f "$file" ] || sed -nE 's/^[[:space:]]*deb([[:space:]])/deb-src\1/p' "$file" > "$1/${file##*/}.list"
  done
  for file in "$parts"/*.sources; do
    [ ! -f "$file" ] || sed -E 's/^(Types):.*/\1: deb-src/I' "$file" > "$1/${file##*/}"
  done
}

command -v apt-get >/dev/null || {
  echo "not a Debian system: please unpack the sources of ${packages[*]} into FOLDER/NAME and create FOLDER/complete" >&2
  exit 1
}
if [ "$1" = --list ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  copy_sources "$folder"
  find "$folder" -type f | LC_ALL=C sort | xargs -r cat
  exit
fi

folder=$1
[ ! -e "$folder/complete" ] || exit 0
rm -rf "$folder"
mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
cd "$folder"
copy_sources "$PWD/sources"
apt=(apt-get -qq -o Acquire::Retries=3 -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$PWD/sources"
     -o Dir::State::Lists="$PWD/lists" -o Dir::Cache="$PWD/cache" -o APT::Sandbox::User="$(id -un)"
     -o Debug::NoLocking=1)
# An archive without source packages is not an error if another one has them.
"${apt[@]}" update > update.log 2>&1 || true
"${apt[@]}" source --download-only "${packages[@]}" || { cat update.log >&2; exit 1; }
for name in "${packages[@]}"; do
  mkdir "$name"
  tar -xf "$name"_*.orig.tar.* -C "$name" --strip-components=1
done
rm -rf lists cache sources update.log
touch complete
