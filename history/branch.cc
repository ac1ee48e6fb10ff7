#include "history/branch.h"

#include <optional>

#include "base/clock.h"

namespace hwsift::history {
namespace {

// What stands before the first '~', '^' or '@' of a revision.
std::string name_in(const std::string& revision) { return revision.substr(0, revision.find_first_of("~^@")); }

// The commit to end with; "" where a shallow clone does not reach that far.
Result<std::string> oldest_commit(const Repository& repository, const std::string& from) {
  Result<std::optional<std::string>> commit = repository.find_commit(from);
  if (!commit.ok()) return commit.error();
  if (*commit) return **commit;
  if (!repository.is_shallow())
    return Error{"--from " + from, "git knows no commit of this name",
                 "name a branch, tag or commit that is there; one of a remote must be fetched first"};
  bool is_hash = from.size() == 40 && from.find_first_not_of("0123456789abcdef") == std::string::npos;
  Result<std::optional<std::string>> base = repository.find_commit(name_in(from));
  if (is_hash || (name_in(from) != from && base.ok() && *base)) return std::string();
  return Error{"--from " + from, "git knows no commit of this name in this shallow clone",
               "fetch more history: git fetch --deepen=1000"};
}

std::string short_hash(const std::string& hash) { return hash.substr(0, 10); }

// Where the line ends, and whether that is where the user wanted it to.
Status judge_end(const Repository& repository, const std::string& oldest, FirstParents::End end,
                 Branch& branch) {
  const CommitFacts& last = branch.newest_first.back();
  std::string where = short_hash(last.hash) + " of " + utc_text(last.time).substr(0, 10);
  bool is_cut = repository.is_cut(last.hash);
  if (is_cut) branch.begins = "the clone is shallow and ends at " + where;
  if (end == FirstParents::End::shallow) {
    branch.reaches_back = false;
    branch.note =
        "history begins at " + where + ", where this shallow clone ends; git fetch --deepen=N gets more";
    return {};
  }
  if (end == FirstParents::End::root && last.hash != oldest)
    return Error{"--from " + short_hash(oldest), "not on the first-parent line of HEAD",
                 "name a commit that 'git log --first-parent' shows"};
  if (!is_cut)
    branch.begins = (last.parent.empty() ? "the repository begins at " : "it was read from ") + where +
                    (last.parent.empty() ? "" : " on");
  return {};
}

}  // namespace

Result<Branch> read_branch(const Repository& repository, const std::string& from) {
  Result<std::string> oldest = oldest_commit(repository, from);
  if (!oldest.ok()) return oldest.error();
  Result<std::optional<std::string>> head = repository.find_commit("HEAD");
  if (!head.ok()) return head.error();
  if (!*head) return Error{"HEAD", "the repository has no commit yet", "commit something first"};
  Result<FirstParents> line =
      repository.first_parents(**head, [&](const std::string& hash) { return hash == *oldest; });
  if (!line.ok()) return line.error();
  Branch branch;
  branch.newest_first = std::move(line->commits);
  if (Status fine = judge_end(repository, *oldest, line->end, branch); !fine.ok()) return fine.error();
  return branch;
}

}  // namespace hwsift::history
