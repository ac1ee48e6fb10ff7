#include "runner/shard.h"

#include <gtest/gtest.h>

#include <map>

namespace hwsift::runner {
namespace {

std::string text(const Result<ShardOf>& shard) {
  return shard.ok() ? std::to_string(shard->index) + "/" + std::to_string(shard->total) : shard.error().what;
}

using Variables = std::map<std::string, std::string>;

Result<FoundShard> found_in(const Variables& variables, int total = 0) {
  auto variable = [&](const char* name) {
    auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional<std::string>(found->second);
  };
  return shard_of_environment(variable, total);
}

// "2/4 SOURCE", or the error.
std::string found(const Variables& variables, int total = 0) {
  Result<FoundShard> shard = found_in(variables, total);
  return shard.ok() ? text(shard->shard) + " " + shard->source
                    : shard.error().where + ": " + shard.error().what;
}

TEST(Shard, IsAnIndexFromOneAndATotal) {
  EXPECT_EQ(text(parse_shard("--shard", "1/1")), "1/1");
  EXPECT_EQ(text(parse_shard("--shard", "3/4")), "3/4");
  EXPECT_EQ(text(parse_shard("--shard", "3", 4)), "3/4");
  for (const char* bad : {"", "/", "3", "0/3", "4/3", "-1/3", "x/3", "1/0", "1/x", "1/3x", "1/3/3", " 1/3",
                          "+1/3", "1/99999", "1/99999999999999999999"}) {
    Result<ShardOf> shard = parse_shard("--shard", bad);
    EXPECT_FALSE(shard.ok()) << bad;
    EXPECT_EQ(shard.error().where, "--shard");
  }
  EXPECT_FALSE(parse_shard("--shard", "5", 4).ok());
}

TEST(Shard, ComesFromTheSystemAround) {
  EXPECT_EQ(found({{"HWSIFT_SHARD", "2/4"}}), "2/4 HWSIFT_SHARD");
  EXPECT_EQ(found({{"CI_NODE_INDEX", "2"}, {"CI_NODE_TOTAL", "4"}}), "2/4 CI_NODE_INDEX");
  EXPECT_EQ(found({{"CIRCLE_NODE_INDEX", "1"}, {"CIRCLE_NODE_TOTAL", "4"}}), "2/4 CIRCLE_NODE_INDEX");
  EXPECT_EQ(found({{"BUILDKITE_PARALLEL_JOB", "1"}, {"BUILDKITE_PARALLEL_JOB_COUNT", "4"}}),
            "2/4 BUILDKITE_PARALLEL_JOB");
  EXPECT_EQ(found({{"JOB_COMPLETION_INDEX", "1"}, {"HWSIFT_SHARD_TOTAL", "4"}}), "2/4 JOB_COMPLETION_INDEX");
  EXPECT_EQ(found({{"JOB_COMPLETION_INDEX", "1"}}, 4), "2/4 JOB_COMPLETION_INDEX")
      << "the plan has the total";
  EXPECT_EQ(found({{"CI_NODE_TOTAL", "1"}, {"HWSIFT_SHARD", "1/2"}}), "1/2 HWSIFT_SHARD");
}

Variables slurm(const char* id, const char* lowest, const char* highest, const char* count) {
  return {{"SLURM_ARRAY_TASK_ID", id},
          {"SLURM_ARRAY_TASK_MIN", lowest},
          {"SLURM_ARRAY_TASK_MAX", highest},
          {"SLURM_ARRAY_TASK_COUNT", count}};
}

TEST(Shard, OfASlurmArrayWhoseIndicesAreConsecutive) {
  EXPECT_EQ(found(slurm("0", "0", "3", "4")), "1/4 SLURM_ARRAY_TASK_ID");
  EXPECT_EQ(found(slurm("7", "5", "8", "4")), "3/4 SLURM_ARRAY_TASK_ID");
  EXPECT_NE(found(slurm("7", "1", "7", "4")).find("gaps"), std::string::npos);
  EXPECT_NE(found(slurm("9", "5", "8", "4")).find("is no shard"), std::string::npos);
  EXPECT_NE(found({{"SLURM_ARRAY_TASK_ID", "1"}, {"SLURM_ARRAY_TASK_COUNT", "4"}}).find("gaps"),
            std::string::npos);
  EXPECT_FALSE(found_in(slurm("-2147483648", "2147483647", "-2147483648", "4")).ok());
}

TEST(Shard, SourcesThatDisagreeOrSayHalfAreErrors) {
  Variables both{{"CI_NODE_INDEX", "2"}, {"CI_NODE_TOTAL", "4"}, {"HWSIFT_SHARD", "2/4"}};
  EXPECT_EQ(found(both), "2/4 HWSIFT_SHARD");
  both["HWSIFT_SHARD"] = "1/4";
  EXPECT_EQ(found(both), "--shard auto: HWSIFT_SHARD says 1/4, CI_NODE_INDEX says 2/4");
  EXPECT_EQ(found({{"JOB_COMPLETION_INDEX", "1"}}), "JOB_COMPLETION_INDEX: set, but not HWSIFT_SHARD_TOTAL");
  EXPECT_EQ(found({{"CI_NODE_INDEX", ""}, {"CI_NODE_TOTAL", "4"}}), "CI_NODE_INDEX: ' of 4' is no shard");
  EXPECT_EQ(found({}).substr(0, 13), "--shard auto:");
}

}  // namespace
}  // namespace hwsift::runner
