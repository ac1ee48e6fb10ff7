// What report writes, runner reads back; and what someone made of it is refused.
#include "runner/plan_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/json.h"
#include "report/plan.h"
#include "tests/runner/planned.h"

namespace hwsift::runner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kA = "test/test_a.py";
const std::string kB = "test/test_b.py";

// A file in four parts, and one in a single one.
Selection sample() {
  std::vector<SelectedTest> tests;
  add_file(kA, 2, 2, tests);
  tests.push_back(planned_test(kB, "", "test_f"));
  Selection selection = selection_of(tests);
  selection.not_selected["needs CUDA"] = {kA + "::TestCuda::test_1"};
  return selection;
}

Plan sample_plan() {
  KnownTimes times{{}, {}, {{kA, 100}, {kB, 0.123456}}};
  Plan plan = make_plan(sample(), times, {.shards = 4, .unit_seconds = 50}).value();
  plan.scope = {{kB, kA}, {"CUDA,CPU", "all"}, "exclude", 3, "file(test/*) \xE2\x82\xAC \"\\"};
  return plan;
}

std::string written(const Plan& plan) { return report::plan_json(sample(), plan); }

Plan read(const std::string& bytes) {
  Result<Plan> plan = parse_plan(bytes, "plan.json");
  EXPECT_TRUE(plan.ok()) << to_string(plan.error());
  return plan.ok() ? *plan : Plan{};
}

TEST(PlanDocument, ReadsBackAsItWasWritten) {
  Plan plan = sample_plan();
  Plan back = read(written(plan));
  EXPECT_EQ(back.device, "cpu");
  EXPECT_EQ(back.fingerprint, plan.fingerprint);
  EXPECT_EQ(back.scope.paths, plan.scope.paths);
  EXPECT_EQ(back.scope.categories, plan.scope.categories);
  EXPECT_EQ(back.scope.unclassified, "exclude");
  EXPECT_EQ(back.scope.device_count, 3);
  EXPECT_EQ(back.scope.filter, plan.scope.filter);
  ASSERT_EQ(back.shards.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(back.shards[i].expected_seconds, plan.shards[i].expected_seconds);
    ASSERT_EQ(back.shards[i].units.size(), plan.shards[i].units.size());
    for (std::size_t k = 0; k < plan.shards[i].units.size(); ++k) {
      EXPECT_EQ(back.shards[i].units[k].tests, plan.shards[i].units[k].tests);
      EXPECT_EQ(back.shards[i].units[k].part, plan.shards[i].units[k].part);
      EXPECT_EQ(back.shards[i].units[k].parts, plan.shards[i].units[k].parts);
      EXPECT_EQ(back.shards[i].units[k].expected_seconds, plan.shards[i].units[k].expected_seconds);
    }
  }
  back.known = plan.known;
  EXPECT_EQ(written(back), written(plan));
  EXPECT_TRUE(check_plan(back, sample(), "plan.json").ok());
}

TEST(PlanDocument, OfNothingIsRead) {
  Selection none = selection_of({});
  Plan plan = make_plan(none, {}, {.shards = 2}).value();
  Plan back = read(report::plan_json(none, plan));
  EXPECT_EQ(back.shards.size(), 2u);
  EXPECT_THAT(back.scope.paths, ElementsAre());
  EXPECT_EQ(back.scope.unclassified, "infer");
}

TEST(PlanDocument, MayLackWhatOlderOnesDidNotSay) {
  Json document = parse_json(written(sample_plan()), "plan").value();
  document["selected_by"].erase("filter");
  document["selected_by"].erase("device_count");
  document["more"] = {1, 2};
  EXPECT_EQ(read(document.dump()).scope.filter, "");
  document.erase("selected_by");
  document.erase("paths");
  EXPECT_EQ(read(document.dump()).scope.unclassified, "infer");
}

// Parts 2, 3, 4 and 1 of the first file are in the shards 0 to 3, the other file is in the last one too.
Json& unit(Json& document, std::size_t shard, std::size_t index = 0) {
  return document["shards"][shard]["units"][index];
}

using Change = std::function<void(Json&)>;

void expect_refused(const Change& change, const std::string& where, const std::string& what) {
  Json document = parse_json(written(sample_plan()), "plan").value();
  change(document);
  Result<Plan> plan = parse_plan(document.dump(), "plan.json");
  ASSERT_FALSE(plan.ok()) << where;
  EXPECT_EQ(plan.error().where, where);
  EXPECT_THAT(plan.error().what, HasSubstr(what));
  EXPECT_FALSE(plan.error().hint.empty());
}

TEST(PlanDocument, WrongFieldsAreRefusedWithTheirPlace) {
  expect_refused([](Json& d) { d = Json::array(); }, "plan.json", "no plan");
  expect_refused([](Json& d) { d["schema"] = "hwsift.plan/2"; }, "plan.json", "no plan");
  expect_refused([](Json& d) { d.erase("device"); }, "plan.json: device", "no text");
  expect_refused([](Json& d) { d["fingerprint"] = 3; }, "plan.json: fingerprint", "no text");
  expect_refused([](Json& d) { d["paths"] = "a"; }, "plan.json: paths", "no list");
  expect_refused([](Json& d) { d["paths"][1] = 1; }, "plan.json: paths", "not all are texts");
  expect_refused([](Json& d) { d["selected_by"] = 1; }, "plan.json: selected_by", "no object");
  expect_refused([](Json& d) { d["selected_by"]["hw"] = "CPU"; }, "plan.json: selected_by.hw", "no list");
  expect_refused([](Json& d) { d["selected_by"]["unclassified"] = "x"; },
                 "plan.json: selected_by.unclassified", "neither infer");
  expect_refused([](Json& d) { d["selected_by"]["filter"] = nullptr; }, "plan.json: selected_by.filter",
                 "no text");
  expect_refused([](Json& d) { d["selected_by"]["device_count"] = -1; },
                 "plan.json: selected_by.device_count", "no number from 0");
  expect_refused([](Json& d) { d["selected_by"]["device_count"] = 1ull << 40; },
                 "plan.json: selected_by.device_count", "no number");
  expect_refused([](Json& d) { d["tests"] = {}; }, "plan.json: tests", "no list");
  expect_refused([](Json& d) { d["tests"][1].erase("path"); }, "plan.json: tests[1].path", "no text");
  expect_refused([](Json& d) { d["tests"][2] = 1; }, "plan.json: tests[2].id", "no text");
  expect_refused([](Json& d) { d["shards"] = Json::array(); }, "plan.json: shards", "no shard");
  expect_refused([](Json& d) { d["shards"] = Json(std::vector<int>(10001, 1)); }, "plan.json: shards",
                 "too many");
  expect_refused([](Json& d) { d["shards"][1]["index"] = 3; }, "plan.json: shards[1].index", "not in order");
  expect_refused([](Json& d) { d["shards"][1]["index"] = 2.0; }, "plan.json: shards[1].index", "no number");
  expect_refused([](Json& d) { d["shards"][0]["expected_seconds"] = -1; },
                 "plan.json: shards[0].expected_seconds", "no number");
  expect_refused([](Json& d) { d["shards"][0].erase("units"); }, "plan.json: shards[0].units", "no list");
}

TEST(PlanDocument, EachTestIsInOneUnit) {
  expect_refused([](Json& d) { d["tests"].push_back(d["tests"][0]); }, "plan.json: tests[5]",
                 "is there twice");
  expect_refused(
      [](Json& d) {
        d["tests"].push_back({{"id", "x::y"}, {"path", "x"}});
      },
      "plan.json: shards", "1 of the tests are in no unit");
  expect_refused([](Json& d) { unit(d, 0)["tests"].push_back("x::y"); }, "plan.json: shards[0].units[0]",
                 "'x::y' is no test of");
  expect_refused([](Json& d) { unit(d, 0)["path"] = kB; }, "plan.json: shards[0].units[0]", "is no test of");
  expect_refused([](Json& d) { unit(d, 0)["tests"].push_back(unit(d, 0)["tests"][0]); },
                 "plan.json: shards[0].units[0]", "is in two units");
  expect_refused([](Json& d) { unit(d, 0)["tests"] = Json::array(); }, "plan.json: shards[0].units[0]",
                 "no tests");
  expect_refused([](Json& d) { unit(d, 3, 1)["path"] = "x"; }, "plan.json: shards[3].units[1]", "no tests");
}

TEST(PlanDocument, EachPartOfAFileIsThereOnce) {
  const std::string first = "plan.json: shards[0].units[0].part";
  const std::string second = "plan.json: shards[1].units[0].part";
  expect_refused([](Json& d) { unit(d, 0)["part"] = 5; }, first, "beyond");
  expect_refused([](Json& d) { unit(d, 0)["part"] = 0; }, first, "no number from 1");
  expect_refused([](Json& d) { unit(d, 1)["part"] = 2; }, second, "does not go with");
  expect_refused([](Json& d) { unit(d, 1)["parts"] = 5; }, second, "does not go with");
  auto five = [](Json& d) {
    for (std::size_t shard = 0; shard < 4; ++shard) unit(d, shard)["parts"] = 5;
  };
  expect_refused(five, "plan.json: shards", "not all of the 5 parts of 'test/test_a.py'");
}

TEST(PlanDocument, WhatWasEditedDoesNotGoWithItsFingerprint) {
  expect_refused([](Json& d) { std::swap(d["shards"][0]["units"], d["shards"][3]["units"]); },
                 "plan.json: fingerprint", "not that of the tests");
  expect_refused([](Json& d) { d["device"] = "xpu"; }, "plan.json: fingerprint", "not that of the tests");
}

TEST(PlanDocument, BytesThatAreNoJsonAreRefused) {
  for (const char* bytes : {"", "{", "\xFF", "{\"schema\": 1e999}"})
    EXPECT_FALSE(parse_plan(bytes, "p").ok());
  std::string text = written(sample_plan());
  for (std::size_t length = 0; length + 2 < text.size(); length += 7)
    EXPECT_FALSE(parse_plan(text.substr(0, length), "p").ok());
}

}  // namespace
}  // namespace hwsift::runner
