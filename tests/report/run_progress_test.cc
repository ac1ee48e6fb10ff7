#include "report/run_progress.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace hwsift::report {
namespace {

class FakeClock : public Clock {
 public:
  double time = 100;
  double now() override { return time; }
  std::string utc() override { return "2026-03-14T15:09:26Z"; }
};

class ProgressTest : public testing::Test {
 protected:
  ~ProgressTest() override { std::fclose(file_); }

  // What was written since the last question.
  std::string written() {
    std::fflush(file_);
    long end = std::ftell(file_);
    std::string text(static_cast<std::size_t>(end - read_), '\0');
    std::fseek(file_, read_, SEEK_SET);
    text.resize(std::fread(text.data(), 1, text.size(), file_));
    std::fseek(file_, end, SEEK_SET);
    read_ = end;
    return text;
  }

  static runner::TestResult result(const std::string& path, const std::string& name,
                                   runner::Outcome outcome) {
    runner::TestResult result;
    result.id = path + "::" + name;
    result.path = path;
    result.outcome = outcome;
    return result;
  }

  std::FILE* file_ = std::tmpfile();
  long read_ = 0;
  FakeClock clock_;
};

TEST_F(ProgressTest, ATestThatTakesLongIsNamedNowAndThen) {
  RunProgress progress(file_, RunProgress::Mode::lines, {}, clock_, 1);
  progress.file_started("test/test_a.py");
  progress.test_started("test/test_a.py::TestA::test_long");
  for (int i = 0; i < 300; ++i) {
    clock_.time += 1;
    progress.tick();
  }
  EXPECT_EQ(written(),
            "slow    test/test_a.py::TestA::test_long has run for 60 s\n"
            "slow    test/test_a.py::TestA::test_long has run for 120 s\n"
            "slow    test/test_a.py::TestA::test_long has run for 240 s\n");
  progress.test_ended(result("test/test_a.py", "TestA::test_long", runner::Outcome::passed));
  clock_.time += 30;
  progress.tick();
  EXPECT_EQ(written(), "") << "the next one begins anew";
}

TEST_F(ProgressTest, OnATerminalEachWorkerHasALineThatIsTakenAwayAgain) {
  RunProgress progress(file_, RunProgress::Mode::terminal, {}, clock_, 2);
  progress.file_started("test/test_a.py");
  clock_.time += 1;
  progress.test_started("test/test_a.py::TestA::test_x");
  clock_.time += 1;
  progress.file_started("test/test_b.py");
  std::string text = written();
  EXPECT_NE(
      text.find("[0/2 files] 0 passed  \n    1 s  test/test_a.py::TestA::test_x\n    0 s  test/test_b.py"),
      std::string::npos)
      << text;
  progress.finish();
  EXPECT_EQ(written(), "\r\x1b[2A\x1b[J") << "two lines up, and nothing below";
  progress.finish();
  EXPECT_EQ(written(), "");
}

TEST_F(ProgressTest, ASilentOneWritesNothing) {
  RunProgress progress(file_, RunProgress::Mode::silent, {}, clock_, 1);
  progress.file_started("test/test_a.py");
  progress.test_ended(result("test/test_a.py", "test_a", runner::Outcome::failed));
  clock_.time += 1000;
  progress.tick();
  progress.file_ended("test/test_a.py");
  progress.finish();
  EXPECT_EQ(written(), "");
}

}  // namespace
}  // namespace hwsift::report
