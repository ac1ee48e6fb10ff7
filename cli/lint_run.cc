#include "cli/lint_run.h"

#include <iterator>
#include <map>

#include "analyzer/scan.h"
#include "base/text.h"
#include "base/threads.h"
#include "classifier/classify.h"
#include "cli/cxx_scan.h"
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

// By path; the helper reads many at once.
std::map<std::string, analyzer::FileFacts> scan_cxx_among(Context& context, const Tree& tree,
                                                          const std::vector<analyzer::SourcePath>& files) {
  std::vector<analyzer::SourcePath> cxx;
  for (const analyzer::SourcePath& file : files)
    if (analyzer::is_cxx_file(file.path)) cxx.push_back(file);
  std::map<std::string, analyzer::FileFacts> by_path;
  if (cxx.empty()) return by_path;
  for (analyzer::FileFacts& facts : scan_cxx_files(context, tree, cxx))
    by_path[facts.path] = std::move(facts);
  return by_path;
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

// A file that others import is read for them and for itself.
static analyzer::ScanOptions with_cache(analyzer::ScanOptions options, analyzer::MemoryCache& cache) {
  if (options.cache == nullptr) options.cache = &cache;
  return options;
}

Linter::Linter(Context& context, const Tree& tree, const lint::Profile& profile)
    : disk_(context.disk),
      profile_(profile),
      vocabulary_(*tree.vocabulary),
      lexicon_(tree.vocabulary->lexicon()),
      run_cache_(std::make_unique<analyzer::MemoryCache>()),
      options_(with_cache(scan_options(context, tree, 1), *run_cache_)),
      index_(context.disk, tree.root, lexicon_, options_),
      around_{&index_, lint::read_tree_traits(context.disk, tree.root)} {}

analyzer::ScannedFile Linter::scan(const analyzer::SourcePath& file) const {
  return analyzer::scan_with_text(disk_, file, lexicon_, options_);
}

std::vector<classifier::ClassVerdict> Linter::classify(const analyzer::FileFacts& facts) const {
  MeterScope scope(options_.meter, kClassifyPart);
  return classifier::classify(facts, vocabulary_, &index_);
}

std::vector<lint::Finding> Linter::lint(const analyzer::FileFacts& facts) const {
  std::vector<classifier::ClassVerdict> verdicts = classify(facts);
  MeterScope scope(options_.meter, kLintPart);
  return lint::lint_file({profile_, facts, verdicts, vocabulary_, around_, "", 0});
}

std::vector<lint::Finding> Linter::lint(const analyzer::ScannedFile& file) const {
  std::vector<classifier::ClassVerdict> verdicts = classify(file.facts);
  MeterScope scope(options_.meter, kLintPart);
  std::string_view text = file.editable ? std::string_view(file.text) : std::string_view();
  return lint::lint_file({profile_, file.facts, verdicts, vocabulary_, around_, text, file.text_begin});
}

lint::FixedFile Linter::fix(const analyzer::ScannedFile& file, lint::Safety limit,
                            const lint::Counts& counts) const {
  return lint::fix_file(
      file, limit, lexicon_, [this](const analyzer::ScannedFile& f) { return lint(f); }, counts);
}

report::LintReport lint_files(Context& context, const Tree& tree, const Linter& linter,
                              const lint::Profile& profile, const lint::Allowlist& allowlist,
                              const std::vector<analyzer::SourcePath>& files) {
  Stage stage(context.stopwatch, "lint");
  report::LintReport report;
  report.profile = profile.name;
  std::vector<analyzer::SourcePath> left = to_read(profile, allowlist, files, report.allowlisted);
  report.files = left.size();
  std::vector<std::vector<lint::Finding>> found(left.size());
  std::map<std::string, analyzer::FileFacts> cxx = scan_cxx_among(context, tree, left);
  for_each_index(left.size(), context.jobs(), [&](std::size_t i) {
    if (!analyzer::is_cxx_file(left[i].path))
      found[i] = linter.lint(linter.scan(left[i]));
    else if (auto facts = cxx.find(left[i].path); facts != cxx.end())
      found[i] = linter.lint(facts->second);
  });
  std::size_t count = 0;
  for (const std::vector<lint::Finding>& findings : found) count += findings.size();
  report.findings.reserve(count);
  for (std::vector<lint::Finding>& findings : found) {
    std::move(findings.begin(), findings.end(), std::back_inserter(report.findings));
    findings = {};
  }
  return report;
}

}  // namespace hwsift::cli
