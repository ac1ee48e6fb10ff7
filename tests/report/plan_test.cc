#include "report/plan.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace hwsift::report {
namespace {

runner::Plan sample() {
  runner::Plan plan;
  plan.device = "cpu";
  plan.shards = {
      {30.5, {{"test/a.py", 1, 2, 30.5, {"test/a.py::TestA::test_1", "test/a.py::TestA::test_2"}}}},
      {34.5, {{"test/a.py", 2, 2, 19.5, {"test/a.py::TestB::test_3"}}, {"test/b.py", 1, 1, 10, {"t"}}}},
      {0, {}}};
  plan.known = {1, 2};
  return plan;
}

TEST(PlanReport, TheTableHasARowAShard) {
  EXPECT_EQ(plan_text(sample(), {}), R"(3 shards for cpu: 4 tests in 2 files
    shard    seconds  files   tests
      1/3       30.5      1       2
      2/3       34.5      2       2
      3/3        0.0      0       0
The slowest takes 34.5 s, 1.59 of the mean.
1 long file in parts.
Times known for 1 of 2 files; the others are taken for the mean of these.
Next: keep it with -o json:plan.json, and on each machine
  hwsift run --plan plan.json --shard INDEX/3
)");
}

TEST(PlanReport, AGithubMatrixIsOneLineWithALegAShard) {
  std::string line = plan_github_matrix(sample());
  ASSERT_EQ(line.find('\n'), line.size() - 1);
  Json matrix = Json::parse(line.substr(std::string("matrix=").size()));
  ASSERT_EQ(matrix["include"].size(), 3u);
  EXPECT_EQ(matrix["include"][1]["shard"], 2);
  EXPECT_EQ(matrix["include"][1]["total"], 3);
}

TEST(PlanReport, WordsOfAShellAndTextsOfYamlHoldAnything) {
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's $(x)\n"), "'it'\\''s $(x)\n'");
  EXPECT_EQ(yaml_text("a: \"b\" \\ #\n\t\x7f"), "\"a: \\\"b\\\" \\\\ #\\n\\u0009\\u007F\"");
  EXPECT_EQ(yaml_text("\xc3\xa9\xf0\x9f\x98\x80\xff"), "\"\\u00E9\\U0001F600\\uFFFD\"");
}

TEST(PlanReport, ADollarInAnArgumentIsNoVariableOfKubernetes) {
  ShardCommand command{{"-C", "/tree $(HOME)", "run"}, "0123456789abcdef", 2};
  std::string text = plan_kubernetes(command, {"image", "claim", ""});
  EXPECT_NE(text.find("- \"/tree $$(HOME)\"\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace hwsift::report
