// What the commands of `hwsift allowlist` share. allowlist.cc declares them and has `init`;
// allowlist_check.cc has `check` and `prune`, allowlist_edit.cc `add` and `merge`.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/lint_run.h"
#include "lint/allowlist.h"

namespace hwsift::cli {

struct AllowlistOptions {
  std::vector<std::string> paths;
  std::string profile;
  std::string allowlist;  // --allowlist, of init --output
  std::string budget;
  std::string base;  // of the budget; "" is HEAD where git has one
  std::string path;  // of add, and of merge: the name in the tree
  std::string cls;
  std::string rule;
  std::string reason;
  std::string owner;
  std::string sides[3];  // of merge: base, ours, theirs
  bool force = false;
  bool tighten = false;
};

// The tree, the profile and the path of the allowlist: --allowlist, else the tree's setting, else
// allowlist.json at its root.
struct AllowlistRun {
  Tree tree;
  lint::LintRules storage;
  const lint::LintRules* rules = nullptr;
  const lint::Profile* profile = nullptr;
  std::string file;
};
int open_allowlist_run(Context& context, const AllowlistOptions& options, AllowlistRun& run);

// Writes the list; warns of comments that get lost.
Status write_allowlist(Context& context, const std::string& file, const lint::Allowlist& allowlist);

int check_allowlist(Context& context, const AllowlistOptions& options);
int prune_allowlist(Context& context, const AllowlistOptions& options);
int add_to_allowlist(Context& context, const AllowlistOptions& options);
int merge_allowlist(Context& context, const AllowlistOptions& options);

std::string counted(std::size_t number, const char* one, const char* many);
std::string today();

}  // namespace hwsift::cli
