#include "cli/lint_run.h"

#include <iterator>

#include "analyzer/scan.h"
#include "base/text.h"
#include "base/threads.h"
#include "classifier/classify.h"
#include "lint/lint.h"

namespace hwsift::cli {
namespace {

std::vector<analyzer::SourcePath> to_read(const lint::Profile& profile, const lint::Allowlist& allowlist,
                                          const std::vector<analyzer::SourcePath>& files,
                                          std::size_t& allowlisted) {
  std::vector<analyzer::SourcePath> left;
  for (const analyzer::SourcePath& file : files) {
    if (!lint::covers(profile, file.path)) continue;
    if (allowlist.allows(file.path))
      ++allowlisted;
    else
      left.push_back(file);
  }
  return left;
}

}  // namespace

Result<const lint::LintRules*> lint_rules(Context& context, lint::LintRules& storage) {
  if (context.globals.rules.empty()) return &lint::builtin_lint_rules();
  Result<lint::LintRules> loaded = lint::load_lint_rules(context.disk, context.globals.rules);
  if (!loaded.ok()) return loaded.error();
  storage = std::move(*loaded);
  return &storage;
}

Result<const lint::Profile*> choose_profile(const lint::LintRules& rules, const Tree& tree,
                                            const std::string& named) {
  std::string name = named.empty() ? tree.config.profile : named;
  if (name.empty()) return &rules.profiles.front();
  if (const lint::Profile* profile = rules.profile(name)) return profile;
  std::vector<std::string> known;
  for (const lint::Profile& profile : rules.profiles) known.push_back(profile.name);
  std::string where = named.empty() ? tree.config.file : "--profile";
  std::optional<std::string> near = closest(name, known);
  return Error{where, "unknown profile '" + name + "'",
               near ? "did you mean '" + *near + "'?" : "one of: " + join(known, ", ")};
}

std::string path_from_here(const Context& context, const std::string& path) {
  bool own_place = path.starts_with('/') || context.globals.directory.empty();
  return absolute_path(own_place ? path : join_path(context.globals.directory, path));
}

report::LintReport lint_files(Context& context, const Tree& tree, const lint::Profile& profile,
                              const lint::Allowlist& allowlist,
                              const std::vector<analyzer::SourcePath>& files) {
  Stage stage(context.stopwatch, "lint");
  report::LintReport report;
  report.profile = profile.name;
  std::vector<analyzer::SourcePath> left = to_read(profile, allowlist, files, report.allowlisted);
  report.files = left.size();

  analyzer::ScanOptions options;
  if (tree.config.max_file_bytes > 0) options.max_file_bytes = tree.config.max_file_bytes;
  analyzer::Lexicon lexicon = tree.vocabulary->lexicon();
  analyzer::TreeIndex index(context.disk, tree.root, lexicon, options);
  lint::Surroundings around{&index, lint::read_tree_traits(context.disk, tree.root)};
  std::vector<std::vector<lint::Finding>> found(left.size());
  for_each_index(left.size(), context.jobs(), [&](std::size_t i) {
    analyzer::ScannedFile scanned = analyzer::scan_with_text(context.disk, left[i], lexicon, options);
    std::vector<classifier::ClassVerdict> verdicts = classifier::classify(scanned.facts, *tree.vocabulary);
    std::string_view text = scanned.editable ? std::string_view(scanned.text) : std::string_view();
    found[i] = lint::lint_file({profile, scanned.facts, verdicts, *tree.vocabulary, around, text});
  });
  for (std::vector<lint::Finding>& findings : found)
    std::move(findings.begin(), findings.end(), std::back_inserter(report.findings));
  return report;
}

}  // namespace hwsift::cli
