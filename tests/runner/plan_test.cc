#include "runner/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "runner/expectation.h"
#include "tests/runner/planned.h"

namespace hwsift::runner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kA = "test/test_a.py";
const std::string kB = "test/test_b.py";

Plan planned(const Selection& selection, const KnownTimes& times, const PlanOptions& options) {
  Result<Plan> plan = make_plan(selection, times, options);
  EXPECT_TRUE(plan.ok()) << to_string(plan.error());
  return plan.ok() ? *plan : Plan{};
}

Error refused(const Selection& selection, const KnownTimes& times, const PlanOptions& options) {
  Result<Plan> plan = make_plan(selection, times, options);
  EXPECT_FALSE(plan.ok());
  return plan.ok() ? Error{} : plan.error();
}

double slowest(const Plan& plan) {
  double most = 0;
  for (const PlanShard& shard : plan.shards) most = std::max(most, shard.expected_seconds);
  return most;
}

double mean(const Plan& plan) {
  double sum = 0;
  for (const PlanShard& shard : plan.shards) sum += shard.expected_seconds;
  return sum / static_cast<double>(plan.shards.size());
}

// All that a plan says, in words.
std::string said(const Plan& plan) {
  std::string text = plan.device + " " + plan.fingerprint + "\n";
  for (const PlanShard& shard : plan.shards) {
    text += std::to_string(shard.expected_seconds) + "\n";
    for (const PlanUnit& unit : shard.units) {
      text += unit.path + " " + std::to_string(unit.part) + "/" + std::to_string(unit.parts) + " " +
              std::to_string(unit.expected_seconds);
      for (const std::string& id : unit.tests) text += " " + id;
      text += "\n";
    }
  }
  return text;
}

std::vector<std::string> ids_of(const Selection& selection) {
  std::vector<std::string> ids;
  for (const SelectedTest& test : selection.tests) ids.push_back(test.id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

constexpr int kFiles = 300;

// 3 % of the files hold 72 % of an hour; each has some reasons not to run, too.
Selection like_pytorch(std::vector<int> order = {}) {
  std::vector<SelectedTest> tests;
  if (order.empty())
    for (int i = 0; i < kFiles; ++i) order.push_back(i);
  for (int i : order) add_file(numbered_file(i), i % 100 < 3 ? 8 : 2, i % 100 < 3 ? 50 : 3, tests);
  Selection selection = selection_of(std::move(tests));
  for (int i : order)
    for (const char* reason : {"needs CUDA", "needs XPU"})
      selection.not_selected[reason].push_back(numbered_file(i) + "::TestOther::test_" + reason[6]);
  selection.not_selected["needs CUDA"].push_back("test/test_zzz.py::TestOther::test_alone");
  return selection;
}

KnownTimes times_like_pytorch() {
  KnownTimes times;
  for (int i = 0; i < kFiles; ++i) {
    int hundred = i / 100;
    times.files[numbered_file(i)] =
        i % 100 < 3 ? 3600 * .72 / 9 * (1 + hundred) / 2 : 3600 * .28 / (kFiles - 9);
  }
  return times;
}

TEST(Plan, IsEvenWhereAFewFilesTakeMostOfTheTime) {
  Plan plan = planned(like_pytorch(), times_like_pytorch(), {.shards = 10});
  ASSERT_EQ(plan.shards.size(), 10u);
  EXPECT_LE(slowest(plan), 1.02 * mean(plan));
  EXPECT_LE(mean(plan), 1.02 * 360) << "further starts cost little";
  EXPECT_EQ(plan.known.files, 300u);
  EXPECT_EQ(plan.known.of_files, 300u);
}

TEST(Plan, HasEachTestOnceAndUnitsByPathAndPart) {
  Selection selection = like_pytorch();
  Plan plan = planned(selection, times_like_pytorch(), {.shards = 10});
  EXPECT_EQ(tests_of(plan), ids_of(selection));
  std::map<std::string, std::set<int>> parts;
  for (const PlanShard& shard : plan.shards) {
    EXPECT_TRUE(
        std::is_sorted(shard.units.begin(), shard.units.end(), [](const PlanUnit& a, const PlanUnit& b) {
          return std::tie(a.path, a.part) < std::tie(b.path, b.part);
        }));
    for (const PlanUnit& unit : shard.units) {
      EXPECT_FALSE(unit.tests.empty());
      EXPECT_TRUE(parts[unit.path].insert(unit.part).second);
      EXPECT_LE(unit.part, unit.parts);
    }
  }
  for (const PlanShard& shard : plan.shards)
    for (const PlanUnit& unit : shard.units)
      EXPECT_EQ(parts[unit.path].size(), static_cast<std::size_t>(unit.parts)) << unit.path;
}

TEST(Plan, IsTheSameForAnyOrderOfFiles) {
  const KnownTimes times = times_like_pytorch();
  const std::string expected = said(planned(like_pytorch(), times, {.shards = 7}));
  std::vector<int> order;
  for (int i = 0; i < kFiles; ++i) order.push_back(i);
  std::mt19937 random(4711);
  for (int round = 0; round < 3; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    EXPECT_EQ(said(planned(like_pytorch(order), times, {.shards = 7})), expected);
  }
}

TEST(Plan, PartsAreDisjointAndTogetherTheWhole) {
  Selection selection = like_pytorch();
  Plan plan = planned(selection, times_like_pytorch(), {.shards = 10});
  std::vector<std::string> tests;
  std::map<std::string, std::vector<std::string>> reasons;
  std::map<std::string, int> finders;  // of the files in a part, those that take what only pytest finds
  std::map<std::string, int> runners;
  for (int index = 1; index <= 10; ++index) {
    Selection part = part_of(selection, plan, index);
    EXPECT_EQ(part.tests.size() + part.elsewhere.size(), selection.tests.size());
    std::vector<std::string> files;
    for (const SelectedTest& test : part.tests) {
      tests.push_back(test.id);
      if (files.empty() || files.back() != test.path) files.push_back(test.path);
    }
    EXPECT_EQ(part.files, files);
    for (const std::string& path : files) ++runners[path], finders[path] += !part.found_elsewhere.count(path);
    for (const std::string& path : part.found_elsewhere)
      EXPECT_TRUE(std::count(files.begin(), files.end(), path)) << path;
    std::size_t left_out = 0;
    for (const auto& [reason, ids] : part.not_selected) {
      reasons[reason].insert(reasons[reason].end(), ids.begin(), ids.end());
      left_out += ids.size();
    }
    for (const auto& [reason, ids] : part.left_out_elsewhere) left_out += ids.size();
    EXPECT_EQ(left_out, 2u * kFiles + 1);
  }
  std::sort(tests.begin(), tests.end());
  EXPECT_EQ(tests, ids_of(selection));
  for (auto& [reason, ids] : reasons) std::sort(ids.begin(), ids.end());
  EXPECT_EQ(reasons, selection.not_selected);
  EXPECT_GT(runners["test/test_202.py"], 1) << "a long file is in several shards";
  for (const auto& [path, count] : finders) EXPECT_EQ(count, 1) << path;
}

TEST(Plan, CutsBetweenClassesAndOnlyLongClassesBetweenTests) {
  std::vector<SelectedTest> tests;
  for (const char* cls : {"TestShort", "TestLong", "TestAlso"})
    for (const char* name : {"test_1", "test_2", "test_3", "test_4"})
      tests.push_back(planned_test(kA, cls, name));
  Selection selection = selection_of(tests);
  KnownTimes times{{}, {{kA + "::TestShort", 40}, {kA + "::TestLong", 80}, {kA + "::TestAlso", 40}}, {}};
  Plan plan = planned(selection, times, {.shards = 1, .unit_seconds = 40});
  std::vector<std::vector<std::string>> units;
  for (const PlanUnit& unit : plan.shards[0].units) units.push_back(unit.tests);
  auto all = [](const std::string& cls, const std::vector<int>& numbers) {
    const std::string stem = kA + "::" + cls + "::test_";
    std::vector<std::string> ids;
    for (int number : numbers) ids.push_back(stem + std::to_string(number));
    return ids;
  };
  EXPECT_THAT(units, ElementsAre(all("TestShort", {1, 2, 3, 4}), all("TestLong", {1, 2}),
                                 all("TestLong", {3, 4}), all("TestAlso", {1, 2, 3, 4})));
  EXPECT_EQ(plan.shards[0].expected_seconds, 160) << "parts that meet in a shard need no further start";
  EXPECT_EQ(planned(selection, times, {.shards = 1}).shards[0].units.size(), 1u)
      << "below the limit it is whole";
}

TEST(Plan, ATestThatStandsForSeveralStaysWhole) {
  Selection selection =
      selection_of({planned_test(kA, "TestX", "test_ops"), planned_test(kA, "TestX", "test_one")});
  selection.tests[0].expands = true;
  KnownTimes times;
  for (int i = 0; i < 1000; ++i) times.tests[kA + "::TestX::test_ops_" + std::to_string(i)] = 10;
  times.tests[kA + "::TestX::test_one"] = 10;
  Plan plan = planned(selection, times, {.shards = 3});
  EXPECT_EQ(plan.shards[0].expected_seconds, 10000);
  EXPECT_EQ(plan.shards[1].expected_seconds, 15) << "with its start";
  EXPECT_THAT(plan.shards[2].units, IsEmpty());
}

TEST(Plan, FurtherStartsAreCountedOnceAShard) {
  std::vector<SelectedTest> tests;
  add_file(kA, 1, 90, tests);
  Plan plan = planned(selection_of(tests), {}, {.shards = 2, .unit_seconds = 10});
  EXPECT_EQ(plan.shards[0].expected_seconds + plan.shards[1].expected_seconds, 90 + kStartSeconds);
}

TEST(Plan, TargetTimeTakesTheFewestShards) {
  std::vector<SelectedTest> tests;
  for (const std::string& path : {kA, kB}) add_file(path, 1, 900, tests);
  Selection selection = selection_of(tests);
  for (double target : {2000, 950, 620, 470, 100}) {
    Plan plan = planned(selection, {}, {.target_seconds = target});
    EXPECT_LE(slowest(plan), target);
    auto least = static_cast<std::size_t>(std::ceil(1800 / target));
    EXPECT_GE(plan.shards.size(), least);
    EXPECT_LE(plan.shards.size(), least + (target < 200 ? 3 : 0)) << target << ": starts cost some";
  }
}

TEST(Plan, TargetTimeThatNeedsManyShardsIsFoundSoon) {
  std::vector<SelectedTest> tests;
  for (int i = 0; i < 110; ++i) add_file(numbered_file(i), 1, 10, tests);
  Plan plan = planned(selection_of(tests), {}, {.target_seconds = 6, .unit_seconds = 1});
  EXPECT_LE(slowest(plan), 6);
  EXPECT_LE(plan.shards.size(), 1100u);
  EXPECT_GE(plan.shards.size(), 900u) << "each but the first of a file needs a start, and so a shard";
}

TEST(Plan, TargetTimeThatCannotBeKeptSaysWhatCan) {
  std::vector<SelectedTest> tests;
  add_file(kA, 1, 3, tests);
  Selection selection = selection_of(tests);
  KnownTimes times{{{tests[1].id, 700.05}, {tests[0].id, 1}, {tests[2].id, 1}}, {}, {}};
  Error error = refused(selection, times, {.target_seconds = 60});
  EXPECT_EQ(error.where, "--target-time");
  EXPECT_THAT(error.what, HasSubstr("at most 60.0 s: " + tests[1].id + " alone takes 705.1 s"));
  EXPECT_EQ(error.hint, "the least is 705.1 s");
  EXPECT_LE(slowest(planned(selection, times, {.target_seconds = 705.1})), 705.1) << "as it said";
}

TEST(Plan, TargetTimeHasALimitOfShards) {
  std::vector<SelectedTest> tests;
  for (int i = 0; i < 110; ++i) add_file(numbered_file(i), 1, 100, tests);
  Error error = refused(selection_of(tests), {}, {.target_seconds = 6, .unit_seconds = 1});
  EXPECT_EQ(error.where, "--target-time");
  EXPECT_THAT(error.what, HasSubstr("more than 10000 shards"));
}

TEST(Plan, TimesAndLimitsOfNothingDivideNothing) {
  Selection selection =
      selection_of({planned_test(kA, "TestX", "test_1"), planned_test(kA, "TestX", "test_2")});
  KnownTimes none{{}, {}, {{kA, 0}}};
  EXPECT_EQ(planned(selection, none, {.target_seconds = 1e-9}).shards.size(), 1u);
  EXPECT_EQ(planned(selection, none, {.shards = 2, .unit_seconds = 1e-9}).shards.size(), 2u);
  EXPECT_EQ(planned(selection, {}, {.target_seconds = 60, .unit_seconds = 1e-9}).shards.size(), 1u);
  EXPECT_EQ(tests_of(planned(selection, {}, {.target_seconds = 60, .unit_seconds = 1e-9})),
            ids_of(selection));
}

TEST(Plan, OfNothingHasEmptyShards) {
  EXPECT_EQ(planned(selection_of({}), {}, {.shards = 3}).shards.size(), 3u);
  EXPECT_EQ(planned(selection_of({}), {}, {.target_seconds = 60}).shards.size(), 1u);
}

TEST(Plan, MoreShardsThanTestsLeavesSomeEmptyWithNothingToAccountFor) {
  Selection selection = selection_of({planned_test(kA, "TestX", "test_1")});
  selection.not_selected["needs CUDA"] = {kA + "::TestY::test_1", kB + "::TestZ::test_1"};
  Plan plan = planned(selection, {}, {.shards = 2});
  EXPECT_EQ(part_of(selection, plan, 1).not_selected, selection.not_selected);
  Selection second = part_of(selection, plan, 2);
  EXPECT_THAT(second.tests, IsEmpty());
  EXPECT_THAT(second.files, IsEmpty());
  EXPECT_THAT(second.not_selected, IsEmpty());
  EXPECT_EQ(second.left_out_elsewhere, selection.not_selected);
}

TEST(Plan, TheFingerprintIsOfDeviceTestsAndShards) {
  Selection selection = like_pytorch();
  Plan plan = planned(selection, times_like_pytorch(), {.shards = 10});
  Plan other = plan;
  other.scope.filter = "all()";
  other.shards[0].expected_seconds = 1;
  EXPECT_EQ(fingerprint_of(other), plan.fingerprint);
  other.device = "xpu";
  EXPECT_NE(fingerprint_of(other), plan.fingerprint);
  other = plan;
  std::swap(other.shards[0], other.shards[1]);
  EXPECT_NE(fingerprint_of(other), plan.fingerprint);
  other = plan;
  other.shards[0].units[0].tests[0] += "x";
  EXPECT_NE(fingerprint_of(other), plan.fingerprint);
  other = plan;
  other.shards[1].units.insert(other.shards[1].units.begin(), other.shards[0].units.back());
  other.shards[0].units.pop_back();
  EXPECT_NE(fingerprint_of(other), plan.fingerprint) << "where a shard ends counts";
  other = plan;
  other.shards.emplace_back();
  EXPECT_NE(fingerprint_of(other), plan.fingerprint);
}

TEST(Plan, AnotherSelectionIsRefusedWithWhatDiffers) {
  std::vector<SelectedTest> tests;
  add_file(kA, 1, 6, tests);
  Plan plan = planned(selection_of(tests), {}, {.shards = 2});
  EXPECT_TRUE(check_plan(plan, selection_of(tests), "plan.json").ok());
  Selection changed = selection_of({tests[4], tests[5], planned_test(kB, "TestNew", "test_new")});
  Status status = check_plan(plan, changed, "plan.json");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().where, "plan.json");
  EXPECT_THAT(status.error().what, HasSubstr("4 only in the plan: " + tests[0].id + ", " + tests[1].id +
                                             ", " + tests[2].id + ", ...; 1 only in the tree: " + kB));
  EXPECT_THAT(status.error().hint, HasSubstr("hwsift plan"));
  Selection xpu = selection_of(tests);
  xpu.device = "xpu";
  status = check_plan(plan, xpu, "plan.json");
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().what, HasSubstr("for cpu, not for xpu"));
}

TEST(Fingerprint, OfAWholeRunTellsOtherTestsAndDevicesApart) {
  Selection selection;
  selection.device = "cpu";
  for (const char* id : {"test/a.py::T::a", "test/a.py::T::b"}) {
    SelectedTest test;
    test.id = id;
    selection.tests.push_back(test);
  }
  std::string known = fingerprint_of(selection);
  Selection other = selection;
  std::swap(other.tests[0], other.tests[1]);
  EXPECT_EQ(fingerprint_of(other), known) << "the order does not matter";
  other.tests.pop_back();
  EXPECT_NE(fingerprint_of(other), known);
  selection.device = "cuda";
  EXPECT_NE(fingerprint_of(selection), known);
}

}  // namespace
}  // namespace hwsift::runner
