#include "report/rules.h"

#include "base/text.h"
#include "cli/lint_run.h"

namespace hwsift::cli {
namespace {

struct Options {
  std::string id;
  std::string folder;
};

int list(Context& context, const lint::LintRules& rules) {
  return emit_all(context, {{"text", ""}},
                  [&](const report::OutputSpec&) { return report::rules_text(rules, context.out_style()); });
}

int show(Context& context, const lint::LintRules& rules, const std::string& id) {
  const lint::RuleDocument* document = rules.document(id);
  if (document != nullptr)
    return emit_all(context, {{"text", ""}}, [&](const report::OutputSpec&) {
      return report::rule_text(rules, *document, context.out_style());
    });
  std::vector<std::string> known;
  for (const lint::RuleDocument& rule : rules.documents) known.push_back(rule.id);
  std::optional<std::string> near = closest(id, known);
  print_error(context, {"rules show", "no rule '" + id + "'",
                        near ? "did you mean '" + *near + "'?" : "one of: " + join(known, ", ")});
  return kUsage;
}

Status write_docs(Context& context, const lint::LintRules& rules, const std::string& folder) {
  Status made = context.disk.make_folders(join_path(folder, "rules"));
  if (!made.ok()) return made;
  Status written = context.disk.write(join_path(folder, "rules.md"), report::rules_markdown(rules));
  for (const lint::RuleDocument& document : rules.documents) {
    if (!written.ok()) return written;
    written = context.disk.write(join_path(folder, "rules/" + document.id + ".md"),
                                 report::rule_markdown(rules, document));
  }
  return written;
}

int docs(Context& context, const lint::LintRules& rules, const std::string& folder) {
  Status written = write_docs(context, rules, path_from_here(context, folder));
  if (!written.ok()) return print_error(context, written.error()), kUsage;
  print_note(context,
             folder + ": rules.md and " + std::to_string(rules.documents.size()) + " pages in rules/");
  return kClean;
}

}  // namespace

Action declare_rules(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* list_command = app.add_subcommand("list", "rules and profiles, a line each");
  CLI::App* show_command =
      app.add_subcommand("show", "one rule: what it asks, why, a bad and a good example");
  CLI::App* docs_command = app.add_subcommand("docs", "write the pages of the manual");
  for (CLI::App* command : {list_command, show_command, docs_command}) command->fallthrough();
  show_command->add_option("ID", options->id, "the rule")->required();
  docs_command->add_option("DIR", options->folder, "folder of the manual")->required();
  app.require_subcommand(1);
  return [&context, options, show_command, docs_command] {
    lint::LintRules storage;
    Tree tree;  // its profiles are listed too; without a tree, and in the manual, there are none
    if (!docs_command->parsed() && !read_tree(context, tree).ok()) tree = {};
    Result<const lint::LintRules*> rules = lint_rules(context, tree, storage);
    if (!rules.ok()) return print_error(context, rules.error()), static_cast<int>(kUsage);
    if (show_command->parsed()) return show(context, **rules, options->id);
    return docs_command->parsed() ? docs(context, **rules, options->folder) : list(context, **rules);
  };
}

}  // namespace hwsift::cli
