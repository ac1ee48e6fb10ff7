#include "runner/run.h"

#include <algorithm>
#include <limits>
#include <list>
#include <memory>

#include "base/disk.h"
#include "base/text.h"
#include "runner/collection.h"
#include "runner/ledger.h"

namespace hwsift::runner {
namespace {

constexpr double kCollectLimit = 600;  // seconds, where tests have a limit at all
constexpr double kStartLimit = 300;    // from the start of Python to the plugin's first word
constexpr double kLeaveLimit = 60;     // from the last test to the end of the process
constexpr double kLastWords = 3;       // from the request to abort to the kill
constexpr double kTick = 0.2;
constexpr double kNever = std::numeric_limits<double>::infinity();

enum class Phase { collecting, between, testing, leaving, dying };

struct Worker {
  int process = -1;
  FileLedger* ledger = nullptr;
  Phase phase = Phase::collecting;
  double since = 0;  // when the phase began
  bool timed_out = false;
  double limit = 0;    // that it broke
  double elapsed = 0;  // of the test that broke it or died
  bool greeted = false;
};

ProcessSpec pytest_for(const RunOptions& options, const std::string& path) {
  std::string tests = join_path(options.root, "test");
  std::string absolute = path.front() == '/' ? path : join_path(options.root, path);
  ProcessSpec spec;
  spec.folder = tests;
  // The working folder must be test/: beside torch/ of the source tree, `import torch` would find that one.
  spec.command = {options.python,
                  "-m",
                  "pytest",
                  "-p",
                  "hwsift_pytest",
                  "-p",
                  "no:cacheprovider",
                  "-p",
                  "no:xdist",
                  "-p",
                  "no:randomly",
                  "--continue-on-collection-errors",
                  "-q",
                  "--rootdir",
                  options.root,
                  path_below(absolute, tests)};
  spec.channel_variable = "HWSIFT_CHANNEL";
  std::string paths = options.plugin_folder;
  if (!options.python_path.empty()) paths += ":" + options.python_path;
  spec.variables = {{"PYTHONPATH", paths}};
  if (!options.python_path.empty())
    spec.variables.emplace_back("HWSIFT_PYTHONPATH", options.python_path);
  else
    spec.unset.emplace_back("HWSIFT_PYTHONPATH");
  return spec;
}

class Runner {
 public:
  Runner(const Selection& selection, const RunOptions& options, Processes& processes, Clock& clock,
         RunListener& listener)
      : selection_(selection),
        options_(options),
        processes_(processes),
        clock_(clock),
        listener_(listener),
        index_(selection, options.root) {
    for (const std::string& path : selection.files)
      ledgers_.emplace_back(selection, index_, path, options.retries);
    next_ = ledgers_.begin();
  }

  Result<RunRecord> run() {
    begin_record();
    double start = clock_.now();
    while (!failure_ && (fill() || !workers_.empty())) step();
    if (failure_) return end_all(), *failure_;
    record_.seconds = clock_.now() - start;
    finish_record();
    return std::move(record_);
  }

 private:
  void begin_record() {
    record_.device = selection_.device;
    record_.started = clock_.utc();
    record_.predicted = selection_.tests.size();
    record_.not_run = selection_.not_selected;
  }

  // Starts files while there is room; true when one runs.
  bool fill() {
    while (record_.signal == 0 && !failure_ && next_ != ledgers_.end() &&
           workers_.size() < static_cast<std::size_t>(std::max(1, options_.workers))) {
      FileLedger& ledger = *next_++;
      listener_.file_started(ledger.path());
      launch(ledger);
    }
    return !workers_.empty();
  }

  void launch(FileLedger& ledger) {
    Result<int> process = processes_.start(pytest_for(options_, ledger.path()));
    if (!process.ok()) {
      failure_ = process.error();
      return;
    }
    ledger.process_started();
    Worker worker;
    worker.process = *process;
    worker.ledger = &ledger;
    worker.since = clock_.now();
    workers_.push_back(worker);
  }

  void step() {
    double soonest = clock_.now() + kTick;
    for (const Worker& worker : workers_) soonest = std::min(soonest, worker.since + limit_of(worker));
    ProcessEvent event = processes_.next(std::max(0.0, soonest - clock_.now()));
    switch (event.kind) {
      case ProcessEvent::Kind::line:
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
      default:
        return std::max(test_limit(), kCollectLimit);
    }
  }

  void enforce_limits() {
    double now = clock_.now();
    for (Worker& worker : workers_) {
      if (now - worker.since < limit_of(worker)) continue;
      if (worker.phase == Phase::dying || worker.phase == Phase::leaving) {
        if (worker.phase == Phase::leaving)
          record_.notes.push_back(worker.ledger->path() +
                                  ": its process did not end after the last test and was killed");
        processes_.kill(worker.process);
      } else {
        worker.timed_out = true;
        worker.limit = limit_of(worker);
        worker.elapsed = now - worker.since;
        processes_.abort(worker.process);
      }
      enter(worker, Phase::dying);
    }
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
    Result<JournalEvent> parsed = parse_event(event.text);
    if (parsed.ok()) heard(*worker, *parsed);
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
        if (const TestResult* result = ledger.ended(event)) listener_.test_ended(*result);
        if (!dying) enter(worker, Phase::between);
        return;
      case JournalEvent::Kind::finish:
        if (!dying) enter(worker, Phase::leaving);
        return;
    }
  }

  void greet(Worker& worker, const JournalEvent& event) {
    worker.greeted = true;
    if (event.environment.count("torch") == 0)
      failure_ = Error{options_.python, "this Python has no torch",
                       "name another one with --python FILE, or install PyTorch"};
    for (const auto& [name, value] : event.environment) record_.environment[name] = value;
  }

  void collected(Worker& worker, const JournalEvent& event) {
    std::size_t before = worker.ledger->results().size();
    std::vector<std::size_t> chosen = worker.ledger->collected(event);
    for (std::size_t i = before; i < worker.ledger->results().size(); ++i)
      listener_.test_ended(worker.ledger->results()[i]);
    processes_.send(worker.process, answer(chosen));
    if (worker.phase == Phase::collecting) enter(worker, Phase::between);
  }

  void ended(const ProcessEvent& event) {
    auto worker = find(event.process);
    if (worker == workers_.end()) return;
    ProcessEnd end;
    end.ending = event.ending;
    end.output = processes_.output(event.process);
    end.timed_out = worker->timed_out;
    bool silent = !worker->greeted && record_.environment.empty();
    if (silent && record_.signal == 0) return refuse_python(end);
    end.limit = worker->limit;
    end.elapsed = worker->phase == Phase::testing ? clock_.now() - worker->since : worker->elapsed;
    FileLedger& ledger = *worker->ledger;
    workers_.erase(worker);
    for (const TestResult& result : ledger.process_ended(end)) listener_.test_ended(result);
    if (record_.signal == 0 && ledger.wants_process()) return launch(ledger);
    listener_.file_ended(ledger.path());
  }

  // The first process ended before the plugin said a word: no other will do better.
  void refuse_python(const ProcessEnd& end) {
    std::string what = "this Python has no pytest";
    if (end.timed_out) {
      what = "does not start pytest within " + std::to_string(static_cast<int>(kStartLimit)) + " s";
    } else if (end.output.find("No module named pytest") == std::string::npos) {
      std::string said(trim(end.output));
      what = "cannot run pytest: " + end.ending.text() +
             (said.empty() ? "" : ": " + said.substr(said.rfind('\n') + 1));
    }
    failure_ = Error{options_.python, what, "name another one with --python FILE, or install pytest"};
  }

  void interrupted(int number) {
    record_.signal = number;
    for (Worker& worker : workers_) {
      worker.ledger->stop("interrupted");
      processes_.kill(worker.process);
      enter(worker, Phase::dying);
    }
    for (; next_ != ledgers_.end(); ++next_) next_->stop("interrupted");
  }

  void end_all() {
    for (const Worker& worker : workers_) processes_.kill(worker.process);
  }

  void finish_record() {
    for (const FileLedger& ledger : ledgers_) {
      record_.results.insert(record_.results.end(), ledger.results().begin(), ledger.results().end());
      for (const auto& [reason, ids] : ledger.not_run()) {
        std::vector<std::string>& all = record_.not_run[reason];
        all.insert(all.end(), ids.begin(), ids.end());
      }
      record_.outstanding.insert(ledger.outstanding().begin(), ledger.outstanding().end());
    }
  }

  const Selection& selection_;
  const RunOptions& options_;
  Processes& processes_;
  Clock& clock_;
  RunListener& listener_;
  TestIndex index_;
  std::list<FileLedger> ledgers_;
  std::list<FileLedger>::iterator next_;
  std::list<Worker> workers_;
  RunRecord record_;
  std::optional<Error> failure_;
};

}  // namespace

Result<RunRecord> run(const Selection& selection, const RunOptions& options, Processes& processes,
                      Clock& clock, RunListener& listener) {
  return Runner(selection, options, processes, clock, listener).run();
}

}  // namespace hwsift::runner
