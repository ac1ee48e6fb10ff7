#include "runner/run.h"

#include <algorithm>
#include <charconv>
#include <csignal>

#include "base/environment.h"
#include "base/text.h"
#include "base/threads.h"
#include "cli/database.h"
#include "cli/gtest.h"
#include "cli/run_output.h"
#include "cli/run_tests.h"
#include "cli/testing.h"
#include "report/run_progress.h"
#include "runner/cxx_selection.h"
#include "runner/gtest_driver.h"
#include "runner/plugin.h"
#include "runner/restrict.h"

namespace hwsift::cli {
namespace {

// What a run needs from the machine, for as long as it lasts.
struct Machinery {
  double begin = real_clock().now();
  std::unique_ptr<Processes> processes;  // made when they are needed: there can be but one
  runner::Surroundings surroundings = runner::real_surroundings();
  runner::Interpreter interpreter;
  runner::PluginFolder plugin;
  bool hip = false;  // PyTorch is built for ROCm
};

int read_duration(Context& context, const char* option, const std::string& text, double& seconds) {
  if (text.empty()) return kClean;
  Result<double> duration = parse_duration(option, text);
  if (!duration.ok()) return print_error(context, duration.error()), kUsage;
  seconds = *duration;
  return kClean;
}

// 0 is auto.
int read_workers(Context& context, const std::string& text, int& workers) {
  workers = 0;
  if (text == "auto") return kClean;
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), workers);
  bool number = failure == std::errc() && end == text.data() + text.size();
  if (number && workers >= 1 && workers <= 1024) return kClean;
  print_error(context,
              {"--workers " + text, "neither auto nor a number from 1 to 1024", "write --workers 4"});
  return kUsage;
}

int read_request(Context& context, const RunRequest& request, runner::RunOptions& options) {
  if (int bad = read_duration(context, "--timeout", request.timeout, options.timeout)) return bad;
  if (int bad = read_duration(context, "--time-budget", request.time_budget, options.time_budget)) return bad;
  if (int bad = read_workers(context, request.workers, options.workers)) return bad;
  options.retries = request.retries;
  options.fail_fast = request.fail_fast;
  options.launch.mode = request.mode == "main" ? runner::Mode::main : runner::Mode::pytest;
  for (const std::string& word : split(request.launcher, ' '))
    if (!word.empty()) options.launch.launcher.push_back(word);
  return kClean;
}

// A list of --disabled-tests and the like.
template <class List>
int read_list(Context& context, const std::string& file, std::optional<List>& list) {
  if (file.empty()) return kClean;
  constexpr std::size_t kMostBytes = 64u << 20;
  Result<std::string> bytes = context.disk.read(path_from_here(context, file), kMostBytes);
  if (!bytes.ok()) return print_error(context, bytes.error()), kUsage;
  Result<List> parsed = List::parse(*bytes, file);
  if (!parsed.ok()) return print_error(context, parsed.error()), kUsage;
  list = std::move(*parsed);
  return kClean;
}

bool is_set(const char* name) { return environment_variable(name) == "1"; }

int read_rules(Context& context, const RunRequest& request, runner::TestRules& rules) {
  if (int bad = read_list(context, request.disabled_tests, rules.disabled)) return bad;
  if (int bad = read_list(context, request.slow_tests, rules.slow)) return bad;
  if (int bad = read_list(context, request.quarantine, rules.quarantine)) return bad;
  if (rules.disabled)
    for (const Error& warning : rules.disabled->warnings()) print_warning(context, warning);
  rules.with_slow = is_set("PYTORCH_TEST_WITH_SLOW");
  rules.slow_alone = is_set("PYTORCH_TEST_SKIP_FAST");
  rules.today = real_clock().utc().substr(0, 10);
  return kClean;
}

// In the words of PyTorch's lists; the variables are those that its own CI sets.
void set_conditions(const Machinery& machinery, const std::string& device, runner::TestRules& rules) {
  rules.here.device_types = {device};
  rules.here.platforms = {"linux"};
  if (device == "xpu") rules.here.platforms.emplace_back("xpu");
  if (machinery.hip) rules.here.platforms.emplace_back("rocm");
  for (const auto& [variable, platform] :
       {std::pair("PYTORCH_TEST_WITH_ASAN", "asan"), std::pair("PYTORCH_TEST_WITH_DYNAMO", "dynamo"),
        std::pair("PYTORCH_TEST_WITH_INDUCTOR", "inductor"), std::pair("PYTORCH_TEST_WITH_SLOW", "slow")})
    if (is_set(variable)) rules.here.platforms.emplace_back(platform);
}

// Entries that no longer hold, and, where the whole tree ran, those that match no test there is.
void warn_of_quarantine(const Context& context, const runner::TestRules& rules, bool whole_tree,
                        const runner::RunRecord& record) {
  if (!rules.quarantine) return;
  std::vector<std::string> ids;
  for (const runner::TestResult& result : record.results) ids.push_back(result.id);
  for (const auto& [reason, left] : record.not_run) ids.insert(ids.end(), left.begin(), left.end());
  for (const runner::Quarantined& entry : rules.quarantine->entries())
    if (!whole_tree) ids.push_back(entry.test);  // nobody knows whether the rest of the tree has it
  for (const Error& warning : rules.quarantine->warnings(ids, rules.today)) print_warning(context, warning);
}

int find_test_files(Context& context, const Tree& tree, const std::vector<std::string>& paths,
                    std::vector<analyzer::SourcePath>& files) {
  analyzer::Discovery found;
  if (int bad = find_files(context, tree, paths, found)) return bad;
  for (const Error& missing : found.missing) print_error(context, missing);
  if (!found.missing.empty()) return kUsage;
  for (analyzer::SourcePath& file : found.files) {
    if (!analyzer::is_cxx_file(file.path)) {
      files.push_back(std::move(file));
    } else if (file.named) {
      print_error(context,
                  {file.given, "a C++ test runs from its binary", "write --gtest BINARY:" + file.given});
      return kUsage;
    }
  }
  return kClean;
}

int set_up(Context& context, const Tree& tree, const std::string& python, Machinery& machinery,
           runner::RunOptions& options) {
  machinery.processes = real_processes();
  if (int bad =
          find_python(context, *machinery.processes, python, machinery.surroundings, machinery.interpreter))
    return bad;
  if (Status made = machinery.plugin.make(); !made.ok())
    return print_error(context, made.error()), kEnvironment;
  options.launch.root = tree.root;
  options.launch.python = machinery.interpreter.path;
  options.launch.plugin_folder = machinery.plugin.path();
  options.launch.python_path = machinery.surroundings.python_path;
  return kClean;
}

// The first process imports torch while the files are analysed.
int start_scout(Context& context, Machinery& machinery, runner::RunOptions& options) {
  Result<int> scout = machinery.processes->start(runner::scout_process(options.launch));
  if (!scout.ok()) return print_error(context, scout.error()), python_fault(machinery.interpreter);
  options.scout = *scout;
  return kClean;
}

// Of --time-budget, which counts from the start of the command.
double budget_left(const Machinery& machinery, const runner::RunOptions& options) {
  return std::max(0.001, options.time_budget - (real_clock().now() - machinery.begin));
}

void take_off_time_used(const Machinery& machinery, runner::RunOptions& options) {
  if (options.time_budget > 0) options.time_budget = budget_left(machinery, options);
}

constexpr char kNoDevicesYet[] = "PyTorch had told of its devices";
constexpr char kNoTestsYet[] = "the binaries had told of their tests";

// The code of a run that ended before something was known that it must know. Where time ran out or a signal
// came, the document says so, though nothing was selected.
int ended_early(Context& context, const std::vector<report::OutputSpec>& outputs, const std::string& device,
                int code, const std::string& before) {
  if (code != kInterrupted && code != kTerminated && code != kIncomplete) return code;
  runner::RunRecord record;
  record.device = device;
  record.started = real_clock().utc();
  if (code != kIncomplete) record.signal = code == kInterrupted ? SIGINT : SIGTERM;
  const char* reason = code == kIncomplete ? runner::kBudgetUsedUp : runner::kInterruptedRun;
  record.not_run[reason] = {};
  record.outstanding = {reason};
  record.notes = {"the run ended before " + before + ": nothing was selected"};
  return publish(context, outputs, record, code);
}

int give_scout_up(Context& context, const Machinery& machinery, const runner::RunOptions& options) {
  bool in_time = options.time_budget == 0 || budget_left(machinery, options) > 0.1;
  const char* when = in_time ? " within 300 s" : " before the time budget was used up";
  const char* remedy =
      in_time ? "see what `python -c 'import torch'` waits for" : "give a longer --time-budget";
  print_error(context,
              {machinery.interpreter.path, std::string("did not tell of its devices") + when, remedy});
  return in_time ? kEnvironment : kIncomplete;
}

// What the scout says of the devices; an exit code where it ends without, or a signal does.
int hear_scout(Context& context, Machinery& machinery, runner::RunOptions& options, const std::string& asked,
               std::string& device, std::optional<int>& count) {
  Stage stage(context.stopwatch, "probe");
  constexpr double kSeconds = 300;  // the first import of torch on a cold disk, a driver that wakes up
  double limit = options.time_budget > 0 ? std::min(kSeconds, budget_left(machinery, options)) : kSeconds;
  constexpr double kPatience = 10;
  ProcessEvent event = machinery.processes->next(std::min(limit, kPatience));
  if (event.kind == ProcessEvent::Kind::none && limit > kPatience) {
    print_note(context, "Waiting for PyTorch to tell of its devices ...");
    event = machinery.processes->next(limit - kPatience);
  }
  if (event.kind == ProcessEvent::Kind::signal) return event.number == SIGINT ? kInterrupted : kTerminated;
  if (event.kind == ProcessEvent::Kind::none) return give_scout_up(context, machinery, options);
  std::string line = event.kind == ProcessEvent::Kind::line ? event.text : "";
  std::string output = machinery.processes->output(options.scout);
  Result<runner::Introduction> told =
      runner::read_introduction(machinery.interpreter.path, event.ending, output, line);
  if (int bad = check_torch(context, machinery.interpreter, told)) return bad;
  machinery.hip = told->versions.count("hip") > 0;
  return choose_device(context, *told, asked, device, count);
}

// The one that the caller uses already, else the first.
std::string visibility_variable(const classifier::Vocabulary& vocabulary, const std::string& device) {
  const classifier::DeviceType* type = vocabulary.device(device);
  if (type == nullptr || type->visible_devices.empty()) return "";
  for (const std::string& name : type->visible_devices)
    if (environment_variable(name)) return name;
  return type->visible_devices.front();
}

// On a CPU half the processors, since torch uses several threads; on an accelerator what the devices take.
void share_devices(const Tree& tree, const std::string& device, std::optional<int> count, int per_device,
                   runner::RunOptions& options) {
  options.accelerator = device != "cpu";
  if (options.accelerator && count) {
    options.share.variable = visibility_variable(*tree.vocabulary, device);
    options.share.devices = runner::visible_devices(environment_variable(options.share.variable), *count);
    options.share.per_device = per_device;
  }
  bool kept_apart = options.share.devices.size() > 1 && !options.share.variable.empty();
  int room = kept_apart            ? static_cast<int>(options.share.devices.size()) * per_device
             : options.accelerator ? per_device
                                   : std::max(1, usable_cores() / 2);
  if (options.workers == 0) options.workers = room;
}

// Several workers begin with the files that took longest. Without history, or where it cannot be read, they
// go by path, which is as right and may be slower.
void read_file_times(Context& context, const Tree& tree, const std::string& device,
                     runner::RunOptions& options) {
  if (options.workers < 2) return;
  Result<std::optional<store::Store>> database = open_history(context, tree.root);
  if (!database.ok() || !*database) return;
  Result<std::map<std::string, double>> seconds = (*database)->file_seconds(device);
  if (seconds.ok()) options.file_seconds = std::move(*seconds);
}

// Everything that a run reads before it starts a process.
struct RunInputs {
  RunRequest request;
  std::vector<report::OutputSpec> outputs;
  runner::RunOptions options;
  std::string asked;  // the device type of --device, or auto
  Tree tree;
  Part part;
  std::optional<runner::Filter> filter;
  runner::TestRules rules;
  std::vector<analyzer::SourcePath> paths;
  std::vector<runner::GtestBinary> binaries;   // of --gtest
  std::vector<runner::GtestTest> gtest_tests;  // that they have
  std::vector<std::string> repeated;           // ids of those that they have more than once
  Machinery machinery;

  bool is_gtest() const { return !binaries.empty(); }
};

// The device that the run is for, and how many of it there are, where PyTorch was asked.
struct RunTarget {
  std::string device;
  std::optional<int> count;
};

int read_binaries(Context& context, RunInputs& inputs) {
  inputs.options.launch.root = inputs.tree.root;
  bool has_launcher = !inputs.options.launch.launcher.empty();
  return open_binaries(context, inputs.tree, inputs.request.gtest, has_launcher, inputs.binaries,
                       inputs.paths);
}

// What goes with gtest binaries, and what does not.
int check_gtest(Context& context, const RunRequest& request) {
  if (request.gtest.empty()) return kClean;
  Error error;
  if (!request.paths.empty())
    error = {request.paths.front(), "PATHS are of Python files, and --gtest runs binaries",
             "name the sources behind the binary: --gtest BINARY:" + request.paths.front()};
  else if (!request.part.plan.empty())
    error = {"--plan " + request.part.plan, "a plan does not know what a binary has",
             "leave it out: --shard INDEX/TOTAL plans by the binary"};
  else if (request.mode == "main")
    error = {"--mode main", "a main guard is of a Python file, and --gtest runs binaries",
             "leave --mode main out"};
  else
    return kClean;
  print_error(context, error);
  return kUsage;
}

int read_inputs(Context& context, const RunRequest& given, RunInputs& inputs) {
  inputs.request = given;
  RunRequest& request = inputs.request;
  if (int bad = parse_outputs(context, request.outputs, run_formats(), "text", inputs.outputs)) return bad;
  if (int bad = read_request(context, request, inputs.options)) return bad;
  if (int bad = check_gtest(context, request)) return bad;
  if (int bad = device_type_of(context, request.selection.device, inputs.asked)) return bad;
  if (int bad = open_tree(context, inputs.tree)) return bad;
  PartScope scope{request.paths, inputs.asked, request.selection};
  if (int bad = open_part(context, inputs.tree, request.part, scope, inputs.part)) return bad;
  if (int bad = read_filter(context, inputs.tree, request.selection, inputs.filter)) return bad;
  if (int bad = read_rules(context, request, inputs.rules)) return bad;
  if (!request.gtest.empty()) return read_binaries(context, inputs);
  if (int bad = find_test_files(context, inputs.tree, request.paths, inputs.paths)) return bad;
  return set_up(context, inputs.tree, request.python, inputs.machinery, inputs.options);
}

// The facts of the files, while PyTorch tells of the devices where that is asked for.
int read_tree(Context& context, RunInputs& inputs, RunTarget& target,
              std::vector<analyzer::FileFacts>& files) {
  bool ask = inputs.asked != "cpu";
  if (ask)
    if (int bad = start_scout(context, inputs.machinery, inputs.options)) return bad;
  files = scan_files(context, inputs.tree, inputs.paths);
  warn_of_syntax_errors(context, files);
  if (!ask) return kClean;
  int bad = hear_scout(context, inputs.machinery, inputs.options, inputs.asked, target.device, target.count);
  return bad == kClean ? kClean : ended_early(context, inputs.outputs, inputs.asked, bad, kNoDevicesYet);
}

// Of C++ sources; the binaries have no scout, and Python is asked only for a device that nobody named.
int read_cxx_sources(Context& context, RunInputs& inputs, RunTarget& target,
                     std::vector<analyzer::FileFacts>& files) {
  if (inputs.asked == "auto") {
    int bad = device_of_this_machine(context, inputs.request.python, target.device, target.count);
    if (bad) print_note(context, "--gtest needs no Python where --device names the device.");
    if (bad) return ended_early(context, inputs.outputs, inputs.asked, bad, kNoDevicesYet);
  }
  files = scan_files(context, inputs.tree, inputs.paths);
  std::erase_if(files, [](const analyzer::FileFacts& file) { return !runner::is_cxx(file); });
  if (files.empty())
    print_warning(context,
                  {"--gtest", "no C++ file among the sources: the binary alone says what its tests are",
                   "name them: --gtest BINARY:test/cpp/api,aten/src/ATen/test"});
  warn_of_syntax_errors(context, files);
  return kClean;
}

// Holds the selection to what the binaries have.
int ask_binaries(Context& context, const std::vector<analyzer::FileFacts>& files,
                 const runner::SelectOptions& wanted, RunInputs& inputs, runner::Selection& selection) {
  constexpr double kSeconds = 300;
  const runner::RunOptions& options = inputs.options;
  double limit =
      options.time_budget > 0 ? std::min(kSeconds, budget_left(inputs.machinery, options)) : kSeconds;
  inputs.machinery.processes = real_processes();
  int bad = list_tests(context, *inputs.machinery.processes, options.launch, limit, inputs.binaries);
  bool out_of_time =
      bad == kUsage && options.time_budget > 0 && budget_left(inputs.machinery, options) < 0.01;
  if (bad)
    return ended_early(context, inputs.outputs, selection.device, out_of_time ? kIncomplete : bad,
                       kNoTestsYet);
  runner::PlacedTests placed = runner::place_tests(inputs.binaries, files);
  inputs.gtest_tests = std::move(placed.tests);
  inputs.repeated = std::move(placed.repeated);
  bool any = !selection.tests.empty();
  runner::hold_to_binaries(inputs.gtest_tests, files, wanted, selection);
  if (any && selection.tests.empty())
    print_warning(context, {"--gtest", "no selected test is in the binary", "see the reasons under not_run"});
  return kClean;
}

int select_for(Context& context, RunInputs& inputs, const RunTarget& target,
               const std::vector<analyzer::FileFacts>& files, runner::Selection& selection) {
  Result<runner::SelectOptions> wanted =
      selection_options(inputs.tree, inputs.request.selection, target.device, target.count);
  if (!wanted.ok()) return print_error(context, wanted.error()), kUsage;
  selection = select_tests(context, inputs.tree, files, *wanted);
  if (inputs.is_gtest())
    if (int bad = ask_binaries(context, files, *wanted, inputs, selection)) return bad;
  return apply_filter(context, inputs.tree, inputs.filter, selection);
}

Result<runner::RunRecord> run_with_driver(const runner::Selection& selection, RunInputs& inputs,
                                          runner::RunListener& listener) {
  Processes& processes = *inputs.machinery.processes;
  const runner::RunOptions& options = inputs.options;
  if (!inputs.is_gtest()) return runner::run(selection, options, processes, real_clock(), listener);
  runner::GtestDriver driver(options.launch, inputs.binaries, inputs.gtest_tests, processes);
  return runner::run(selection, options, driver, processes, real_clock(), listener);
}

void note_repeated(const std::vector<std::string>& ids, runner::RunRecord& record) {
  if (ids.empty()) return;
  std::string others =
      ids.size() > 1 ? " and " + std::to_string(ids.size() - 1) + " others are" : std::string(" is");
  record.notes.push_back(ids.front() + others + " in the binaries more than once: run from the first alone");
}

int run_selected(Context& context, const runner::Selection& selection, RunInputs& inputs,
                 EventOutputs& events, runner::RunRecord& record) {
  // A run takes hours, and may be killed; nobody asks for facts any more.
  if (context.cache != nullptr) context.cache->finish();
  Stage stage(context.stopwatch, "run");
  report::RunProgress progress(stderr, report::progress_mode(context.globals.quiet), context.err_style(),
                               real_clock(), selection.files.size());
  report::Listeners listeners;
  listeners.add(progress);
  events.begin(selection.device, selection.files.size(), selection.tests.size());
  events.add_to(listeners);
  Result<runner::RunRecord> ran = run_with_driver(selection, inputs, listeners);
  progress.finish();
  if (!ran.ok()) return print_error(context, ran.error()), python_fault(inputs.machinery.interpreter);
  record = std::move(*ran);
  runner::note_expanded(selection, record);
  note_repeated(inputs.repeated, record);
  return kClean;
}

void make_ready(Context& context, const RunTarget& target, RunInputs& inputs) {
  set_conditions(inputs.machinery, target.device, inputs.rules);
  inputs.options.rules = &inputs.rules;
  share_devices(inputs.tree, target.device, target.count, inputs.request.slots_per_device, inputs.options);
  read_file_times(context, inputs.tree, target.device, inputs.options);
  take_off_time_used(inputs.machinery, inputs.options);
}

}  // namespace

int run_tests(Context& context, const RunRequest& request, const RunChange& change) {
  RunInputs inputs;
  if (int bad = read_inputs(context, request, inputs)) return bad;
  RunTarget target{inputs.asked, {}};
  std::vector<analyzer::FileFacts> files;
  int unknown = inputs.is_gtest() ? read_cxx_sources(context, inputs, target, files)
                                  : read_tree(context, inputs, target, files);
  if (unknown) return unknown;
  runner::Selection selection;
  if (int bad = select_for(context, inputs, target, files, selection)) return bad;
  int code = report_unread(context, files);
  files = {};  // those of a large tree need not stay while its tests run
  inputs.part.fingerprint = runner::fingerprint_of(selection);
  if (int bad = take_part(context, inputs.tree, inputs.request.part, inputs.part, selection)) return bad;
  if (change.narrow) {
    if (std::optional<int> end = change.narrow(selection)) return worse(code, *end);
  }
  make_ready(context, target, inputs);
  EventOutputs events;
  if (Status opened = events.open(inputs.outputs); !opened.ok())
    return print_error(context, opened.error()), kUsage;
  runner::RunRecord record;
  if (int bad = run_selected(context, selection, inputs, events, record)) return bad;
  record.shard = inputs.part.shard;
  record.fingerprint = inputs.part.fingerprint;
  if (change.complete) change.complete(selection, record);
  if (Status written = events.end(record); !written.ok())
    print_error(context, written.error()), code = worse(code, kUsage);
  bool whole_tree = inputs.request.paths.empty() && !inputs.is_gtest() && !inputs.filter && !change.narrow;
  warn_of_quarantine(context, inputs.rules, whole_tree, record);
  code = publish(context, inputs.outputs, record, code);
  if (!record.results.empty()) remember(context, inputs.tree, record);
  return code;
}

void add_run_options(CLI::App& app, RunRequest& request) {
  add_python_option(app, request.python);
  app.add_option(
         "--gtest", request.gtest,
         "run the tests of a gtest binary instead of Python files; SOURCES are its C++ files and folders "
         "in the tree, with commas (default: test/cpp); repeats")
      ->allow_extra_args(false)
      ->type_name("BINARY[:SOURCES]");
  app.add_option("--launcher", request.launcher,
                 "command in front of the interpreter or binary: 'numactl -N 0'")
      ->type_name("CMD");
  app.add_option("--mode", request.mode,
                 "pytest (default), or main: python FILE, as PyTorch's CI does, for main guards that matter")
      ->check(CLI::IsMember({"pytest", "main"}))
      ->type_name("MODE");
  app.add_option("--workers", request.workers,
                 "files at a time: a number or auto (default: half the processors, or what the devices take)")
      ->type_name("N");
  app.add_option("--slots-per-device", request.slots_per_device,
                 "workers that share an accelerator (default: 1)")
      ->check(CLI::Range(1, 64))
      ->type_name("N");
  app.add_option("--timeout", request.timeout, "end a test that takes longer: 90, 90s, 2m (default: never)")
      ->type_name("TIME");
  app.add_option("--time-budget", request.time_budget, "end the run after that time; the rest is not run")
      ->type_name("TIME");
  app.add_option("--retries", request.retries, "further attempts for a test that fails (default: 0)")
      ->check(CLI::Range(0, 100))
      ->type_name("N");
  app.add_option("--disabled-tests", request.disabled_tests,
                 "PyTorch's .pytorch-disabled-tests.json: what it lists is not run")
      ->type_name("FILE");
  app.add_option("--slow-tests", request.slow_tests,
                 "PyTorch's slow_tests.json: what it lists runs only with PYTORCH_TEST_WITH_SLOW=1")
      ->type_name("FILE");
  app.add_option("--quarantine", request.quarantine,
                 "tests, in YAML, whose failures do not fail the run (docs/filters.md)")
      ->type_name("FILE");
  app.add_flag("--fail-fast{1}", request.fail_fast, "end the run at the first failure, or with =N at the Nth")
      ->check(CLI::Range(1, 1000000))
      ->type_name("");
  add_output_option(app, request.outputs, join(run_formats(), ", "));
}

Action declare_run(CLI::App& app, Context& context) {
  auto request = std::make_shared<RunRequest>();
  app.add_option("PATHS", request->paths, "files or folders; @FILE reads paths from a file (default: test/)");
  declare_selection_flags(app, request->selection, "auto");
  add_part_options(app, request->part);
  add_run_options(app, *request);
  return [&context, request] { return run_tests(context, *request, {}); };
}

}  // namespace hwsift::cli
