#!/usr/bin/env bash
# get-tools.sh DIR: what the tests of the command line drive or ask, in DIR: bin/lintrunner, bin/pre-commit, bin/python3
# with jsonschema, and sarif-schema-2.1.0.json. From the package registries that pip and npm are set up for, each
# package by version and hash. Nothing is done when they are there; what cannot be had leaves a reason in DIR/missing.
set -uo pipefail
dir=$(realpath -m "${1:?usage: get-tools.sh DIR}")
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
python=/usr/bin/python3

# The schema as OASIS published it, in a package whose licence is Apache-2.0.
schema_package=@datadog/datadog-ci@2.48.0
schema_archive=datadog-datadog-ci-2.48.0.tgz
schema_sha256=947bebc1ae4f8dbc39eedac174d2b5a9e495f3c9ee1e7293e8f4fbf50734c3bb
schema_inside=package/dist/commands/sarif/json-schema/sarif-schema-2.1.0.json
schema=$dir/${schema_inside##*/}

give_up() {  # WHAT LOG
  printf '%s: %s\n' "$1" "$(grep -v '^ *$' "$2" | tail -n 1)" >> "$dir/missing"
  printf 'get-tools.sh: %s; the tests that need it show as skipped:\n' "$1" >&2
  tail -n 5 "$2" >&2
  return 1
}

# The requirements file says what is in the environment; a copy of it is put there last. The environment's Python may
# have gone with an upgrade of the machine's.
python_tools() {
  cmp -s "$here/requirements.txt" "$dir/requirements.txt" && "$dir/bin/python3" -c 'import jsonschema' 2> /dev/null && return
  rm -rf "$dir/bin" "$dir/lib" "$dir/lib64" "$dir/include" "$dir/pyvenv.cfg" "$dir/requirements.txt"
  {
    "$python" -m venv "$dir" &&
      "$dir/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
        -r "$here/requirements.txt"
  } > "$scratch/pip" 2>&1 || {
    rm -rf "$dir/bin"
    give_up "no lintrunner, pre-commit and jsonschema" "$scratch/pip"
    return
  }
  cp "$here/requirements.txt" "$dir/requirements.txt"
}

sarif_schema() {
  [ -s "$schema" ] && return
  {
    cd "$scratch" && npm pack --loglevel=error "$schema_package" &&
      echo "$schema_sha256  $schema_archive" | sha256sum --check --quiet - &&
      tar -xzf "$schema_archive" "$schema_inside"
  } > "$scratch/npm" 2>&1 || {
    give_up "no ${schema##*/}" "$scratch/npm"
    return
  }
  mv "$scratch/$schema_inside" "$schema"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$dir"
rm -f "$dir/missing"
python_tools
sarif_schema
[ ! -e "$dir/missing" ]
