#include "runner/merge.h"

#include "base/text.h"
#include "cli/run_documents.h"
#include "cli/run_output.h"
#include "report/run.h"

namespace hwsift::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::vector<std::string> outputs;
};

int merge(Context& context, const Options& options) {
  std::vector<report::OutputSpec> outputs;
  if (int bad = parse_outputs(context, options.outputs, run_formats(), "text", outputs)) return bad;
  Result<std::vector<std::string>> files = find_run_documents(context.disk, options.files);
  if (!files.ok()) return print_error(context, files.error()), kUsage;
  std::vector<runner::NamedRecord> records;
  if (int bad = read_run_documents(context, *files, records)) return bad;
  Result<runner::RunRecord> merged = runner::merge(std::move(records));
  if (!merged.ok()) return print_error(context, merged.error()), kUsage;
  bool one = merged->missing_shards.size() == 1;
  if (!merged->missing_shards.empty())
    print_error(context, {"merge", report::missing_shards_text(*merged),
                          one ? "run it and merge once more" : "run them and merge once more"});
  return publish(context, outputs, *merged);
}

}  // namespace

Action declare_merge(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option(
         "FILE", options->files,
         "documents of runs, as -o json wrote them, or folders of them; @FILE reads names from a file")
      ->required();
  add_output_option(app, options->outputs, join(run_formats(), ", "));
  return [&context, options] { return merge(context, *options); };
}

}  // namespace hwsift::cli
