#include "classifier/classify.h"

#include "base/text.h"
#include "cli/command.h"
#include "report/classes.h"
#include "report/classes_csv.h"

namespace hwsift::cli {
namespace {

struct Options {
  std::vector<std::string> paths;
  std::vector<std::string> outputs;
  std::vector<std::string> show;
};

const std::vector<std::string> kKinds = {"mixed", "disagree", "unknown"};

std::set<report::Attention> kinds_of(const std::vector<std::string>& words) {
  std::set<report::Attention> kinds;
  for (report::Attention kind :
       {report::Attention::mixed, report::Attention::disagree, report::Attention::unknown})
    for (const std::string& word : words)
      if (word == report::word(kind)) kinds.insert(kind);
  return kinds;
}

report::ClassesReport report_on(Context& context, const Opening& opening) {
  const std::vector<analyzer::FileFacts>& files = opening.files;
  std::vector<std::vector<classifier::ClassVerdict>> by_file = classify_files(context, opening.tree, files);
  report::ClassesReport report;
  report.categories = report::categories_of(*opening.tree.vocabulary);
  for (std::size_t i = 0; i < files.size(); ++i) report::add_file(files[i], std::move(by_file[i]), report);
  return report;
}

std::string render(const Context& context, const report::OutputSpec& output,
                   const report::ClassesReport& report) {
  if (output.format == "json") return report::classes_json(report);
  if (output.format == "csv") return report::classes_csv(report);
  bool on_terminal = output.file.empty() && report::is_terminal(1);
  return report::classes_text(report, on_terminal ? report::width_for(1) : report::kFileWidth, on_terminal,
                              context.style_for(output));
}

int classify(Context& context, const Options& options) {
  Opening opening;
  if (int bad = open_files(context, options.paths, options.outputs, {"text", "json", "csv"}, opening))
    return bad;
  warn_of_syntax_errors(context, opening.files);
  report::ClassesReport report = report_on(context, opening);
  report.show = kinds_of(options.show);
  return worse(opening.code, emit_all(context, opening.outputs, [&](const report::OutputSpec& output) {
                 return render(context, output, report);
               }));
}

}  // namespace

Action declare_classify(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("PATHS", options->paths, "files or folders; @FILE reads paths from a file (default: test/)");
  app.add_option("--show", options->show, "only what needs a person: " + join(kKinds, ", ") + "; repeats")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(kKinds))
      ->type_name("KIND");
  add_output_option(app, options->outputs, "text, json or csv");
  return [&context, options] { return classify(context, *options); };
}

}  // namespace hwsift::cli
