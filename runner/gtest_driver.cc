#include "runner/gtest_driver.h"

#include <algorithm>
#include <set>

#include "base/text.h"

namespace hwsift::runner {
namespace {

constexpr std::size_t kFilterBytes = 100000;  // Linux takes 128 KiB for one argument

// What would change which tests run, how often, or how they are told of.
const std::vector<std::string>& unwanted_variables() {
  static const std::vector<std::string> names{"GTEST_ALSO_RUN_DISABLED_TESTS",
                                              "GTEST_BREAK_ON_FAILURE",
                                              "GTEST_BRIEF",
                                              "GTEST_COLOR",
                                              "GTEST_FAIL_FAST",
                                              "GTEST_FILTER",
                                              "GTEST_FLAGFILE",
                                              "GTEST_LIST_TESTS",
                                              "GTEST_OUTPUT",
                                              "GTEST_PRINT_TIME",
                                              "GTEST_REPEAT",
                                              "GTEST_SHARD_INDEX",
                                              "GTEST_SHARD_STATUS_FILE",
                                              "GTEST_SHUFFLE",
                                              "GTEST_STREAM_RESULT_TO",
                                              "GTEST_THROW_ON_FAILURE",
                                              "GTEST_TOTAL_SHARDS",
                                              "TESTBRIDGE_TEST_ONLY",
                                              "TESTBRIDGE_TEST_RUNNER_FAIL_FAST",
                                              "TEST_PREMATURE_EXIT_FILE",
                                              "XML_OUTPUT_FILE"};
  return names;
}

ProcessSpec in_tree(const Launch& launch, const std::string& program) {
  ProcessSpec spec;
  spec.command = launch.launcher;
  spec.command.push_back(program);
  spec.folder = launch.root;
  spec.unset = unwanted_variables();
  return spec;
}

// A name generator may put signs into a name that mean something in a filter.
std::string pattern_of(const GtestName& name) {
  std::string pattern = name.full();
  std::replace_if(
      pattern.begin(), pattern.end(), [](char c) { return c == ':' || c == '-' || c == '*'; }, '?');
  return pattern;
}

CollectedTest as_collected(const GtestTest& test) {
  GtestBase base = base_of(test.name);
  CollectedTest item;
  item.within = test.within();
  item.name = item.within.substr(base.suite.size() + 2);
  item.classes = {"::" + base.suite};
  item.suite = test.name.suite;
  item.own_name = test.name.name;
  return item;
}

// The first of them, as many as one command line takes, and of one binary.
std::vector<const GtestTest*> fitting(const std::vector<const GtestTest*>& tests) {
  std::vector<const GtestTest*> first;
  std::size_t bytes = 0;
  for (const GtestTest* test : tests) {
    if (test->binary != tests.front()->binary) continue;
    bytes += test->name.full().size() + 1;
    if (bytes > kFilterBytes && !first.empty()) break;
    first.push_back(test);
  }
  return first;
}

std::string filter_for(const std::vector<const GtestTest*>& tests) {
  std::vector<std::string> patterns;
  for (const GtestTest* test : tests) patterns.push_back(pattern_of(test->name));
  return join(patterns, ":");
}

// A suite that brings the process down while it is set up costs its own tests, at one process for all of
// them.
std::vector<JournalEvent> blamed(const std::vector<std::string>& ids, const ProcessEnd& end) {
  std::vector<JournalEvent> events;
  for (const std::string& within : ids) {
    JournalEvent event;
    event.kind = JournalEvent::Kind::start;
    event.within = within;
    events.push_back(event);
    event.kind = JournalEvent::Kind::end;
    event.outcome = end.timed_out ? Outcome::timeout : Outcome::crashed;
    event.message = end.timed_out ? "the set-up of its suite did not end in time"
                                  : how_it_died(end.ending) + " while its suite was set up";
    event.details = last_bytes(end.output);
    events.push_back(std::move(event));
  }
  return events;
}

CollectProblem outside_of_tests(const ProcessEnd& end) {
  CollectProblem problem;
  problem.outcome = end.timed_out            ? Outcome::timeout
                    : end.ending.signal != 0 ? Outcome::crashed
                                             : Outcome::error;
  problem.message = end.timed_out ? "the process did not go on after a test"
                                  : how_it_died(end.ending) + " outside of a test";
  problem.details = last_bytes(end.output);
  return problem;
}

// What a process that broke, or left with a code that none of its tests explains, says of its suites and of
// itself. One that ended no test is the ledger's: what it was asked for was not reached.
std::vector<CollectProblem> problems_of(const GtestReader& reader, const ProcessEnd& end) {
  if (end.ending.code == 0 && !end.timed_out) return {};
  std::vector<CollectProblem> problems = reader.problems();
  bool explained = reader.any_bad() && end.ending.code == 1;
  if (problems.empty() && !explained && reader.ended() > 0) problems.push_back(outside_of_tests(end));
  return problems;
}

}  // namespace

ProcessSpec gtest_list_process(const Launch& launch, const std::string& program) {
  ProcessSpec spec = in_tree(launch, program);
  spec.command.emplace_back("--gtest_list_tests");
  spec.capture = true;
  return spec;
}

ProcessSpec gtest_noise_process(const Launch& launch, const std::string& program) {
  ProcessSpec spec = gtest_list_process(launch, program);
  spec.command.emplace_back("--gtest_filter=-*");
  return spec;
}

GtestDriver::GtestDriver(const Launch& launch, const std::vector<GtestBinary>& binaries,
                         const std::vector<GtestTest>& tests, Processes& processes)
    : launch_(launch), binaries_(binaries), processes_(processes) {
  for (const GtestTest& test : tests) {
    File& file = files_[test.path];
    file.tests.push_back(&test);
    file.collected.items.push_back(as_collected(test));
  }
}

std::map<std::string, std::string> GtestDriver::environment() const {
  std::set<std::string> programs;
  for (const GtestBinary& binary : binaries_) programs.insert(binary.program);
  return {{"gtest", join({programs.begin(), programs.end()}, ", ")}};
}

std::vector<const GtestTest*> GtestDriver::next_tests(FileLedger& ledger) {
  const File& file = files_[ledger.path()];
  std::vector<const GtestTest*> waiting;
  for (std::size_t index : ledger.collected(file.collected)) waiting.push_back(file.tests[index]);
  return fitting(waiting);
}

Result<std::optional<int>> GtestDriver::start(FileLedger& ledger, const Slots& slots, const Slot& slot) {
  std::vector<const GtestTest*> tests = next_tests(ledger);
  if (tests.empty()) return std::optional<int>();
  ProcessSpec spec = in_tree(launch_, binaries_[tests.front()->binary].program);
  spec.command.push_back("--gtest_filter=" + filter_for(tests));
  spec.command.emplace_back("--gtest_color=no");
  spec.output_events = true;
  if (!slot.visible.empty()) spec.variables.emplace_back(slots.variable(), slot.visible);
  Result<int> process = processes_.start(spec);
  if (!process.ok()) return process.error();
  std::map<std::string, std::string> expected;
  std::map<std::string, std::string> suites;
  for (const GtestTest* test : tests) {
    expected[test->name.full()] = test->within();
    suites[test->name.suite] = base_of(test->name).suite;
  }
  running_.insert_or_assign(*process, Running{GtestReader(std::move(expected)), "", std::move(suites)});
  return std::optional<int>(*process);
}

std::vector<JournalEvent> GtestDriver::read(const ProcessEvent& event) {
  auto process = running_.find(event.process);
  if (event.kind != ProcessEvent::Kind::output || process == running_.end()) return {};
  std::string& written = process->second.written;
  written += event.text;
  if (written.size() > 4 * kKeptOutput) written.erase(0, written.size() - kKeptOutput);
  return process->second.reader.read(event.text);
}

std::string GtestDriver::output_of_test(int process, const std::string& output) const {
  auto found = running_.find(process);
  if (found == running_.end() || !found->second.reader.running()) return output;
  return runner::output_of_test(output, found->second.written, found->second.reader.running_test());
}

std::vector<JournalEvent> GtestDriver::last_words(int process, const ProcessEnd& end, bool killed) {
  auto found = running_.find(process);
  if (found == running_.end()) return {};
  GtestReader& reader = found->second.reader;
  std::vector<JournalEvent> events = reader.end();
  if (!killed && !reader.running()) {
    std::vector<JournalEvent> more = blamed(reader.setting_up(), end);
    JournalEvent problem;
    problem.kind = JournalEvent::Kind::problem;
    if (more.empty()) problem.problems = problems_of(reader, end);
    for (CollectProblem& one : problem.problems) one.within = found->second.suites[one.within];
    events.insert(events.end(), more.begin(), more.end());
    if (!problem.problems.empty()) events.push_back(std::move(problem));
  }
  running_.erase(found);
  return events;
}

}  // namespace hwsift::runner
