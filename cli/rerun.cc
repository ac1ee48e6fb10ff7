#include <memory>
#include <set>

#include "base/text.h"
#include "cli/run_output.h"
#include "cli/run_tests.h"
#include "runner/restrict.h"
#include "runner/run_document.h"

namespace hwsift::cli {
namespace {

using runner::RunRecord;

struct Options {
  std::string file;
  bool failed = false;
  bool not_run = false;
  RunRequest request;
};

struct Wanted {
  std::set<std::string> ids;
  std::set<std::string> paths;
};

void add_failed(const RunRecord& record, Wanted& wanted) {
  for (const runner::TestResult& result : record.results) {
    if (!is_bad(result.outcome)) continue;
    wanted.ids.insert(result.id);
    wanted.paths.insert(result.path);
  }
}

void add_not_run(const RunRecord& record, Wanted& wanted) {
  for (const auto& [reason, ids] : record.not_run) {
    bool was_to_run = record.outstanding.count(reason) > 0 || reason == runner::kLeftOutAfterFailure;
    if (!was_to_run) continue;
    for (const std::string& id : ids) {
      wanted.ids.insert(id);
      wanted.paths.insert(id.substr(0, id.find("::")));
    }
  }
}

// Files that are gone are no mistake in the command line: their tests are named with the others that are
// gone.
std::vector<std::string> existing(Context& context, const std::string& root,
                                  const std::set<std::string>& paths) {
  std::vector<std::string> there;
  for (const std::string& path : paths) {
    std::string absolute = path.starts_with('/') ? path : join_path(root, path);
    Result<FileInfo> info = context.disk.info(absolute);
    if (info.ok() && info->kind == FileInfo::Kind::file) there.push_back(absolute);
  }
  return there;
}

int nothing_to_rerun(const Context& context, const std::string& file) {
  print_note(context, "Nothing to rerun in " + printable(file) + ".");
  return kClean;
}

int name_lost(const Context& context, const std::set<std::string>& lost) {
  for (const std::string& id : lost)
    print_warning(context, {id, "is not selected any more", "`hwsift explain` says why"});
  return lost.empty() ? kClean : kNothingSelected;
}

std::optional<int> narrow(const Context& context, const Wanted& wanted, runner::Selection& selection) {
  selection = restricted(selection, wanted.ids);
  if (selection.files.empty()) return name_lost(context, wanted.ids);
  return std::nullopt;
}

// The account of what was rerun alone, as a part of the plan of the first run.
void complete(const RunRecord& first, const Wanted& wanted, const runner::Selection& selection,
              RunRecord& record) {
  std::set<std::string> quarantined;
  for (const runner::TestResult& result : first.results)
    if (result.quarantined) quarantined.insert(result.id);
  for (runner::TestResult& result : record.results)
    result.quarantined = result.quarantined || quarantined.count(result.id) > 0;
  record.fingerprint = first.fingerprint;
  record.shard = first.shard;
  for (const auto& [reason, ids] : selection.not_selected) {
    std::set<std::string> others(ids.begin(), ids.end());
    std::vector<std::string>& left = record.not_run[reason];
    std::erase_if(left,
                  [&](const std::string& id) { return others.count(id) > 0 && wanted.ids.count(id) == 0; });
    if (left.empty()) record.not_run.erase(reason);
  }
}

// A document does not say how its binaries were built or where they are now.
int wrong_kind(const Context& context, const std::string& file, const RunRecord& first) {
  auto gtest = first.environment.find("gtest");
  if (gtest == first.environment.end())
    print_error(context, {file, "no run of gtest binaries", "leave --gtest out"});
  else
    print_error(context, {file, "a run of gtest binaries",
                          "add --gtest BINARY:SOURCES for each of: " + gtest->second});
  return kUsage;
}

int rerun(Context& context, Options& options) {
  Result<RunRecord> first = runner::read_run_document(context.disk, options.file);
  if (!first.ok()) return print_error(context, first.error()), kUsage;
  Wanted wanted;
  if (options.failed || !options.not_run) add_failed(*first, wanted);
  if (options.not_run) add_not_run(*first, wanted);
  if (wanted.ids.empty()) return nothing_to_rerun(context, options.file);
  Tree tree;
  if (int bad = open_tree(context, tree)) return bad;
  options.request.selection.device = first->device;
  options.request.selection.categories = {"all"};  // what the first run selected is what counts
  bool of_gtest = first->environment.count("gtest") > 0;
  if (of_gtest != !options.request.gtest.empty()) return wrong_kind(context, options.file, *first);
  if (!of_gtest) {
    options.request.paths = existing(context, tree.root, wanted.paths);
    if (options.request.paths.empty()) return name_lost(context, wanted.ids);
  }
  return run_tests(context, options.request,
                   {[&](runner::Selection& selection) { return narrow(context, wanted, selection); },
                    [&](const runner::Selection& selection, RunRecord& record) {
                      complete(*first, wanted, selection, record);
                      name_lost(context, unaccounted(wanted.ids, record));
                    }});
}

}  // namespace

Action declare_rerun(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("FILE", options->file, "document of a run, as -o json wrote it")->required();
  app.add_flag("--failed", options->failed, "the tests that failed, crashed or timed out (the default)");
  app.add_flag("--not-run", options->not_run, "the selected tests that have no result; with --failed, both");
  add_run_options(app, options->request);
  return [&context, options] { return rerun(context, *options); };
}

}  // namespace hwsift::cli
