#include "runner/run.h"

#include "base/text.h"
#include "cli/run_output.h"
#include "cli/run_tests.h"
#include "cli/testing.h"
#include "report/progress.h"
#include "runner/plugin.h"
#include "runner/restrict.h"

namespace hwsift::cli {
namespace {

int run_selected(Context& context, const Tree& tree, Processes& processes, const runner::Selection& selection,
                 const runner::Interpreter& interpreter, runner::RunOptions options, EventOutputs& events,
                 runner::RunRecord& record) {
  runner::PluginFolder plugin;
  if (Status made = plugin.make(); !made.ok()) return print_error(context, made.error()), kEnvironment;
  options.root = tree.root;
  options.python = interpreter.path;
  options.plugin_folder = plugin.path();
  Stage stage(context.stopwatch, "run");
  report::Progress progress(stderr, report::progress_mode(context.globals.quiet), context.err_style(),
                            real_clock(), selection.files.size());
  report::Listeners listeners;
  listeners.add(progress);
  events.begin(selection.device, selection.files.size(), selection.tests.size());
  events.add_to(listeners);
  Result<runner::RunRecord> ran = runner::run(selection, options, processes, real_clock(), listeners);
  progress.finish();
  if (!ran.ok()) return print_error(context, ran.error()), python_fault(interpreter);
  record = std::move(*ran);
  runner::note_expanded(selection, record);
  return kClean;
}

// The facts of a large tree are gone before its tests run. The code is 3 where a file could not be read.
int read_and_select(Context& context, const Tree& tree, const std::vector<analyzer::SourcePath>& paths,
                    const std::string& device, runner::Selection& selection) {
  std::vector<analyzer::FileFacts> files = scan_files(context, tree, paths);
  warn_of_syntax_errors(context, files);
  selection = select_tests(context, tree, files, device);
  return report_unread(context, files);
}

}  // namespace

int run_tests(Context& context, const RunRequest& options, const RunChange& change) {
  std::vector<report::OutputSpec> outputs;
  if (int bad = parse_outputs(context, options.outputs, run_formats(), "text", outputs)) return bad;
  runner::RunOptions run_options;
  run_options.retries = options.retries;
  if (!options.timeout.empty()) {
    Result<double> timeout = parse_duration("--timeout", options.timeout);
    if (!timeout.ok()) return print_error(context, timeout.error()), kUsage;
    run_options.timeout = *timeout;
  }
  std::string device;
  if (int bad = device_type_of(context, options.device, device)) return bad;
  Tree tree;
  if (int bad = open_tree(context, tree)) return bad;
  analyzer::Discovery found;
  if (int bad = find_files(context, tree, options.paths, found)) return bad;
  for (const Error& missing : found.missing) print_error(context, missing);
  if (!found.missing.empty()) return kUsage;

  std::unique_ptr<Processes> processes = real_processes();
  runner::Surroundings surroundings = runner::real_surroundings();
  run_options.python_path = surroundings.python_path;
  runner::Interpreter interpreter;
  if (int bad = find_python(context, *processes, options.python, surroundings, interpreter)) return bad;
  if (int bad = resolve_device(context, *processes, interpreter, surroundings, device, device)) return bad;

  runner::Selection selection;
  int code = read_and_select(context, tree, found.files, device, selection);
  if (change.narrow) {
    if (std::optional<int> end = change.narrow(selection)) return worse(code, *end);
  }
  EventOutputs events;
  if (Status opened = events.open(outputs); !opened.ok()) return print_error(context, opened.error()), kUsage;
  runner::RunRecord record;
  if (int bad = run_selected(context, tree, *processes, selection, interpreter, run_options, events, record))
    return bad;
  if (change.complete) change.complete(selection, record);
  if (Status written = events.end(record); !written.ok())
    print_error(context, written.error()), code = worse(code, kUsage);
  code = worse(code, publish(context, outputs, record));
  if (!record.results.empty()) remember(context, tree, record);
  return code;
}

void add_run_options(CLI::App& app, RunRequest& options) {
  app.add_option("--python", options.python,
                 "interpreter (default: HWSIFT_PYTHON, else the first on PATH that has torch)")
      ->type_name("FILE");
  app.add_option("--timeout", options.timeout, "end a test that takes longer: 90, 90s, 2m (default: never)")
      ->type_name("TIME");
  app.add_option("--retries", options.retries, "further attempts for a test that fails (default: 0)")
      ->check(CLI::Range(0, 100))
      ->type_name("N");
  add_output_option(app, options.outputs, join(run_formats(), ", "));
}

Action declare_run(CLI::App& app, Context& context) {
  auto options = std::make_shared<RunRequest>();
  app.add_option("PATHS", options->paths, "files or folders; @FILE reads paths from a file (default: test/)");
  app.add_option("--device", options->device, "cpu, auto or a device type (default: auto, what PyTorch sees)")
      ->type_name("NAME");
  add_run_options(app, *options);
  return [&context, options] { return run_tests(context, *options, {}); };
}

}  // namespace hwsift::cli
