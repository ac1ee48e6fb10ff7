#include "base/clock.h"
#include "base/text.h"
#include "cli/report.h"
#include "cli/run_documents.h"
#include "history/run_comparison.h"
#include "history/run_report.h"
#include "report/run_report.h"
#include "version.h"

namespace hwsift::cli {
namespace {

const std::vector<std::string> kFormats = {"text", "html", "md", "json", "csv"};

struct Options {
  std::vector<std::string> files;
  std::vector<std::string> against;
  bool only_if_passed = false;
  std::vector<std::string> outputs;
};

// One run, and the documents that it was read from.
struct Run {
  std::vector<std::string> files;
  runner::RunRecord record;
};

// Documents of two devices were meant for --against, most likely.
Error with_remedy(Error error) {
  error.hint += "; a run of another device or commit goes behind --against";
  return error;
}

int open_run(Context& context, const std::vector<std::string>& arguments, Run& run) {
  Result<std::vector<std::string>> files = find_run_documents(context.disk, arguments);
  if (!files.ok()) return print_error(context, files.error()), kUsage;
  std::vector<runner::NamedRecord> records;
  if (int bad = read_run_documents(context, *files, records)) return bad;
  run.files = std::move(*files);
  // One document of a part is joined, too: what it leaves out is told by that.
  if (records.size() == 1 && records.front().record.shard.total < 2) {
    run.record = std::move(records.front().record);
    return kClean;
  }
  Stage stage(context.stopwatch, "merge");
  Result<runner::RunRecord> merged = runner::merge(std::move(records));
  if (!merged.ok()) return print_error(context, with_remedy(merged.error())), kUsage;
  run.record = std::move(*merged);
  return kClean;
}

int check(Context& context, const Options& options) {
  if (options.files.empty()) {
    print_error(context,
                {"report run", "no document of this run",
                 "name it before --against, which takes all that follow: report run RUN.json --against "
                 "OTHER.json"});
    return kUsage;
  }
  if (options.only_if_passed && options.against.empty()) {
    print_error(context, {"--only-if-passed", "needs a baseline", "name its documents with --against"});
    return kUsage;
  }
  return kClean;
}

std::string render(const report::RunReport& made, const report::OutputSpec& output,
                   const report::Style& style) {
  if (output.format == "html") return report::run_report_html(made);
  if (output.format == "md") return report::run_report_md(made);
  if (output.format == "json") return report::run_report_json(made);
  if (output.format == "csv") return report::run_report_csv(made);
  std::size_t width = report::width_of(output);
  return report::run_report_text(made, style, width);
}

report::RunReport make(Context& context, const Options& options, const Run& here, const Run& there,
                       const classifier::Vocabulary& vocabulary) {
  Stage stage(context.stopwatch, "report");
  report::RunReport made;
  made.made = real_clock().utc();
  made.version = HWSIFT_VERSION;
  made.run = history::run_report(here.record, here.files, vocabulary);
  if (!options.against.empty())
    made.comparison = history::compare(here.record, here.files, there.record, there.files, vocabulary,
                                       {options.only_if_passed});
  return made;
}

int report_run(Context& context, const Options& options) {
  std::vector<report::OutputSpec> outputs;
  if (int bad = parse_outputs(context, options.outputs, kFormats, "text", outputs)) return bad;
  if (int bad = check(context, options)) return bad;
  Run here, there;
  if (int bad = open_run(context, options.files, here)) return bad;
  if (!options.against.empty())
    if (int bad = open_run(context, options.against, there)) return bad;
  classifier::Vocabulary storage;
  Result<const classifier::Vocabulary*> vocabulary = choose_vocabulary(context, storage);
  if (!vocabulary.ok()) return print_error(context, vocabulary.error()), kUsage;
  report::RunReport made = make(context, options, here, there, **vocabulary);
  return emit_all(context, outputs, [&](const report::OutputSpec& output) {
    return render(made, output, context.style_for(output));
  });
}

}  // namespace

Action declare_report_run(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option(
      "FILE", options->files,
      "documents of this run, as -o json wrote them, or folders of them; @FILE reads names from a file");
  app.add_option("--against", options->against,
                 "documents of the baseline: another device, commit or machine")
      ->type_name("FILE");
  app.add_flag("--only-if-passed", options->only_if_passed, "list only what passed in the baseline");
  add_output_option(app, options->outputs, join(kFormats, ", "));
  return [&context, options] { return report_run(context, *options); };
}

}  // namespace hwsift::cli
