#include <memory>

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
  std::string device;
  if (int bad = device_type_of(context, options.device, device)) return bad;
  Opening opening;
  if (int bad = open_files(context, options.paths, options.outputs, {"text", "json", "ids"}, opening))
    return bad;
  warn_of_syntax_errors(context, opening.files);
  if (device == "auto") {
    if (int bad = device_of_this_machine(context, device)) return bad;
  }
  note_unknown_device(context, *opening.tree.vocabulary, device);
  runner::Selection selection = select_tests(context, opening.tree, opening.files, device);
  int code = selection.tests.empty() ? worse(opening.code, kNothingSelected) : opening.code;

  return worse(code, emit_all(context, opening.outputs, [&](const report::OutputSpec& output) {
                 return render(output, selection, context.style_for(output));
               }));
}

}  // namespace

Action declare_select(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("PATHS", options->paths, "files or folders; @FILE reads paths from a file (default: test/)");
  app.add_option("--device", options->device, "device type, as PyTorch names it, or auto (default: cpu)")
      ->type_name("NAME");
  add_output_option(app, options->outputs, "text, json or ids");
  return [&context, options] { return select(context, *options); };
}

}  // namespace hwsift::cli
