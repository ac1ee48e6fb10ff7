// The lint rules as pages: in the terminal and as Markdown.
#pragma once

#include <string>

#include "lint/profile.h"
#include "report/output.h"

namespace hwsift::report {

std::string rules_text(const lint::LintRules& rules, const Style& style);
std::string rule_text(const lint::LintRules& rules, const lint::RuleDocument& document, const Style& style);

// docs/rules.md and docs/rules/<id>.md.
std::string rules_markdown(const lint::LintRules& rules);
std::string rule_markdown(const lint::LintRules& rules, const lint::RuleDocument& document);

}  // namespace hwsift::report
