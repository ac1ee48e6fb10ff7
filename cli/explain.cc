#include <sys/ioctl.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <utility>

#include "base/text.h"
#include "classifier/classify.h"
#include "classifier/test_id.h"
#include "cli/lint_run.h"
#include "cli/testing.h"
#include "report/explanation.h"
#include "report/rules.h"

namespace hwsift::cli {
namespace {

struct Options {
  std::string id;
  std::optional<std::string> device;
  std::vector<std::string> outputs;
};

// Of what is not shown on a terminal the width is always the same.
std::size_t width_of_output() {
  constexpr std::size_t kPlain = 100;
  winsize size{};
  bool known = ::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return known && size.ws_col >= 40 ? size.ws_col : kPlain;
}

// A rule's id has neither the slash and dot of a path nor the colons of a test.
bool may_be_rule(const std::string& id) { return id.find_first_of("/.:@") == std::string::npos; }

int explain_rule(Context& context, const std::string& id, const std::vector<report::OutputSpec>& outputs) {
  Tree tree;  // its profiles are listed too; without a tree there are none
  if (!read_tree(context, tree).ok()) tree = {};
  lint::LintRules storage;
  Result<const lint::LintRules*> rules = lint_rules(context, tree, storage);
  if (!rules.ok()) return print_error(context, rules.error()), kUsage;
  const lint::RuleDocument* document = (*rules)->document(id);
  if (document != nullptr)
    return emit_all(context, outputs, [&](const report::OutputSpec& output) {
      if (output.format == "json") return report::rule_explanation_json(*document);
      return report::rule_text(**rules, *document, context.style_for(output));
    });
  std::vector<std::string> known;
  for (const lint::RuleDocument& rule : (*rules)->documents) known.push_back(rule.id);
  std::optional<std::string> near = closest(id, known);
  print_error(context,
              {"explain", "no file and no rule '" + id + "'",
               near ? "did you mean '" + *near + "'?" : "write test/test_x.py::TestX, or a rule's id"});
  return kUsage;
}

std::string exclusion_of(const Config& config, const std::string& path) {
  for (const std::string& excluded : config.exclude)
    if (path == excluded || path_below(path, excluded) != path)
      return "exclude: " + excluded + " in hwsift.yaml";
  return "";
}

// The one file that an id names.
int find_file(Context& context, const Tree& tree, const classifier::TestId& id, analyzer::SourcePath& file) {
  analyzer::Discovery found;
  if (int bad = find_files(context, tree, {id.path}, found)) return bad;
  for (const Error& missing : found.missing) print_error(context, missing);
  if (!found.missing.empty()) return kUsage;
  if (found.files.size() == 1) {
    file = found.files.front();
    return found.skipped.empty() ? kClean : kInternal;
  }
  print_error(context, {id.path, "explain takes one file, class or test",
                        "name a file; 'hwsift classify " + id.path + "' lists the classes of a folder"});
  return kUsage;
}

int explain_test(Context& context, const Options& options, const std::vector<report::OutputSpec>& outputs) {
  std::string device;
  if (options.device)
    if (int bad = device_type_of(context, *options.device, device)) return bad;
  if (device == "auto") {
    print_error(context, {"--device auto", "explain asks nothing of this machine",
                          "name the device type; 'hwsift doctor' lists those that are here"});
    return kUsage;
  }
  Tree tree;
  if (int bad = open_tree(context, tree)) return bad;
  classifier::TestId id = classifier::parse_test_id(options.id);
  analyzer::SourcePath source;
  if (int bad = find_file(context, tree, id, source)) return bad;
  std::vector<analyzer::FileFacts> files = scan_files(context, tree, {source});
  if (int bad = report_unread(context, files)) return bad;
  const analyzer::FileFacts& file = files.front();

  classifier::Target target;
  if (!id.cls.empty() || !id.test.empty()) {
    Result<classifier::Target> found = classifier::find_target(file, id);
    if (!found.ok()) return print_error(context, found.error()), kUsage;
    target = *found;
  }
  if (!device.empty()) note_unknown_device(context, *tree.vocabulary, device);
  std::vector<classifier::ClassVerdict> verdicts = std::move(classify_files(context, tree, files).front());
  report::Explanation explanation =
      report::explanation_of(file, verdicts, target, id, *tree.vocabulary, device);
  explanation.excluded_by = exclusion_of(tree.config, file.path);
  return emit_all(context, outputs, [&](const report::OutputSpec& output) {
    return output.format == "json"
               ? report::explanation_json(explanation)
               : report::explanation_text(explanation, context.style_for(output), width_of_output());
  });
}

int explain(Context& context, const Options& options) {
  std::vector<report::OutputSpec> outputs;
  if (int bad = parse_outputs(context, options.outputs, {"text", "json"}, "text", outputs)) return bad;
  bool is_path = context.disk.info(path_from_here(context, options.id)).ok();
  return may_be_rule(options.id) && !is_path ? explain_rule(context, options.id, outputs)
                                             : explain_test(context, options, outputs);
}

}  // namespace

Action declare_explain(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option("ID", options->id,
                 "FILE, FILE::CLASS, FILE::CLASS::TEST, as written or as pytest prints it; or a rule")
      ->required();
  app.add_option("--device", options->device, "device type, as PyTorch names it: does it run there?")
      ->type_name("NAME");
  add_output_option(app, options->outputs, "text or json");
  return [&context, options] { return explain(context, *options); };
}

}  // namespace hwsift::cli
