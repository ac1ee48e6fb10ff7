// `lint --fix` and `--diff`: what the fixes make of the files, shown or written.
#pragma once

#include <string>
#include <vector>

#include "cli/lint_run.h"

namespace hwsift::cli {

struct FixOptions {
  std::string kind;   // "" where not asked, "safe" or "review"
  bool diff = false;  // show instead of write

  lint::Safety limit() const { return kind == "review" ? lint::Safety::review : lint::Safety::safe; }
};
void add_fix_options(CLI::App& app, FixOptions& options);

// Where the fixes go.
enum class FixMode {
  none,   // nowhere
  carry,  // into the report's changes, for formats that carry texts; the findings stay
  write,  // into the files; the report keeps the findings that are left
};

// Findings in the order of `all` that are not in `kept`: those that an allowlist or --changed-lines took out.
// They are never fixed.
std::vector<lint::Finding> taken_out(const std::vector<lint::Finding>& all,
                                     const std::vector<lint::Finding>& kept);

// An error is printed for a file that cannot be written, and kInternal returned; the others are still done.
int apply_fixes(Context& context, const Linter& linter, FixMode mode, const FixOptions& options,
                const std::vector<analyzer::SourcePath>& files, const std::vector<lint::Finding>& not_counted,
                report::LintReport& report);

}  // namespace hwsift::cli
