#include "classifier/classify.h"

#include "base/threads.h"
#include "cli/command.h"
#include "report/classes.h"

namespace hwsift::cli {
namespace {

struct Options {
  std::vector<std::string> paths;
  std::vector<std::string> outputs;
};

std::vector<classifier::ClassVerdict> classify_files(Context& context, const Tree& tree,
                                                     const std::vector<analyzer::FileFacts>& files) {
  Stage stage(context.stopwatch, "classify");
  std::vector<std::vector<classifier::ClassVerdict>> by_file(files.size());
  for_each_index(files.size(), context.jobs(),
                 [&](std::size_t i) { by_file[i] = classifier::classify(files[i], *tree.vocabulary); });
  std::vector<classifier::ClassVerdict> verdicts;
  for (std::vector<classifier::ClassVerdict>& of_file : by_file)
    for (classifier::ClassVerdict& verdict : of_file) verdicts.push_back(std::move(verdict));
  return verdicts;
}

int classify(Context& context, const Options& options) {
  std::vector<report::OutputSpec> outputs;
  if (int bad = parse_outputs(context, options.outputs, {"text", "json"}, "text", outputs)) return bad;
  Tree tree;
  if (int bad = open_tree(context, tree)) return bad;
  analyzer::Discovery found;
  if (int bad = find_files(context, tree, options.paths, found)) return bad;
  int code = kClean;
  for (const Error& missing : found.missing) print_error(context, missing), code = kUsage;
  if (!found.skipped.empty()) code = worse(code, kInternal);  // what they hold is not known

  std::vector<analyzer::FileFacts> files = scan_files(context, tree, found.files);
  code = worse(code, report_unread(context, files));
  std::vector<classifier::ClassVerdict> verdicts = classify_files(context, tree, files);

  auto render = [&](const report::OutputSpec& output) {
    return output.format == "json" ? report::classes_json(verdicts)
                                   : report::classes_text(verdicts, context.out_style());
  };
  return worse(code, emit_all(context, outputs, render));
}

}  // namespace

Action declare_classify(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("PATHS", options->paths, "files or folders; @FILE reads paths from a file (default: test/)");
  add_output_option(app, options->outputs, "text or json");
  return [&context, options] { return classify(context, *options); };
}

}  // namespace hwsift::cli
