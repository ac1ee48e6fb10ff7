#include "cli/command.h"
#include "report/facts.h"

namespace hwsift::cli {
namespace {

struct Options {
  std::vector<std::string> paths;
  std::vector<std::string> outputs;
};

int scan(Context& context, const Options& options) {
  Opening opening;
  if (int bad = open_files(context, options.paths, options.outputs, {"text", "json"}, opening)) return bad;
  auto render = [&](const report::OutputSpec& output) {
    return output.format == "json" ? report::facts_json(opening.files)
                                   : report::facts_text(opening.files, context.style_for(output));
  };
  return worse(opening.code, emit_all(context, opening.outputs, render));
}

}  // namespace

Action declare_scan(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("PATHS", options->paths, "files or folders; @FILE reads paths from a file (default: test/)");
  add_output_option(app, options->outputs, "text or json");
  return [&context, options] { return scan(context, *options); };
}

}  // namespace hwsift::cli
