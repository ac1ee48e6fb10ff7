#include "report/rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace hwsift::report {
namespace {

using lint::LintRules;
using lint::Profile;
using lint::RuleDocument;

std::string indented(const std::string& text) {
  std::string result;
  for (const std::string& line : split(trim(text), '\n'))
    result += line.empty() ? "\n" : "    " + line + "\n";
  return result;
}

// "recommended (error), declare (error)"
std::string profiles_of(const LintRules& rules, const RuleDocument& document) {
  std::vector<std::string> parts;
  for (const std::string& name : document.profiles)
    parts.push_back(fmt::format("{} ({})", name, word(rules.profile(name)->rules.at(document.id))));
  return parts.empty() ? "none" : join(parts, ", ");
}

// Rules about C++ tests are named so.
const char* language_of(const RuleDocument& document) {
  return document.id.starts_with("cxx_") ? "cpp" : "python";
}

std::string fenced(const RuleDocument& document, const std::string& code) {
  return fmt::format("```{}\n{}\n```\n", language_of(document), trim(code));
}

constexpr char kGenerated[] =
    "<!-- Written by `hwsift rules docs` from rules/; change those files instead. -->\n";

}  // namespace

std::string rules_text(const LintRules& rules, const Style& style) {
  std::size_t width = 0;
  for (const RuleDocument& document : rules.documents) width = std::max(width, document.id.size());
  for (const Profile& profile : rules.profiles) width = std::max(width, profile.name.size());
  std::string text = style.bold("Rules") + "\n";
  for (const RuleDocument& document : rules.documents)
    text += fmt::format("  {:<{}}  {}\n  {:<{}}  {}\n", document.id, width, document.summary, "", width,
                        style.dim(join(document.profiles, ", ")));
  text += "\n" + style.bold("Profiles") + "\n";
  for (const Profile& profile : rules.profiles)
    text += fmt::format("  {:<{}}  {}\n", profile.name, width, profile.summary);
  return text + "\n'hwsift rules show ID' explains one\n";
}

std::string rule_text(const LintRules& rules, const RuleDocument& document, const Style& style) {
  return fmt::format("{}: {}\n\nProfiles: {}\nFix: {}\n\n{}\n{}\n{}\n{}\n\n{}\n{}", style.bold(document.id),
                     document.summary, profiles_of(rules, document), document.fix, style.bold("Why"),
                     indented(document.why), style.bold("Bad"), indented(document.bad), style.bold("Good"),
                     indented(document.good));
}

std::string rules_markdown(const LintRules& rules) {
  std::string text =
      std::string(kGenerated) + "# Lint rules\n\n| rule | says | profiles |\n| --- | --- | --- |\n";
  for (const RuleDocument& document : rules.documents)
    text += fmt::format("| [{0}](rules/{0}.md) | {1} | {2} |\n", document.id, document.summary,
                        join(document.profiles, ", "));
  text += "\n## Profiles\n\n| profile | is |\n| --- | --- |\n";
  for (const Profile& profile : rules.profiles)
    text += fmt::format("| {} | {} |\n", profile.name, profile.summary);
  return text + "\nThe first one is the default; `hwsift lint --profile NAME` takes another.\n";
}

std::string rule_markdown(const LintRules& rules, const RuleDocument& document) {
  return fmt::format(
      "{}# {}\n\n{}\n\nProfiles: {}.\n\nFix: {}.\n\n## Why\n\n{}\n\n## Bad\n\n{}\n## Good\n\n{}", kGenerated,
      document.id, document.summary, profiles_of(rules, document), document.fix, trim(document.why),
      fenced(document, document.bad), fenced(document, document.good));
}

}  // namespace hwsift::report
