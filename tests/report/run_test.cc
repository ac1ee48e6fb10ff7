#include "report/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "base/text.h"
#include "report/run_progress.h"
#include "report/selection.h"

namespace hwsift::report {
namespace {

using runner::Outcome;
using testing::HasSubstr;
using testing::Not;

runner::RunRecord sample() {
  runner::RunRecord record;
  record.device = "cpu";
  record.started = "2026-03-14T15:09:26Z";
  record.environment = {{"torch", "2.6.0"}};
  record.predicted = 3;
  for (Outcome outcome : {Outcome::passed, Outcome::failed, Outcome::passed}) {
    runner::TestResult result;
    result.path = "test/test_x.py";
    result.id = result.path + "::TestX::test_" + std::to_string(record.results.size());
    result.outcome = outcome;
    result.seconds = 0.5;
    record.results.push_back(result);
  }
  record.results[1].message = "::error::forged\nsecond line";
  record.results[2].attempts = 2;
  record.not_run["needs CUDA"] = {"test/test_x.py::TestX::test_k"};
  return record;
}

TEST(RunJson, HoldsEveryResultAndWhatDidNotRun) {
  Json document = parse_json(run_json(sample()), "run").value();
  EXPECT_EQ(document["schema"], "hwsift.run/1");
  EXPECT_EQ(document["device"], "cpu");
  EXPECT_EQ(document["environment"]["torch"], "2.6.0");
  ASSERT_EQ(document["results"].size(), 3u);
  EXPECT_EQ(document["results"][1]["outcome"], "failed");
  EXPECT_EQ(document["results"][2]["attempts"], 2);
  EXPECT_EQ(document["not_run"]["needs CUDA"][0], "test/test_x.py::TestX::test_k");
  EXPECT_EQ(document["counts"]["passed"], 2);
  EXPECT_EQ(document["counts"]["not_run"], 1);
}

TEST(RunText, NamesTheBadTestsWithTheFirstLineOfTheirMessage) {
  std::string text = run_text(sample(), {});
  EXPECT_THAT(text, HasSubstr("failed  test/test_x.py::TestX::test_1\n"));
  EXPECT_THAT(text, HasSubstr("flaky   test/test_x.py::TestX::test_2"));
  EXPECT_THAT(text, HasSubstr("1 failed, 2 passed"));
  EXPECT_THAT(text, HasSubstr("needs CUDA"));
  EXPECT_THAT(text, Not(HasSubstr("second line")));
}

TEST(RunText, NoLineStartsWithWhatATestPrinted) {
  for (const std::string& line : split(run_text(sample(), {}), '\n'))
    EXPECT_NE(trim(line).substr(0, 2), "::") << line;
}

TEST(RunText, SaysWhenNothingRan) {
  runner::RunRecord nothing;
  nothing.device = "cuda";
  EXPECT_THAT(run_text(nothing, {}), HasSubstr("no test ran"));
}

TEST(SelectionJson, HoldsTestsAndCountsOfReasons) {
  runner::Selection selection;
  selection.device = "cpu";
  runner::SelectedTest test;
  test.id = "test/test_x.py::TestAddCPU::test_add";
  test.path = "test/test_x.py";
  test.cls = "TestAdd";
  test.method = "test_add";
  test.expands = true;
  test.category = classifier::Category::device_generic();
  selection.tests = {test};
  selection.not_selected["needs CUDA"] = {"a", "b"};
  Json document = parse_json(selection_json(selection), "selection").value();
  EXPECT_EQ(document["schema"], "hwsift.selection/1");
  EXPECT_EQ(document["tests"][0]["class"], "TestAdd");
  EXPECT_EQ(document["tests"][0]["category"], "DEVICE_GENERIC");
  EXPECT_EQ(document["tests"][0]["expands"], true);
  EXPECT_EQ(document["not_selected"]["needs CUDA"], 2);
  EXPECT_EQ(selection_ids(selection), "test/test_x.py::TestAddCPU::test_add\n");
}

class StillClock : public Clock {
 public:
  double now() override { return time_ += 1; }
  std::string utc() override { return ""; }

 private:
  double time_ = 0;
};

TEST(Progress, ARetriedTestCountsOnce) {
  std::FILE* stream = std::tmpfile();
  StillClock clock;
  RunProgress progress(stream, RunProgress::Mode::lines, {}, clock, 1);
  runner::TestResult result;
  result.id = "test/test_x.py::TestX::test_a";
  result.outcome = Outcome::failed;
  progress.test_ended(result);
  result.outcome = Outcome::passed;
  result.attempts = 2;
  progress.test_ended(result);
  progress.file_ended("test/test_x.py");
  std::rewind(stream);
  char text[4096] = {};
  std::size_t length = std::fread(text, 1, sizeof text - 1, stream);
  std::fclose(stream);
  EXPECT_EQ(std::string(text, length),
            "failed test/test_x.py::TestX::test_a\n[1/1] test/test_x.py  all so far: 1 passed\n");
}

}  // namespace
}  // namespace hwsift::report
