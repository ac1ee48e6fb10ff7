// Which part of a plan a run does: as the user says it, or as the CI system or scheduler around it does.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "runner/result.h"

namespace hwsift::runner {

// "2/4"; with `total` known (above 0) also "2". Errors name `option`.
Result<ShardOf> parse_shard(const std::string& option, const std::string& text, int total = 0);

// A variable of the environment, nothing where it is not set.
using Variable = std::function<std::optional<std::string>(const std::string& name)>;

struct FoundShard {
  ShardOf shard;
  std::string source;  // "SLURM_ARRAY_TASK_ID"
};

// From HWSIFT_SHARD, GitLab, CircleCI, Buildkite, a Slurm array or an indexed Kubernetes job. An Error where
// none says it, where two say different things, and where one says half of it. `total`: of the plan, where
// one is at hand.
Result<FoundShard> shard_of_environment(const Variable& variable, int total = 0);

}  // namespace hwsift::runner
