#include "report/rules.h"

#include "base/text.h"
#include "cli/lint_run.h"
#include "report/symbols.h"

namespace hwsift::cli {
namespace {

struct Options {
  std::string id;
  std::string folder;
  std::string symbol;
  std::vector<std::string> outputs;
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

// "" is every symbol; else those of this name, or whose last word it is, or the one that speaks for it.
report::SymbolList symbols_named(const classifier::Vocabulary& vocabulary, const std::string& name) {
  report::SymbolList found;
  for (const classifier::Symbol& symbol : vocabulary.symbols)
    if (name.empty() || symbol.name == name || classifier::last_word(symbol.name) == name)
      found.push_back(&symbol);
  const classifier::Symbol* above = found.empty() ? vocabulary.find(name) : nullptr;
  if (above != nullptr) found.push_back(above);
  return found;
}

Error no_symbol(const classifier::Vocabulary& vocabulary, const std::string& name) {
  std::vector<std::string> known;
  bool dotted = name.find('.') != std::string::npos;
  for (const classifier::Symbol& symbol : vocabulary.symbols)
    known.push_back(dotted ? symbol.name : std::string(classifier::last_word(symbol.name)));
  std::optional<std::string> near = closest(name, known);
  return {"rules symbols", "no symbol '" + name + "'",
          near ? "did you mean '" + *near + "'?" : "'hwsift rules symbols' lists them"};
}

int symbols(Context& context, const Options& options) {
  std::vector<report::OutputSpec> outputs;
  if (int bad = parse_outputs(context, options.outputs, {"text", "json"}, "text", outputs)) return bad;
  classifier::Vocabulary storage;
  Result<const classifier::Vocabulary*> vocabulary = choose_vocabulary(context, storage);
  if (!vocabulary.ok()) return print_error(context, vocabulary.error()), kUsage;
  report::SymbolList found = symbols_named(**vocabulary, options.symbol);
  if (found.empty()) return print_error(context, no_symbol(**vocabulary, options.symbol)), kUsage;
  return emit_all(context, outputs, [&](const report::OutputSpec& output) {
    return output.format == "json" ? report::symbols_json(found, (*vocabulary)->version)
                                   : report::symbols_text(found, context.out_style());
  });
}

Status write_docs(Context& context, const lint::LintRules& rules, const classifier::Vocabulary& vocabulary,
                  const std::string& folder) {
  Status made = context.disk.make_folders(join_path(folder, "rules"));
  if (!made.ok()) return made;
  Status written = context.disk.write(join_path(folder, "rules.md"), report::rules_markdown(rules));
  if (written.ok())
    written = context.disk.write(join_path(folder, "symbols.md"),
                                 report::symbols_markdown(symbols_named(vocabulary, "")));
  for (const lint::RuleDocument& document : rules.documents) {
    if (!written.ok()) return written;
    written = context.disk.write(join_path(folder, "rules/" + document.id + ".md"),
                                 report::rule_markdown(rules, document));
  }
  return written;
}

int docs(Context& context, const lint::LintRules& rules, const std::string& folder) {
  classifier::Vocabulary storage;
  Result<const classifier::Vocabulary*> vocabulary = choose_vocabulary(context, storage);
  if (!vocabulary.ok()) return print_error(context, vocabulary.error()), kUsage;
  Status written = write_docs(context, rules, **vocabulary, path_from_here(context, folder));
  if (!written.ok()) return print_error(context, written.error()), kUsage;
  print_note(context, folder + ": rules.md, symbols.md and " + std::to_string(rules.documents.size()) +
                          " pages in rules/");
  return kClean;
}

}  // namespace

Action declare_rules(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* list_command = app.add_subcommand("list", "rules and profiles, a line each");
  CLI::App* show_command =
      app.add_subcommand("show", "one rule: what it asks, why, a bad and a good example");
  CLI::App* symbols_command = app.add_subcommand("symbols", "hardware symbols, and what each says");
  CLI::App* docs_command = app.add_subcommand("docs", "write the pages of the manual");
  for (CLI::App* command : {list_command, show_command, symbols_command, docs_command})
    command->fallthrough();
  show_command->add_option("ID", options->id, "the rule")->required();
  symbols_command->add_option("NAME", options->symbol, "only this one, dotted or its last word");
  add_output_option(*symbols_command, options->outputs, "text or json");
  docs_command->add_option("DIR", options->folder, "folder of the manual")->required();
  app.require_subcommand(1);
  return [&context, options, show_command, symbols_command, docs_command] {
    if (symbols_command->parsed()) return symbols(context, *options);
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
