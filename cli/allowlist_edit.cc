#include <algorithm>

#include "base/text.h"
#include "cli/allowlist_run.h"
#include "lint/allowlist_merge.h"

namespace hwsift::cli {
namespace {

constexpr std::size_t kMaxMergedBytes = 64u << 20;

// As seen from where the user works, else from the root of the tree.
Result<analyzer::SourcePath> locate(Context& context, const Tree& tree, const std::string& given) {
  std::string absolute = path_from_here(context, given);
  if (!context.disk.info(absolute).ok() && context.disk.info(join_path(tree.root, given)).ok())
    absolute = normal_path(join_path(tree.root, given));
  Result<FileInfo> info = context.disk.info(absolute);
  if (!info.ok()) return Error{given, info.error().what, info.error().hint};
  if (info->kind == FileInfo::Kind::directory) return Error{given, "is a folder", "name a test file"};
  std::string path = path_below(absolute, tree.root);
  if (path == absolute) return Error{given, "is not below the tree " + tree.root, "name a file of the tree"};
  return analyzer::SourcePath{path, absolute, given};
}

Status known_rule(const lint::LintRules& rules, const std::string& rule) {
  if (rule.empty() || rules.document(rule) != nullptr) return {};
  std::vector<std::string> known;
  for (const lint::RuleDocument& document : rules.documents) known.push_back(document.id);
  std::optional<std::string> near = closest(rule, known);
  return Error{"--rule", "no rule '" + rule + "'",
               near ? "did you mean '" + *near + "'?" : "one of: " + join(known, ", ")};
}

Status needed(Context& context, const AllowlistRun& run, const analyzer::SourcePath& file,
              const lint::AllowlistEntry& entry) {
  std::vector<lint::Finding> findings =
      lint_files(context, run.tree, Linter(context, run.tree, *run.profile), *run.profile, {}, {file})
          .findings;
  bool any = std::any_of(findings.begin(), findings.end(),
                         [&](const lint::Finding& finding) { return entry.matches(finding); });
  if (any) return {};
  return Error{file.given, "profile " + run.profile->name + " finds nothing there for this entry to allow",
               "'hwsift lint " + file.given + "' shows what it finds"};
}

// A list that is not there yet starts empty.
Result<lint::Allowlist> load_or_start(Context& context, const std::string& file) {
  if (context.disk.info(file).ok()) return lint::load_allowlist(context.disk, file);
  lint::Allowlist allowlist;
  allowlist.form = lint::form_of(file, "[]");
  return allowlist;
}

Result<lint::MergeInput> read_side(Context& context, const std::string& given, const std::string& name,
                                   const char* side) {
  std::string file = path_from_here(context, given);
  Result<std::string> bytes = context.disk.read(file, kMaxMergedBytes);
  if (!bytes.ok()) return bytes.error();
  return lint::MergeInput{*bytes, name.empty() ? given : name + " (" + side + ")"};
}

Result<std::string> merged_text(Context& context, const AllowlistOptions& options) {
  Result<lint::MergeInput> base = read_side(context, options.sides[0], options.path, "base");
  if (!base.ok()) return base.error();
  Result<lint::MergeInput> ours = read_side(context, options.sides[1], options.path, "ours");
  if (!ours.ok()) return ours.error();
  Result<lint::MergeInput> theirs = read_side(context, options.sides[2], options.path, "theirs");
  if (!theirs.ok()) return theirs.error();
  return lint::merge_allowlists(*base, *ours, *theirs, options.path);
}

}  // namespace

int add_to_allowlist(Context& context, const AllowlistOptions& options) {
  AllowlistRun run;
  if (int bad = open_allowlist_run(context, options, run)) return bad;
  auto refuse = [&](const Error& error) { return print_error(context, error), kUsage; };
  if (trim(options.reason).empty()) return refuse({"--reason", "is empty", "say why it may break rules"});
  Status known = known_rule(*run.rules, options.rule);
  if (!known.ok()) return refuse(known.error());
  Result<analyzer::SourcePath> file = locate(context, run.tree, options.path);
  if (!file.ok()) return refuse(file.error());
  Result<lint::Allowlist> allowlist = load_or_start(context, run.file);
  if (!allowlist.ok()) return refuse(allowlist.error());

  lint::AllowlistEntry entry{file->path, options.cls, options.rule, options.reason, options.owner, today()};
  Status added = lint::insert(*allowlist, entry);
  if (added.ok()) added = needed(context, run, *file, entry);
  if (added.ok()) added = write_allowlist(context, run.file, *allowlist);
  if (!added.ok()) return refuse(added.error());
  if (allowlist->form == lint::AllowlistForm::json)
    print_note(context, "the reason is not stored: JSON holds paths only, a list named .yaml keeps it");
  print_note(context, run.file + ": added " + entry.name() + "; " +
                          counted(allowlist->entries.size(), "entry", "entries"));
  return kClean;
}

int merge_allowlist(Context& context, const AllowlistOptions& options) {
  Result<std::string> text = merged_text(context, options);
  if (!text.ok()) return print_error(context, text.error()), kUsage;
  Status written = context.disk.write(path_from_here(context, options.sides[1]), *text);
  if (!written.ok()) return print_error(context, written.error()), kUsage;
  return kClean;
}

}  // namespace hwsift::cli
