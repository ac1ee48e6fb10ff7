#include <memory>

#include "base/process.h"
#include "base/text.h"
#include "cli/selecting.h"
#include "cli/testing.h"
#include "report/selection.h"

namespace hwsift::cli {
namespace {

struct Options {
  std::vector<std::string> paths;
  std::vector<std::string> outputs;
  SelectionFlags selection;
  std::string why;
};

const std::vector<std::string> kFormats{"text", "json", "ids", "pytest", "run_test", "counts"};

std::string pytest_arguments(const Context& context, const runner::Selection& selection) {
  std::size_t too_wide = 0;
  std::string text = report::selection_pytest(selection, too_wide);
  if (too_wide > 0)
    print_note(context,
               std::to_string(too_wide) +
                   " classes are given whole, though not all of them is selected: pytest cannot name "
                   "a template. `hwsift run` takes exactly what is selected.");
  return text;
}

std::string render(const Context& context, const report::OutputSpec& output,
                   const runner::Selection& selection, const report::Style& style) {
  if (output.format == "pytest") return pytest_arguments(context, selection);
  if (output.format == "run_test") return report::selection_run_test(selection);
  if (output.format == "counts") return report::selection_counts(selection);
  if (output.format == "json") return report::selection_json(selection);
  if (output.format == "ids") return report::selection_ids(selection);
  return report::selection_text(selection, style);
}

int say_why(Context& context, const runner::Selection& selection, const std::string& id) {
  runner::Whereabouts found = whereabouts(selection, id);
  if (found.selected.empty() && found.not_selected.empty()) {
    print_error(context,
                {"--why " + id, "no test there", "`hwsift explain " + id + "` says what the file has"});
    return kUsage;
  }
  return emit_all(context, {{"text", ""}}, [&](const report::OutputSpec& output) {
    return report::whereabouts_text(selection, id, found, context.style_for(output));
  });
}

int select(Context& context, Options options) {
  if (!options.why.empty() && options.paths.empty())
    options.paths = {options.why.substr(0, options.why.find("::"))};
  std::string device;
  if (int bad = device_type_of(context, options.selection.device, device)) return bad;
  Opening opening;
  if (int bad = open_files(context, options.paths, options.outputs, kFormats, opening)) return bad;
  runner::Selection selection;
  if (int bad = select_opened(context, opening, options.selection, device, selection)) return bad;
  if (!options.why.empty()) return say_why(context, selection, options.why);
  int code = selection.tests.empty() ? worse(opening.code, kNothingSelected) : opening.code;

  return worse(code, emit_all(context, opening.outputs, [&](const report::OutputSpec& output) {
                 return render(context, output, selection, context.style_for(output));
               }));
}

}  // namespace

Action declare_select(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("PATHS", options->paths, "files or folders; @FILE reads paths from a file (default: test/)");
  declare_selection_flags(app, options->selection, "cpu");
  add_python_option(app, options->selection.python);
  app.add_option("--why", options->why, "say what became of one test, class or file, and stop there")
      ->type_name("ID");
  add_output_option(app, options->outputs, join(kFormats, ", "));
  return [&context, options] { return select(context, *options); };
}

}  // namespace hwsift::cli
