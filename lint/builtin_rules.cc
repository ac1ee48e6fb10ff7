#include "lint/builtin_tables.h"

namespace hwsift::lint {
namespace {

Profile profile_of(const ProfileRow& row) {
  Profile profile{row.name, row.summary, row.contract, {}, row.settings};
  for (const RuleRow& rule : row.rules) profile.rules.emplace(rule.id, rule.severity);
  return profile;
}

LintRules from_tables(const BuiltinTables& tables) {
  LintRules rules;
  for (const ProfileRow& row : tables.profiles) rules.profiles.push_back(profile_of(row));
  for (const DocumentRow& row : tables.documents)
    rules.documents.push_back({row.id, row.summary, row.why, row.bad, row.good, row.fix, {}});
  name_profiles(rules);
  return rules;
}

}  // namespace

const LintRules& builtin_lint_rules() {
  static const LintRules rules = from_tables(kBuiltinTables);
  return rules;
}

}  // namespace hwsift::lint
