#include "base/text.h"
#include "cli/lint_run.h"

namespace hwsift::cli {
namespace {

constexpr char kDefaultFile[] = "allowlist.json";

struct Options {
  std::vector<std::string> paths;
  std::string profile;
  std::string output;
  bool force = false;
};

std::string output_file(const Context& context, const Tree& tree, const Options& options) {
  if (!options.output.empty()) return path_from_here(context, options.output);
  return tree.config.allowlist.empty() ? join_path(tree.root, kDefaultFile) : tree.config.allowlist;
}

// A device or a pipe may be written to; a file is kept.
Status may_write(Context& context, const Options& options, const std::string& file) {
  Result<FileInfo> there = context.disk.info(file);
  if (options.force || !there.ok() || there->kind != FileInfo::Kind::file) return {};
  return Error{file, "is there already", "name another file with --output, or replace it with --force"};
}

std::string counted(std::size_t number, const char* noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

void say_what_is_next(const Context& context, const Tree& tree, const lint::Allowlist& allowlist,
                      const report::LintReport& report, const std::string& file) {
  print_note(context, file + ": " + counted(allowlist.paths.size(), "file") + " with " +
                          counted(report.findings.size(), "finding") + " (profile " + report.profile + ")");
  std::string shown = path_below(file, tree.root);
  if (tree.config.allowlist == file)
    print_note(context, "'hwsift lint' leaves these files out; take one from the list when it is mended");
  else
    print_note(context, "next: 'hwsift lint --profile " + report.profile + " --allowlist " + shown +
                            "', or put 'allowlist: " + shown + "' into hwsift.yaml");
}

int init(Context& context, const Options& options) {
  Tree tree;
  if (int bad = open_tree(context, tree)) return bad;
  lint::LintRules storage;
  Result<const lint::LintRules*> rules = lint_rules(context, storage);
  if (!rules.ok()) return print_error(context, rules.error()), kUsage;
  Result<const lint::Profile*> profile = choose_profile(**rules, tree, options.profile);
  if (!profile.ok()) return print_error(context, profile.error()), kUsage;
  std::string file = output_file(context, tree, options);
  Status may = may_write(context, options, file);
  if (!may.ok()) return print_error(context, may.error()), kUsage;

  analyzer::Discovery found;
  if (int bad = find_files(context, tree, options.paths, found)) return bad;
  for (const Error& missing : found.missing) print_error(context, missing);
  if (!found.missing.empty()) return kUsage;

  report::LintReport report = lint_files(context, tree, **profile, {}, found.files);
  lint::Allowlist allowlist;
  for (const lint::Finding& finding : report.findings) allowlist.paths.insert(finding.path);
  Status written = context.disk.write(file, lint::to_json_text(allowlist));
  if (!written.ok()) return print_error(context, written.error()), kUsage;
  say_what_is_next(context, tree, allowlist, report, file);
  return kClean;
}

}  // namespace

Action declare_allowlist(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* init_command = app.add_subcommand("init", "write the files that have findings today");
  init_command->fallthrough();
  init_command->add_option("PATHS", options->paths,
                           "files or folders; @FILE reads paths from a file (default: test/)");
  init_command->add_option("--profile", options->profile, "rules to hold to")->type_name("NAME");
  init_command
      ->add_option("--output", options->output, "file to write (default: the tree's, or allowlist.json)")
      ->type_name("FILE");
  init_command->add_flag("--force", options->force, "replace a file that is there");
  app.require_subcommand(1);
  return [&context, options] { return init(context, *options); };
}

}  // namespace hwsift::cli
