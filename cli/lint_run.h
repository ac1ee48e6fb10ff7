// What `lint` and `allowlist` share: the rules in force, and the findings of many files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analyzer/memory_cache.h"
#include "cli/command.h"
#include "lint/allowlist.h"
#include "lint/fix.h"
#include "lint/profile.h"
#include "lint/surroundings.h"
#include "report/findings.h"

namespace hwsift::cli {

// Where `allowlist init` puts the list of a tree whose hwsift.yaml names none.
inline constexpr char kDefaultAllowlist[] = "allowlist.json";

// --rules, else the built-in ones, with the profiles of the tree's hwsift.yaml. `storage` keeps what was
// loaded.
Result<const lint::LintRules*> lint_rules(Context& context, const Tree& tree, lint::LintRules& storage);

// --profile, else the tree's setting, else the default.
Result<const lint::Profile*> choose_profile(const lint::LintRules& rules, const Tree& tree,
                                            const std::string& named);

// Lints single files, with what it needs to know about the tree around them. Safe to use from many threads.
class Linter {
 public:
  Linter(Context& context, const Tree& tree, const lint::Profile& profile);

  analyzer::ScannedFile scan(const analyzer::SourcePath& file) const;
  std::vector<lint::Finding> lint(const analyzer::ScannedFile& file) const;
  std::vector<lint::Finding> lint(const analyzer::FileFacts& facts) const;  // without fixes
  lint::FixedFile fix(const analyzer::ScannedFile& file, lint::Safety limit,
                      const lint::Counts& counts) const;

 private:
  std::vector<classifier::ClassVerdict> classify(const analyzer::FileFacts& facts) const;

  Disk& disk_;
  const lint::Profile& profile_;
  const classifier::Vocabulary& vocabulary_;
  analyzer::Lexicon lexicon_;
  std::unique_ptr<analyzer::MemoryCache> run_cache_;  // where there is no other
  analyzer::ScanOptions options_;
  mutable analyzer::TreeIndex index_;
  lint::Surroundings around_;
};

// Lints what the profile covers. A file of the allowlist is not read. The facts of a file are dropped as soon
// as its findings are there.
report::LintReport lint_files(Context& context, const Tree& tree, const Linter& linter,
                              const lint::Profile& profile, const lint::Allowlist& allowlist,
                              const std::vector<analyzer::SourcePath>& files);

}  // namespace hwsift::cli
