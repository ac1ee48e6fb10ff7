#include <optional>
#include <set>

#include "base/text.h"
#include "cli/allowlist_run.h"
#include "cli/ratchet.h"
#include "lint/budget.h"

namespace hwsift::cli {
namespace {

constexpr std::size_t kMaxBudgetBytes = 4096;

// The files of the entries, at their new paths, held to the profile with no allowlist.
Result<lint::Standing> look_at(Context& context, const AllowlistRun& run, const lint::Allowlist& allowlist) {
  lint::Standing standing;
  standing.gone = lint::gone_paths(context.disk, run.tree.root, allowlist);
  Result<lint::Moves> moves = moves_of(run.tree.root, standing.gone);
  if (!moves.ok()) return moves.error();
  standing.moves = std::move(*moves);
  std::set<std::string> paths;
  for (const lint::AllowlistEntry& entry : lint::at_new_paths(allowlist, standing.moves).entries)
    if (standing.gone.count(entry.path) == 0) paths.insert(entry.path);
  std::vector<analyzer::SourcePath> files;
  for (const std::string& path : paths) files.push_back({path, join_path(run.tree.root, path), path});
  standing.findings =
      lint_files(context, run.tree, Linter(context, run.tree, *run.profile), *run.profile, {}, files)
          .findings;
  return standing;
}

// What git has of the budget at --base, else at HEAD. A base that git does not know is an error; without one,
// no git, no repository and no commit are fine.
Result<std::optional<std::string>> committed_text(Context& context, const AllowlistOptions& options,
                                                  const std::string& file) {
  using Text = Result<std::optional<std::string>>;
  return ask_git(folder_of(file), [&](const Git& git) -> Text {
    if (!options.base.empty()) return content_at(git, options.base, base_name(file));
    Result<bool> inside = in_repository(git);
    if (!inside.ok()) print_warning(context, inside.error());
    if (!inside.ok() || !*inside) return std::optional<std::string>();
    Text text = content_at(git, "HEAD", base_name(file));
    return text.ok() ? text : std::optional<std::string>();
  });
}

bool may_be_made(Context& context, const AllowlistOptions& options, const lint::Budget& budget) {
  return options.tighten && !budget.committed && !context.disk.info(budget.file).ok();
}

Status read_allowed(Context& context, lint::Budget& budget) {
  Result<std::string> bytes = context.disk.read(budget.file, kMaxBudgetBytes);
  if (!bytes.ok())
    return Error{budget.file, "the budget cannot be read: " + bytes.error().what,
                 budget.committed ? "take it back from git"
                                  : "'hwsift allowlist check --tighten --budget FILE' makes one"};
  Result<std::size_t> number = lint::parse_budget(*bytes, budget.file);
  if (!number.ok()) return number.error();
  budget.allowed = *number;
  return {};
}

Result<lint::Budget> read_budget(Context& context, const AllowlistOptions& options, std::size_t entries) {
  lint::Budget budget;
  budget.file = path_from_here(context, options.budget);
  Result<std::optional<std::string>> committed = committed_text(context, options, budget.file);
  if (!committed.ok()) return committed.error();
  Result<std::size_t> number = lint::parse_budget(committed->value_or(""), budget.file);
  if (number.ok()) budget.committed = *number;
  if (!may_be_made(context, options, budget)) {
    Status read = read_allowed(context, budget);
    return read.ok() ? Result<lint::Budget>(budget) : read.error();
  }
  budget.allowed = entries;
  Status written = context.disk.write(budget.file, lint::budget_text(entries));
  if (!written.ok()) return written.error();
  print_note(context, budget.file + ": made with " + std::to_string(entries));
  return budget;
}

Status tighten(Context& context, lint::Budget& budget, std::size_t entries) {
  std::optional<std::size_t> lower = lint::lower_budget(budget, entries);
  if (!lower) return {};
  Status written = context.disk.write(budget.file, lint::budget_text(*lower));
  if (!written.ok()) return written;
  print_note(context, budget.file + ": lowered from " + std::to_string(budget.allowed) + " to " +
                          std::to_string(*lower));
  budget.allowed = *lower;
  return {};
}

std::string line(const Error& error) { return printable(to_string(error)) + "\n"; }

std::string verdict_text(const AllowlistRun& run, const lint::Allowlist& allowlist,
                         const std::vector<lint::StaleEntry>& stale) {
  std::string text;
  for (const lint::StaleEntry& entry : stale) text += line(explain(entry, run.file, run.profile->name));
  std::string all = counted(allowlist.entries.size(), "entry", "entries");
  if (stale.empty())
    return printable(run.file) + ": " + all + ", none stale (profile " + run.profile->name + ")\n";
  return text + std::to_string(stale.size()) + " of " + all +
         " stale; 'hwsift allowlist prune' puts the list right\n";
}

std::string budget_text(const lint::Budget& budget, const std::vector<Error>& faults, std::size_t entries) {
  std::string text;
  for (const Error& fault : faults) text += line(fault);
  if (faults.empty() && lint::lower_budget(budget, entries))
    text += printable(budget.file) + ": the budget is " + std::to_string(budget.allowed) + ", " +
            counted(entries, "entry is", "entries are") + " left; --tighten lowers it\n";
  return text;
}

int print(Context& context, const std::string& text) {
  return emit_all(context, {{"text", ""}}, [&](const report::OutputSpec&) { return text; });
}

// Says what prune did, an entry a line.
std::string pruned_text(const std::vector<lint::StaleEntry>& stale, const AllowlistRun& run) {
  std::string text;
  for (const lint::StaleEntry& entry : stale) {
    bool moved = entry.staleness == lint::Staleness::moved;
    Error why = explain(entry, run.file, run.profile->name);
    text += std::string(moved ? "moved    " : "dropped  ") + printable(why.what) + "\n";
  }
  return text;
}

struct Judged {
  AllowlistRun run;
  lint::Allowlist allowlist;
  std::vector<lint::StaleEntry> stale;
};

int judge(Context& context, const AllowlistOptions& options, Judged& judged) {
  if (int bad = open_allowlist_run(context, options, judged.run)) return bad;
  Result<lint::Allowlist> loaded = lint::load_allowlist(context.disk, judged.run.file);
  if (!loaded.ok()) return print_error(context, loaded.error()), kUsage;
  judged.allowlist = std::move(*loaded);
  Result<lint::Standing> standing = look_at(context, judged.run, judged.allowlist);
  if (!standing.ok()) return print_error(context, standing.error()), kUsage;
  judged.stale = lint::stale_entries(judged.allowlist, *standing);
  return kClean;
}

}  // namespace

int check_allowlist(Context& context, const AllowlistOptions& options) {
  if (options.budget.empty() && (options.tighten || !options.base.empty()))
    return print_error(context, {"check", "--tighten and --base are about a budget", "add --budget FILE"}),
           kUsage;
  Judged judged;
  if (int bad = judge(context, options, judged)) return bad;
  const auto& [run, allowlist, stale] = judged;
  std::size_t entries = allowlist.entries.size();
  std::string text = verdict_text(run, allowlist, stale);
  std::vector<Error> faults;
  if (!options.budget.empty()) {
    Result<lint::Budget> budget = read_budget(context, options, entries);
    if (!budget.ok()) return print_error(context, budget.error()), kUsage;
    Status lowered = options.tighten ? tighten(context, *budget, entries) : Status();
    if (!lowered.ok()) return print_error(context, lowered.error()), kUsage;
    faults = lint::budget_faults(*budget, entries);
    text += budget_text(*budget, faults, entries);
  }
  return worse(print(context, text), stale.empty() && faults.empty() ? kClean : kStaleAllowlist);
}

int prune_allowlist(Context& context, const AllowlistOptions& options) {
  Judged judged;
  if (int bad = judge(context, options, judged)) return bad;
  const auto& [run, allowlist, stale] = judged;
  lint::Allowlist left = lint::pruned(allowlist, stale);
  std::optional<lint::Budget> budget;
  if (!options.budget.empty()) {
    Result<lint::Budget> read = read_budget(context, options, left.entries.size());
    if (!read.ok()) return print_error(context, read.error()), kUsage;
    budget = *read;
  }
  Status done = stale.empty() ? Status() : write_allowlist(context, run.file, left);
  if (done.ok() && budget) done = tighten(context, *budget, left.entries.size());
  if (!done.ok()) return print_error(context, done.error()), kUsage;
  std::string now = printable(run.file) + ": " + counted(left.entries.size(), "entry", "entries");
  return print(context, pruned_text(stale, run) + now + (stale.empty() ? ", nothing to prune\n" : " left\n"));
}

}  // namespace hwsift::cli
