#include "runner/shard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace hwsift::runner {
namespace {

using testing::HasSubstr;

using Environment = std::map<std::string, std::string>;

Result<FoundShard> found(const Environment& environment, int total = 0) {
  auto variable = [&](const std::string& name) -> std::optional<std::string> {
    auto at = environment.find(name);
    return at == environment.end() ? std::nullopt : std::optional<std::string>(at->second);
  };
  return shard_of_environment(variable, total);
}

// "2/4 SLURM_ARRAY_TASK_ID", or the error.
std::string said(const Environment& environment, int total = 0) {
  Result<FoundShard> shard = found(environment, total);
  if (!shard.ok()) return to_string(shard.error());
  return std::to_string(shard->shard.index) + "/" + std::to_string(shard->shard.total) + " " + shard->source;
}

Environment slurm(const char* id, const char* lowest, const char* highest, const char* count) {
  return {{"SLURM_ARRAY_TASK_ID", id},
          {"SLURM_ARRAY_TASK_MIN", lowest},
          {"SLURM_ARRAY_TASK_MAX", highest},
          {"SLURM_ARRAY_TASK_COUNT", count}};
}

TEST(Shard, IsReadAsWritten) {
  Result<ShardOf> shard = parse_shard("--shard", "2/4");
  ASSERT_TRUE(shard.ok());
  EXPECT_EQ(shard->index, 2);
  EXPECT_EQ(shard->total, 4);
  shard = parse_shard("--shard", "3", 5);
  ASSERT_TRUE(shard.ok());
  EXPECT_EQ(shard->index, 3);
  EXPECT_EQ(shard->total, 5);
  EXPECT_TRUE(parse_shard("--shard", "10000/10000").ok());
}

TEST(Shard, AnythingElseIsRefused) {
  for (const char* text : {"", "/", "2", "0/3", "4/3", "x/3", "1/x", "1/", "/3", "-1/3", "+1/3", "1/3/5",
                           " 1/3", "1/3 ", "1/0", "1.5/3", "1/10001", "99999999999/3", "1/99999999999"}) {
    Result<ShardOf> shard = parse_shard("--shard", text);
    ASSERT_FALSE(shard.ok()) << text;
    EXPECT_EQ(shard.error().where, "--shard");
    EXPECT_THAT(shard.error().what, HasSubstr(text));
    EXPECT_THAT(shard.error().hint, testing::AnyOf(HasSubstr("INDEX/TOTAL"), "they are called 1 to 3"));
  }
  EXPECT_EQ(to_string(parse_shard("--shard", "6", 5).error()),
            "--shard: '6' is no shard of 5 (they are called 1 to 5)");
}

TEST(Shard, IsFoundInTheVariablesOfEachSystem) {
  EXPECT_EQ(said({{"HWSIFT_SHARD", "2/4"}}), "2/4 HWSIFT_SHARD");
  EXPECT_EQ(said({{"HWSIFT_SHARD", "2"}}, 4), "2/4 HWSIFT_SHARD");
  EXPECT_EQ(said({{"CI_NODE_INDEX", "4"}, {"CI_NODE_TOTAL", "4"}}), "4/4 CI_NODE_INDEX");
  EXPECT_EQ(said({{"CIRCLE_NODE_INDEX", "0"}, {"CIRCLE_NODE_TOTAL", "4"}}), "1/4 CIRCLE_NODE_INDEX");
  EXPECT_EQ(said({{"BUILDKITE_PARALLEL_JOB", "3"}, {"BUILDKITE_PARALLEL_JOB_COUNT", "4"}}),
            "4/4 BUILDKITE_PARALLEL_JOB");
  EXPECT_EQ(said({{"JOB_COMPLETION_INDEX", "1"}, {"HWSIFT_SHARD_TOTAL", "4"}}), "2/4 JOB_COMPLETION_INDEX");
  EXPECT_EQ(said({{"JOB_COMPLETION_INDEX", "1"}}, 4), "2/4 JOB_COMPLETION_INDEX");
  EXPECT_EQ(said(slurm("1", "1", "4", "4")), "1/4 SLURM_ARRAY_TASK_ID");
  EXPECT_EQ(said(slurm("0", "0", "3", "4")), "1/4 SLURM_ARRAY_TASK_ID");
  EXPECT_EQ(said(slurm("12", "10", "13", "4")), "3/4 SLURM_ARRAY_TASK_ID");
}

TEST(Shard, HalfOfItIsRefusedWithTheVariable) {
  for (const char* name : {"CI_NODE_INDEX", "CIRCLE_NODE_INDEX", "BUILDKITE_PARALLEL_JOB",
                           "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"})
    EXPECT_THAT(said({{name, "1"}}), HasSubstr(std::string(name) + ": set, but not ")) << name;
  EXPECT_THAT(said({{"CI_NODE_TOTAL", "1"}}), HasSubstr("no variable says which shard"))
      << "GitLab always sets it";
  EXPECT_THAT(said({}), HasSubstr("HWSIFT_SHARD, CI_NODE_INDEX"));
  EXPECT_THAT(said({}), HasSubstr("--shard INDEX/TOTAL"));
}

TEST(Shard, NonsenseInAVariableIsRefused) {
  for (const auto& [index, total] :
       {std::pair("", "3"), {"x", "3"}, {"1", ""}, {"1", "x"}, {"0", "3"}, {"4", "3"}})
    EXPECT_THAT(said({{"CI_NODE_INDEX", index}, {"CI_NODE_TOTAL", total}}), HasSubstr("CI_NODE_INDEX: '"))
        << index;
  EXPECT_THAT(said({{"CIRCLE_NODE_INDEX", "3"}, {"CIRCLE_NODE_TOTAL", "3"}}), HasSubstr("is no shard"));
  EXPECT_THAT(said({{"CIRCLE_NODE_INDEX", "2147483647"}, {"CIRCLE_NODE_TOTAL", "3"}}),
              HasSubstr("is no shard"));
  EXPECT_THAT(said({{"HWSIFT_SHARD", "5/4"}}), HasSubstr("HWSIFT_SHARD: '5/4' is no shard"));
}

TEST(Shard, AnArrayWithGapsNumbersNoShards) {
  EXPECT_THAT(said(slurm("3", "1", "5", "3")), HasSubstr("the array has gaps"));
  EXPECT_THAT(said({{"SLURM_ARRAY_TASK_ID", "1"}, {"SLURM_ARRAY_TASK_COUNT", "3"}}),
              HasSubstr("the array has gaps"));
  EXPECT_THAT(said(slurm("1", "-2147483648", "2147483647", "3")), HasSubstr("the array has gaps"));
}

TEST(Shard, TwoThatDifferAreRefusedAndTwoThatAgreeAreNot) {
  Environment both = slurm("2", "1", "4", "4");
  both["CI_NODE_INDEX"] = "2";
  both["CI_NODE_TOTAL"] = "4";
  EXPECT_EQ(said(both), "2/4 CI_NODE_INDEX");
  both["CI_NODE_INDEX"] = "3";
  EXPECT_THAT(said(both), HasSubstr("CI_NODE_INDEX says 3/4, SLURM_ARRAY_TASK_ID says 2/4"));
  both["CI_NODE_INDEX"] = "2";
  both["CI_NODE_TOTAL"] = "5";
  EXPECT_THAT(said(both), HasSubstr("CI_NODE_INDEX says 2/5, SLURM_ARRAY_TASK_ID says 2/4"));
}

}  // namespace
}  // namespace hwsift::runner
