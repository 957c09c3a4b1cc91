#!/usr/bin/env bash
# Unpacks the sources of the libraries that the wasm build compiles itself, from the Debian 12 archive.
#   tools/wasm_sources.sh FOLDER
# Signatures and checksums are apt's business; neither root nor a change of the system's lists is needed.
set -euo pipefail
folder=$1
packages=(yaml-cpp qhull zlib)
[ ! -e "$folder/complete" ] || exit 0
command -v apt-get >/dev/null || {
  echo "not a Debian system: please unpack the sources of ${packages[*]} into $folder/NAME" >&2
  exit 1
}
rm -rf "$folder"
mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
cd "$folder"
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main" > list
apt=(apt-get -qq -o Acquire::Retries=3 -o Dir::Etc::SourceList="$PWD/list" -o Dir::Etc::SourceParts=/dev/null
     -o Dir::State::Lists="$PWD/lists" -o Dir::Cache="$PWD/cache" -o APT::Sandbox::User="$(id -un)"
     -o Debug::NoLocking=1)
"${apt[@]}" update
"${apt[@]}" source --download-only "${packages[@]}"
for name in "${packages[@]}"; do
  mkdir "$name"
  tar -xf "$name"_*.orig.tar.* -C "$name" --strip-components=1
done
rm -rf lists cache list
touch complete
