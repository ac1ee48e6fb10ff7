#include "runner/run.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <list>
#include <set>
#include <utility>

#include "runner/collection.h"
#include "runner/ledger.h"
#include "runner/pytest_driver.h"

namespace hwsift::runner {
namespace {

constexpr double kCollectLimit = 600;  // seconds, where tests have a limit at all
constexpr double kLeaveLimit = 60;     // from the last test to the end of the process
constexpr double kHealthLimit = 120;   // for a device to say that it works
constexpr double kLastWords = 3;       // from the request to abort to the kill
constexpr double kTick = 0.2;
constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr char kDeviceFailed[] = "the device failed";

enum class Phase { collecting, between, testing, leaving, dying, asking };

struct Worker {
  int process = -1;
  FileLedger* ledger = nullptr;
  Slot slot;
  Phase phase = Phase::collecting;
  double since = 0;  // when the phase began
  bool timed_out = false;
  double limit = 0;    // that it broke
  double elapsed = 0;  // of the test that broke it or died
  bool greeted = false;
  std::optional<std::string> unhealthy;  // of Phase::asking: what the answer says is wrong
};

// An error of the device that every later test of the process would see too.
bool poisons_process(const TestResult& result) {
  if (!is_bad(result.outcome)) return false;
  for (const char* sign : {"device-side assert", "illegal memory access", "unspecified launch failure",
                           "UR_RESULT_ERROR_DEVICE_LOST", "hipErrorLaunchFailure"})
    if (result.message.find(sign) != std::string::npos || result.details.find(sign) != std::string::npos)
      return true;
  return false;
}

class Runner {
 public:
  Runner(const Selection& selection, const RunOptions& options, Driver& driver, Processes& processes,
         Clock& clock, RunListener& listener)
      : selection_(selection),
        options_(options),
        driver_(driver),
        processes_(processes),
        clock_(clock),
        listener_(listener),
        index_(selection, options.launch.root),
        slots_(options.workers, options.share) {
    for (const std::string& path : selection.files)
      ledgers_.emplace_back(selection, index_, path, options.retries, options.rules);
    queue_files();
  }

  Result<RunRecord> run() {
    begin_record();
    start_ = clock_.now();
    while (!failure_ && (fill() || !workers_.empty())) step();
    if (failure_) return end_all(), *failure_;
    record_.seconds = clock_.now() - start_;
    finish_record();
    return std::move(record_);
  }

 private:
  // One worker goes by path. Several begin with what takes longest, so that none is left with it at the end;
  // files that need every device come last, when nobody else has one.
  void queue_files() {
    for (FileLedger& ledger : ledgers_) queue_.push_back(&ledger);
    for (const SelectedTest& test : selection_.tests)
      if (test.several_devices) wide_.insert(test.path);
    if (options_.workers < 2) return;
    auto before = [&](const FileLedger* a, const FileLedger* b) {
      bool a_wide = wide_.count(a->path()) > 0;
      bool b_wide = wide_.count(b->path()) > 0;
      if (a_wide != b_wide) return b_wide;
      return expected(a->path()) > expected(b->path());
    };
    std::stable_sort(queue_.begin(), queue_.end(), before);
  }

  // Of a file without a time: it may be long.
  double expected(const std::string& path) const {
    auto known = options_.file_seconds.find(path);
    return known == options_.file_seconds.end() ? std::numeric_limits<double>::infinity() : known->second;
  }

  void begin_record() {
    record_.device = selection_.device;
    record_.started = clock_.utc();
    record_.environment = driver_.environment();
    record_.predicted = selection_.tests.size();
    record_.not_run = selection_.not_selected;
  }

  bool stopped() const { return failure_ || stopping_; }

  // Starts files while there is room; true when one runs.
  bool fill() {
    while (!stopped() && !queue_.empty()) {
      FileLedger& ledger = *queue_.front();
      std::optional<Slot> slot = slots_.take(wide_.count(ledger.path()) > 0);
      if (!slot) break;
      queue_.pop_front();
      listener_.file_started(ledger.path());
      launch(ledger, *slot);
    }
    return !workers_.empty();
  }

  void launch(FileLedger& ledger, const Slot& slot) {
    ledger.process_started();
    Result<std::optional<int>> process = driver_.start(ledger, slots_, slot);
    if (!process.ok()) return cannot_start(ledger, slot, process.error());
    if (!*process) return done(ledger, slot);
    Worker worker;
    worker.process = **process;
    worker.ledger = &ledger;
    worker.slot = slot;
    worker.greeted = !driver_.introduces();
    worker.phase = driver_.introduces() ? Phase::collecting : Phase::between;
    worker.since = clock_.now();
    workers_.push_back(worker);
  }

  void done(const FileLedger& ledger, const Slot& slot) {
    slots_.give_back(slot);
    listener_.file_ended(ledger.path());
  }

  // Of the first process it is a fault of what the user named; later something happened to it, or to the
  // tree.
  void cannot_start(FileLedger& ledger, const Slot& slot, const Error& error) {
    if (record_.environment.empty()) {
      failure_ = error;
      return;
    }
    record_.notes.push_back(ledger.path() + ": " + error.where + ": " + error.what);
    ledger.stop("its process " + error.what, true);
    done(ledger, slot);
  }

  void step() {
    double soonest = std::min(clock_.now() + kTick, budget_end());
    for (const Worker& worker : workers_) soonest = std::min(soonest, worker.since + limit_of(worker));
    ProcessEvent event = processes_.next(std::max(0.0, soonest - clock_.now()));
    switch (event.kind) {
      case ProcessEvent::Kind::line:
      case ProcessEvent::Kind::output:
        heard(event);
        break;
      case ProcessEvent::Kind::ended:
        ended(event);
        break;
      case ProcessEvent::Kind::signal:
        interrupted(event.number);
        break;
      case ProcessEvent::Kind::none:
        listener_.tick();
        break;
    }
    enforce_limits();
    if (!stopping_ && clock_.now() >= budget_end()) stop(kBudgetUsedUp, true);
  }

  double budget_end() const {
    bool limited = options_.time_budget > 0 && !stopping_;
    return limited ? start_ + options_.time_budget : kNever;
  }

  double test_limit() const {
    if (options_.timeout > 0) return options_.timeout;
    return kNever;
  }

  double limit_of(const Worker& worker) const {
    if (worker.phase == Phase::collecting && !worker.greeted) return kStartLimit;
    switch (worker.phase) {
      case Phase::testing:
        return test_limit();
      case Phase::leaving:
        return kLeaveLimit;
      case Phase::dying:
        return kLastWords;
      case Phase::asking:
        return kHealthLimit;
      default:
        return std::max(test_limit(), kCollectLimit);
    }
  }

  void enforce_limits() {
    double now = clock_.now();
    for (Worker& worker : workers_)
      if (now - worker.since >= limit_of(worker)) break_off(worker, now);
  }

  void break_off(Worker& worker, double now) {
    switch (worker.phase) {
      case Phase::asking:
        worker.unhealthy =
            "it does not answer within " + std::to_string(static_cast<int>(kHealthLimit)) + " s";
        worker.since = now;
        return processes_.kill(worker.process);
      case Phase::leaving:
        record_.notes.push_back(worker.ledger->path() +
                                ": its process did not end after the last test and was killed");
        [[fallthrough]];
      case Phase::dying:
        processes_.kill(worker.process);
        break;
      default:
        worker.timed_out = true;
        worker.limit = limit_of(worker);
        worker.elapsed = now - worker.since;
        processes_.abort(worker.process);
    }
    enter(worker, Phase::dying);
  }

  void enter(Worker& worker, Phase phase) {
    worker.phase = phase;
    worker.since = clock_.now();
  }

  std::list<Worker>::iterator find(int process) {
    return std::find_if(workers_.begin(), workers_.end(),
                        [&](const Worker& w) { return w.process == process; });
  }

  void heard(const ProcessEvent& event) {
    auto worker = find(event.process);
    if (worker == workers_.end()) return;
    if (worker->phase == Phase::asking) {
      worker->unhealthy = read_health(event.text);
      return;
    }
    for (const JournalEvent& told : driver_.read(event)) heard(*worker, told);
  }

  void heard(Worker& worker, const JournalEvent& event) {
    FileLedger& ledger = *worker.ledger;
    bool dying = worker.phase == Phase::dying;  // what it still says counts, the phase stays
    switch (event.kind) {
      case JournalEvent::Kind::hello:
        greet(worker, event);
        return;
      case JournalEvent::Kind::collected:
        collected(worker, event);
        return;
      case JournalEvent::Kind::start:
        ledger.started(event.within);
        if (!ledger.running()) return;
        listener_.test_started(ledger.id_of(event.within));
        if (!dying) enter(worker, Phase::testing);
        return;
      case JournalEvent::Kind::end:
        if (const TestResult* result = ledger.ended(event)) test_ended(worker, *result);
        return;
      case JournalEvent::Kind::problem:
        for (const CollectProblem& problem : event.problems)
          listener_.test_ended(ledger.add_problem(problem));
        return;
      case JournalEvent::Kind::finish:
        if (!dying) enter(worker, Phase::leaving);
        return;
    }
  }

  void test_ended(Worker& worker, const TestResult& result) {
    listener_.test_ended(result);
    if (worker.phase == Phase::dying) return;
    bool recycle = options_.accelerator && poisons_process(result);
    if (recycle) processes_.kill(worker.process);
    enter(worker, recycle ? Phase::dying : Phase::between);
    if (options_.retries == 0) stop_at_failures();
  }

  void stop_at_failures() {
    if (options_.fail_fast <= 0 || stopping_) return;
    std::size_t failures = 0;
    for (const FileLedger& ledger : ledgers_) failures += ledger.failures_for_good();
    if (failures >= static_cast<std::size_t>(options_.fail_fast)) stop(kLeftOutAfterFailure, false);
  }

  // A test may write to the channel: the second word of this kind is not the plugin's.
  void greet(Worker& worker, const JournalEvent& event) {
    if (worker.greeted) return;
    worker.greeted = true;
    if (std::optional<Error> objection = driver_.objection(event.environment)) failure_ = *objection;
    for (const auto& [name, value] : event.environment) record_.environment[name] = value;
  }

  void collected(Worker& worker, const JournalEvent& event) {
    std::size_t before = worker.ledger->results().size();
    std::vector<std::size_t> chosen = worker.ledger->collected(event);
    for (std::size_t i = before; i < worker.ledger->results().size(); ++i)
      listener_.test_ended(worker.ledger->results()[i]);
    driver_.choose(worker.process, chosen);
    if (worker.phase == Phase::collecting) enter(worker, Phase::between);
  }

  void ended(const ProcessEvent& event) {
    auto found = find(event.process);
    if (found == workers_.end()) return;
    Worker worker = *found;
    workers_.erase(found);
    if (worker.phase == Phase::asking) return heard_of_device(worker);
    ProcessEnd end;
    end.ending = event.ending;
    end.output = driver_.output_of_test(event.process, processes_.output(event.process));
    end.timed_out = worker.timed_out;
    end.limit = worker.limit;
    end.elapsed = worker.phase == Phase::testing ? clock_.now() - worker.since : worker.elapsed;
    if (!worker.greeted && !stopping_) {
      if (std::optional<std::string> why = driver_.passes_over(end)) return pass_over(worker, *why);
      if (record_.environment.empty()) {
        failure_ = driver_.refusal(end);
        return;
      }
    }
    account_for(worker, end);
    bool died = end.ending.signal != 0 || end.ending.code > driver_.highest_exit_code() || end.timed_out;
    if (options_.accelerator && died && !stopping_) return ask_device(worker);
    go_on(worker);
  }

  void account_for(Worker& worker, const ProcessEnd& end) {
    bool killed = worker.phase == Phase::dying && !worker.timed_out;
    for (const JournalEvent& told : driver_.last_words(worker.process, end, killed)) heard(worker, told);
    for (const TestResult& result : worker.ledger->process_ended(end)) listener_.test_ended(result);
    stop_at_failures();
  }

  // The file once more, or the next one; where the run has ended meanwhile, neither.
  void go_on(const Worker& worker) {
    if (stopping_) worker.ledger->stop(stop_reason_, stop_leaves_open_);
    if (!stopping_ && worker.ledger->wants_process()) return launch(*worker.ledger, worker.slot);
    done(*worker.ledger, worker.slot);
  }

  void pass_over(const Worker& worker, const std::string& why) {
    worker.ledger->stop(why, true);
    if (record_.environment.empty()) record_.environment["executable"] = options_.launch.python;
    go_on(worker);
  }

  // Python is asked; a run that has none goes on.
  void ask_device(Worker worker) {
    if (options_.launch.python.empty()) return go_on(worker);
    Result<int> process =
        processes_.start(health_process(options_.launch, selection_.device, slots_, worker.slot));
    if (!process.ok()) return go_on(worker);
    worker.process = *process;
    worker.unhealthy = "the process that asks it died";
    worker.phase = Phase::asking;
    worker.since = clock_.now();
    workers_.push_back(worker);
  }

  void heard_of_device(const Worker& worker) {
    if (worker.unhealthy && worker.unhealthy->empty()) return go_on(worker);
    slots_.give_back(worker.slot);
    if (stopping_) return;
    record_.device_problem = worker.unhealthy.value_or("it gives no answer that hwsift understands");
    worker.ledger->stop(kDeviceFailed, true);
    stop(kDeviceFailed, true);
  }

  void interrupted(int number) {
    record_.signal = number;
    stop(kInterruptedRun, true);
  }

  void stop(const std::string& reason, bool open) {
    stopping_ = true;
    stop_reason_ = reason;
    stop_leaves_open_ = open;
    for (Worker& worker : workers_) {
      worker.ledger->stop(reason, open);
      processes_.kill(worker.process);
      if (worker.phase != Phase::asking) enter(worker, Phase::dying);
    }
    for (FileLedger* ledger : queue_) ledger->stop(reason, open);
    queue_.clear();
  }

  void end_all() {
    for (const Worker& worker : workers_) processes_.kill(worker.process);
    driver_.give_up();
  }

  void finish_record() {
    for (const FileLedger& ledger : ledgers_) {
      record_.results.insert(record_.results.end(), ledger.results().begin(), ledger.results().end());
      for (const auto& [reason, ids] : ledger.not_run()) {
        std::vector<std::string>& all = record_.not_run[reason];
        all.insert(all.end(), ids.begin(), ids.end());
      }
      record_.outstanding.insert(ledger.outstanding().begin(), ledger.outstanding().end());
      record_.expanded.insert(ledger.expanded().begin(), ledger.expanded().end());
    }
    // A template is accounted for by its real tests, once they are known; and each test once.
    std::set<std::string> accounted = record_.expanded;
    for (const TestResult& result : record_.results) accounted.insert(result.id);
    for (auto& [reason, ids] : record_.not_run)
      std::erase_if(ids, [&](const std::string& id) { return !accounted.insert(id).second; });
    std::erase_if(record_.not_run, [](const auto& entry) { return entry.second.empty(); });
  }

  const Selection& selection_;
  const RunOptions& options_;
  Driver& driver_;
  Processes& processes_;
  Clock& clock_;
  RunListener& listener_;
  TestIndex index_;
  std::list<FileLedger> ledgers_;
  std::deque<FileLedger*> queue_;  // not started yet
  std::set<std::string> wide_;     // files that need several devices
  std::list<Worker> workers_;
  Slots slots_;
  double start_ = 0;
  bool stopping_ = false;
  std::string stop_reason_;
  bool stop_leaves_open_ = false;
  RunRecord record_;
  std::optional<Error> failure_;
};

}  // namespace

Result<RunRecord> run(const Selection& selection, const RunOptions& options, Driver& driver,
                      Processes& processes, Clock& clock, RunListener& listener) {
  return Runner(selection, options, driver, processes, clock, listener).run();
}

Result<RunRecord> run(const Selection& selection, const RunOptions& options, Processes& processes,
                      Clock& clock, RunListener& listener) {
  PytestDriver driver(options.launch, options.scout, processes);
  return run(selection, options, driver, processes, clock, listener);
}

}  // namespace hwsift::runner
