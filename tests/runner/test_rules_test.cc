#include "runner/test_rules.h"

#include <gtest/gtest.h>

namespace hwsift::runner {
namespace {

TestRules rules() {
  TestRules rules;
  rules.disabled = *DisabledTests::parse(
      R"json({"test_bad (__main__.TestA)": ["https://example.org/1", ["linux"]]})json", "d.json");
  rules.slow = *SlowTests::parse(R"json({"test_long (__main__.TestA)": 120.5})json", "s.json");
  rules.quarantine = *Quarantine::parse("- {test: \"test/test_x.py::TestA::*\", reason: flaky}\n", "q.yaml");
  rules.here = {{"linux"}, {"cpu"}};
  rules.today = "2026-03-14";
  return rules;
}

TEST(TestRules, DisabledTestsDoNotRunAndNameTheirIssue) {
  EXPECT_EQ(rules().leaves_out("TestA", "test_bad"), "disabled: https://example.org/1");
  EXPECT_EQ(rules().leaves_out("TestA", "test_good"), "");
  TestRules elsewhere = rules();
  elsewhere.here.platforms = {"rocm"};
  EXPECT_EQ(elsewhere.leaves_out("TestA", "test_bad"), "");
}

TEST(TestRules, SlowTestsRunWhereTheyAreAskedFor) {
  EXPECT_NE(rules().leaves_out("TestA", "test_long"), "");
  TestRules with_slow = rules();
  with_slow.with_slow = true;
  EXPECT_EQ(with_slow.leaves_out("TestA", "test_long"), "");
  EXPECT_EQ(with_slow.leaves_out("TestA", "test_good"), "");
  with_slow.slow_alone = true;
  EXPECT_EQ(with_slow.leaves_out("TestA", "test_long"), "");
  EXPECT_NE(with_slow.leaves_out("TestA", "test_good"), "");
}

TEST(TestRules, WithoutListsEverythingRuns) {
  EXPECT_EQ(TestRules().leaves_out("TestA", "test_bad"), "");
  EXPECT_FALSE(TestRules().in_quarantine("test/test_x.py::TestA::test_a"));
  EXPECT_TRUE(rules().in_quarantine("test/test_x.py::TestA::test_a"));
  EXPECT_FALSE(rules().in_quarantine("test/test_x.py::TestB::test_b"));
}

}  // namespace
}  // namespace hwsift::runner
