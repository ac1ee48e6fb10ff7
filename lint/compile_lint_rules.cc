// compile_lint_rules RULES OUTPUT: writes profiles and rule documents as C++ tables, so that hwsift starts
// without reading YAML. Runs at build time only.
#include <cstdio>

#include "base/text.h"
#include "lint/profile.h"

namespace hwsift::lint {
namespace {

// A literal a line of the text; a compiler joins them.
std::string quoted(const std::string& text) {
  std::string literal = "\"";
  for (char c : text) {
    if (c == '\n') {
      literal += "\\n\"\n     \"";
      continue;
    }
    if (c == '"' || c == '\\' || c == '?') literal += '\\';
    literal += c;
  }
  return literal + "\"";
}

const char* enumerator(Contract contract) {
  switch (contract) {
    case Contract::upstream_strict:
      return "upstream_strict";
    case Contract::upstream_relaxed:
      return "upstream_relaxed";
    case Contract::recommended:
      return "recommended";
    case Contract::declare:
      return "declare";
  }
  return "";
}

std::string rule_rows(const Profile& profile, std::size_t index) {
  std::string text = "static constexpr RuleRow kRules" + std::to_string(index) + "[] = {\n";
  for (const auto& [id, severity] : profile.rules)
    text += "    {" + quoted(id) + ", Severity::" + word(severity) + "},\n";
  return text + "};\n";
}

std::string settings_text(const Settings& settings) {
  auto flag = [](bool on) { return std::string(on ? "true" : "false"); };
  return "{" + flag(settings.accelerators_in_only_for) + ", " + flag(settings.inherited_label) + "}";
}

std::string profile_row(const Profile& profile, std::size_t index) {
  return "    {" + quoted(profile.name) + ", " + quoted(profile.summary) +
         ", Contract::" + enumerator(profile.contract) + ", kRules" + std::to_string(index) + ", " +
         settings_text(profile.settings) + "},\n";
}

std::string document_row(const RuleDocument& document) {
  return "    {" + quoted(document.id) + ",\n     " + quoted(document.summary) + ",\n     " +
         quoted(document.why) + ",\n     " + quoted(document.bad) + ",\n     " + quoted(document.good) +
         ",\n     " + quoted(document.fix) + "},\n";
}

std::string source_of(const LintRules& rules) {
  std::string text =
      "// Written by compile_lint_rules from rules/.\n#include \"lint/builtin_tables.h\"\n\n"
      "namespace hwsift::lint {\n\n";
  for (std::size_t i = 0; i < rules.profiles.size(); ++i) text += rule_rows(rules.profiles[i], i);
  text += "static constexpr ProfileRow kProfiles[] = {\n";
  for (std::size_t i = 0; i < rules.profiles.size(); ++i) text += profile_row(rules.profiles[i], i);
  text += "};\nstatic constexpr DocumentRow kDocuments[] = {\n";
  for (const RuleDocument& document : rules.documents) text += document_row(document);
  return text +
         "};\n\nconst BuiltinTables kBuiltinTables = {kProfiles, kDocuments};\n\n}  // namespace "
         "hwsift::lint\n";
}

int compile(const std::string& folder, const std::string& output) {
  Result<LintRules> rules = load_lint_rules(real_disk(), folder);
  Status written = rules.ok() ? real_disk().write(output, source_of(*rules)) : Status(rules.error());
  if (written.ok()) return 0;
  std::fprintf(stderr, "%s\n", to_string(written.error()).c_str());
  return 2;
}

}  // namespace
}  // namespace hwsift::lint

int main(int argc, char** argv) {
  if (argc == 3) return hwsift::lint::compile(argv[1], argv[2]);
  std::fprintf(stderr, "usage: compile_lint_rules RULES OUTPUT\n");
  return 2;
}
