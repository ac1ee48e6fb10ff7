#include "base/text.h"
#include "cli/report.h"
#include "cli/testing.h"
#include "history/unlock.h"
#include "report/unlock_report.h"

namespace hwsift::cli {
namespace {

constexpr int kDefaultMost = 20;
const std::vector<std::string> kFormats = {"text", "json", "csv"};

struct Options {
  std::vector<std::string> paths;
  std::string device;
  int most = kDefaultMost;
  std::vector<std::string> outputs;
};

std::string render(Context& context, const report::OutputSpec& output, const report::UnlockReport& made) {
  if (output.format == "json") return report::unlock_report_json(made);
  if (output.format == "csv") return report::unlock_report_csv(made);
  std::size_t width = report::width_of(output);
  return report::unlock_report_text(made, width, context.style_for(output));
}

int report_unlock(Context& context, const Options& options) {
  std::string device;
  if (int bad = accelerator_of(context, options.device, device)) return bad;
  Opening opening;
  if (int bad = open_files(context, options.paths, options.outputs, kFormats, opening)) return bad;
  warn_of_syntax_errors(context, opening.files);
  note_unknown_device(context, *opening.tree.vocabulary, device);
  report::UnlockReport made;
  made.device = device;
  made.unlocks = Unlocking(context, opening.tree, opening.files).best(device);
  made.found = made.unlocks.size();
  if (made.found > static_cast<std::size_t>(options.most))
    made.unlocks.resize(static_cast<std::size_t>(options.most));
  return worse(opening.code, emit_all(context, opening.outputs, [&](const report::OutputSpec& output) {
                 return render(context, output, made);
               }));
}

}  // namespace

int accelerator_of(Context& context, const std::string& name, std::string& device) {
  if (int bad = device_type_of(context, name, device)) return bad;
  if (device != "auto" && device != "cpu") return kClean;
  print_error(context,
              {"--device " + device, "not one accelerator", "name its device type: xpu, mps, cuda ..."});
  return kUsage;
}

Unlocking::Unlocking(Context& context, const Tree& tree, const std::vector<analyzer::FileFacts>& files)
    : context_(context),
      tree_(tree),
      files_(files),
      index_(context.disk, tree.root, tree.vocabulary->lexicon(), scan_options(context, tree, 1)),
      traits_(lint::read_tree_traits(context.disk, tree.root)) {
  for (const analyzer::FileFacts& file : files) index_.know(file);
  verdicts_ = classify_files(context, tree, files, &index_);
}

std::vector<history::Unlock> Unlocking::best(const std::string& device) {
  Stage stage(context_.stopwatch, "unlock");
  return history::unlocks(files_, verdicts_, {device, *tree_.vocabulary, traits_}, &index_, context_.jobs());
}

Action declare_report_unlock(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("PATHS", options->paths, "files or folders; @FILE reads paths from a file (default: test/)");
  app.add_option("--device", options->device, "device type, as PyTorch names it")
      ->required()
      ->type_name("NAME");
  app.add_option("--most", options->most, "sets of edits to show")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str()
      ->type_name("N");
  add_output_option(app, options->outputs, join(kFormats, ", "));
  return [&context, options] { return report_unlock(context, *options); };
}

}  // namespace hwsift::cli
