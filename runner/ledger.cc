#include "runner/ledger.h"

#include <algorithm>

#include "base/text.h"

namespace hwsift::runner {
namespace {

constexpr std::size_t kDetailBytes = 8000;

// pytest's own errors stand above its last line; of those the one that says most: what its command line does
// not take (with the file that it comes from), what broke inside it, any other.
std::string what_it_said(const std::string& output) {
  std::string refused, inside, any;
  for (const std::string& whole : split(output, '\n')) {
    std::string line(trim(whole));
    if (line.find(": error: ") != std::string::npos) refused = line;
    if (line.starts_with("inifile: ") && !refused.empty()) refused += " (" + line + ")";
    if (line.starts_with("INTERNALERROR> ")) inside = line;
    if (line.starts_with("ERROR") && any.empty()) any = line;
  }
  return !refused.empty() ? refused : !inside.empty() ? inside : !any.empty() ? any : last_line(output);
}

std::string seconds_text(double seconds) {
  std::string text = std::to_string(seconds);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " s";
}

std::string class_shown(const CollectedTest& item) {
  if (!item.suite.empty()) return item.suite;
  return item.classes.empty() ? "" : item.classes.front().substr(item.classes.front().rfind(':') + 1);
}

// "" covers the whole file, "TestAdd" all of that class.
bool covers(const CollectProblem& problem, const std::string& within) {
  return problem.within.empty() || within.compare(0, problem.within.size() + 2, problem.within + "::") == 0;
}

}  // namespace

std::string how_it_died(const Ending& ending) {
  if (ending.signal != 0) return "the process died of " + ending.text();
  return "the process left with " + ending.text();
}

std::string last_bytes(const std::string& text) {
  return text.size() <= kDetailBytes ? text : text.substr(text.size() - kDetailBytes);
}

FileLedger::FileLedger(const Selection& selection, const TestIndex& index, std::string path, int retries,
                       const TestRules* rules)
    : selection_(selection), index_(index), path_(std::move(path)), retries_left_(retries), rules_(rules) {}

void FileLedger::process_started() {
  collected_here_ = false;
  progress_ = false;
}

std::vector<std::size_t> FileLedger::collected(const JournalEvent& event) {
  if (collected_here_) return {};
  collected_here_ = true;
  if (collected_) return collected_again(event);
  collected_ = true;
  return collected_first(event);
}

std::vector<std::size_t> FileLedger::collected_first(const JournalEvent& event) {
  std::vector<std::size_t> run;
  for (std::size_t i = 0; i < event.items.size(); ++i) {
    const CollectedTest& item = event.items[i];
    Choice choice = index_.choose(path_, item);
    if (!choice.run) {
      bool real = !choice.of_template.empty();
      if (!choice.known || real) not_run_[choice.reason].push_back(id_of(item.within));
      if (real) expanded_.insert(choice.of_template);
      continue;
    }
    if (choice.owner) found_.insert(*choice.owner);
    std::string cls = class_shown(item);
    if (std::string why = left_out_by_rules(item); !why.empty()) {
      not_run_[why].push_back(id_of(item.within));
      continue;
    }
    bool predicted = choice.owner && !selection_.tests[*choice.owner].unpredicted;
    std::string category = predicted ? selection_.tests[*choice.owner].category.name() : "";
    std::string name = item.own_name.empty() ? item.name : item.own_name;
    Waiting waiting{item.within, !predicted, cls, name, category};
    if (!kept_.emplace(item.within, waiting).second) continue;
    pending_.insert(item.within);
    run.push_back(i);
  }
  leave_deselected(event.deselected);
  account_for_missing(event.problems);
  return run;
}

// Nobody who runs hwsift asked for that: their account stays open.
void FileLedger::leave_deselected(const std::vector<CollectedTest>& items) {
  for (const CollectedTest& item : items) {
    Choice choice = index_.choose(path_, item);
    if (!choice.run) continue;
    if (choice.owner) found_.insert(*choice.owner);
    leave("deselected by settings of pytest (addopts, PYTEST_ADDOPTS, a conftest)", id_of(item.within), true);
  }
}

std::string FileLedger::left_out_by_rules(const CollectedTest& item) const {
  if (rules_ == nullptr) return "";
  std::string cls = class_within(item);
  return rules_->leaves_out(cls, item.name.substr(0, item.name.find('[')));
}

std::vector<std::size_t> FileLedger::collected_again(const JournalEvent& event) {
  std::vector<std::size_t> run;
  std::set<std::string> gone = pending_;
  for (std::size_t i = 0; i < event.items.size(); ++i)
    if (gone.erase(event.items[i].within) > 0) run.push_back(i);
  for (const std::string& within : gone) {
    pending_.erase(within);
    if (result_of_.count(within) > 0) continue;
    leave("not there when the file was collected again", id_of(within), true);
  }
  return run;
}

// Selected tests that pytest did not collect: of a file or class that it could not, or that are only there
// under some condition.
void FileLedger::account_for_missing(const std::vector<CollectProblem>& problems) {
  std::vector<bool> told(problems.size(), false);
  for (std::size_t selected : index_.selected_in(path_)) {
    if (found_.count(selected) > 0) continue;
    const std::string within = selection_.tests[selected].id.substr(path_.size() + 2);
    auto cause = std::find_if(problems.begin(), problems.end(),
                              [&](const CollectProblem& p) { return covers(p, within); });
    if (cause != problems.end()) told[static_cast<std::size_t>(cause - problems.begin())] = true;
    add_missing(selected, cause == problems.end() ? nullptr : &*cause);
  }
  for (std::size_t i = 0; i < problems.size(); ++i)
    if (!told[i] && problems[i].outcome == Outcome::error) add_problem(problems[i]);
}

void FileLedger::add_missing(std::size_t selected, const CollectProblem* problem) {
  const SelectedTest& test = selection_.tests[selected];
  if (problem == nullptr) {
    bool any = !found_.empty();
    leave(any ? kNotThere : "none of the selected tests was there when pytest collected the file", test.id,
          !any);
    return;
  }
  std::string within = test.id.substr(path_.size() + 2);
  kept_[within] = {within, false, test.run_class, within.substr(within.rfind(':') + 1), test.category.name()};
  TestResult result;
  result.outcome = problem->outcome;
  result.message = problem->message;
  result.details = problem->details;
  record(within, result);
}

const TestResult& FileLedger::add_problem(const CollectProblem& problem) {
  kept_[problem.within] = {problem.within, true, "", problem.within, ""};
  TestResult result;
  result.outcome = problem.outcome;
  result.message = problem.message;
  result.details = problem.details;
  return record(problem.within, std::move(result));
}

void FileLedger::started(const std::string& within) {
  if (pending_.count(within) == 0) return;
  running_ = within;
  ++attempts_[within];
}

const TestResult* FileLedger::ended(const JournalEvent& event) {
  if (running_ != event.within) return nullptr;
  TestResult result;
  result.outcome = event.outcome;
  result.seconds = event.seconds;
  result.message = event.message;
  result.details = event.details;
  result.output = event.output;
  return &record(event.within, std::move(result));
}

// A later attempt replaces an earlier one in its place.
const TestResult& FileLedger::record(const std::string& within, TestResult result) {
  const Waiting& test = kept_.at(within);
  result.id = within.empty() ? path_ : id_of(within);
  result.path = path_;
  result.cls = test.cls;
  result.name = test.name;
  result.category = test.category;
  result.unpredicted = test.unpredicted;
  result.attempts = std::max(1, attempts_[within]);
  result.quarantined = rules_ != nullptr && rules_->in_quarantine(result.id);
  pending_.erase(within);
  if (running_ == within) running_.reset();
  progress_ = true;
  auto [found, is_new] = result_of_.emplace(within, results_.size());
  if (is_new) results_.emplace_back();
  results_[found->second] = std::move(result);
  return results_[found->second];
}

std::vector<TestResult> FileLedger::process_ended(const ProcessEnd& end) {
  std::vector<TestResult> given;
  if (running_) {
    const std::string within = *running_;
    given.push_back(record(within, result_of(end)));
  } else if (!collected_) {
    collected_ = true;
    fail_collection(end);
    given = results_;
  } else if (!progress_ && !pending_.empty()) {
    give_up(how_it_died(end.ending) + " before it reached this test", true);
  }
  if (pending_.empty()) begin_retry();
  return given;
}

TestResult FileLedger::result_of(const ProcessEnd& end) const {
  TestResult result;
  result.outcome = end.timed_out ? Outcome::timeout : Outcome::crashed;
  result.message = end.timed_out ? "took longer than " + seconds_text(end.limit)
                                 : how_it_died(end.ending) + " in this test";
  result.seconds = end.elapsed;
  result.details = last_bytes(end.output);
  return result;
}

void FileLedger::fail_collection(const ProcessEnd& end) {
  CollectProblem problem;
  problem.message = how_it_died(end.ending) + " before pytest had collected the file";
  std::string last = what_it_said(end.output);
  if (!last.empty()) problem.message += ": " + last;
  if (end.ending.signal != 0) problem.outcome = Outcome::crashed;
  if (end.timed_out) {
    problem.outcome = Outcome::timeout;
    problem.message = "collecting the file took longer than " + seconds_text(end.limit);
  }
  problem.details = last_bytes(end.output);
  account_for_missing({problem});
  retries_left_ = 0;
}

void FileLedger::begin_retry() {
  if (retries_left_ <= 0) return;
  --retries_left_;
  for (const TestResult& result : results_) {
    std::string within = result.id.substr(std::min(result.id.size(), path_.size() + 2));
    if (is_bad(result.outcome) && attempts_[within] > 0) pending_.insert(within);
  }
  if (pending_.empty()) retries_left_ = 0;
}

// What waits for its first attempt is not run; what waits for another one keeps the result that it has.
void FileLedger::give_up(const std::string& reason, bool open) {
  for (const std::string& within : pending_)
    if (result_of_.count(within) == 0) leave(reason, id_of(within), open);
  pending_.clear();
}

void FileLedger::leave(const std::string& reason, std::string id, bool open) {
  not_run_[reason].push_back(std::move(id));
  if (open) outstanding_.insert(reason);
}

void FileLedger::stop(const std::string& reason, bool open) {
  if (!collected_) {
    collected_ = true;
    for (std::size_t selected : index_.selected_in(path_)) leave(reason, selection_.tests[selected].id, open);
  }
  running_.reset();
  give_up(reason, open);
  retries_left_ = 0;
}

std::size_t FileLedger::failures_for_good() const {
  if (retries_left_ > 0) return 0;
  return static_cast<std::size_t>(
      std::count_if(results_.begin(), results_.end(), [&](const TestResult& result) {
        std::string within = result.id.substr(std::min(result.id.size(), path_.size() + 2));
        return result.fails_run() && pending_.count(within) == 0;
      }));
}

}  // namespace hwsift::runner
