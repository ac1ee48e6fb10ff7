#!/usr/bin/env bash
# get-tools.sh DIR: what hwsift is measured against, in DIR/bin: ast-grep, ruff, rg. From the package registry that pip is
# set up for, each package by version and hash, one by one: what cannot be had is said and misses alone.
set -uo pipefail
dir=$(realpath -m "${1:?usage: get-tools.sh DIR}")
requirements=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/requirements.txt
python=/usr/bin/python3

# The copy of the requirements is put there last, and only when all could be had.
cmp -s "$requirements" "$dir/requirements.txt" && exit 0

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# One file a package: a line that starts a requirement, and the lines of its hashes.
split_requirements() {
  awk -v dir="$scratch" '/^[a-z]/ { name = $1; sub(/==.*/, "", name) } name { print > (dir "/" name ".txt") }' "$requirements"
}

give_up() {  # WHAT LOG
  printf 'get-tools.sh: no %s; what needs it shows as not at hand:\n' "$1" >&2
  grep -v '^ *$' "$2" | tail -n 3 >&2
  return 1
}

rm -rf "$dir"
mkdir -p "$dir"
"$python" -m venv "$dir" > "$scratch/log" 2>&1 || { give_up "virtual environment" "$scratch/log"; exit 1; }
split_requirements
missing=0
for file in "$scratch"/*.txt; do
  name=$(basename "$file" .txt)
  "$dir/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes -r "$file" \
    > "$scratch/log" 2>&1 || { give_up "$name" "$scratch/log"; missing=1; }
done
[ $missing -eq 0 ] && cp "$requirements" "$dir/requirements.txt"
