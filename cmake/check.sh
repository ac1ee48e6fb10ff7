#!/usr/bin/env bash
# check.sh BUILD: what is checked without running a test, on the files that git tracks; all of it, then 1 if any failed.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:?usage: check.sh BUILD}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=()

step() {  # NAME COMMAND ...
  local name=$1 start=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  if "$@"; then echo "ok ($((SECONDS - start)) s)"; else failed+=("$name"); echo "FAILED"; fi
}

format() { git ls-files -z '*.cc' '*.h' | xargs -0 clang-format --dry-run -Werror; }

# One process a file, as many at a time as there are cores; a file's output is shown only when it has any.
# Without GCC's precompiled headers, which Clang cannot read.
tidy() {
  sed 's/-Winvalid-pch -include [^ ]*//' "$build/compile_commands.json" > "$scratch/compile_commands.json"
  git ls-files '*.cc' | while read -r file; do
    grep -qF "\"$PWD/$file\"" "$build/compile_commands.json" && echo "$file"
  done > "$scratch/sources"
  [ -s "$scratch/sources" ] || { echo "no sources in $build/compile_commands.json"; return 1; }
  echo "$(wc -l < "$scratch/sources") files"
  xargs -P "$(nproc)" -I{} clang-tidy --quiet -p "$scratch" {} < "$scratch/sources" 2> "$scratch/tidy.err" || {
    grep -v 'warnings generated\|^Suppressed\|^Use -header-filter' "$scratch/tidy.err" | head -40
    return 1
  }
}

documents() {
  "$build/hwsift" rules docs "$scratch/manual" || return 1
  diff docs/rules.md "$scratch/manual/rules.md" && diff docs/symbols.md "$scratch/manual/symbols.md" &&
    diff -r docs/rules "$scratch/manual/rules" ||
    { echo "out of date; run: $build/hwsift rules docs docs"; return 1; }
}

# Its figures stay: they cannot be measured anew while other checks run.
performance() { python3 bench/bench.py --check; }

# Against each PyTorch that is at hand; which are not is said, and ./dev test-torch asks them all.
vocabulary() {
  local code=0
  HWSIFT="$build/hwsift" HWSIFT_CORPUS=${HWSIFT_CORPUS:-${XDG_CACHE_HOME:-$HOME/.cache}/hwsift} python3 tests/vocabulary/check.py ||
    code=$?
  [ $code -eq 0 ] || [ $code -eq 77 ]
}

shell() {
  local file bad=0
  for file in dev .ci/run $(git ls-files '*.sh'); do bash -n "$file" || bad=1; done
  return $bad
}

# Fixtures and seeds hold broken Python on purpose, but for the sample suite, which runs.
python() { git ls-files '*.py' | grep -vE '^tests/(fixtures/[^s]|fuzz/corpus/)' | xargs python3 -c '
import ast, sys
for name in sys.argv[1:]:
    ast.parse(open(name, encoding="utf-8").read(), name)
print(len(sys.argv) - 1, "files")'; }

# Nothing fetched is named by address, and nothing lies where this checkout or this user does. The names that SARIF gives
# its schema and SVG its elements have the form of an address: readers compare them, nobody fetches them.
places() {
  local found
  found=$(git grep -nIE 'https?:/''/' | grep -v '/''/example\.org/' | grep -v '^report/sarif\.cc:.*/sarif-schema-2\.1\.0\.json";$' |
            grep -v '^report/progress_badge\.cc:.*<svg xmlns='
          git grep -nIF "$PWD/"
          [ "${HOME:-/}" = / ] || git grep -nIF "$HOME/")
  [ -z "$found" ] || { echo "$found"; return 1; }
}

step "format" format
step "include arrows" python3 cmake/check_layers.py .
step "scripts: shell" shell
step "scripts: Python" python
step "no address, no path of this machine in tracked files" places
step "generated documents" documents
step "words and rows of docs/performance.md" performance
step "vocabulary" vocabulary
step "clang-tidy" tidy
printf '\n'
[ ${#failed[@]} -eq 0 ] && { echo "all checks passed"; exit 0; }
printf 'failed: %s\n' "${failed[@]}"
exit 1
