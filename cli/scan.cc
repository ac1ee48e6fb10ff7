#include "cli/command.h"
#include "report/facts.h"

namespace hwsift::cli {
namespace {

struct Options {
  std::vector<std::string> paths;
  std::vector<std::string> outputs;
};

int scan(Context& context, const Options& options) {
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

  auto render = [&](const report::OutputSpec& output) {
    return output.format == "json" ? report::facts_json(files)
                                   : report::facts_text(files, context.out_style());
  };
  return worse(code, emit_all(context, outputs, render));
}

}  // namespace

Action declare_scan(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("PATHS", options->paths, "files or folders; @FILE reads paths from a file (default: test/)");
  add_output_option(app, options->outputs, "text or json");
  return [&context, options] { return scan(context, *options); };
}

}  // namespace hwsift::cli
