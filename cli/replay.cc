#include "base/text.h"
#include "cli/run_output.h"
#include "runner/run_document.h"

namespace hwsift::cli {
namespace {

struct Options {
  std::string file;
  std::vector<std::string> outputs;
};

int replay(Context& context, const Options& options) {
  std::vector<report::OutputSpec> outputs;
  if (int bad = parse_outputs(context, options.outputs, run_formats(), "text", outputs)) return bad;
  Result<runner::RunRecord> record = runner::read_run_document(context.disk, options.file);
  if (!record.ok()) return print_error(context, record.error()), kUsage;
  return publish(context, outputs, *record);
}

}  // namespace

Action declare_replay(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("FILE", options->file, "document of a run, as -o json wrote it")->required();
  add_output_option(app, options->outputs, join(run_formats(), ", "));
  return [&context, options] { return replay(context, *options); };
}

}  // namespace hwsift::cli
