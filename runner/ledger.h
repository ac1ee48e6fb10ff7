// The account of one file: which of its tests wait, run, ended, and why some did not run. Pure: it is told
// what happened.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/process.h"
#include "runner/collection.h"
#include "runner/journal.h"
#include "runner/result.h"
#include "runner/test_rules.h"

namespace hwsift::runner {

// How a process of ours ended.
struct ProcessEnd {
  Ending ending;
  std::string output;      // the end of what it wrote
  bool timed_out = false;  // we ended it, because the test or the collection took longer than `limit` seconds
  double limit = 0;
  double elapsed = 0;  // seconds that the test had run
};

// "the process died of SIGSEGV", "the process left with exit code 3".
std::string how_it_died(const Ending& ending);
// The end of a text, as details keep it.
std::string last_bytes(const std::string& text);

class FileLedger {
 public:
  // `rules` may be nullptr: then no list says anything.
  FileLedger(const Selection& selection, const TestIndex& index, std::string path, int retries,
             const TestRules* rules = nullptr);

  const std::string& path() const { return path_; }
  // Whether the file needs a process, first or once more.
  bool wants_process() const { return !collected_ || !pending_.empty(); }

  void process_started();
  // Which of the collected items to run in this process, by index.
  std::vector<std::size_t> collected(const JournalEvent& event);
  void started(const std::string& within);
  // The result, nullptr for an event that no waiting test explains.
  const TestResult* ended(const JournalEvent& event);
  // The process is gone; the results that this gave.
  std::vector<TestResult> process_ended(const ProcessEnd& end);
  // What went wrong beside the tests, as a result of its own: no selected test stands for it, and yet it must
  // not be lost.
  const TestResult& add_problem(const CollectProblem& problem);
  // No process will run again: what waits is not run, for this reason, which leaves its account open or not.
  void stop(const std::string& reason, bool open);
  // Results that no further attempt can better and that fail the run.
  std::size_t failures_for_good() const;

  bool running() const { return running_.has_value(); }
  std::string id_of(const std::string& within) const { return path_ + "::" + within; }
  const std::vector<TestResult>& results() const { return results_; }
  const std::map<std::string, std::vector<std::string>>& not_run() const { return not_run_; }
  const std::set<std::string>& outstanding() const { return outstanding_; }
  // Templates that were left out, whose real tests are in not_run() instead.
  const std::set<std::string>& expanded() const { return expanded_; }

 private:
  struct Waiting {
    std::string within;
    bool unpredicted = false;
    std::string cls;
    std::string name;
    std::string category;
  };

  std::vector<std::size_t> collected_first(const JournalEvent& event);
  std::string left_out_by_rules(const CollectedTest& item) const;
  std::vector<std::size_t> collected_again(const JournalEvent& event);
  void leave_deselected(const std::vector<CollectedTest>& items);
  void account_for_missing(const std::vector<CollectProblem>& problems);
  const TestResult& record(const std::string& within, TestResult result);
  void add_missing(std::size_t selected, const CollectProblem* problem);
  void give_up(const std::string& reason, bool open);
  void leave(const std::string& reason, std::string id, bool open);
  TestResult result_of(const ProcessEnd& end) const;
  void fail_collection(const ProcessEnd& end);
  void begin_retry();

  const Selection& selection_;
  const TestIndex& index_;
  std::string path_;
  int retries_left_ = 0;
  const TestRules* rules_ = nullptr;
  bool collected_ = false;               // once
  bool collected_here_ = false;          // in this process
  bool progress_ = false;                // a test ended in this process
  std::set<std::string> pending_;        // by id within the file, as below
  std::map<std::string, Waiting> kept_;  // all that are to run
  std::set<std::size_t> found_;          // selected tests that turned up
  std::map<std::string, int> attempts_;
  std::map<std::string, std::size_t> result_of_;
  std::optional<std::string> running_;
  std::vector<TestResult> results_;
  std::map<std::string, std::vector<std::string>> not_run_;
  std::set<std::string> outstanding_;  // reasons of not_run_
  std::set<std::string> expanded_;
};

}  // namespace hwsift::runner
