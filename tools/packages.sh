#!/usr/bin/env bash
# Installs the missing packages of the named groups of packages.txt, or of all groups if none is named.
# Asks dpkg first, so that neither the network nor root is needed if all packages are installed.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t wanted < <(awk -v groups=" $* " '
  /^## / { group = $2; sub(":", "", group); next }
  /^[^#]/ && (groups ~ /^ *$/ || index(groups, " " group " ")) { print $1 }' packages.txt)

if ! command -v dpkg-query >/dev/null; then
  echo "not a Debian system: please see to it that these are installed: ${wanted[*]}" >&2
  exit 0
fi
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null || true)
missing=()
for package in "${wanted[@]}"; do
  # A tool that was installed in another way is enough if its command exists.
  command -v "$package" >/dev/null && continue
  grep -qx "installed $package" <<<"$installed" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || {
    echo "please ask root to run: apt-get install ${missing[*]}" >&2
    exit 1
  }
  as_root=(sudo)
fi
echo "installing ${missing[*]}" >&2
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=3)
"${apt[@]}" update
"${apt[@]}" install -y --no-install-recommends "${missing[@]}"
