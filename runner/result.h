// What came of a test.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace hwsift::runner {

enum class Outcome { passed, failed, skipped, xfailed, xpassed, crashed, timeout, error };
inline constexpr Outcome kOutcomes[] = {Outcome::passed,  Outcome::failed,  Outcome::error,
                                        Outcome::crashed, Outcome::timeout, Outcome::skipped,
                                        Outcome::xfailed, Outcome::xpassed};

const char* word(Outcome outcome);
std::optional<Outcome> outcome_of(std::string_view word);
// failed, error, crashed, timeout: what makes a run fail.
bool is_bad(Outcome outcome);

// What a test came to in one part of a merged run.
struct PartResult {
  int part = 0;  // index into RunRecord::parts
  Outcome outcome = Outcome::passed;
  int attempts = 1;  // there
  bool operator==(const PartResult&) const = default;
  bool operator<(const PartResult& other) const {
    return std::tie(part, outcome, attempts) < std::tie(other.part, other.outcome, other.attempts);
  }
};

struct TestResult {
  std::string id;  // pytest's, with the path as the tree has it
  std::string path;
  std::string cls;   // the class that ran, "" for a function
  std::string name;  // with its [parameters]
  Outcome outcome = Outcome::passed;
  double seconds = 0;
  int attempts = 1;
  std::string category;             // of the selected test that stands for it; "" where none does
  bool quarantined = false;         // a bad outcome of it does not fail the run
  bool unpredicted = false;         // no selected test stands for it: an inherited or generated one
  std::string message;              // the reason in a line or a few, bounded
  std::string details;              // traceback, bounded
  std::string output;               // the end of what it printed, for bad outcomes, bounded
  std::vector<PartResult> by_part;  // of a merged run: in the order of the parts, the last one counts

  bool flaky() const { return attempts > 1 && !is_bad(outcome); }
  bool fails_run() const { return is_bad(outcome) && !quarantined; }
};

// Which part of a plan a run did.
struct ShardOf {
  int index = 0;  // from 1; 0 where the run did the whole
  int total = 0;
  bool operator==(const ShardOf&) const = default;
};

// A run that was joined with others.
struct RunPart {
  ShardOf shard;
  std::string started;
  std::string digest;  // of what the run came to: two documents of one run are one part
  double seconds = 0;
  std::size_t predicted = 0;
  int signal = 0;
};

// The account of a run: each known test ends as a result or as not run, with a reason.
struct RunRecord {
  std::string device;
  std::map<std::string, std::string> environment;  // python, torch, pytest, executable, system ...
  std::string started;                             // UTC
  double seconds = 0;
  std::vector<TestResult> results;  // by file, then in the order of their ends
  std::map<std::string, std::vector<std::string>>
      not_run;                     // reason to ids: not selected, or selected and not reached
  std::vector<std::string> notes;  // what went wrong beside the tests: a process that would not end
  // Those of the reasons that leave the account open: a selected test that no process reached.
  std::set<std::string> outstanding;
  std::size_t predicted = 0;  // selected tests
  std::string fingerprint;    // of the selection and its plan; equal on every machine that does a part of it
  ShardOf shard;
  std::string device_problem;  // why the device was given up, "" where it was not
  int signal = 0;              // that ended the run early, else 0
  // Ids of templates, selected or left out, whose real tests this record accounts for.
  std::set<std::string> expanded;
  // Of a merged run: what was joined, in the order of starts, and which shards of the plan were not there.
  std::vector<RunPart> parts;
  std::vector<int> missing_shards;
};

// The reason of what --fail-fast leaves: the caller asked for it, so that it is no fault, and yet no whole
// run.
inline constexpr char kLeftOutAfterFailure[] = "left out after a failure (--fail-fast)";

// Selected tests of a file that has others of them: a condition or a conftest takes them away.
inline constexpr char kNotThere[] = "selected, but not there when pytest collected the file";
inline constexpr char kBudgetUsedUp[] = "the time budget was used up";
inline constexpr char kInterruptedRun[] = "interrupted";

// Whether a selected test has neither a result nor a reason that closes its account.
inline bool incomplete(const RunRecord& record) {
  return !record.outstanding.empty() || !record.missing_shards.empty();
}
// Whether every selected test has a result, or a reason that closes its account.
inline bool complete(const RunRecord& record) {
  return !incomplete(record) && record.signal == 0 && record.not_run.count(kLeftOutAfterFailure) == 0;
}

std::map<Outcome, std::size_t> count(const std::vector<TestResult>& results);

}  // namespace hwsift::runner
