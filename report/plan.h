// What `hwsift plan` made: hwsift.plan/1, a table for people, and what CI systems and schedulers take.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/output.h"
#include "runner/plan.h"

namespace hwsift::report {

// hwsift.plan/1; runner/plan_document.h reads it back.
std::string plan_json(const runner::Selection& selection, const runner::Plan& plan, int indent = 1);
std::string plan_text(const runner::Plan& plan, const Style& style);

// "matrix={...}", a line for $GITHUB_OUTPUT.
std::string plan_github_matrix(const runner::Plan& plan);
inline constexpr std::size_t kMostJobsOfMatrix = 256;

// How a machine runs its shard of the plan.
struct ShardCommand {
  std::vector<std::string> arguments;  // of hwsift, up to --shard
  std::string fingerprint;
  int shards = 0;
};

// A script that submits the shards as an array of jobs, and a job that merges what they found.
std::string plan_slurm(const ShardCommand& command);

struct KubernetesSettings {
  std::string image;  // of the containers; hwsift, the tree and a PyTorch are in it
  std::string claim;  // the volume for the results
  std::string plan;   // the document, "" where the arguments make the plan anew
};
// Below this a plan goes into a ConfigMap, which holds 1 MiB.
inline constexpr std::size_t kMostBytesOfConfigMap = 1000000;
// Where the plan of `settings` is in the containers.
inline constexpr char kPlanInContainer[] = "/plan/plan.json";

// A ConfigMap with the plan, an Indexed Job with the shards, and a suspended Job that merges what they found.
std::string plan_kubernetes(const ShardCommand& command, const KubernetesSettings& settings);

// Text as one word of a POSIX shell; as a double-quoted scalar of YAML, all of it ASCII.
std::string shell_word(const std::string& text);
std::string yaml_text(const std::string& text);

}  // namespace hwsift::report
