#include "base/text.h"
#include "cli/testing.h"
#include "report/selection.h"

namespace hwsift::cli {
namespace {

struct Options {
  std::vector<std::string> paths;
  std::vector<std::string> outputs;
  std::string device = "cpu";
};

std::string render(const report::OutputSpec& output, const runner::Selection& selection,
                   const report::Style& style) {
  if (output.format == "json") return report::selection_json(selection);
  if (output.format == "ids") return report::selection_ids(selection);
  return report::selection_text(selection, style);
}

int select(Context& context, const Options& options) {
  std::vector<report::OutputSpec> outputs;
  if (int bad = parse_outputs(context, options.outputs, {"text", "json", "ids"}, "text", outputs)) return bad;
  Tree tree;
  if (int bad = open_tree(context, tree)) return bad;
  analyzer::Discovery found;
  if (int bad = find_files(context, tree, options.paths, found)) return bad;
  int code = kClean;
  for (const Error& missing : found.missing) print_error(context, missing), code = kUsage;

  runner::Selection selection;
  code = worse(code, select_tests(context, tree, found.files, ascii_lower(options.device), selection));
  if (tree.vocabulary->device(selection.device) == nullptr)
    print_note(context, printable(selection.device) +
                            " is no device that the rules know: taken as a PrivateUse1 backend");
  if (selection.tests.empty()) code = worse(code, kNothingSelected);

  return worse(code, emit_all(context, outputs, [&](const report::OutputSpec& output) {
                 return render(output, selection, context.out_style());
               }));
}

}  // namespace

Action declare_select(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("PATHS", options->paths, "files or folders; @FILE reads paths from a file (default: test/)");
  app.add_option("--device", options->device, "device type, as PyTorch names it (default: cpu)")
      ->type_name("NAME");
  add_output_option(app, options->outputs, "text, json or ids");
  return [&context, options] { return select(context, *options); };
}

}  // namespace hwsift::cli
