#!/bin/sh
# Builds the fuzz targets and runs each for SECONDS; exits with 1 at the first crash, hang or leak.
# Usage: tests/fuzz/run.sh SECONDS [TARGET ...]
# HWSIFT_DEPS_DIR is taken from the environment where it is set.
set -eu
seconds=${1:?"usage: $0 SECONDS [TARGET ...]"}
shift
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- $(cd "$here" && ls -- *.cc | sed 's/[.]cc$//')
root=$(cd "$here/../.." && pwd)
build=$root/build-asan
cmake -S "$root" --preset asan ${HWSIFT_DEPS_DIR:+"-DHWSIFT_DEPS_DIR=$HWSIFT_DEPS_DIR"} > /dev/null
ninja --quiet -C "$build" fuzz_targets

mkdir -p "$build/found"
for target in "$@"; do
  echo "fuzzing $target for $seconds s"
  grown=$(mktemp -d)
  status=0
  seeds=$here/corpus/$target
  case $target in
    analyze_python) set -- "$seeds" "$here/../fixtures/python_syntax/valid" ;;
    excerpt_python) set -- "$seeds" "$here/../fixtures/cases" "$here/../fixtures/lint" "$here/../fixtures/facts" ;;
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
