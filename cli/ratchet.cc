#include "cli/ratchet.h"

#include <algorithm>

#include "base/text.h"
#include "lint/changed.h"
#include "lint/lint.h"
#include "lint/rule_ids.h"

namespace hwsift::cli {
namespace {

void note_moves(const Context& context, const lint::Moves& moves) {
  for (const auto& [from, to] : moves)
    print_note(context, "hwsift: " + printable(from) + " is now " + printable(to) +
                            " and keeps its allowlist entry; 'hwsift allowlist prune' writes the new path");
}

std::set<std::string> linted(const lint::Profile& profile, const lint::Allowlist& allowlist,
                             const std::vector<analyzer::SourcePath>& files) {
  std::set<std::string> paths;
  for (const analyzer::SourcePath& file : files)
    if (lint::covers(profile, file.path) && !allowlist.allows(file.path)) paths.insert(file.path);
  return paths;
}

// Files that were linted before git told that they are on the list.
void count_moved(const lint::Allowlist& now, const lint::Moves& moves, const std::set<std::string>& read,
                 report::LintReport& report) {
  for (const auto& [from, to] : moves) {
    if (!now.allows(to) || read.count(to) == 0) continue;
    --report.files;
    ++report.allowlisted;
  }
}

}  // namespace

Result<lint::Moves> moves_of(const std::string& root, const std::set<std::string>& gone) {
  if (gone.empty()) return lint::Moves{};
  return ask_git(root, [&](const Git& git) -> Result<lint::Moves> {
    Result<bool> inside = in_repository(git);
    if (!inside.ok()) return inside.error();
    return *inside ? renamed(git, {gone.begin(), gone.end()}) : lint::Moves{};
  });
}

void add_changed_options(CLI::App& app, ChangedOptions& options) {
  app.add_flag("--changed{HEAD}", options.base,
               "only files that git says changed since HEAD left BASE (default: what is not committed)")
      ->type_name("BASE");
  app.add_flag("--changed-lines", options.lines, "only findings on changed lines; implies --changed");
}

Status keep_changed_files(Context& context, const Tree& tree, const ChangedOptions& options,
                          analyzer::Discovery& found, Changes& changes) {
  changes.asked = options.lines || !options.base.empty();
  if (!changes.asked) return {};
  Stage stage(context.stopwatch, "git");
  std::string base = options.base.empty() ? "HEAD" : options.base;
  Result<std::vector<std::string>> files =
      ask_git(tree.root, [&](const Git& git) { return changed_files(git, base); });
  if (!files.ok()) return files.error();
  if (options.lines) {
    Result<ChangedLines> lines = ask_git(tree.root, [&](const Git& git) { return changed_lines(git, base); });
    if (!lines.ok()) return lines.error();
    changes.lines = std::move(*lines);
  }
  std::erase_if(found.files, [&](const analyzer::SourcePath& file) {
    return !std::binary_search(files->begin(), files->end(), file.path);
  });
  if (found.files.empty()) print_note(context, "hwsift: no file to lint changed since " + printable(base));
  return {};
}

void hold_to_allowlist(Context& context, const Tree& tree, const lint::Profile& profile,
                       const AllowlistUse& use, const std::vector<analyzer::SourcePath>& files,
                       report::LintReport& report) {
  auto severity = profile.rules.find(lint::rule::stale_allowlist);
  bool judged = use.whole_tree && severity != profile.rules.end();
  if (use.allowlist.entries.empty() || (!judged && report.findings.empty())) return;
  Stage stage(context.stopwatch, "allowlist");
  std::set<std::string> gone = lint::gone_paths(context.disk, tree.root, use.allowlist);
  Result<lint::Moves> told = moves_of(tree.root, gone);
  if (!told.ok()) print_warning(context, told.error());
  lint::Standing standing{std::move(gone), told.ok() ? *told : lint::Moves{}, {}};
  note_moves(context, standing.moves);
  lint::Allowlist now = lint::at_new_paths(use.allowlist, standing.moves);
  std::vector<bool> matched = lint::take_out_allowed(now, report.findings);
  std::set<std::string> read = linted(profile, use.allowlist, files);
  count_moved(now, standing.moves, read, report);
  if (!judged) return;
  std::string shown = path_below(use.file, tree.root);
  for (const lint::StaleEntry& stale : lint::stale_in_lint(use.allowlist, standing, now, matched, read))
    report.findings.push_back(lint::stale_finding(stale, shown, severity->second, profile.name));
  lint::sort_findings(report.findings);
}

}  // namespace hwsift::cli
