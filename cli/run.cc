#include "runner/run.h"

#include <csignal>

#include "base/text.h"
#include "cli/selecting.h"
#include "cli/testing.h"
#include "report/junit.h"
#include "report/progress.h"
#include "report/run.h"
#include "runner/plugin.h"
#include "store/store.h"

namespace hwsift::cli {
namespace {

struct Options {
  std::vector<std::string> paths;
  std::vector<std::string> outputs;
  SelectionFlags selection;
  std::string python;
  std::string timeout;
  int retries = 0;
};

std::string render(const report::OutputSpec& output, const runner::RunRecord& record,
                   const report::Style& style) {
  if (output.format == "json") return report::run_json(record);
  if (output.format == "junit") return report::run_junit(record);
  return report::run_text(record, style);
}

int exit_code(const runner::RunRecord& record) {
  if (record.signal != 0) return record.signal == SIGINT ? kInterrupted : kTerminated;
  if (record.predicted == 0) return kNothingSelected;
  int code = incomplete(record) || record.results.empty() ? kIncomplete : kClean;
  for (const runner::TestResult& result : record.results)
    if (result.fails_run()) return worse(code, kFindings);
  return code;
}

const char* next_step(int code) {
  switch (code) {
    case kClean:
      return "All selected tests were run; none failed.";
    case kFindings:
      return "Next: run one file again with `hwsift run FILE -o json`, which holds the tracebacks.";
    case kNothingSelected:
      return "Next: `hwsift select` says why no test is for this device.";
    case kIncomplete:
      return "The run is incomplete: see 'Not run' above.";
    default:
      return "";
  }
}

// The database is a convenience: a run goes on without it.
void remember(Context& context, const Tree& tree, const runner::RunRecord& record) {
  Stage stage(context.stopwatch, "store");
  std::string file = context.globals.db;
  if (file.empty()) {
    Result<std::string> standard = store::default_file(context.disk, tree.root);
    if (!standard.ok()) return print_warning(context, standard.error());
    file = *standard;
  }
  Result<store::Store> database = store::Store::open(file);
  if (!database.ok()) return print_warning(context, database.error());
  if (Status recorded = database->record_run(record); !recorded.ok())
    print_warning(context, recorded.error());
}

bool text_on_stdout(const std::vector<report::OutputSpec>& outputs) {
  for (const report::OutputSpec& output : outputs)
    if (output.format == "text" && output.file.empty()) return true;
  return false;
}

int publish(Context& context, const std::vector<report::OutputSpec>& outputs,
            const runner::RunRecord& record) {
  int code = emit_all(context, outputs, [&](const report::OutputSpec& output) {
    return render(output, record, output.file.empty() ? context.out_style() : report::Style{});
  });
  if (!text_on_stdout(outputs))
    print_note(context, std::string(trim(report::run_text(record, context.err_style()))));
  for (const report::OutputSpec& output : outputs)
    if (!output.file.empty()) print_note(context, output.format + ": " + printable(output.file));
  code = worse(code, exit_code(record));
  if (std::string step = next_step(code); !step.empty()) print_note(context, step);
  return code;
}

int run_selected(Context& context, const Tree& tree, Processes& processes, const runner::Selection& selection,
                 const runner::Interpreter& interpreter, runner::RunOptions options,
                 runner::RunRecord& record) {
  runner::PluginFolder plugin;
  if (Status made = plugin.make(); !made.ok()) return print_error(context, made.error()), kEnvironment;
  options.launch.root = tree.root;
  options.launch.python = interpreter.path;
  options.launch.plugin_folder = plugin.path();
  Stage stage(context.stopwatch, "run");
  report::Progress progress(stderr, report::progress_mode(context.globals.quiet), context.err_style(),
                            real_clock(), selection.files.size());
  Result<runner::RunRecord> ran = runner::run(selection, options, processes, real_clock(), progress);
  progress.finish();
  if (!ran.ok()) return print_error(context, ran.error()), python_fault(interpreter);
  record = std::move(*ran);
  return kClean;
}

// The facts of a large tree are gone before its tests run. The code is 3 where a file could not be read.
int read_and_select(Context& context, const Tree& tree, const std::vector<analyzer::SourcePath>& paths,
                    const runner::SelectOptions& wanted, runner::Selection& selection) {
  std::vector<analyzer::FileFacts> files = scan_files(context, tree, paths);
  warn_of_syntax_errors(context, files);
  selection = select_tests(context, tree, files, wanted);
  return report_unread(context, files);
}

int run(Context& context, const Options& options) {
  std::vector<report::OutputSpec> outputs;
  if (int bad = parse_outputs(context, options.outputs, {"text", "json", "junit"}, "text", outputs))
    return bad;
  runner::RunOptions run_options;
  run_options.retries = options.retries;
  if (!options.timeout.empty()) {
    Result<double> timeout = parse_duration("--timeout", options.timeout);
    if (!timeout.ok()) return print_error(context, timeout.error()), kUsage;
    run_options.timeout = *timeout;
  }
  std::string device;
  if (int bad = device_type_of(context, options.selection.device, device)) return bad;
  Tree tree;
  if (int bad = open_tree(context, tree)) return bad;
  analyzer::Discovery found;
  if (int bad = find_files(context, tree, options.paths, found)) return bad;
  for (const Error& missing : found.missing) print_error(context, missing);
  if (!found.missing.empty()) return kUsage;

  std::unique_ptr<Processes> processes = real_processes();
  runner::Surroundings surroundings = runner::real_surroundings();
  run_options.launch.python_path = surroundings.python_path;
  runner::Interpreter interpreter;
  if (int bad = find_python(context, *processes, options.python, surroundings, interpreter)) return bad;
  if (int bad = resolve_device(context, *processes, interpreter, surroundings, device, device)) return bad;

  Result<runner::SelectOptions> wanted = selection_options(tree, options.selection, device, std::nullopt);
  if (!wanted.ok()) return print_error(context, wanted.error()), kUsage;
  runner::Selection selection;
  int code = read_and_select(context, tree, found.files, *wanted, selection);
  runner::RunRecord record;
  if (int bad = run_selected(context, tree, *processes, selection, interpreter, run_options, record))
    return bad;
  code = worse(code, publish(context, outputs, record));
  if (!record.results.empty()) remember(context, tree, record);
  return code;
}

}  // namespace

Action declare_run(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("PATHS", options->paths, "files or folders; @FILE reads paths from a file (default: test/)");
  declare_selection_flags(app, options->selection, "auto");
  app.add_option("--python", options->python,
                 "interpreter (default: HWSIFT_PYTHON, else the first on PATH that has torch)")
      ->type_name("FILE");
  app.add_option("--timeout", options->timeout, "end a test that takes longer: 90, 90s, 2m (default: never)")
      ->type_name("TIME");
  app.add_option("--retries", options->retries, "further attempts for a test that fails (default: 0)")
      ->check(CLI::Range(0, 100))
      ->type_name("N");
  add_output_option(app, options->outputs, "text, json or junit");
  return [&context, options] { return run(context, *options); };
}

}  // namespace hwsift::cli
