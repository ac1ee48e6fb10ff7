#include "runner/gtest_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hwsift::runner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// "start a", "passed a", "finish".
std::vector<std::string> told(const std::vector<JournalEvent>& events) {
  std::vector<std::string> all;
  for (const JournalEvent& event : events) {
    if (event.kind == JournalEvent::Kind::finish) all.emplace_back("finish");
    if (event.kind == JournalEvent::Kind::start) all.push_back("start " + event.within);
    if (event.kind == JournalEvent::Kind::end)
      all.push_back(std::string(word(event.outcome)) + " " + event.within);
  }
  return all;
}

class GtestOutputTest : public testing::Test {
 protected:
  std::vector<JournalEvent> read(const std::string& text) {
    std::vector<JournalEvent> events = reader_.read(text);
    std::vector<JournalEvent> last = reader_.end();
    events.insert(events.end(), last.begin(), last.end());
    return events;
  }
  // What test S.A, which writes `text` and then has this end mark, comes to.
  JournalEvent end_of_a(const std::string& text, const std::string& mark) {
    std::vector<JournalEvent> events = read("[ RUN      ] S.A\n" + text + mark + "\n");
    EXPECT_THAT(events, SizeIs(2));
    return events.empty() ? JournalEvent{} : events.back();
  }
  GtestReader reader_{{{"S.A", "S::A"}, {"S.AB", "S::AB"}, {"T/0.A", "T::A[0]"}, {"P/S.A/1", "S::A[P/1]"}}};
};

TEST_F(GtestOutputTest, ReadsStartsEndsAndTheFinish) {
  std::vector<JournalEvent> events = read(
      "Note: filter = x\n[==========] Running 4 tests from 3 test suites.\n[----------] 2 tests from S\n"
      "[ RUN      ] S.A\n[       OK ] S.A (1500 ms)\n[ RUN      ] S.AB\n[  FAILED  ] S.AB (2 ms)\n"
      "[----------] 2 tests from S (2 ms total)\n\n[----------] 1 test from T/0, where TypeParam = int\n"
      "[ RUN      ] T/0.A\n[  FAILED  ] T/0.A, where TypeParam = int (1,000 ms)\n"
      "[ RUN      ] P/S.A/1\n[  SKIPPED ] P/S.A/1 (0 ms)\n"
      "[==========] 4 tests from 3 test suites ran. (3 ms total)\n[  FAILED  ] 1 test, listed below:\n"
      "[  FAILED  ] S.AB\n");
  EXPECT_THAT(told(events),
              ElementsAre("start S::A", "passed S::A", "start S::AB", "failed S::AB", "start T::A[0]",
                          "failed T::A[0]", "start S::A[P/1]", "skipped S::A[P/1]", "finish"));
  EXPECT_EQ(events[1].seconds, 1.5);
  EXPECT_EQ(events[5].seconds, 1);
  EXPECT_TRUE(reader_.finished());
  EXPECT_TRUE(reader_.any_bad());
  EXPECT_EQ(reader_.ended(), 4u);
}

TEST_F(GtestOutputTest, AFailureIsToldInOneLineAndInFull) {
  JournalEvent end =
      end_of_a("before\nx.cc:3: Failure\nValue of: f()\n  Actual: false\nx.cc:4: Failure\nlater\n",
               "[  FAILED  ] S.A, where GetParam() = 4 (0 ms)");
  EXPECT_EQ(end.outcome, Outcome::failed);
  EXPECT_EQ(end.message, "x.cc:3: Value of: f()\n  Actual: false");
  EXPECT_EQ(end.details, "x.cc:3: Failure\nValue of: f()\n  Actual: false\nx.cc:4: Failure\nlater\n");
  EXPECT_THAT(end.output, HasSubstr("before\n"));
}

TEST_F(GtestOutputTest, AFailureWithoutValuesAndOneWithoutAWord) {
  EXPECT_EQ(end_of_a("x.cc:3: Failure\nFailed\nno luck\n", "[  FAILED  ] S.A (0 ms)").message,
            "x.cc:3: no luck");
  reader_ = GtestReader(std::map<std::string, std::string>{{"S.A", "S::A"}});
  EXPECT_EQ(end_of_a("", "[  FAILED  ] S.A (0 ms)").message, "it failed and wrote nothing");
}

TEST_F(GtestOutputTest, ASkipSaysItsReason) {
  JournalEvent end = end_of_a("x.cc:3: Skipped\nneeds a device\n\n", "[  SKIPPED ] S.A (0 ms)");
  EXPECT_EQ(end.outcome, Outcome::skipped);
  EXPECT_EQ(end.message, "needs a device");
  reader_ = GtestReader(std::map<std::string, std::string>{{"S.A", "S::A"}});
  EXPECT_EQ(end_of_a("x.cc:3: Skipped\n\n", "[  SKIPPED ] S.A (0 ms)").message, "x.cc:3: Skipped");
}

TEST_F(GtestOutputTest, MarksOfOtherTestsAreText) {
  std::vector<JournalEvent> events = read(
      "[       OK ] S.A (0 ms)\n[ RUN      ] Other.Test\n[ RUN      ] S.A\n"
      "[       OK ] S.AB (0 ms)\n[ RUN      ] S.AB\n[  FAILED  ] S.AB (1 ms)\n"
      "[==========] 1 test from 1 test suite ran. (0 ms total)\n[----------] 1 test from S (0 ms total)\n"
      "[       OK ] S.A and more\n[       OK ] S.A (many ms)\n[       OK ] S.A (0 ms)\n"
      "[ RUN      ] S.A\n[       OK ] S.A (0 ms)\n");
  EXPECT_THAT(told(events), ElementsAre("start S::A", "passed S::A"));
}

TEST_F(GtestOutputTest, AMarkMayStandBehindTextWithoutALineFeed) {
  std::vector<JournalEvent> events = read(
      "loading[ RUN      ] S.A\nsaid[       OK ] S.A (0 ms)\n[ RUN      ] S.AB\nsaid[  FAILED  ] S.AB (0 "
      "ms)");
  EXPECT_THAT(told(events), ElementsAre("start S::A", "passed S::A", "start S::AB", "failed S::AB"));
  EXPECT_EQ(events.back().message, "said");
}

TEST_F(GtestOutputTest, ColoursAndCarriageReturnsDoNotMatter) {
  std::vector<JournalEvent> events =
      read("\x1b[0;32m[ RUN      ] \x1b[mS.A\r\n\x1b[0;32m[       OK ] \x1b[mS.A (0 ms)\r\n\x1b[");
  EXPECT_THAT(told(events), ElementsAre("start S::A", "passed S::A"));
}

TEST_F(GtestOutputTest, AColourThatIsBegunBeforeAMarkHidesNothing) {
  EXPECT_THAT(told(read("[ RUN      ] S.A\n\x1b[[       OK ] S.A (0 ms)\n")),
              ElementsAre("start S::A", "passed S::A"));
}

TEST_F(GtestOutputTest, WithoutTimesATestTakesNone) {
  EXPECT_THAT(told(read("[ RUN      ] S.A\n[       OK ] S.A\n")), ElementsAre("start S::A", "passed S::A"));
}

TEST_F(GtestOutputTest, AParameterMayHoldLineFeeds) {
  std::vector<JournalEvent> events = read(
      "[ RUN      ] P/S.A/1\nx.cc:3: Failure\nFailed\nno luck\n"
      "half[  FAILED  ] P/S.A/1, where GetParam() = one\ntwo\nthree (2 ms)\n"
      "[ RUN      ] S.A\n[       OK ] S.A (0 ms)\n");
  EXPECT_THAT(told(events), ElementsAre("start S::A[P/1]", "failed S::A[P/1]", "start S::A", "passed S::A"));
  EXPECT_EQ(events[1].message, "x.cc:3: no luck\nhalf");
  EXPECT_EQ(events[1].seconds, 0.002);
}

TEST_F(GtestOutputTest, BytesOfAnyKindBecomeText) {
  JournalEvent end = end_of_a(std::string("x.cc:3: Failure\n\0\xff\n", 19), "[  FAILED  ] S.A (0 ms)");
  EXPECT_EQ(end.message, std::string("x.cc:3: \0\xef\xbf\xbd", 12));
}

TEST_F(GtestOutputTest, MuchOutputIsNotKept) {
  reader_.read("[ RUN      ] S.A\n");
  for (int i = 0; i < 100; ++i) reader_.read(std::string(1 << 20, 'x'));
  for (int i = 0; i < 10000; ++i) reader_.read("x.cc:1: Failure\n" + std::string(1000, 'y') + "\n");
  std::vector<JournalEvent> events = reader_.read("[  FAILED  ] S.A (0 ms)\n");
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_LT(events[0].message.size() + events[0].details.size() + events[0].output.size(), 30000u);
  EXPECT_THAT(events[0].details, HasSubstr("x.cc:1: Failure"));
}

TEST_F(GtestOutputTest, AMarkBehindALongLineIsFound) {
  reader_.read("[ RUN      ] S.A\n" + std::string(300000, 'x'));
  EXPECT_THAT(told(reader_.read("[       OK ] S.A (0 ms)\n")), ElementsAre("passed S::A"));
}

TEST_F(GtestOutputTest, WhatDoesNotEndIsRunning) {
  EXPECT_THAT(told(read("[ RUN      ] S.A\nx.cc:3: Failure\n")), ElementsAre("start S::A"));
  EXPECT_TRUE(reader_.running());
  EXPECT_THAT(reader_.problems(), IsEmpty());
}

TEST_F(GtestOutputTest, TestsOfASuiteThatCouldNotBeSetUpHaveShownNothing) {
  std::vector<JournalEvent> events = read(
      "[----------] 2 tests from S\nx.cc:3: Failure\nFailed\nno set-up\n[ RUN      ] S.A\nx.cc:4: Skipped\n\n"
      "[  SKIPPED ] S.A (0 ms)\n[ RUN      ] S.AB\n[       OK ] S.AB (0 ms)\n"
      "[----------] 2 tests from S (0 ms total)\n[----------] 1 test from T/0, where TypeParam = int\n"
      "[ RUN      ] T/0.A\n[       OK ] T/0.A (0 ms)\n");
  EXPECT_THAT(told(events), ElementsAre("start S::A", "error S::A", "start S::AB", "error S::AB",
                                        "start T::A[0]", "passed T::A[0]"));
  EXPECT_EQ(events[1].message, "its suite could not be set up: x.cc:3: no set-up");
  EXPECT_THAT(reader_.problems(), IsEmpty());
}

TEST_F(GtestOutputTest, FailuresOutsideOfTestsAreKept) {
  read(
      "[----------] 1 test from S\n[ RUN      ] S.A\n[       OK ] S.A (0 ms)\nx.cc:3: Failure\nFailed\nleft "
      "open\n"
      "[----------] 1 test from S (0 ms total)\n\nunknown file: Failure\nFailed\nat the end\n"
      "[==========] 1 test from 1 test suite ran. (0 ms total)\n");
  ASSERT_THAT(reader_.problems(), SizeIs(2));
  EXPECT_EQ(reader_.problems()[0].within, "S");
  EXPECT_EQ(reader_.problems()[0].message, "outside of a test: x.cc:3: left open");
  EXPECT_EQ(reader_.problems()[1].within, "");
  EXPECT_FALSE(reader_.any_bad());
}

TEST(OutputOfTestTest, KeepsWhatTheErrorStreamSaidBeforeTheMarkWasRead) {
  std::string first = "[ RUN      ] S.A\nearlier\n[       OK ] S.A (0 ms)\n";
  std::string second = "[ RUN      ] S.AB\n";
  EXPECT_EQ(
      output_of_test("old\n" + first + "assertion failed\n" + second + "more\n", first + second, "S.AB"),
      "assertion failed\nmore\n");
  EXPECT_EQ(output_of_test("assertion failed\n" + first + second, first + second, "S.AB"),
            "assertion failed\n");
  EXPECT_EQ(output_of_test("the end of much\n", first + second, "S.AB"), "the end of much\n");
}

TEST_F(GtestOutputTest, KnowsWhichSuiteIsSetUp) {
  reader_.read("[----------] 2 tests from S\nsetting up\n");
  EXPECT_THAT(reader_.setting_up(), ElementsAre("S::A", "S::AB"));
  reader_.read("[ RUN      ] S.A\n[       OK ] S.A (0 ms)\n");
  EXPECT_THAT(reader_.setting_up(), IsEmpty());
}

}  // namespace
}  // namespace hwsift::runner
