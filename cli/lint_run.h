// What `lint` and `allowlist` share: the rules in force, and the findings of many files.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "lint/allowlist.h"
#include "lint/profile.h"
#include "report/findings.h"

namespace hwsift::cli {

// --rules, else the built-in ones. `storage` keeps what was loaded.
Result<const lint::LintRules*> lint_rules(Context& context, lint::LintRules& storage);

// --profile, else the tree's setting, else the default.
Result<const lint::Profile*> choose_profile(const lint::LintRules& rules, const Tree& tree,
                                            const std::string& named);

// A path given on the command line, as seen from where the user works (-C).
std::string path_from_here(const Context& context, const std::string& path);

// Lints what the profile covers. A file of the allowlist is not read. The facts of a file are dropped as soon
// as its findings are there.
report::LintReport lint_files(Context& context, const Tree& tree, const lint::Profile& profile,
                              const lint::Allowlist& allowlist,
                              const std::vector<analyzer::SourcePath>& files);

}  // namespace hwsift::cli
