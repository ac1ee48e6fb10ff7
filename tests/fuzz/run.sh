#!/bin/sh
# Builds the fuzz targets and runs each for SECONDS; exits with 1 at the first crash, hang or leak.
# Usage: tests/fuzz/run.sh SECONDS [TARGET ...]
# HWSIFT_DEPS_DIR is taken from the environment where it is set.
set -eu
seconds=${1:?"usage: $0 SECONDS [TARGET ...]"}
shift
[ $# -gt 0 ] || set -- analyze_python fix_python parse_python parse_yaml parse_json parse_allowlist parse_filter \
  parse_run_document parse_test_lists parse_times parse_plan

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build-fuzz
cmake -S "$root" --preset fuzz ${HWSIFT_DEPS_DIR:+"-DHWSIFT_DEPS_DIR=$HWSIFT_DEPS_DIR"} > /dev/null
for target in "$@"; do
  ninja --quiet -C "$build" "fuzz_$target"
done

mkdir -p "$build/found"
for target in "$@"; do
  echo "fuzzing $target for $seconds s"
  grown=$(mktemp -d)
  status=0
  seeds=$here/corpus/$target
  case $target in
    analyze_python) set -- "$seeds" "$here/../fixtures/python_syntax/valid" ;;
    fix_python) set -- "$seeds" "$here/../fixtures/cases" "$here/../fixtures/lint" ;;
    *) set -- "$seeds" ;;
  esac
  "$build/fuzz_$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -max_len=65536 \
    -artifact_prefix="$build/found/$target-" "$grown" "$@" > "$build/$target.log" 2>&1 || status=$?
  rm -rf "$grown"
  if [ "$status" -ne 0 ]; then
    tail -n 40 "$build/$target.log" >&2
    echo "$target failed; the input is in $build/found" >&2
    exit 1
  fi
done
