// How a run goes, on stderr while it goes. On a terminal lines that are rewritten: the counts, and what each
// worker does; elsewhere a line a file. A test that takes long is named.
#pragma once

#include <cstdio>
#include <map>
#include <string>

#include "base/clock.h"
#include "report/output.h"
#include "runner/run.h"

namespace hwsift::report {

class RunProgress : public runner::RunListener {
 public:
  enum class Mode { terminal, lines, silent };
  RunProgress(std::FILE* stream, Mode mode, Style style, Clock& clock, std::size_t files);

  void file_started(const std::string& path) override;
  void test_started(const std::string& id) override;
  void test_ended(const runner::TestResult& result) override;
  void file_ended(const std::string& path) override;
  void tick() override;
  // Takes the line away, so that the summary starts on a clean one.
  void finish();

 private:
  // What runs of a file: the test, or the file itself while it is collected or between two.
  struct Running {
    std::string what;
    double since = 0;
    double named_after = 0;  // seconds after which it is called slow, the next time
  };

  void now_running(const std::string& path, const std::string& what);
  void name_slow();
  std::string block() const;
  void draw(bool at_once);
  void clear();
  void say(const std::string& line);
  std::string counts() const;

  std::FILE* stream_;
  Mode mode_;
  Style style_;
  Clock& clock_;
  std::size_t files_ = 0;
  std::size_t files_done_ = 0;
  std::map<std::string, runner::Outcome> outcomes_;  // the last of each test
  std::map<runner::Outcome, std::size_t> totals_;
  std::map<std::string, Running> running_;  // by path
  double last_drawn_ = 0;
  int drawn_ = 0;  // lines
};

RunProgress::Mode progress_mode(bool quiet);

}  // namespace hwsift::report
