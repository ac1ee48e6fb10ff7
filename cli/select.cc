#include <memory>

#include "base/process.h"
#include "cli/selecting.h"
#include "cli/testing.h"
#include "report/selection.h"

namespace hwsift::cli {
namespace {

struct Options {
  std::vector<std::string> paths;
  std::vector<std::string> outputs;
  SelectionFlags selection;
};

std::string render(const report::OutputSpec& output, const runner::Selection& selection,
                   const report::Style& style) {
  if (output.format == "json") return report::selection_json(selection);
  if (output.format == "ids") return report::selection_ids(selection);
  return report::selection_text(selection, style);
}

int select(Context& context, const Options& options) {
  std::string device;
  if (int bad = device_type_of(context, options.selection.device, device)) return bad;
  Opening opening;
  if (int bad = open_files(context, options.paths, options.outputs, {"text", "json", "ids"}, opening))
    return bad;
  warn_of_syntax_errors(context, opening.files);
  std::optional<int> count;
  if (device == "auto") {
    if (int bad = device_of_this_machine(context, device, count)) return bad;
  }
  note_unknown_device(context, *opening.tree.vocabulary, device);
  Result<runner::SelectOptions> wanted = selection_options(opening.tree, options.selection, device, count);
  if (!wanted.ok()) return print_error(context, wanted.error()), kUsage;
  std::optional<runner::Filter> filter;
  if (int bad = read_filter(context, opening.tree, options.selection, filter)) return bad;
  runner::Selection selection = select_tests(context, opening.tree, opening.files, *wanted);
  if (int bad = apply_filter(context, opening.tree, filter, selection)) return bad;
  int code = selection.tests.empty() ? worse(opening.code, kNothingSelected) : opening.code;

  return worse(code, emit_all(context, opening.outputs, [&](const report::OutputSpec& output) {
                 return render(output, selection, context.style_for(output));
               }));
}

}  // namespace

Action declare_select(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("PATHS", options->paths, "files or folders; @FILE reads paths from a file (default: test/)");
  declare_selection_flags(app, options->selection, "cpu");
  add_output_option(app, options->outputs, "text, json or ids");
  return [&context, options] { return select(context, *options); };
}

}  // namespace hwsift::cli
