#include "base/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "base/disk.h"

namespace hwsift {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ProcessSpec shell(const std::string& script, bool channel = false) {
  ProcessSpec spec;
  spec.command = {"/bin/bash", "-c", script};
  if (channel) spec.channel_variable = "CHANNEL";
  return spec;
}

bool is_gone(pid_t pid) {
  for (int i = 0; i < 200; ++i) {
    if (::kill(pid, 0) != 0) return true;
    ::usleep(10000);
  }
  return false;
}

class ProcessTest : public testing::Test {
 protected:
  Result<Finished> finish(const ProcessSpec& spec, double seconds = 20) {
    return run_to_end(*processes_, spec, seconds);
  }
  std::unique_ptr<Processes> processes_ = real_processes();
};

TEST_F(ProcessTest, LinesAndOutputAndTheExitCodeArrive) {
  ProcessSpec spec =
      shell("echo one >&$CHANNEL; echo said; echo complained >&2; echo two >&$CHANNEL; exit 3", true);
  spec.folder = "/";
  Result<Finished> finished = finish(spec);
  ASSERT_TRUE(finished.ok());
  EXPECT_THAT(finished->lines, ElementsAre("one", "two"));
  EXPECT_EQ(finished->output, "said\ncomplained\n");
  EXPECT_EQ(finished->ending.code, 3);
  EXPECT_EQ(finished->ending.text(), "exit code 3");
}

TEST_F(ProcessTest, TheOutputStreamComesAsEventsWhereThatIsAsked) {
  ProcessSpec spec = shell("head -c 3000000 /dev/zero; echo complained >&2; printf end");
  spec.output_events = true;
  Result<int> process = processes_->start(spec);
  ASSERT_TRUE(process.ok());
  std::string text;
  ProcessEvent event = processes_->next(20);
  for (; event.kind == ProcessEvent::Kind::output; event = processes_->next(20)) text += event.text;
  EXPECT_EQ(event.kind, ProcessEvent::Kind::ended);
  EXPECT_TRUE(text == std::string(3000000, '\0') + "end");
  EXPECT_THAT(processes_->output(*process), HasSubstr("complained\n"));
  EXPECT_LE(processes_->output(*process).size(), kKeptOutput);
}

TEST_F(ProcessTest, TheEnvironmentIsOursWithTheChanges) {
  ::setenv("HWSIFT_TEST_KEPT", "kept", 1);
  ::setenv("HWSIFT_TEST_GONE", "gone", 1);
  ProcessSpec spec = shell("echo \"$HWSIFT_TEST_KEPT,$HWSIFT_TEST_GONE,$HWSIFT_TEST_SET\"; pwd; cat");
  spec.variables = {{"HWSIFT_TEST_SET", "set"}};
  spec.unset = {"HWSIFT_TEST_GONE"};
  spec.folder = "/usr";
  EXPECT_EQ(finish(spec)->output, "kept,,set\n/usr\n");
}

TEST_F(ProcessTest, SignalsAreToldAlsoWhereAWrapperReportsThem) {
  EXPECT_EQ(finish(shell("kill -SEGV $$"))->ending.text(), "SIGSEGV");
  EXPECT_EQ(finish(shell("sh -c 'kill -ABRT $$'; exit $?"))->ending.text(), "SIGABRT");
  EXPECT_EQ(finish(shell("exit 255"))->ending.signal, 0);
}

TEST_F(ProcessTest, WhatCannotStartIsAnErrorWithItsReason) {
  ProcessSpec spec;
  spec.command = {"/no/such/program"};
  EXPECT_THAT(to_string(finish(spec).error()), HasSubstr("No such file"));
  spec.command = {"no-such-program-anywhere"};
  EXPECT_THAT(to_string(finish(spec).error()), HasSubstr("not found on PATH"));
  spec = shell("true");
  spec.folder = "/no/such/folder";
  EXPECT_FALSE(finish(spec).ok());
}

TEST_F(ProcessTest, NothingOfAGroupOutlivesIt) {
  // One child in the group, one that left it, one that also forgot its parent.
  Result<Finished> finished =
      finish(shell("sleep 600 & echo $! >&$CHANNEL; setsid sleep 600 & echo $! >&$CHANNEL; "
                   "setsid bash -c 'sleep 600 & echo $! >&'$CHANNEL; sleep 0.2",
                   true));
  ASSERT_TRUE(finished.ok());
  ASSERT_EQ(finished->lines.size(), 3u);
  for (const std::string& pid : finished->lines) EXPECT_TRUE(is_gone(std::stoi(pid))) << pid;
}

TEST_F(ProcessTest, AnOrphanOfOneGroupDoesNotTakeAnothersWithIt) {
  Result<int> slow = processes_->start(shell("setsid sleep 600 & echo $! >&$CHANNEL; sleep 1; exit 0", true));
  ASSERT_TRUE(slow.ok());
  ProcessEvent line = processes_->next(10);
  ASSERT_EQ(line.kind, ProcessEvent::Kind::line);
  pid_t orphan = std::stoi(line.text);
  Result<int> quick = processes_->start(shell("setsid sleep 600 & exit 0"));
  ASSERT_TRUE(quick.ok());
  ProcessEvent ended = processes_->next(10);
  ASSERT_EQ(ended.process, *quick);
  EXPECT_EQ(::kill(orphan, 0), 0) << "the slow one's child still lives";
  EXPECT_EQ(processes_->next(10).process, *slow);
  EXPECT_TRUE(is_gone(orphan));
}

TEST_F(ProcessTest, TimeUpIsAnErrorAndTheProcessIsGone) {
  Result<Finished> finished = finish(shell("sleep 600"), 0.3);
  ASSERT_FALSE(finished.ok());
  EXPECT_THAT(to_string(finished.error()), HasSubstr("did not end within"));
}

TEST_F(ProcessTest, LinesGoBothWaysAlsoLongOnes) {
  Result<int> echo = processes_->start(shell("head -c 1000001 <&$CHANNEL >&$CHANNEL", true));
  ASSERT_TRUE(echo.ok());
  std::string line(1000000, 'x');
  processes_->send(*echo, line);
  ProcessEvent event = processes_->next(20);
  ASSERT_EQ(event.kind, ProcessEvent::Kind::line);
  EXPECT_TRUE(event.text == line);
  EXPECT_EQ(processes_->next(20).kind, ProcessEvent::Kind::ended);
  processes_->send(*echo, "to one that is gone");
}

TEST_F(ProcessTest, OutputIsKeptFromItsEnd) {
  Result<Finished> finished = finish(shell("head -c 3000000 /dev/zero | tr '\\0' x; echo end"));
  ASSERT_TRUE(finished.ok());
  EXPECT_LE(finished->output.size(), kKeptOutput);
  EXPECT_EQ(finished->output.substr(finished->output.size() - 5), "xend\n");
}

TEST_F(ProcessTest, ACapturedStreamIsWholeAndApart) {
  ProcessSpec spec = shell("head -c 3000000 /dev/zero; echo complained >&2; exit 1");
  spec.capture = true;
  Result<Finished> finished = finish(spec);
  ASSERT_TRUE(finished.ok());
  EXPECT_TRUE(finished->captured == std::string(3000000, '\0'));
  EXPECT_EQ(finished->output, "complained\n");
}

TEST_F(ProcessTest, AbortLetsTheLastWordsThrough) {
  Result<int> process =
      processes_->start(shell("bash -c 'trap \"sleep 0.2; echo last words; exit\" ABRT; echo up >&$CHANNEL; "
                              "while :; do sleep 0.05; done'; exit 1",
                              true));
  ASSERT_TRUE(process.ok());
  ASSERT_EQ(processes_->next(10).kind, ProcessEvent::Kind::line);
  processes_->abort(*process);
  ProcessEvent event;
  while (event.kind != ProcessEvent::Kind::ended) event = processes_->next(10);
  EXPECT_THAT(processes_->output(*process), HasSubstr("last words"));
}

TEST_F(ProcessTest, ARequestToStopIsAnEvent) {
  ::raise(SIGTERM);
  ProcessEvent event = processes_->next(5);
  EXPECT_EQ(event.kind, ProcessEvent::Kind::signal);
  EXPECT_EQ(event.number, SIGTERM);
  EXPECT_EQ(processes_->next(0.01).kind, ProcessEvent::Kind::none);
}

TEST_F(ProcessTest, WhatStillRunsWhenTheObjectGoesIsEnded) {
  ASSERT_TRUE(processes_->start(shell("echo $$ >&$CHANNEL; sleep 600", true)).ok());
  pid_t pid = std::stoi(processes_->next(10).text);
  processes_.reset();
  EXPECT_TRUE(is_gone(pid));
}

TEST(FindProgram, LooksThroughThePath) {
  EXPECT_EQ(find_program("./here", "/bin"), "./here");
  EXPECT_EQ(find_program("sh", "/no/such:/bin"), "/bin/sh");
  EXPECT_EQ(find_program("sh", ""), "");
  EXPECT_EQ(find_program("no-such-program", "/bin"), "");
}

}  // namespace
}  // namespace hwsift
