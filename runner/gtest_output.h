// What a gtest binary prints while its tests run, read as it comes. The text is gtest's own for people: tests
// may write anything into it, so that a mark counts only where it can be true.
//
//   [----------] 2 tests from Suite           the suite is set up
//   [ RUN      ] Suite.Name                   counts for a test that was asked for and has not ended
//   [       OK ] Suite.Name (3 ms)            these three count for the test that runs, and may stand behind
//   [  FAILED  ] Suite.Name, where ... (3 ms) what it wrote without a line feed
//   [  SKIPPED ] Suite.Name (0 ms)
//   [----------] 2 tests from Suite (5 ms total)
//   [==========] 2 tests from 1 test suite ran. (5 ms total)
//
// Bounded: of a test its first failures and the end of what it wrote are kept.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/journal.h"

namespace hwsift::runner {

// What was written in one place: its first failure, or the reason of a skip, and the end of all of it.
class GtestText {
 public:
  void add(std::string_view piece);  // a line, or a part of a long one
  void end_line();

  bool has_failure() const { return !failure_.empty(); }
  // The first failure, "x.cc:3: Value of: ..."; without one the last line.
  std::string message() const;
  std::string skip_reason() const;
  std::string details() const;  // from the first failure on
  std::string output() const;   // the end

 private:
  std::string line_;     // the one that is being added
  std::string failure_;  // from its first line on
  std::string skip_;
  std::string end_;
};

// Of `both` streams as they were read, what the running test wrote; `written` is the output stream alone. The
// test's start mark divides that one. Of the error stream, which may have been read before the mark, it takes
// too what stands in front of the piece of the output stream that has the mark.
std::string output_of_test(const std::string& both, const std::string& written, const std::string& test);

class GtestReader {
 public:
  // The tests that are asked for: by gtest's full name the id within the file.
  explicit GtestReader(std::map<std::string, std::string> expected);

  // The next bytes of the output: start, end and finish.
  std::vector<JournalEvent> read(std::string_view bytes);
  // No more comes: a last line counts without its line feed.
  std::vector<JournalEvent> end();

  bool running() const { return !running_.empty(); }
  const std::string& running_test() const { return running_; }  // gtest's name, "" where none runs
  bool finished() const { return finished_; }
  std::size_t ended() const { return ended_; }  // tests
  bool any_bad() const { return any_bad_; }     // among them
  // The ids of the suite that is being set up; [] where none is.
  std::vector<std::string> setting_up() const;
  // Failures outside of tests: where a suite or the whole binary is torn down. `within` is gtest's name of
  // the suite, "" for the binary.
  const std::vector<CollectProblem>& problems() const { return problems_; }

 private:
  void take_line(std::string_view line, std::vector<JournalEvent>& events);
  bool take_mark(std::string_view line, std::vector<JournalEvent>& events);
  bool take_run(std::string_view line, std::vector<JournalEvent>& events);
  bool take_end(std::string_view line, std::vector<JournalEvent>& events);
  bool take_rest_of_mark(std::string_view line, std::vector<JournalEvent>& events);
  bool take_suite(std::string_view line);
  bool take_finish(std::string_view line, std::vector<JournalEvent>& events);
  void end_test(Outcome outcome, double seconds, std::vector<JournalEvent>& events);
  void close_outside();

  std::map<std::string, std::string> expected_;  // that have not ended
  std::string line_;                             // without its line feed yet
  std::string running_;                          // gtest's name
  std::string suite_;                            // of the tests that run
  bool setting_up_ = false;                      // no test of the suite has started
  bool finished_ = false;
  bool any_bad_ = false;
  std::size_t ended_ = 0;
  GtestText text_;                        // of the running test, or outside of tests
  std::optional<GtestText> before_mark_;  // where the end mark of a failed test has begun: what it wrote
  std::string set_up_failure_;            // of the suite
  std::vector<CollectProblem> problems_;
};

}  // namespace hwsift::runner
