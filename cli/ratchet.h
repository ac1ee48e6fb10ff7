// What `lint` and the commands of `allowlist` share: the allowlist at work, and what git knows about it.
#pragma once

#include <csignal>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/git.h"
#include "cli/command.h"
#include "cli/lint_run.h"
#include "lint/allowlist.h"
#include "lint/stale.h"

namespace hwsift::cli {

// Asks git about a folder. While it runs, a request to stop reaches us as an error; it is raised again then.
template <class Ask>
auto ask_git(const std::string& folder, const Ask& ask) {
  std::unique_ptr<Processes> processes = real_processes();
  auto answer = ask(Git{*processes, folder});
  processes.reset();
  if (!answer.ok() && answer.error().what == kInterruptedWait) std::raise(SIGINT);
  return answer;
}

// Where the files went that are gone. Without git, or outside a repository, nobody knows: none.
Result<lint::Moves> moves_of(const std::string& root, const std::set<std::string>& gone);

// What `--changed` left of the files, and the lines that `--changed-lines` asks about.
struct Changes {
  bool asked = false;
  ChangedLines lines;
};

struct ChangedOptions {
  std::string base;    // "" where not asked
  bool lines = false;  // --changed-lines
};
void add_changed_options(CLI::App& app, ChangedOptions& options);
// Keeps the files that changed since the base.
Status keep_changed_files(Context& context, const Tree& tree, const ChangedOptions& options,
                          analyzer::Discovery& found, Changes& changes);

// Takes out of the report what the allowlist allows, also under the new names of files that git knows to be
// renamed. Where the whole tree was linted, adds the findings of stale_allowlist.
struct AllowlistUse {
  const lint::Allowlist& allowlist;
  std::string file;
  bool whole_tree = false;
};
void hold_to_allowlist(Context& context, const Tree& tree, const lint::Profile& profile,
                       const AllowlistUse& use, const std::vector<analyzer::SourcePath>& files,
                       report::LintReport& report);

}  // namespace hwsift::cli
