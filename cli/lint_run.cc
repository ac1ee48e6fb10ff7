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

Result<const lint::LintRules*> lint_rules(Context& context, const Tree& tree, lint::LintRules& storage) {
  bool own = tree.config.profiles.kind != Yaml::Kind::null;
  if (context.globals.rules.empty() && !own) return &lint::builtin_lint_rules();
  if (context.globals.rules.empty()) {
    storage = lint::builtin_lint_rules();
  } else {
    Result<lint::LintRules> loaded = lint::load_lint_rules(context.disk, context.globals.rules);
    if (!loaded.ok()) return loaded.error();
    storage = std::move(*loaded);
  }
  if (own) {
    Status added = lint::add_project_profiles(tree.config.profiles, storage);
    if (!added.ok()) return added.error();
  }
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

Linter::Linter(Context& context, const Tree& tree, const lint::Profile& profile)
    : disk_(context.disk),
      profile_(profile),
      vocabulary_(*tree.vocabulary),
      lexicon_(tree.vocabulary->lexicon()),
      options_(scan_options(tree, 1)),
      index_(context.disk, tree.root, lexicon_, options_),
      around_{&index_, lint::read_tree_traits(context.disk, tree.root)} {}

analyzer::ScannedFile Linter::scan(const analyzer::SourcePath& file) const {
  return analyzer::scan_with_text(disk_, file, lexicon_, options_);
}

std::vector<lint::Finding> Linter::lint(const analyzer::ScannedFile& file) const {
  std::vector<classifier::ClassVerdict> verdicts = classifier::classify(file.facts, vocabulary_, &index_);
  std::string_view text = file.editable ? std::string_view(file.text) : std::string_view();
  return lint::lint_file({profile_, file.facts, verdicts, vocabulary_, around_, text, file.text_begin});
}

lint::FixedFile Linter::fix(const analyzer::ScannedFile& file, lint::Safety limit,
                            const lint::Counts& counts) const {
  return lint::fix_file(
      file, limit, lexicon_, [this](const analyzer::ScannedFile& f) { return lint(f); }, counts);
}

report::LintReport lint_files(Context& context, const Linter& linter, const lint::Profile& profile,
                              const lint::Allowlist& allowlist,
                              const std::vector<analyzer::SourcePath>& files) {
  Stage stage(context.stopwatch, "lint");
  report::LintReport report;
  report.profile = profile.name;
  std::vector<analyzer::SourcePath> left = to_read(profile, allowlist, files, report.allowlisted);
  report.files = left.size();
  std::vector<std::vector<lint::Finding>> found(left.size());
  for_each_index(left.size(), context.jobs(),
                 [&](std::size_t i) { found[i] = linter.lint(linter.scan(left[i])); });
  for (std::vector<lint::Finding>& findings : found)
    std::move(findings.begin(), findings.end(), std::back_inserter(report.findings));
  return report;
}

}  // namespace hwsift::cli
