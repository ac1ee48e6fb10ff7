#include <algorithm>

#include "cli/progress.h"
#include "cli/report.h"
#include "cli/track_run.h"
#include "history/progress.h"
#include "report/classes.h"
#include "report/progress_report.h"
#include "version.h"

namespace hwsift::cli {
namespace {

const std::vector<std::string> kFormats = {"text", "html", "md", "json", "csv", "svg-badge"};

constexpr std::size_t kMostUnlocks = 10;  // of a device

struct Options {
  std::vector<std::string> devices;
  std::vector<std::string> outputs;
};

std::vector<std::string> category_names(const classifier::Vocabulary& vocabulary) {
  std::vector<std::string> names;
  for (const classifier::Category& category : report::categories_of(vocabulary))
    names.push_back(category.name());
  return names;
}

Result<history::Progress> make(Context& context, const Tree& tree,
                               const std::vector<analyzer::FileFacts>& files) {
  Items known;
  if (Status read = read_items_of(context, tree, known); !read.ok()) return read.error();
  Result<Standpoint> here = standpoint_of(context, tree, known.store ? &*known.store : nullptr, files);
  if (!here.ok()) return here.error();
  Stage stage(context.stopwatch, "count");
  history::Progress progress =
      history::make_progress({here->timeline, known.items, category_names(*tree.vocabulary)});
  progress.commit = here->head.commit;
  progress.commit_date = here->head.date;
  progress.changed_tree = here->head.changed;
  progress.profile = here->profile;
  progress.made = time_told();
  progress.version = HWSIFT_VERSION;
  progress.notes.insert(progress.notes.begin(), here->head.notes.begin(), here->head.notes.end());
  return progress;
}

// The accelerators that are named, else those that have a category of their own.
int devices_of(Context& context, const Tree& tree, const Options& options,
               std::vector<std::string>& devices) {
  for (const std::string& name : options.devices) {
    std::string device;
    if (int bad = accelerator_of(context, name, device)) return bad;
    devices.push_back(device);
  }
  if (!devices.empty()) return kClean;
  for (const classifier::Category& category : report::categories_of(*tree.vocabulary))
    if (category.kind == classifier::Category::Kind::device && category.device != "cpu")
      devices.push_back(category.device);
  return kClean;
}

// The next edits to make for each device: the best of each, then the second best, and so on.
std::vector<history::Unlock> best_unlocks(Context& context, const Tree& tree,
                                          const std::vector<std::string>& devices,
                                          const std::vector<analyzer::FileFacts>& files) {
  Unlocking unlocking(context, tree, files);
  std::vector<std::pair<std::size_t, history::Unlock>> ranked;
  for (const std::string& device : devices) {
    std::vector<history::Unlock> best = unlocking.best(device);
    for (std::size_t rank = 0; rank < std::min(best.size(), kMostUnlocks); ++rank)
      ranked.emplace_back(rank, std::move(best[rank]));
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first, -a.second.per_edit()) < std::pair(b.first, -b.second.per_edit());
  });
  std::vector<history::Unlock> unlocks;
  for (auto& [rank, unlock] : ranked) unlocks.push_back(std::move(unlock));
  return unlocks;
}

std::string render(Context& context, const history::Progress& progress, const report::OutputSpec& output) {
  if (output.format == "html") return report::progress_html(progress);
  if (output.format == "md") return report::progress_md(progress);
  if (output.format == "json") return report::progress_json(progress);
  if (output.format == "csv") return report::progress_csv(progress);
  if (output.format == "svg-badge") return report::progress_badge(progress);
  return report::progress_text(progress, report::width_of(output), context.style_for(output));
}

int report_progress(Context& context, const Options& options) {
  std::vector<report::OutputSpec> outputs;
  if (int bad = parse_outputs(context, options.outputs, kFormats, "text", outputs)) return bad;
  Tree tree;
  if (int bad = open_tree(context, tree)) return bad;
  std::vector<std::string> devices;
  if (int bad = devices_of(context, tree, options, devices)) return bad;
  analyzer::Discovery found;
  if (int bad = find_files(context, tree, {}, found)) return bad;
  std::vector<analyzer::FileFacts> files = scan_files(context, tree, found.files);
  Result<history::Progress> progress = make(context, tree, files);
  if (!progress.ok()) return print_error(context, progress.error()), kUsage;
  progress->unlocks = best_unlocks(context, tree, devices, files);
  return emit_all(context, outputs,
                  [&](const report::OutputSpec& output) { return render(context, *progress, output); });
}

}  // namespace

Action declare_report_progress(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("--device", options->devices,
                 "device types whose next best edits are shown; repeats (default: all with a category)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME");
  add_output_option(app, options->outputs, "text, html, md, json, csv or svg-badge");
  return [&context, options] { return report_progress(context, *options); };
}

}  // namespace hwsift::cli
