#include <fmt/format.h>

#include "report/plan.h"

namespace hwsift::report {
namespace {

constexpr const char* kHead = R"(#!/bin/bash
# Written by `hwsift plan -o slurm`. It submits the shards as an array of jobs, and a job that merges what they found:
#
#   bash THIS_FILE [SBATCH_OPTION ...]     the options are for the array: --partition, --gres, --time ...
#
# From the environment: HWSIFT, the program (default: hwsift); HWSIFT_RESULTS, a folder that all nodes see (default:
# hwsift-results here); HWSIFT_RUN_OPTIONS, for `hwsift run`, such as "--retries 1"; HWSIFT_PYTHON, as for hwsift;
# SBATCH_PARTITION and its like, as for sbatch, which hold for both.
set -eu

)";

constexpr const char* kBody = R"(
hwsift=${HWSIFT:-hwsift}
results=${HWSIFT_RESULTS:-hwsift-results}
case $results in /*) ;; *) results=$PWD/$results ;; esac

submit() {
  script=$(realpath "$0")
  mkdir -p "$results"
  logs=${results//%/%%}
  # The steps get SIGTERM a minute before their time is up, and write what they have.
  array=$(sbatch --parsable --job-name=hwsift --array="1-$shards" --signal=TERM@60 --open-mode=append \
    --output="$logs/%A_%a.log" "$@" "$script" shard "$results" "$hwsift")
  array=${array%%;*}
  # afterany: the merge must run where shards failed, too.
  merge=$(sbatch --parsable --job-name=hwsift-merge --dependency="afterany:$array" \
    --output="$logs/${array}_merge.log" "$script" merge "$results" "$hwsift" "$array")
  echo "array $array, merge ${merge%%;*}, results in $results/$array"
}

shard() {
  folder=$results/$SLURM_ARRAY_JOB_ID
  index=$SLURM_ARRAY_TASK_ID
  mkdir -p "$folder"
  # What a job found before Slurm started it again is kept: the merge takes both.
  document=$folder/shard-$index${SLURM_RESTART_COUNT:+-restart-$SLURM_RESTART_COUNT}.json
  # A database on a shared disk is not for several nodes.
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  code=0
  srun --ntasks=1 "$hwsift" --db "$scratch/hwsift.sqlite" "${arguments[@]}" ${HWSIFT_RUN_OPTIONS:-} --shard "$index/$shards" \
    -o "json:$document" || code=$?
  return $code
}

merge() {
  folder=$results/$1
  shopt -s nullglob
  documents=("$folder"/shard-*.json)
  if [ ${#documents[@]} -eq 0 ]; then
    echo "no shard left a document in $folder: see $results/$1_*.log" >&2
    return 5
  fi
  "$hwsift" merge "${documents[@]}" -o "json:$folder/merged.json"
}

if [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then
  results=${2:-$results} hwsift=${3:-$hwsift}
  shard
elif [ "${1:-}" = merge ]; then
  results=$2 hwsift=$3
  merge "$4"
else
  submit "$@"
fi
)";

}  // namespace

std::string plan_slurm(const ShardCommand& command) {
  std::string text = kHead;
  text += fmt::format("shards={}\narguments=(", command.shards);
  for (std::size_t i = 0; i < command.arguments.size(); ++i)
    text += (i == 0 ? "" : " ") + shell_word(command.arguments[i]);
  return text + ")\n" + kBody;
}

}  // namespace hwsift::report
