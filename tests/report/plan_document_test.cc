#include "runner/plan_document.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "report/plan.h"

namespace hwsift::runner {
namespace {

struct Made {
  Selection selection;
  Plan plan;
};

Made made() {
  Made made;
  made.selection.device = "cpu";
  for (const char* id : {"test/a.py::TestA::test_1", "test/a.py::TestA::test_2", "test/b.py::test_3"}) {
    SelectedTest test;
    test.id = id;
    test.path = test.id.substr(0, test.id.find("::"));
    made.selection.tests.push_back(test);
  }
  KnownTimes times;
  times.files = {{"test/a.py", 900}, {"test/b.py", 100}};
  PlanOptions options;
  options.shards = 2;
  made.plan = *make_plan(made.selection, times, options);
  made.plan.scope.paths = {"test/a.py", "test/b.py"};
  return made;
}

std::string written() {
  Made one = made();
  return report::plan_json(one.selection, one.plan);
}

// What is wrong with the document after an edit; "" where nothing is.
std::string wrong(const std::string& pointer, const Json& value) {
  Json document = Json::parse(written());
  Json::json_pointer at(pointer);
  if (value.is_discarded())
    document[at.parent_pointer()].erase(at.back());
  else
    document[at] = value;
  Result<Plan> plan = parse_plan(document.dump(), "plan.json");
  return plan.ok() ? "" : plan.error().where + ": " + plan.error().what;
}

TEST(PlanDocument, ComesBackAsItWas) {
  Plan plan = made().plan;
  Result<Plan> again = parse_plan(written(), "plan.json");
  ASSERT_TRUE(again.ok()) << to_string(again.error());
  EXPECT_EQ(again->device, "cpu");
  EXPECT_EQ(again->scope.paths, plan.scope.paths);
  EXPECT_EQ(again->fingerprint, plan.fingerprint);
  EXPECT_EQ(fingerprint_of(*again), plan.fingerprint);
  ASSERT_EQ(again->shards.size(), 2u);
  EXPECT_EQ(again->shards[0].expected_seconds, plan.shards[0].expected_seconds);
  ASSERT_EQ(again->shards[0].units.size(), plan.shards[0].units.size());
  EXPECT_EQ(again->shards[0].units[0].tests, plan.shards[0].units[0].tests);
}

TEST(PlanDocument, WhatDoesNotFitIsRefusedWithItsPlace) {
  const Json gone(Json::value_t::discarded);
  EXPECT_EQ(wrong("/device", "cpu"), "") << "an edit that changes nothing";
  EXPECT_EQ(wrong("/schema", "hwsift.plan/2"), "plan.json: no plan of this hwsift");
  EXPECT_EQ(wrong("/device", 1), "plan.json: device: no text");
  EXPECT_EQ(wrong("/device", "cuda"),
            "plan.json: fingerprint: not that of the tests and shards in this file");
  EXPECT_EQ(wrong("/fingerprint", gone), "plan.json: fingerprint: no text");
  EXPECT_EQ(wrong("/paths", Json::array({1})), "plan.json: paths: not all are texts");
  EXPECT_EQ(wrong("/tests", gone), "plan.json: tests: no list");
  EXPECT_EQ(wrong("/tests/1", 7), "plan.json: tests[1].id: no text");
  EXPECT_EQ(wrong("/tests/1/id", "test/a.py::TestA::test_1"),
            "plan.json: tests[1]: the test 'test/a.py::TestA::test_1' is there twice");
  EXPECT_EQ(wrong("/shards", Json::array()), "plan.json: shards: no shard");
  EXPECT_EQ(wrong("/shards/1/index", 1), "plan.json: shards[1].index: not in order");
  EXPECT_EQ(wrong("/shards/1/index", 1.5), "plan.json: shards[1].index: no number from 1");
  EXPECT_EQ(wrong("/shards/0/expected_seconds", "x"),
            "plan.json: shards[0].expected_seconds: no number of seconds");
  EXPECT_EQ(wrong("/shards/0/units", 1), "plan.json: shards[0].units: no list");
  EXPECT_EQ(wrong("/shards/0/units/0/part", 3),
            "plan.json: shards[0].units[0].part: beyond the number of parts");
  EXPECT_EQ(wrong("/shards/0/units/0/tests", Json::array()), "plan.json: shards[0].units[0]: no tests");
  EXPECT_EQ(wrong("/shards/0/units/0/tests", Json::array({"x"})),
            "plan.json: shards[0].units[0]: 'x' is no test of 'test/a.py' in this plan");
  EXPECT_EQ(wrong("/shards/1/units/0/tests", Json::array({"test/a.py::TestA::test_2"})),
            "plan.json: shards[1].units[0]: 'test/a.py::TestA::test_2' is in two units");
  EXPECT_EQ(wrong("/shards/1/units", Json::array()), "plan.json: shards: 2 of the tests are in no unit");
}

TEST(PlanDocument, AnyOtherTextIsAnError) {
  for (const char* text : {"", "[]", "7", "{}", "null", "{\"schema\": 1}"})
    EXPECT_FALSE(parse_plan(text, "p").ok()) << text;
}

}  // namespace
}  // namespace hwsift::runner
