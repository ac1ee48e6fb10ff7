#include "runner/run.h"

#include <csignal>

#include "base/text.h"
#include "cli/planning.h"
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
  std::string device = "auto";
  std::string python;
  std::string timeout;
  int retries = 0;
  PartOptions part;
};

std::string render(const report::OutputSpec& output, const runner::RunRecord& record,
                   const report::Style& style) {
  if (output.format == "json") return report::run_json(record);
  if (output.format == "junit") return report::run_junit(record);
  return report::run_text(record, style);
}

int exit_code(const runner::RunRecord& record) {
  if (record.signal != 0) return record.signal == SIGINT ? kInterrupted : kTerminated;
  // An empty shard of a plan that is not empty; of an empty plan a run is no shard.
  if (record.predicted == 0) return record.shard.total > 0 ? kClean : kNothingSelected;
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
  options.root = tree.root;
  options.python = interpreter.path;
  options.plugin_folder = plugin.path();
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
                    const std::string& device, runner::Selection& selection) {
  std::vector<analyzer::FileFacts> files = scan_files(context, tree, paths);
  warn_of_syntax_errors(context, files);
  selection = select_tests(context, tree, files, device);
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
  if (int bad = device_type_of(context, options.device, device)) return bad;
  Tree tree;
  if (int bad = open_tree(context, tree)) return bad;
  Part part;
  std::vector<std::string> paths = options.paths;
  if (int bad = open_part(context, tree, options.part, paths, device, part)) return bad;
  analyzer::Discovery found;
  if (int bad = find_files(context, tree, paths, found)) return bad;
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
  if (int bad = take_part(context, tree, options.part, part, selection)) return bad;
  runner::RunRecord record;
  if (int bad = run_selected(context, tree, *processes, selection, interpreter, run_options, record))
    return bad;
  record.shard = part.shard;
  record.fingerprint = part.fingerprint;
  code = worse(code, publish(context, outputs, record));
  if (!record.results.empty()) remember(context, tree, record);
  return code;
}

}  // namespace

Action declare_run(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("PATHS", options->paths, "files or folders; @FILE reads paths from a file (default: test/)");
  app.add_option("--device", options->device, "cpu, auto or a device type (default: auto, what PyTorch sees)")
      ->type_name("NAME");
  app.add_option("--python", options->python,
                 "interpreter (default: HWSIFT_PYTHON, else the first on PATH that has torch)")
      ->type_name("FILE");
  app.add_option("--timeout", options->timeout, "end a test that takes longer: 90, 90s, 2m (default: never)")
      ->type_name("TIME");
  app.add_option("--retries", options->retries, "further attempts for a test that fails (default: 0)")
      ->check(CLI::Range(0, 100))
      ->type_name("N");
  add_part_options(app, options->part);
  add_output_option(app, options->outputs, "text, json or junit");
  return [&context, options] { return run(context, *options); };
}

}  // namespace hwsift::cli
