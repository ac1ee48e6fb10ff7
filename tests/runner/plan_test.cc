#include "runner/plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "runner/expectation.h"

namespace hwsift::runner {
namespace {

// "test/test_x.py::TestA::test_one"; a name that ends in '*' stands for several.
SelectedTest selected(std::string id) {
  SelectedTest test;
  test.expands = id.back() == '*';
  if (test.expands) id.pop_back();
  test.id = id;
  test.path = id.substr(0, id.find("::"));
  std::size_t last = id.rfind("::");
  if (last > test.path.size()) test.run_class = id.substr(test.path.size() + 2, last - test.path.size() - 2);
  test.cls = test.run_class;
  test.method = id.substr(last + 2);
  return test;
}

Selection selection_of(const std::vector<std::string>& ids) {
  Selection selection;
  selection.device = "cpu";
  selection.variants = {"cpu"};
  for (const std::string& id : ids) {
    selection.tests.push_back(selected(id));
    const std::string& path = selection.tests.back().path;
    if (selection.files.empty() || selection.files.back() != path) selection.files.push_back(path);
  }
  return selection;
}

// `files` files with ten tests each in two classes.
Selection many(int files) {
  std::vector<std::string> ids;
  for (int file = 0; file < files; ++file)
    for (int test = 0; test < 10; ++test)
      ids.push_back("test/test_" + std::to_string(1000 + file) + ".py::Test" + (test < 5 ? "A" : "B") +
                    "::test_" + std::to_string(test));
  return selection_of(ids);
}

std::vector<double> seconds_of(const Selection& selection, const KnownTimes& times) {
  std::vector<double> seconds;
  for (Micros one : expect(selection, times).tests) seconds.push_back(static_cast<double>(one) / 1e6);
  return seconds;
}

Plan plan_of(const Selection& selection, const KnownTimes& times, int shards, double unit = kUnitSeconds) {
  PlanOptions options;
  options.shards = shards;
  options.unit_seconds = unit;
  Result<Plan> plan = make_plan(selection, times, options);
  EXPECT_TRUE(plan.ok());
  return *plan;
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

std::vector<std::string> ids_of(const std::vector<SelectedTest>& tests) {
  std::vector<std::string> ids;
  for (const SelectedTest& test : tests) ids.push_back(test.id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

// --- how long tests take ---

TEST(Expectation, TimesOfTestsCountForTheTemplateThatTheyExtend) {
  Selection selection = selection_of({"test/t.py::TestA::test_add*", "test/t.py::TestA::test_add_out*",
                                      "test/t.py::TestA::test_plain", "test/t.py::TestA::test_new"});
  KnownTimes times;
  times.tests = {{"test/t.py::TestA::test_add_float32", 1},  {"test/t.py::TestA::test_add_float64", 2},
                 {"test/t.py::TestA::test_add_out_int", 10}, {"test/t.py::TestA::test_plain[a::b]", 4},
                 {"test/t.py::TestA::test_plain_more", 99},  {"no id", 99},
                 {"test/u.py::TestA::test_plain", 99}};
  std::vector<double> expected{3, 10, 4, 17.0 / 3};
  std::vector<double> seconds = seconds_of(selection, times);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(seconds[i], expected[i], 1e-5) << i;
}

TEST(Expectation, TestsGoBeforeClassesAndClassesBeforeFiles) {
  Selection selection = selection_of({"test/t.py::TestA::test_1", "test/t.py::TestA::test_2",
                                      "test/t.py::TestB::test_3", "test/t.py::test_function"});
  KnownTimes times;
  times.files = {{"test/t.py", 100}};
  EXPECT_EQ(seconds_of(selection, times), (std::vector<double>{25, 25, 25, 25}));
  times.classes = {{"test/t.py::TestA", 60}};
  EXPECT_EQ(seconds_of(selection, times), (std::vector<double>{30, 30, 20, 20}));
  times.files.clear();
  EXPECT_EQ(seconds_of(selection, times), (std::vector<double>{30, 30, 30, 30}));
  times.tests = {{"test/t.py::TestB::test_3", 7}};
  EXPECT_EQ(seconds_of(selection, times), (std::vector<double>{7, 7, 7, 7}));
}

TEST(Expectation, AFileOfWhichNothingIsKnownTakesTheMeanOfTheOthers) {
  Selection selection = many(4);
  KnownTimes times;
  times.files = {{"test/test_1000.py", 10}, {"test/test_1002.py", 30}, {"test/not_selected.py", 1000}};
  std::vector<double> seconds = seconds_of(selection, times);
  EXPECT_EQ(seconds[0], 1);
  EXPECT_EQ(seconds[10], 2);
  EXPECT_EQ(seconds[39], 2);
  Expectation expected = expect(selection, times);
  EXPECT_EQ(expected.known.files, 2u);
  EXPECT_EQ(expected.known.of_files, 4u);
  EXPECT_EQ(seconds_of(selection, {})[39], kSecondsOfATest);
}

TEST(Expectation, SharesAddUpToTheWhole) {
  Selection selection =
      selection_of({"test/t.py::TestA::test_1", "test/t.py::TestA::test_2", "test/t.py::TestA::test_3"});
  KnownTimes times;
  times.files = {{"test/t.py", 1}};
  std::vector<Micros> tests = expect(selection, times).tests;
  EXPECT_EQ(tests[0] + tests[1] + tests[2], 1000000);
}

// --- the cut ---

KnownTimes long_tailed(const Selection& selection) {
  KnownTimes times;
  for (std::size_t i = 0; i < selection.files.size(); ++i)
    times.files[selection.files[i]] =
        i % 33 == 0 ? 1200.0 + static_cast<double>(i) : 10.0 + static_cast<double>(i % 17);
  return times;
}

TEST(Plan, TenShardsOfAFewLongAndManyShortFilesAreEven) {
  Selection selection = many(800);
  Plan plan = plan_of(selection, long_tailed(selection), 10);
  ASSERT_EQ(plan.shards.size(), 10u);
  EXPECT_LE(slowest(plan), 1.02 * mean(plan));
  EXPECT_EQ(tests_of(plan), ids_of(selection.tests)) << "each once";
}

TEST(Plan, ALongFileIsCutBetweenClassesAndALongClassBetweenTests) {
  Selection selection = many(1);
  KnownTimes times;
  times.classes = {{"test/test_1000.py::TestA", 500}, {"test/test_1000.py::TestB", 1000}};
  Plan plan = plan_of(selection, times, 1, 600);
  const std::vector<PlanUnit>& units = plan.shards[0].units;
  ASSERT_EQ(units.size(), 3u);
  EXPECT_EQ(units[0].tests.size(), 5u) << "TestA";
  EXPECT_EQ(units[1].tests.size(), 3u) << "of 200 s each";
  EXPECT_EQ(units[2].tests.size(), 2u);
  EXPECT_EQ(units[2].part, 3);
  EXPECT_EQ(units[2].parts, 3);
  EXPECT_EQ(plan.shards[0].expected_seconds, 1500) << "in one shard they are one process";
}

TEST(Plan, AFurtherPartOfAFileCostsAStart) {
  Selection selection = many(1);
  KnownTimes times;
  times.files = {{"test/test_1000.py", 1000}};
  Plan plan = plan_of(selection, times, 2);
  EXPECT_EQ(plan.shards[0].expected_seconds + plan.shards[1].expected_seconds, 1000 + kStartSeconds);
}

TEST(Plan, ShortFilesAreCutOnlyWhereBalanceGains) {
  Selection selection = many(2);
  KnownTimes times;
  times.files = {{"test/test_1000.py", 100}, {"test/test_1001.py", 100}};
  for (const PlanShard& shard : plan_of(selection, times, 2).shards) EXPECT_EQ(shard.units.size(), 1u);
  times.files["test/test_1000.py"] = 500;
  Plan plan = plan_of(selection, times, 2);
  EXPECT_LE(slowest(plan), 1.1 * mean(plan));
}

TEST(Plan, ATemplateStaysWhole) {
  Selection selection = selection_of({"test/t.py::TestA::test_big*", "test/t.py::TestA::test_small"});
  KnownTimes times;
  times.tests = {{"test/t.py::TestA::test_big_1", 5000}, {"test/t.py::TestA::test_big_2", 5000}};
  Plan plan = plan_of(selection, times, 4);
  EXPECT_GE(slowest(plan), 10000);
}

TEST(Plan, MoreShardsThanUnitsLeavesSomeEmpty) {
  Plan plan = plan_of(selection_of({"test/t.py::TestA::test_1"}), {}, 5);
  EXPECT_EQ(plan.shards.size(), 5u);
  EXPECT_EQ(plan.shards[0].units.size(), 1u);
  EXPECT_TRUE(plan.shards[4].units.empty());
  EXPECT_EQ(plan_of(selection_of({}), {}, 2).shards.size(), 2u);
}

TEST(Plan, ATargetTimeTakesAsFewShardsAsWillDo) {
  Selection selection = many(10);
  KnownTimes times;
  for (const std::string& path : selection.files) times.files[path] = 100;
  PlanOptions options;
  options.target_seconds = 250;
  Result<Plan> plan = make_plan(selection, times, options);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->shards.size(), 5u);
  options.target_seconds = 1000;
  EXPECT_EQ(make_plan(selection, times, options)->shards.size(), 1u);
  options.target_seconds = 60;
  plan = make_plan(selection, times, options);
  ASSERT_TRUE(plan.ok()) << "files are cut";
  EXPECT_LE(slowest(*plan), 60);
}

TEST(Plan, ATargetOutOfReachSaysTheLeast) {
  Selection selection = many(3);
  KnownTimes times;
  for (const SelectedTest& test : selection.tests) times.tests[test.id] = 1;
  times.tests["test/test_1001.py::TestA::test_3"] = 90;
  PlanOptions options;
  options.target_seconds = 60;
  Result<Plan> plan = make_plan(selection, times, options);
  ASSERT_FALSE(plan.ok());
  EXPECT_NE(plan.error().what.find("test/test_1001.py::TestA::test_3"), std::string::npos)
      << plan.error().what;
  EXPECT_NE(plan.error().hint.find("95.0 s"), std::string::npos) << plan.error().hint;
}

TEST(Plan, TheFingerprintTellsPlansApart) {
  Selection selection = many(20);
  Plan plan = plan_of(selection, {}, 3);
  EXPECT_EQ(plan.fingerprint.size(), 32u);
  EXPECT_EQ(plan_of(selection, {}, 3).fingerprint, plan.fingerprint);
  EXPECT_NE(plan_of(selection, {}, 4).fingerprint, plan.fingerprint);
  EXPECT_NE(plan_of(selection, long_tailed(selection), 3).fingerprint, plan.fingerprint);
  selection.tests.pop_back();
  EXPECT_NE(plan_of(selection, {}, 3).fingerprint, plan.fingerprint);
}

TEST(Plan, OneThatIsForOtherTestsIsRefusedWithTheDifference) {
  Selection selection = many(2);
  Plan plan = plan_of(selection, {}, 2);
  EXPECT_TRUE(check_plan(plan, selection, "plan.json").ok());
  selection.tests.erase(selection.tests.begin());
  selection.tests.push_back(selected("test/test_new.py::TestNew::test_new"));
  Status fits = check_plan(plan, selection, "plan.json");
  ASSERT_FALSE(fits.ok());
  EXPECT_NE(fits.error().what.find("1 only in the plan: test/test_1000.py::TestA::test_0"),
            std::string::npos);
  EXPECT_NE(fits.error().what.find("1 only in the tree: test/test_new.py::TestNew::test_new"),
            std::string::npos);
  selection.device = "cuda";
  EXPECT_NE(check_plan(plan, selection, "plan.json").error().what.find("cuda"), std::string::npos);
}

// --- the parts ---

TEST(Plan, PartsAreDisjointAndTheirUnionIsTheWhole) {
  Selection selection = many(40);
  selection.not_selected["needs CUDA"] = {"test/test_1000.py::TestA::test_cuda",
                                          "test/test_none.py::TestN::test_n"};
  selection.expanding = {"test/test_1000.py::TestA::test_cuda"};
  Plan plan = plan_of(selection, long_tailed(selection), 3);
  std::vector<std::string> tests;
  std::vector<std::string> left_out;
  for (int index = 1; index <= 3; ++index) {
    Selection part = part_of(selection, plan, index);
    EXPECT_EQ(part.tests.size() + part.elsewhere.size(), selection.tests.size());
    EXPECT_EQ(part.expanding, selection.expanding);
    for (const SelectedTest& test : part.tests) tests.push_back(test.id);
    for (const auto& [reason, ids] : part.not_selected)
      left_out.insert(left_out.end(), ids.begin(), ids.end());
    for (const std::string& path : part.files)
      EXPECT_TRUE(std::any_of(part.tests.begin(), part.tests.end(),
                              [&](const SelectedTest& test) { return test.path == path; }));
  }
  std::sort(tests.begin(), tests.end());
  EXPECT_EQ(tests, ids_of(selection.tests));
  EXPECT_EQ(left_out.size(), 2u);
}

TEST(Plan, WhatOnlyPytestFindsGoesWithTheFirstPart) {
  Selection selection = many(1);
  selection.not_selected["needs CUDA"] = {"test/test_1000.py::TestA::test_cuda"};
  KnownTimes times;
  times.files = {{"test/test_1000.py", 1000}};
  Plan plan = plan_of(selection, times, 2);
  int with_it = 0;
  for (int index = 1; index <= 2; ++index) {
    Selection part = part_of(selection, plan, index);
    ASSERT_EQ(part.files.size(), 1u);
    bool first = part.found_elsewhere.empty();
    EXPECT_EQ(part.not_selected.size(), first ? 1u : 0u);
    EXPECT_EQ(part.left_out_elsewhere.size(), first ? 0u : 1u);
    with_it += first;
  }
  EXPECT_EQ(with_it, 1);
}

}  // namespace
}  // namespace hwsift::runner
