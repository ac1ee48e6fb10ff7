#include "runner/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hwsift::runner {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr const char* kPath = "test/test_x.py";

Selection three_tests() {
  Selection selection;
  selection.device = "cpu";
  selection.variants = {"cpu"};
  for (const char* name : {"test_a", "test_b", "test_c"}) {
    SelectedTest test;
    test.path = kPath;
    test.run_class = "TestX";
    test.id = std::string(kPath) + "::TestX::" + name;
    selection.tests.push_back(test);
  }
  selection.files = {kPath};
  return selection;
}

JournalEvent collected(std::initializer_list<const char*> names) {
  JournalEvent event;
  event.kind = JournalEvent::Kind::collected;
  for (const char* name : names)
    event.items.push_back({std::string("TestX::") + name, name, {"::TestX"}, ""});
  return event;
}

JournalEvent end(const std::string& name, Outcome outcome) {
  JournalEvent event;
  event.kind = JournalEvent::Kind::end;
  event.within = "TestX::" + name;
  event.outcome = outcome;
  event.seconds = 0.5;
  return event;
}

ProcessEnd died(int signal, const std::string& output = "") {
  ProcessEnd end;
  end.ending = {signal == 0 ? 0 : 128 + signal, signal};
  end.output = output;
  return end;
}

class LedgerTest : public testing::Test {
 protected:
  Selection selection_ = three_tests();
  TestIndex index_{selection_, "/tree"};

  FileLedger ledger(int retries = 0) const { return FileLedger(selection_, index_, kPath, retries); }

  static void run(FileLedger& ledger, const std::string& name, Outcome outcome = Outcome::passed) {
    ledger.started("TestX::" + name);
    EXPECT_NE(ledger.ended(end(name, outcome)), nullptr) << name;
  }

  static std::vector<std::string> outcomes(const FileLedger& ledger) {
    std::vector<std::string> all;
    for (const TestResult& result : ledger.results()) all.push_back(result.name + " " + word(result.outcome));
    return all;
  }
};

TEST_F(LedgerTest, AQuietRunClosesTheAccount) {
  FileLedger file = ledger();
  EXPECT_TRUE(file.wants_process());
  file.process_started();
  EXPECT_THAT(file.collected(collected({"test_a", "test_b", "test_c"})), ElementsAre(0, 1, 2));
  for (const char* name : {"test_a", "test_b", "test_c"}) run(file, name);
  EXPECT_THAT(file.process_ended(died(0)), IsEmpty());
  EXPECT_FALSE(file.wants_process());
  EXPECT_TRUE(file.outstanding().empty());
  EXPECT_THAT(file.not_run(), IsEmpty());
  EXPECT_THAT(outcomes(file), ElementsAre("test_a passed", "test_b passed", "test_c passed"));
  EXPECT_EQ(file.results()[0].id, "test/test_x.py::TestX::test_a");
  EXPECT_EQ(file.results()[0].cls, "TestX");
}

TEST_F(LedgerTest, ACrashCostsOneTestAndTheRestRunsInAnotherProcess) {
  FileLedger file = ledger();
  file.process_started();
  file.collected(collected({"test_a", "test_b", "test_c"}));
  run(file, "test_a");
  file.started("TestX::test_b");
  std::vector<TestResult> given = file.process_ended(died(11, "Fatal Python error\n"));
  ASSERT_EQ(given.size(), 1u);
  EXPECT_EQ(given[0].outcome, Outcome::crashed);
  EXPECT_EQ(given[0].message, "the process died of SIGSEGV in this test");
  EXPECT_EQ(given[0].details, "Fatal Python error\n");
  ASSERT_TRUE(file.wants_process());
  file.process_started();
  EXPECT_THAT(file.collected(collected({"test_a", "test_b", "test_c"})), ElementsAre(2));
  run(file, "test_c");
  file.process_ended(died(0));
  EXPECT_FALSE(file.wants_process());
  EXPECT_THAT(outcomes(file), ElementsAre("test_a passed", "test_b crashed", "test_c passed"));
}

TEST_F(LedgerTest, ATestThatTakesTooLongIsATimeout) {
  FileLedger file = ledger();
  file.process_started();
  file.collected(collected({"test_a", "test_b", "test_c"}));
  file.started("TestX::test_a");
  ProcessEnd end = died(6);
  end.timed_out = true;
  end.limit = 10;
  end.elapsed = 10.2;
  std::vector<TestResult> given = file.process_ended(end);
  ASSERT_EQ(given.size(), 1u);
  EXPECT_EQ(given[0].outcome, Outcome::timeout);
  EXPECT_EQ(given[0].message, "took longer than 10 s");
  EXPECT_EQ(given[0].seconds, 10.2);
  EXPECT_TRUE(file.wants_process());
}

TEST_F(LedgerTest, AProcessThatDiesBetweenTestsIsNotStartedForever) {
  FileLedger file = ledger();
  file.process_started();
  file.collected(collected({"test_a", "test_b", "test_c"}));
  run(file, "test_a");
  file.process_ended(died(9));
  ASSERT_TRUE(file.wants_process()) << "it got on";
  file.process_started();
  file.collected(collected({"test_a", "test_b", "test_c"}));
  file.process_ended(died(9));
  EXPECT_FALSE(file.wants_process()) << "it did not";
  EXPECT_FALSE(file.outstanding().empty());
  EXPECT_THAT(
      file.not_run(),
      ElementsAre(Pair("the process died of SIGKILL before it reached this test",
                       ElementsAre("test/test_x.py::TestX::test_b", "test/test_x.py::TestX::test_c"))));
}

TEST_F(LedgerTest, AFileThatCannotBeCollectedIsAnErrorOfEachTest) {
  FileLedger file = ledger();
  file.process_started();
  JournalEvent event = collected({});
  event.problems = {{"", Outcome::error, "ModuleNotFoundError: no x", "traceback"}};
  EXPECT_THAT(file.collected(event), IsEmpty());
  file.process_ended(died(0));
  EXPECT_FALSE(file.wants_process());
  EXPECT_THAT(outcomes(file), ElementsAre("test_a error", "test_b error", "test_c error"));
  EXPECT_EQ(file.results()[1].message, "ModuleNotFoundError: no x");
}

TEST_F(LedgerTest, AProblemThatNoSelectedTestExplainsIsNotLost) {
  FileLedger file = ledger();
  file.process_started();
  JournalEvent event = collected({"test_a", "test_b", "test_c"});
  event.problems = {{"TestBroken", Outcome::error, "bad class", ""}};
  EXPECT_THAT(file.collected(event), ElementsAre(0, 1, 2));
  EXPECT_THAT(outcomes(file), ElementsAre("TestBroken error"));
}

TEST_F(LedgerTest, AModuleThatSkipsItselfSkipsItsTests) {
  FileLedger file = ledger();
  file.process_started();
  JournalEvent event = collected({});
  event.problems = {{"", Outcome::skipped, "no numpy", ""}};
  file.collected(event);
  file.process_ended(died(0));
  EXPECT_THAT(outcomes(file), ElementsAre("test_a skipped", "test_b skipped", "test_c skipped"));
}

TEST_F(LedgerTest, AProcessThatNeverCollectsIsAnErrorWithItsLastWords) {
  FileLedger file = ledger();
  file.process_started();
  ProcessEnd end = died(0, "ImportError while loading conftest\nE   No module named 'y'\n");
  end.ending = {4, 0};
  EXPECT_EQ(file.process_ended(end).size(), 3u);
  EXPECT_FALSE(file.wants_process());
  EXPECT_EQ(file.results()[0].outcome, Outcome::error);
  EXPECT_EQ(
      file.results()[0].message,
      "the process left with exit code 4 before pytest had collected the file: E   No module named 'y'");
}

TEST_F(LedgerTest, SelectedTestsThatDoNotTurnUpAreNamed) {
  FileLedger file = ledger();
  file.process_started();
  file.collected(collected({"test_a"}));
  run(file, "test_a");
  file.process_ended(died(0));
  EXPECT_THAT(
      file.not_run(),
      ElementsAre(Pair("selected, but not there when pytest collected the file",
                       ElementsAre("test/test_x.py::TestX::test_b", "test/test_x.py::TestX::test_c"))));
  EXPECT_TRUE(file.outstanding().empty()) << "a condition in the file may have left them out";
}

TEST_F(LedgerTest, UnpredictedTestsRunAndSaySo) {
  FileLedger file = ledger();
  file.process_started();
  EXPECT_THAT(file.collected(collected({"test_a", "test_b", "test_c", "test_inherited"})),
              ElementsAre(0, 1, 2, 3));
  run(file, "test_inherited");
  EXPECT_TRUE(file.results()[0].unpredicted);
}

TEST_F(LedgerTest, ARetryReplacesTheResultAndCountsAttempts) {
  FileLedger file = ledger(2);
  file.process_started();
  file.collected(collected({"test_a", "test_b", "test_c"}));
  run(file, "test_a");
  run(file, "test_b", Outcome::failed);
  run(file, "test_c");
  file.process_ended(died(0));
  ASSERT_TRUE(file.wants_process());
  file.process_started();
  EXPECT_THAT(file.collected(collected({"test_a", "test_b", "test_c"})), ElementsAre(1));
  run(file, "test_b");
  file.process_ended(died(0));
  EXPECT_FALSE(file.wants_process()) << "nothing is bad any more";
  EXPECT_THAT(outcomes(file), ElementsAre("test_a passed", "test_b passed", "test_c passed"));
  EXPECT_EQ(file.results()[1].attempts, 2);
}

TEST_F(LedgerTest, ACrashInARetryStillCountsOnce) {
  FileLedger file = ledger(1);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(file.wants_process());
    file.process_started();
    file.collected(collected({"test_a", "test_b", "test_c"}));
    if (i == 0) run(file, "test_b"), run(file, "test_c");
    file.started("TestX::test_a");
    file.process_ended(died(11));
  }
  EXPECT_FALSE(file.wants_process());
  EXPECT_THAT(outcomes(file), ElementsAre("test_b passed", "test_c passed", "test_a crashed"));
  EXPECT_EQ(file.results()[2].attempts, 2);
}

TEST_F(LedgerTest, StoppingLeavesNothingUnaccounted) {
  FileLedger file = ledger(1);
  file.process_started();
  file.collected(collected({"test_a", "test_b", "test_c"}));
  run(file, "test_a");
  file.started("TestX::test_b");
  file.stop("interrupted", true);
  EXPECT_THAT(file.process_ended(died(9)), IsEmpty());
  EXPECT_FALSE(file.wants_process());
  EXPECT_THAT(file.not_run(), ElementsAre(Pair("interrupted", ElementsAre("test/test_x.py::TestX::test_b",
                                                                          "test/test_x.py::TestX::test_c"))));
  FileLedger untouched = ledger();
  untouched.stop("interrupted", true);
  EXPECT_EQ(untouched.not_run().at("interrupted").size(), 3u);
}

TEST_F(LedgerTest, EventsThatNoTestExplainsChangeNothing) {
  FileLedger file = ledger();
  file.process_started();
  file.collected(collected({"test_a", "test_b", "test_c"}));
  file.started("TestX::test_forged");
  EXPECT_FALSE(file.running());
  EXPECT_EQ(file.ended(end("test_forged", Outcome::passed)), nullptr);
  EXPECT_EQ(file.ended(end("test_a", Outcome::passed)), nullptr) << "it did not start";
  EXPECT_THAT(file.results(), IsEmpty());
}

TEST_F(LedgerTest, WhatPytestsSettingsDeselectLeavesTheAccountOpen) {
  FileLedger file = ledger();
  file.process_started();
  JournalEvent event = collected({"test_a"});
  event.deselected = collected({"test_b", "test_c"}).items;
  EXPECT_THAT(file.collected(event), ElementsAre(0));
  ASSERT_EQ(file.outstanding().size(), 1u);
  EXPECT_THAT(*file.outstanding().begin(), testing::HasSubstr("deselected by settings of pytest"));
  EXPECT_THAT(file.not_run(), ElementsAre(Pair(testing::_, testing::SizeIs(2))));
}

TEST_F(LedgerTest, AFileOfWhichNoSelectedTestIsThereLeavesItsAccountOpen) {
  FileLedger file = ledger();
  file.process_started();
  EXPECT_THAT(file.collected(collected({})), IsEmpty());
  EXPECT_EQ(file.outstanding().size(), 1u);
  EXPECT_THAT(file.not_run(),
              ElementsAre(Pair(testing::HasSubstr("none of the selected tests"), testing::SizeIs(3))));
}

TEST_F(LedgerTest, ALeftOutTemplateIsAccountedForByItsRealTests) {
  selection_.not_selected["needs CUDA"] = {std::string(kPath) + "::TestX::test_op"};
  selection_.expanding = {std::string(kPath) + "::TestX::test_op"};
  TestIndex index(selection_, "/tree");
  FileLedger file(selection_, index, kPath, 0);
  file.process_started();
  file.collected(collected({"test_a", "test_b", "test_c", "test_op_cpu_float32", "test_op_cpu_int64"}));
  EXPECT_THAT(file.expanded(), ElementsAre(std::string(kPath) + "::TestX::test_op"));
  EXPECT_THAT(file.not_run(), ElementsAre(Pair("needs CUDA", testing::SizeIs(2))));
}

TEST_F(LedgerTest, PytestsOwnErrorIsToldOfAFileThatItCouldNotCollect) {
  FileLedger file = ledger();
  file.process_started();
  ProcessEnd end = died(
      0, "ERROR: usage: pytest\npytest: error: unrecognized arguments: -n\n  inifile: x\n  rootdir: /tree\n");
  end.ending.code = 4;
  std::vector<TestResult> given = file.process_ended(end);
  ASSERT_FALSE(given.empty());
  EXPECT_THAT(given.front().message, testing::HasSubstr("unrecognized arguments: -n (inifile: x)"));
}

TEST_F(LedgerTest, WhatBrokeInsidePytestIsTold) {
  FileLedger file = ledger();
  file.process_started();
  ProcessEnd end = died(0, "INTERNALERROR> Traceback\nINTERNALERROR> SystemExit: 0\nno tests ran in 0.01s\n");
  end.ending.code = 3;
  EXPECT_THAT(file.process_ended(end).at(0).message, testing::HasSubstr("SystemExit: 0"));
}

}  // namespace
}  // namespace hwsift::runner
