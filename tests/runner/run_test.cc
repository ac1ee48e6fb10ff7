// The run loop with scripted processes and a clock whose hands the test turns.
#include "runner/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <deque>

namespace hwsift::runner {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class FakeClock : public Clock {
 public:
  double time = 100;
  double now() override { return time; }
  std::string utc() override { return "2026-03-14T15:09:26Z"; }
};

// Each process plays the next script: lines, then its end; a script without an end hangs until it is killed.
struct Script {
  std::vector<std::string> lines;
  bool hangs = false;
  Ending ending;
  std::string output;
};

Script leaves(std::vector<std::string> lines) { return {std::move(lines), false, {}, ""}; }
Script hangs(std::vector<std::string> lines) { return {std::move(lines), true, {}, ""}; }

class FakeProcesses : public Processes {
 public:
  explicit FakeProcesses(FakeClock& clock) : clock_(clock) {}

  std::deque<Script> scripts;
  int interrupt_after = -1;  // events, then SIGTERM
  std::vector<ProcessSpec> started;
  std::vector<std::string> answers;
  int aborts = 0;
  int kills = 0;

  Result<int> start(const ProcessSpec& spec) override {
    if (scripts.empty()) return Error{spec.command.front(), "cannot start", ""};
    started.push_back(spec);
    playing_ = scripts.front();
    scripts.pop_front();
    alive_ = true;
    return static_cast<int>(started.size()) - 1;
  }

  ProcessEvent next(double seconds) override {
    ProcessEvent event;
    event.process = static_cast<int>(started.size()) - 1;
    if (interrupt_after == 0) {
      interrupt_after = -1;
      event.kind = ProcessEvent::Kind::signal;
      event.number = SIGTERM;
      return event;
    }
    if (interrupt_after > 0) --interrupt_after;
    if (!playing_.lines.empty()) {
      event.kind = ProcessEvent::Kind::line;
      event.text = playing_.lines.front();
      playing_.lines.erase(playing_.lines.begin());
    } else if (alive_ && (!playing_.hangs || kills > 0)) {
      event.kind = ProcessEvent::Kind::ended;
      event.ending = playing_.hangs ? Ending{137, 9} : playing_.ending;
      alive_ = false;
      kills = 0;
    } else {
      clock_.time += seconds;
    }
    return event;
  }

  void send(int, std::string_view line) override { answers.emplace_back(line); }
  std::string output(int) override { return playing_.output; }
  void abort(int) override { ++aborts; }
  void kill(int) override { ++kills; }

 private:
  FakeClock& clock_;
  Script playing_;
  bool alive_ = false;
};

class Recorder : public RunListener {
 public:
  std::vector<std::string> heard;
  void file_started(const std::string& path) override { heard.push_back("file " + path); }
  void test_started(const std::string& id) override { heard.push_back("start " + id); }
  void test_ended(const TestResult& result) override {
    heard.push_back(std::string(word(result.outcome)) + " " + result.id);
  }
  void file_ended(const std::string& path) override { heard.push_back("done " + path); }
  void tick() override {}
};

const std::string kHello = R"({"event":"hello","python":"3.13","pytest":"8.3","torch":"2.6.0"})";
const std::string kCollected = R"({"event":"collected","problems":[],"items":[)"
                               R"({"id":"TestX::test_a","name":"test_a","classes":["::TestX"]},)"
                               R"({"id":"TestX::test_b","name":"test_b","classes":["::TestX"]}]})";
std::string start(const std::string& name) { return R"({"event":"start","id":"TestX::)" + name + "\"}"; }
std::string end(const std::string& name, const std::string& outcome = "passed") {
  return R"({"event":"end","id":"TestX::)" + name + R"(","outcome":")" + outcome + R"(","seconds":0.1})";
}
const std::string kFinish = R"({"event":"finish","exit":0})";

class RunTest : public testing::Test {
 protected:
  RunTest() {
    for (const char* name : {"test_a", "test_b"}) {
      SelectedTest test;
      test.path = "test/nn/test_x.py";
      test.id = test.path + "::TestX::" + name;
      selection_.tests.push_back(test);
    }
    selection_.device = "cpu";
    selection_.variants = {"cpu"};
    selection_.files = {"test/nn/test_x.py"};
    selection_.not_selected["needs CUDA"] = {"test/nn/test_x.py::TestNv::test_n"};
    options_.launch.root = "/tree";
    options_.launch.python = "/usr/bin/python3";
    options_.launch.plugin_folder = "/tmp/plugin";
  }

  Result<RunRecord> run() { return runner::run(selection_, options_, processes_, clock_, recorder_); }

  static std::vector<std::string> outcomes(const RunRecord& record) {
    std::vector<std::string> all;
    for (const TestResult& result : record.results) all.push_back(result.name + " " + word(result.outcome));
    return all;
  }

  Selection selection_;
  RunOptions options_;
  FakeClock clock_;
  FakeProcesses processes_{clock_};
  Recorder recorder_;
};

TEST_F(RunTest, RunsTheSelectedTestsOfAFileFromTheTestFolder) {
  options_.launch.python_path = "/opt/backend";
  processes_.scripts = {leaves({kHello, kCollected, start("test_a"), end("test_a"), start("test_b"),
                                end("test_b", "failed"), kFinish})};
  Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_THAT(outcomes(*record), ElementsAre("test_a passed", "test_b failed"));
  EXPECT_THAT(record->not_run,
              ElementsAre(Pair("needs CUDA", ElementsAre("test/nn/test_x.py::TestNv::test_n"))));
  EXPECT_EQ(record->environment.at("torch"), "2.6.0");
  EXPECT_THAT(processes_.answers, ElementsAre(R"({"run":[0,1]})"));
  const ProcessSpec& spec = processes_.started.at(0);
  EXPECT_EQ(spec.folder, "/tree/test");
  EXPECT_EQ(spec.command.back(), "nn/test_x.py");
  EXPECT_THAT(spec.variables, Contains(Pair("PYTHONPATH", "/tmp/plugin:/opt/backend")));
  EXPECT_THAT(recorder_.heard,
              ElementsAre("file test/nn/test_x.py", "start test/nn/test_x.py::TestX::test_a",
                          "passed test/nn/test_x.py::TestX::test_a", "start test/nn/test_x.py::TestX::test_b",
                          "failed test/nn/test_x.py::TestX::test_b", "done test/nn/test_x.py"));
}

TEST_F(RunTest, ACrashIsFollowedByAProcessForTheRest) {
  processes_.scripts = {{{kHello, kCollected, start("test_a")}, false, {139, 11}, "Fatal Python error"},
                        leaves({kHello, kCollected, start("test_b"), end("test_b"), kFinish})};
  Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_THAT(outcomes(*record), ElementsAre("test_a crashed", "test_b passed"));
  EXPECT_THAT(processes_.answers, ElementsAre(R"({"run":[0,1]})", R"({"run":[1]})"));
}

TEST_F(RunTest, ATestThatTakesTooLongIsAbortedThenKilled) {
  options_.timeout = 10;
  processes_.scripts = {hangs({kHello, kCollected, start("test_a")}),
                        leaves({kHello, kCollected, start("test_b"), end("test_b"), kFinish})};
  Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_THAT(outcomes(*record), ElementsAre("test_a timeout", "test_b passed"));
  EXPECT_EQ(processes_.aborts, 1);
  EXPECT_NEAR(record->results[0].seconds, 10, 0.5);
}

TEST_F(RunTest, WithoutALimitATestMayTakeAnyTime) {
  processes_.scripts = {hangs({kHello, kCollected, start("test_a")})};
  processes_.interrupt_after = 5000;
  Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(processes_.aborts, 0);
  EXPECT_GT(record->seconds, 900);
}

TEST_F(RunTest, AProcessThatDoesNotLeaveIsKilledAndCostsNoTest) {
  processes_.scripts = {
      hangs({kHello, kCollected, start("test_a"), end("test_a"), start("test_b"), end("test_b"), kFinish})};
  Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_THAT(outcomes(*record), ElementsAre("test_a passed", "test_b passed"));
  EXPECT_THAT(record->notes, ElementsAre(HasSubstr("did not end after the last test")));
}

TEST_F(RunTest, ASignalEndsTheRunAndTheRestIsNotRun) {
  processes_.scripts = {hangs({kHello, kCollected, start("test_a"), end("test_a"), start("test_b")})};
  processes_.interrupt_after = 5;
  selection_.files.emplace_back("test/test_y.py");
  SelectedTest later;
  later.path = "test/test_y.py";
  later.id = "test/test_y.py::TestY::test_y";
  selection_.tests.push_back(later);
  Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->signal, SIGTERM);
  EXPECT_THAT(outcomes(*record), ElementsAre("test_a passed"));
  EXPECT_THAT(record->not_run.at("interrupted"),
              ElementsAre("test/nn/test_x.py::TestX::test_b", "test/test_y.py::TestY::test_y"));
}

TEST_F(RunTest, ASignalBeforeThePluginSaysAWordIsNoFaultOfThePython) {
  processes_.scripts = {hangs({})};
  processes_.interrupt_after = 0;
  Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->signal, SIGTERM);
  EXPECT_EQ(record->not_run.at("interrupted").size(), 2u);
}

TEST_F(RunTest, APythonThatNeverStartsPytestIsGivenUp) {
  processes_.scripts = {hangs({})};
  Result<RunRecord> record = run();
  ASSERT_FALSE(record.ok());
  EXPECT_THAT(to_string(record.error()), HasSubstr("does not start pytest within"));
}

TEST_F(RunTest, APythonWithoutTorchOrPytestRunsNothing) {
  processes_.scripts = {hangs({R"({"event":"hello","python":"3.13","pytest":"8.3","torch":null})"})};
  Result<RunRecord> without_torch = run();
  ASSERT_FALSE(without_torch.ok());
  EXPECT_THAT(to_string(without_torch.error()), HasSubstr("no torch"));
  processes_.scripts = {{{}, false, {1, 0}, "/usr/bin/python3: No module named pytest\n"}};
  Result<RunRecord> without_pytest = run();
  ASSERT_FALSE(without_pytest.ok());
  EXPECT_THAT(to_string(without_pytest.error()), HasSubstr("no pytest"));
  processes_.scripts = {{{}, false, {0, 0}, ""}};
  Result<RunRecord> no_python = run();
  ASSERT_FALSE(no_python.ok());
  EXPECT_THAT(to_string(no_python.error()), HasSubstr("cannot run pytest: exit code 0"));
}

TEST_F(RunTest, NonsenseOnTheChannelIsIgnored) {
  processes_.scripts = {leaves({kHello, "rubbish", kCollected, kCollected, start("test_a"), end("test_a"),
                                start("nobody"), end("nobody"), start("test_b"), end("test_b"), kFinish})};
  Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_THAT(outcomes(*record), ElementsAre("test_a passed", "test_b passed"));
}

TEST_F(RunTest, TheTimeBudgetEndsTheRunAndLeavesTheAccountOpen) {
  options_.time_budget = 30;
  processes_.scripts = {hangs({kHello, kCollected, start("test_a"), end("test_a"), start("test_b")})};
  Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_NEAR(record->seconds, 30, 4);
  EXPECT_THAT(outcomes(*record), ElementsAre("test_a passed"));
  EXPECT_THAT(record->not_run.at("the time budget was used up"),
              ElementsAre("test/nn/test_x.py::TestX::test_b"));
  EXPECT_TRUE(incomplete(*record));
  EXPECT_EQ(record->signal, 0);
}

TEST_F(RunTest, TheFirstFailureForGoodEndsTheRunWhereThatIsAsked) {
  options_.fail_fast = 1;
  processes_.scripts = {
      hangs({kHello, kCollected, start("test_a"), end("test_a", "failed"), start("test_b")})};
  Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_THAT(outcomes(*record), ElementsAre("test_a failed"));
  EXPECT_THAT(record->not_run, Contains(Pair("left out after a failure (--fail-fast)", testing::SizeIs(1))));
  EXPECT_FALSE(incomplete(*record)) << "the caller asked for it";
}

TEST_F(RunTest, ACrashThatEndsTheRunLeavesTheRestOfItsFileWithAReason) {
  options_.fail_fast = 1;
  processes_.scripts = {{{kHello, kCollected, start("test_a")}, false, {139, 11}, ""}};
  Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_THAT(outcomes(*record), ElementsAre("test_a crashed"));
  EXPECT_THAT(record->not_run, Contains(Pair("left out after a failure (--fail-fast)",
                                             ElementsAre("test/nn/test_x.py::TestX::test_b"))));
}

TEST_F(RunTest, AFailureThatARetryBettersEndsNothing) {
  options_.fail_fast = 1;
  options_.retries = 1;
  processes_.scripts = {leaves({kHello, kCollected, start("test_a"), end("test_a", "failed"), start("test_b"),
                                end("test_b"), kFinish}),
                        leaves({kHello, kCollected, start("test_a"), end("test_a"), kFinish})};
  Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_THAT(outcomes(*record), ElementsAre("test_a passed", "test_b passed"));
}

TEST_F(RunTest, ADeviceErrorThatSticksCostsOneTest) {
  options_.accelerator = true;
  std::string poisoned = R"({"event":"end","id":"TestX::test_a","outcome":"failed","seconds":0.1,)"
                         R"("message":"RuntimeError: CUDA error: device-side assert triggered"})";
  processes_.scripts = {hangs({kHello, kCollected, start("test_a"), poisoned}), leaves({R"({"health":""})"}),
                        leaves({kHello, kCollected, start("test_b"), end("test_b"), kFinish})};
  Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_THAT(outcomes(*record), ElementsAre("test_a failed", "test_b passed"));
}

TEST_F(RunTest, AfterACrashTheDeviceIsAskedWhetherItStillWorks) {
  options_.accelerator = true;
  processes_.scripts = {{{kHello, kCollected, start("test_a")}, false, {139, 11}, ""},
                        leaves({R"({"health":""})"}),
                        leaves({kHello, kCollected, start("test_b"), end("test_b"), kFinish})};
  Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_THAT(outcomes(*record), ElementsAre("test_a crashed", "test_b passed"));
  EXPECT_EQ(record->device_problem, "");
  EXPECT_THAT(processes_.started.at(1).command, Contains("health"));
}

TEST_F(RunTest, ADeviceThatFailsEndsTheRun) {
  options_.accelerator = true;
  for (const Script& answer :
       {leaves({R"({"health":"RuntimeError: device lost"})"}), leaves({}), leaves({"rubbish"}), hangs({})}) {
    processes_.scripts = {{{kHello, kCollected, start("test_a")}, false, {139, 11}, ""}, answer};
    Result<RunRecord> record = run();
    ASSERT_TRUE(record.ok());
    EXPECT_THAT(outcomes(*record), ElementsAre("test_a crashed"));
    EXPECT_NE(record->device_problem, "");
    EXPECT_THAT(record->not_run.at("the device failed"), ElementsAre("test/nn/test_x.py::TestX::test_b"));
    EXPECT_TRUE(incomplete(*record));
  }
}

TEST_F(RunTest, TheScoutTakesTheFirstFile) {
  processes_.scripts = {
      leaves({kHello, kCollected, start("test_a"), end("test_a"), start("test_b"), end("test_b"), kFinish})};
  ProcessSpec scout;
  scout.command = {"python"};
  options_.scout = *processes_.start(scout);
  Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(processes_.started.size(), 1u) << "no process but the one that was there";
  EXPECT_THAT(processes_.answers.front(), HasSubstr("\"nn/test_x.py\""));
  EXPECT_EQ(outcomes(*record).size(), 2u);
}

TEST_F(RunTest, AFileWhoseMainGuardRunsNoPytestIsAccountedFor) {
  options_.launch.mode = Mode::main;
  processes_.scripts = {{{}, false, {0, 0}, ""}};
  Result<RunRecord> nothing = run();
  ASSERT_TRUE(nothing.ok());
  const std::vector<std::string>& command = processes_.started.at(0).command;
  EXPECT_EQ(std::vector<std::string>(command.begin(), command.begin() + 3),
            (std::vector<std::string>{"/usr/bin/python3", "nn/test_x.py", "--use-pytest"}));
  EXPECT_EQ(nothing->not_run.at("its main guard runs no pytest: python FILE ended with exit code 0").size(),
            2u);
  EXPECT_TRUE(incomplete(*nothing));
  processes_.scripts = {{{}, false, {1, 0}, "Traceback:\nRuntimeError: not runnable directly\n"}};
  Result<RunRecord> refused = run();
  ASSERT_TRUE(refused.ok());
  EXPECT_THAT(refused->not_run.begin()->first, HasSubstr("exit code 1: RuntimeError: not runnable directly"));
  EXPECT_TRUE(incomplete(*refused));
}

TEST_F(RunTest, AProcessThatCannotStartLaterCostsItsFile) {
  selection_.files.emplace_back("test/test_y.py");
  SelectedTest later;
  later.path = "test/test_y.py";
  later.id = "test/test_y.py::TestY::test_y";
  selection_.tests.push_back(later);
  processes_.scripts = {
      leaves({kHello, kCollected, start("test_a"), end("test_a"), start("test_b"), end("test_b"), kFinish})};
  Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok()) << "what ran is not thrown away";
  EXPECT_EQ(outcomes(*record).size(), 2u);
  EXPECT_THAT(record->not_run, Contains(Pair("its process cannot start", ElementsAre(later.id))));
  EXPECT_TRUE(incomplete(*record));
}

TEST_F(RunTest, ALauncherThatStartsNothingIsNoFaultOfThePython) {
  options_.launch.launcher = {"numactl", "-N", "9"};
  processes_.scripts = {{{}, false, {1, 0}, "numactl: no such node"}};
  Result<RunRecord> record = run();
  ASSERT_FALSE(record.ok());
  EXPECT_THAT(to_string(record.error()), HasSubstr("--launcher numactl -N 9"));
}

TEST(RunRecord, IsCompleteWhereEachSelectedTestHasAResultOrAClosedReason) {
  RunRecord record;
  EXPECT_TRUE(complete(record));
  record.not_run["needs CUDA"] = {"a"};
  EXPECT_TRUE(complete(record));
  record.not_run[kLeftOutAfterFailure] = {"b"};
  EXPECT_FALSE(complete(record));
  EXPECT_FALSE(incomplete(record)) << "it is no fault that a retry could mend";
  record.not_run.erase(kLeftOutAfterFailure);
  record.outstanding = {"interrupted"};
  EXPECT_FALSE(complete(record));
}

}  // namespace
}  // namespace hwsift::runner
