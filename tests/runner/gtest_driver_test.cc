// Runs of gtest binaries with scripted processes.
#include "runner/gtest_driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "runner/run.h"

namespace hwsift::runner {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

class StillClock : public Clock {
 public:
  double time = 100;
  double now() override { return time; }
  std::string utc() override { return "2026-03-14T15:09:26Z"; }
};

// What the next process writes, and how it ends; one that hangs ends when it is told to.
struct Script {
  std::string output;
  Ending ending;
  bool hangs = false;
};

class ScriptedProcesses : public Processes {
 public:
  explicit ScriptedProcesses(StillClock& clock) : clock_(clock) {}
  std::deque<Script> scripts;
  std::vector<ProcessSpec> started;

  Result<int> start(const ProcessSpec& spec) override {
    if (scripts.empty()) return Error{spec.command.front(), "cannot start", ""};
    started.push_back(spec);
    playing_ = scripts.front();
    scripts.pop_front();
    told_ = alive_ = true;
    return static_cast<int>(started.size()) - 1;
  }
  ProcessEvent next(double seconds) override {
    ProcessEvent event;
    event.process = static_cast<int>(started.size()) - 1;
    if (told_) {
      event.kind = ProcessEvent::Kind::output;
      event.text = playing_.output;
      told_ = false;
    } else if (alive_ && !playing_.hangs) {
      event.kind = ProcessEvent::Kind::ended;
      event.ending = playing_.ending;
      alive_ = false;
    } else {
      clock_.time += seconds;
    }
    return event;
  }
  void send(int, std::string_view) override {}
  std::string output(int) override { return playing_.output; }
  void abort(int) override { playing_.hangs = false; }
  void kill(int) override { playing_.hangs = false; }

 private:
  StillClock& clock_;
  Script playing_;
  bool told_ = false;
  bool alive_ = false;
};

class SilentListener : public RunListener {
  void file_started(const std::string&) override {}
  void test_started(const std::string&) override {}
  void test_ended(const TestResult&) override {}
  void file_ended(const std::string&) override {}
  void tick() override {}
};

std::string suite(const std::string& name) { return "[----------] 2 tests from " + name + "\n"; }
std::string run(const std::string& name) { return "[ RUN      ] " + name + "\n"; }
std::string ok(const std::string& name) { return run(name) + "[       OK ] " + name + " (1 ms)\n"; }
std::string failed(const std::string& name) { return run(name) + "[  FAILED  ] " + name + " (1 ms)\n"; }
const std::string kEnd = "[==========] 2 tests from 1 test suite ran. (2 ms total)\n";

class GtestDriverTest : public testing::Test {
 protected:
  GtestDriverTest() {
    options_.launch.root = "/tree";
    options_.launch.launcher = {"wrap", "-x"};
    binary_.program = "/bin/test_x";
    binary_.path = "bin/test_x";
    selection_.device = "cpu";
  }

  RunRecord run_all(std::vector<GtestName> names) {
    binary_.tests = std::move(names);
    std::vector<GtestBinary> binaries{binary_};
    std::vector<GtestTest> tests = place_tests(binaries, {}).tests;
    hold_to_binaries(tests, {}, {{"cpu", classifier::builtin_vocabulary()}}, selection_);
    GtestDriver driver(options_.launch, binaries, tests, processes_);
    SilentListener listener;
    Result<RunRecord> record = runner::run(selection_, options_, driver, processes_, clock_, listener);
    return record.ok() ? *record : RunRecord{};
  }
  static std::vector<std::string> outcomes(const RunRecord& record) {
    std::vector<std::string> all;
    for (const TestResult& result : record.results)
      all.push_back(result.id.substr(std::min(result.id.size(), std::size_t{12})) + " " +
                    word(result.outcome));
    return all;
  }

  GtestBinary binary_;
  Selection selection_;
  RunOptions options_;
  StillClock clock_;
  ScriptedProcesses processes_{clock_};
};

TEST_F(GtestDriverTest, RunsWhatTheBinaryHasUnderItsOwnNames) {
  processes_.scripts = {{ok("S.A") + ok("P/Q.B/0") + kEnd, {}}};
  RunRecord record = run_all({{"S", "A"}, {"P/Q", "B/0"}});
  EXPECT_THAT(outcomes(record), ElementsAre("S::A passed", "Q::B[P/0] passed"));
  EXPECT_EQ(record.results[1].cls, "P/Q");
  EXPECT_EQ(record.results[1].name, "B/0");
  EXPECT_TRUE(record.results[0].unpredicted);
  EXPECT_THAT(record.environment, ElementsAre(Pair("gtest", "/bin/test_x")));
  EXPECT_TRUE(complete(record));
  const ProcessSpec& spec = processes_.started.at(0);
  EXPECT_THAT(spec.command,
              ElementsAre("wrap", "-x", "/bin/test_x", "--gtest_filter=S.A:P/Q.B/0", "--gtest_color=no"));
  EXPECT_EQ(spec.folder, "/tree");
  EXPECT_THAT(spec.unset, Contains("GTEST_TOTAL_SHARDS"));
}

TEST_F(GtestDriverTest, ACrashCostsTheTestThatRan) {
  processes_.scripts = {{run("S.A"), {139, 11}}, {ok("S.B") + kEnd, {}}};
  RunRecord record = run_all({{"S", "A"}, {"S", "B"}});
  EXPECT_THAT(outcomes(record), ElementsAre("S::A crashed", "S::B passed"));
  EXPECT_THAT(processes_.started.at(1).command, Contains("--gtest_filter=S.B"));
}

TEST_F(GtestDriverTest, DetailsOfACrashAreThoseOfTheTestThatRan) {
  processes_.scripts = {
      {"of all\n" + run("S.A") + "of another\n[       OK ] S.A (1 ms)\n" + run("S.B") + "own\n", {139, 11}}};
  RunRecord record = run_all({{"S", "A"}, {"S", "B"}});
  EXPECT_EQ(record.results.at(1).details, "own\n");
}

TEST_F(GtestDriverTest, AnEarlyEndWithACleanCodeLosesNoTest) {
  processes_.scripts = {{ok("S.A"), {}}, {run("S.B"), {}}, {"", {}}};
  RunRecord record = run_all({{"S", "A"}, {"S", "B"}, {"S", "C"}});
  EXPECT_THAT(outcomes(record), ElementsAre("S::A passed", "S::B crashed"));
  EXPECT_THAT(record.not_run.at("the process left with exit code 0 before it reached this test"),
              ElementsAre("bin/test_x::S::C"));
  EXPECT_TRUE(incomplete(record));
}

TEST_F(GtestDriverTest, AHangIsATimeoutOfTheTestThatRan) {
  options_.timeout = 10;
  processes_.scripts = {{run("S.A"), {134, 6}, true}, {ok("S.B") + kEnd, {}}};
  RunRecord record = run_all({{"S", "A"}, {"S", "B"}});
  EXPECT_THAT(outcomes(record), ElementsAre("S::A timeout", "S::B passed"));
}

TEST_F(GtestDriverTest, ASuiteThatCannotBeSetUpCostsItsTestsAlone) {
  processes_.scripts = {{ok("A.A") + suite("S"), {139, 11}}, {ok("T.A") + kEnd, {}}};
  RunRecord record = run_all({{"A", "A"}, {"S", "A"}, {"S", "B"}, {"T", "A"}});
  EXPECT_THAT(outcomes(record), ElementsAre("A::A passed", "S::A crashed", "S::B crashed", "T::A passed"));
  EXPECT_EQ(record.results[1].message, "the process died of SIGSEGV while its suite was set up");
}

TEST_F(GtestDriverTest, ACodeThatNoTestExplainsIsAResultOfItsOwn) {
  processes_.scripts = {{ok("S.A") + kEnd, {1, 0}}};
  EXPECT_THAT(outcomes(run_all({{"S", "A"}})), ElementsAre("S::A passed", " error"));
  processes_.scripts = {{ok("S.A") + kEnd, {139, 11}}};
  EXPECT_THAT(outcomes(run_all({{"S", "A"}})), ElementsAre("S::A passed", " crashed"));
  processes_.scripts = {{failed("S.A") + kEnd, {1, 0}}};
  EXPECT_THAT(outcomes(run_all({{"S", "A"}})), ElementsAre("S::A failed"));
}

TEST_F(GtestDriverTest, AFailureWhereASuiteIsTornDownIsNotLost) {
  processes_.scripts = {
      {suite("P/S") + ok("P/S.A/0") + "x.cc:3: Failure\nFailed\nleft open\n" + kEnd, {1, 0}}};
  RunRecord record = run_all({{"P/S", "A/0"}});
  EXPECT_THAT(outcomes(record), ElementsAre("S::A[P/0] passed", "S error"));
  EXPECT_EQ(record.results[1].message, "outside of a test: x.cc:3: left open");
}

TEST_F(GtestDriverTest, WhatFailsIsTriedAgain) {
  options_.retries = 1;
  processes_.scripts = {{failed("S.A") + ok("S.B") + kEnd, {1, 0}}, {ok("S.A") + kEnd, {}}};
  RunRecord record = run_all({{"S", "A"}, {"S", "B"}});
  EXPECT_THAT(outcomes(record), ElementsAre("S::A passed", "S::B passed"));
  EXPECT_TRUE(record.results[0].flaky());
}

TEST_F(GtestDriverTest, MoreThanACommandLineTakesIsRunInParts) {
  std::vector<GtestName> names;
  std::string output;
  for (int i = 0; i < 3000; ++i) {
    names.push_back({"S", std::string(60, 'n') + std::to_string(i)});
    output += ok(names.back().full());
  }
  processes_.scripts = {{output + kEnd, {}}, {output + kEnd, {}}};
  RunRecord record = run_all(names);
  EXPECT_EQ(record.results.size(), 3000u);
  EXPECT_EQ(processes_.started.size(), 2u);
  for (const ProcessSpec& spec : processes_.started) EXPECT_LT(spec.command[3].size(), 128u << 10);
}

TEST_F(GtestDriverTest, SignsOfAFilterInANameAreOpen) {
  processes_.scripts = {{ok("T/a-b::c.A") + kEnd, {}}};
  EXPECT_THAT(outcomes(run_all({{"T/a-b::c", "A"}})), ElementsAre("T::A[a-b::c] passed"));
  EXPECT_THAT(processes_.started.at(0).command, Contains("--gtest_filter=T/a?b??c.A"));
}

TEST_F(GtestDriverTest, DisabledTestsAreNotRun) {
  processes_.scripts = {{ok("S.A") + kEnd, {}}};
  RunRecord record = run_all({{"S", "A"}, {"S", "DISABLED_B"}, {"P/DISABLED_S", "C/0"}});
  EXPECT_THAT(outcomes(record), ElementsAre("S::A passed"));
  EXPECT_THAT(record.not_run.at("disabled by its name (DISABLED_)"), Contains("bin/test_x::S::DISABLED_B"));
  EXPECT_TRUE(complete(record));
}

TEST_F(GtestDriverTest, AfterACrashTheDeviceIsAskedOnlyWherePythonIsKnown) {
  options_.accelerator = true;
  processes_.scripts = {{run("S.A"), {139, 11}}, {ok("S.B") + kEnd, {}}};
  EXPECT_THAT(outcomes(run_all({{"S", "A"}, {"S", "B"}})), ElementsAre("S::A crashed", "S::B passed"));
}

}  // namespace
}  // namespace hwsift::runner
