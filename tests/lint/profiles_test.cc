// Profiles of a project, as hwsift.yaml lists them.
#include <gtest/gtest.h>

#include "base/yaml.h"
#include "lint/profile.h"

namespace hwsift::lint {
namespace {

Status add(const std::string& text, LintRules& rules) {
  Result<Yaml> root = parse_yaml(text, "hwsift.yaml");
  EXPECT_TRUE(root.ok()) << text;
  return root.ok() ? add_project_profiles(*root, rules) : Status{};
}

Profile added(const std::string& text, const std::string& name = "mine") {
  LintRules rules = builtin_lint_rules();
  Status status = add(text, rules);
  EXPECT_TRUE(status.ok()) << to_string(status.error());
  const Profile* profile = rules.profile(name);
  EXPECT_NE(profile, nullptr);
  return profile == nullptr ? Profile{} : *profile;
}

std::string refused(const std::string& text) {
  LintRules rules = builtin_lint_rules();
  Status status = add(text, rules);
  EXPECT_EQ(rules.profiles.size(), builtin_lint_rules().profiles.size()) << "nothing is kept of a wrong list";
  return status.ok() ? "" : to_string(status.error());
}

const Profile& builtin(const std::string& name) { return *builtin_lint_rules().profile(name); }

TEST(ProjectProfiles, ExtendTheDefaultWhereNothingElseIsSaid) {
  Profile mine = added("- name: mine\n");
  EXPECT_EQ(mine.rules, builtin("recommended").rules);
  EXPECT_EQ(mine.contract, Contract::recommended);
  EXPECT_EQ(mine.summary, "A profile of this project.");
  EXPECT_FALSE(mine.settings.inherited_label);
}

TEST(ProjectProfiles, ExtendANamedOne) {
  Profile mine = added("- {name: mine, extends: upstream-strict, summary: As before.}\n");
  EXPECT_EQ(mine.rules, builtin("upstream-strict").rules);
  EXPECT_EQ(mine.contract, Contract::upstream_strict);
  EXPECT_EQ(mine.summary, "As before.");
}

TEST(ProjectProfiles, ExtendOneThatStandsAboveThem) {
  Profile mine = added(
      "- {name: base, extends: declare, select: [only_for], settings: {inherited_label: accept}}\n"
      "- {name: mine, extends: base, ignore: [parse_error]}\n");
  EXPECT_EQ(mine.contract, Contract::declare);
  EXPECT_EQ(mine.rules, (std::map<std::string, Severity>{{"hw_classification", Severity::error},
                                                         {"only_for", Severity::error}}));
  EXPECT_TRUE(mine.settings.inherited_label);
}

TEST(ProjectProfiles, SelectAndIgnoreRules) {
  Profile mine = added("- {name: mine, select: [missing_variants, device_guard], ignore: [vendor_api]}\n");
  EXPECT_EQ(mine.rules.at("missing_variants"), Severity::error);
  EXPECT_EQ(mine.rules.at("device_guard"), Severity::warning) << "as it was";
  EXPECT_EQ(mine.rules.count("vendor_api"), 0u);
  EXPECT_EQ(mine.rules.size(), builtin("recommended").rules.size());
}

TEST(ProjectProfiles, SetSeverities) {
  Profile mine = added(
      "- {name: mine, extends: declare, severity: {hw_classification: advice, golden_device: warning}}\n");
  EXPECT_EQ(mine.rules.at("hw_classification"), Severity::advice);
  EXPECT_EQ(mine.rules.at("golden_device"), Severity::warning);
}

TEST(ProjectProfiles, DecideWherePeopleDiffer) {
  Profile mine = added("- {name: mine, settings: {only_for: accelerators, inherited_label: accept}}\n");
  EXPECT_TRUE(mine.settings.accelerators_in_only_for);
  EXPECT_TRUE(mine.settings.inherited_label);
  mine = added(
      "- {name: base, settings: {only_for: accelerators}}\n"
      "- {name: mine, extends: base, settings: {only_for: refuse}}\n");
  EXPECT_FALSE(mine.settings.accelerators_in_only_for);
}

TEST(ProjectProfiles, AreNamedByTheRulesThatTheyHave) {
  LintRules rules = builtin_lint_rules();
  ASSERT_TRUE(add("- {name: mine, extends: declare}\n", rules).ok());
  const std::vector<std::string>& profiles = rules.document("hw_classification")->profiles;
  EXPECT_EQ(profiles.back(), "mine");
  EXPECT_NE(rules.document("only_for")->profiles.back(), "mine");
  EXPECT_EQ(rules.profiles.front().name, "recommended") << "the default stays";
}

TEST(ProjectProfiles, RefuseUnknownKeysRulesAndWords) {
  EXPECT_EQ(refused("- name: mine\n  selects: [only_for]\n"),
            "hwsift.yaml:2: unknown key 'selects' (did you "
            "mean 'select'?)");
  EXPECT_EQ(refused("- name: mine\n  select:\n    - only_for\n    - onlyfor\n"),
            "hwsift.yaml:4: unknown rule 'onlyfor' (did you mean 'only_for'?)");
  EXPECT_EQ(refused("- name: mine\n  ignore: [vendor_apis]\n"),
            "hwsift.yaml:2: unknown rule 'vendor_apis' (did you mean 'vendor_api'?)");
  EXPECT_EQ(refused("- name: mine\n  severity:\n    only_for: fatal\n"),
            "hwsift.yaml:3: unknown word 'fatal' (one of: error, warning, advice)");
  EXPECT_EQ(refused("- name: mine\n  severity:\n    onlyfor: error\n"),
            "hwsift.yaml:3: unknown rule 'onlyfor' (did you mean 'only_for'?)");
  EXPECT_EQ(refused("- name: mine\n  settings:\n    only_for: accept\n"),
            "hwsift.yaml:3: unknown word 'accept' (one of: refuse, accelerators)");
  EXPECT_EQ(refused("- name: mine\n  settings:\n    only_fr: refuse\n"),
            "hwsift.yaml:3: unknown key 'only_fr' (did you mean 'only_for'?)");
  EXPECT_EQ(refused("- name: mine\n  extends: recomended\n"),
            "hwsift.yaml:2: unknown profile 'recomended' (did you mean 'recommended'?)");
}

TEST(ProjectProfiles, RefuseAWrongForm) {
  EXPECT_EQ(refused("mine: {}\n"), "hwsift.yaml:1: 'profiles' must be a list (start each with '- name:')");
  EXPECT_NE(refused("- extends: declare\n").find("hwsift.yaml:1: "), std::string::npos);
  EXPECT_NE(refused("- name: mine\n  severity: [only_for]\n").find("hwsift.yaml:2: "), std::string::npos);
  EXPECT_NE(refused("- name: mine\n  select: only_for\n").find("hwsift.yaml:2: "), std::string::npos);
  EXPECT_NE(refused("- mine\n").find("hwsift.yaml:1: "), std::string::npos);
  EXPECT_NE(refused("- name: mine\n  extends: [declare]\n").find("hwsift.yaml:2: "), std::string::npos);
}

TEST(ProjectProfiles, RefuseANameThatIsTaken) {
  EXPECT_EQ(refused("- name: declare\n"), "hwsift.yaml:1: the profile 'declare' stands twice (remove one)");
  EXPECT_EQ(refused("- name: mine\n- name: mine\n"),
            "hwsift.yaml:2: the profile 'mine' stands twice (remove one)");
}

TEST(ProjectProfiles, OnlyKnowTheOnesAboveThem) {
  EXPECT_NE(refused("- {name: mine, extends: later}\n- {name: later}\n").find("unknown profile 'later'"),
            std::string::npos);
}

}  // namespace
}  // namespace hwsift::lint
