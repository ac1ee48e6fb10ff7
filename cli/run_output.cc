#include "cli/run_output.h"

#include <csignal>

#include "base/text.h"
#include "report/junit.h"
#include "report/run.h"
#include "store/store.h"

namespace hwsift::cli {
namespace {

std::string render(const report::OutputSpec& output, const runner::RunRecord& record,
                   const report::Style& style) {
  if (output.format == "json") return report::run_json(record);
  if (output.format == "junit") return report::run_junit(record);
  return report::run_text(record, style);
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

bool text_on_stdout(const std::vector<report::OutputSpec>& outputs) {
  for (const report::OutputSpec& output : outputs)
    if (output.format == "text" && output.file.empty()) return true;
  return false;
}

}  // namespace

const std::vector<std::string>& run_formats() {
  static const std::vector<std::string> formats{"text", "json", "junit"};
  return formats;
}

int exit_code(const runner::RunRecord& record) {
  if (record.signal != 0) return record.signal == SIGINT ? kInterrupted : kTerminated;
  if (record.predicted == 0) return kNothingSelected;
  int code = incomplete(record) || record.results.empty() ? kIncomplete : kClean;
  for (const runner::TestResult& result : record.results)
    if (result.fails_run()) return worse(code, kFindings);
  return code;
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

}  // namespace hwsift::cli
