#include <set>

#include "base/clock.h"
#include "base/text.h"
#include "cli/allowlist_run.h"

namespace hwsift::cli {
namespace {

constexpr std::size_t kDateLength = 10;

// A device or a pipe may be written to; a file is kept.
Status may_write(Context& context, const AllowlistOptions& options, const std::string& file) {
  Result<FileInfo> there = context.disk.info(file);
  if (options.force || !there.ok() || there->kind != FileInfo::Kind::file) return {};
  return Error{file, "is there already", "name another file with --output, or replace it with --force"};
}

Status may_start(const AllowlistOptions& options, lint::AllowlistForm form) {
  if (form == lint::AllowlistForm::json || !trim(options.reason).empty()) return {};
  return Error{"--reason", "an allowlist in YAML says why each file may break rules", "add --reason TEXT"};
}

lint::Allowlist list_of(const Context& context, const report::LintReport& report, lint::AllowlistForm form,
                        const AllowlistOptions& options) {
  std::set<std::string> paths;
  for (const lint::Finding& finding : report.findings) paths.insert(finding.path);
  lint::Allowlist allowlist;
  allowlist.form = form;
  for (const std::string& path : paths) {
    lint::AllowlistEntry entry{path, "", "", options.reason, options.owner, today()};
    Status added = lint::insert(allowlist, entry);
    if (!added.ok()) print_warning(context, added.error());
  }
  return allowlist;
}

void say_what_is_next(const Context& context, const Tree& tree, const lint::Allowlist& allowlist,
                      const report::LintReport& report, const std::string& file) {
  print_note(context, file + ": " + counted(allowlist.entries.size(), "file", "files") + " with " +
                          counted(report.findings.size(), "finding", "findings") + " (profile " +
                          report.profile + ")");
  std::string shown = path_below(file, tree.root);
  if (tree.config.allowlist == file)
    print_note(context,
               "'hwsift lint' leaves these files out; 'hwsift allowlist prune' drops those that were mended");
  else
    print_note(context, "next: 'hwsift lint --profile " + report.profile + " --allowlist " + shown +
                            "', or put 'allowlist: " + shown + "' into hwsift.yaml");
}

int init(Context& context, const AllowlistOptions& options) {
  AllowlistRun run;
  if (int bad = open_allowlist_run(context, options, run)) return bad;
  bool yaml = lint::form_of(run.file, "[]") == lint::AllowlistForm::yaml;
  lint::AllowlistForm form = yaml ? lint::AllowlistForm::yaml : lint::AllowlistForm::json;
  Status may = may_write(context, options, run.file);
  if (may.ok()) may = may_start(options, form);
  if (!may.ok()) return print_error(context, may.error()), kUsage;

  analyzer::Discovery found;
  if (int bad = find_files(context, run.tree, options.paths, found)) return bad;
  for (const Error& missing : found.missing) print_error(context, missing);
  if (!found.missing.empty()) return kUsage;

  report::LintReport report =
      lint_files(context, run.tree, Linter(context, run.tree, *run.profile), *run.profile, {}, found.files);
  lint::Allowlist allowlist = list_of(context, report, form, options);
  Status written = context.disk.write(run.file, lint::to_text(allowlist));
  if (!written.ok()) return print_error(context, written.error()), kUsage;
  if (!yaml && !(options.reason + options.owner).empty())
    print_note(context,
               "reason and owner are not stored: JSON holds paths only, a file named .yaml holds them");
  say_what_is_next(context, run.tree, allowlist, report, run.file);
  return kClean;
}

CLI::App* command(CLI::App& app, const char* name, const char* summary) {
  CLI::App* made = app.add_subcommand(name, summary);
  made->fallthrough();
  return made;
}

void add_profile(CLI::App* app, AllowlistOptions& options) {
  app->add_option("--profile", options.profile, "rules to hold to")->type_name("NAME");
}

void add_list(CLI::App* app, AllowlistOptions& options) {
  app->add_option("--allowlist", options.allowlist, "the list (default: the tree's, or allowlist.json)")
      ->type_name("FILE");
}

void add_texts(CLI::App* app, AllowlistOptions& options) {
  app->add_option("--reason", options.reason, "why it may break rules")->type_name("TEXT");
  app->add_option("--owner", options.owner, "who mends it")->type_name("NAME");
}

CLI::App* declare_init(CLI::App& app, AllowlistOptions& options) {
  CLI::App* init = command(app, "init", "write the files that have findings today");
  init->add_option("PATHS", options.paths,
                   "files or folders; @FILE reads paths from a file (default: test/)");
  init->add_option("--output", options.allowlist,
                   "file to write, .json or .yaml (default: the tree's, or allowlist.json)")
      ->type_name("FILE");
  init->add_flag("--force", options.force, "replace a file that is there");
  add_profile(init, options);
  add_texts(init, options);
  return init;
}

CLI::App* declare_check(CLI::App& app, AllowlistOptions& options) {
  CLI::App* check = command(app, "check", "exit 6 where an entry is stale, or the budget is broken");
  add_list(check, options);
  add_profile(check, options);
  check->add_option("--budget", options.budget, "file that holds the largest number of entries")
      ->type_name("FILE");
  check->add_option("--base", options.base, "the budget at REF is the most that it may be (default: HEAD)")
      ->type_name("REF");
  check->add_flag("--tighten", options.tighten, "lower the budget to the entries that are left");
  return check;
}

CLI::App* declare_prune(CLI::App& app, AllowlistOptions& options) {
  CLI::App* prune = command(app, "prune", "drop entries that are gone or clean, rewrite those that moved");
  add_list(prune, options);
  add_profile(prune, options);
  prune->add_option("--budget", options.budget, "budget to lower with it")->type_name("FILE");
  return prune;
}

CLI::App* declare_add(CLI::App& app, AllowlistOptions& options) {
  CLI::App* add = command(app, "add", "let a file, a class or a rule in a file break rules");
  add->add_option("PATH", options.path, "the test file")->required();
  add->add_option("--class", options.cls, "findings about this class only")->type_name("NAME");
  add->add_option("--rule", options.rule, "findings of this rule only")->type_name("ID");
  add_texts(add, options);
  add->get_option("--reason")->required();
  add_list(add, options);
  add_profile(add, options);
  return add;
}

CLI::App* declare_merge(CLI::App& app, AllowlistOptions& options) {
  CLI::App* merge = command(app, "merge", "git's merge driver: hwsift allowlist merge %O %A %B %P");
  merge->add_option("BASE", options.sides[0], "what both sides began with")->required();
  merge->add_option("OURS", options.sides[1], "our side; the result is written here")->required();
  merge->add_option("THEIRS", options.sides[2], "the other side")->required();
  merge->add_option("PATH", options.path, "the file's path in the tree: its ending says the form");
  return merge;
}

}  // namespace

int open_allowlist_run(Context& context, const AllowlistOptions& options, AllowlistRun& run) {
  if (int bad = open_tree(context, run.tree)) return bad;
  Result<const lint::LintRules*> rules = lint_rules(context, run.tree, run.storage);
  if (!rules.ok()) return print_error(context, rules.error()), kUsage;
  run.rules = *rules;
  Result<const lint::Profile*> profile = choose_profile(**rules, run.tree, options.profile);
  if (!profile.ok()) return print_error(context, profile.error()), kUsage;
  run.profile = *profile;
  const std::string& setting = run.tree.config.allowlist;
  run.file = setting.empty() ? join_path(run.tree.root, kDefaultAllowlist) : setting;
  if (!options.allowlist.empty()) run.file = path_from_here(context, options.allowlist);
  return kClean;
}

Status write_allowlist(Context& context, const std::string& file, const lint::Allowlist& allowlist) {
  if (allowlist.comments_below)
    print_warning(context, {file, "comments below the first entry are not kept", "put them at the head"});
  return context.disk.write(file, lint::to_text(allowlist));
}

std::string counted(std::size_t number, const char* one, const char* many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

std::string today() { return real_clock().utc().substr(0, kDateLength); }

Action declare_allowlist(CLI::App& app, Context& context) {
  auto options = std::make_shared<AllowlistOptions>();
  const std::pair<CLI::App*, int (*)(Context&, const AllowlistOptions&)> commands[] = {
      {declare_init(app, *options), init},
      {declare_check(app, *options), check_allowlist},
      {declare_prune(app, *options), prune_allowlist},
      {declare_add(app, *options), add_to_allowlist},
      {declare_merge(app, *options), merge_allowlist}};
  app.require_subcommand(1);
  return [&context, options, list = std::vector(std::begin(commands), std::end(commands))] {
    for (const auto& [sub, run] : list)
      if (sub->parsed()) return run(context, *options);
    return static_cast<int>(kUsage);
  };
}

}  // namespace hwsift::cli
