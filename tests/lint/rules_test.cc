// Each rule's own examples: the bad one fires that rule and no other, the good one nothing. Those of
// stale_allowlist are no Python: see stale_test.cc; those of C++ rules need the C++ lexer: see
// cxx_rules_test.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "lint/rule_ids.h"
#include "tests/fake_disk.h"
#include "tests/lint/lint_text.h"

namespace hwsift::lint {
namespace {

class Rules : public testing::TestWithParam<const char*> {};

TEST_P(Rules, BadExampleFiresAndGoodOneIsSilent) {
  const RuleDocument* document = builtin_lint_rules().document(GetParam());
  ASSERT_NE(document, nullptr);
  ASSERT_FALSE(document->profiles.empty());
  if (document->id == rule::stale_allowlist || document->id.starts_with("cxx_")) return;
  std::set<std::string> fired;
  for (const Finding& finding : lint_text(document->profiles.front(), document->bad))
    fired.insert(finding.rule);
  EXPECT_EQ(fired, std::set<std::string>{document->id});
  for (const Finding& finding : lint_text(document->profiles.front(), document->good))
    ADD_FAILURE() << finding.line << " " << finding.rule << " " << finding.message;
}

// What the page says of a fix is what the bad example's findings carry.
TEST_P(Rules, FixIsAsThePageSays) {
  const RuleDocument* document = builtin_lint_rules().document(GetParam());
  ASSERT_NE(document, nullptr);
  if (document->id.starts_with("cxx_")) return;
  for (const Finding& finding : lint_text(document->profiles.front(), document->bad)) {
    if (finding.rule != document->id) continue;
    std::string kind = finding.fix ? word(finding.fix->safety) : "none";
    EXPECT_NE(document->fix.find(kind), std::string::npos) << kind << " is not in: " << document->fix;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Rules, testing::ValuesIn(rule::kAll),
                         [](const testing::TestParamInfo<const char*>& example) { return example.param; });

TEST(RuleFiles, BuiltInOnesAreCompleteAndSorted) {
  const LintRules& rules = builtin_lint_rules();
  EXPECT_EQ(rules.profiles.front().name, "recommended");
  EXPECT_EQ(rules.documents.size(), std::size(rule::kAll));
  EXPECT_TRUE(std::is_sorted(rules.documents.begin(), rules.documents.end(),
                             [](const RuleDocument& a, const RuleDocument& b) { return a.id < b.id; }));
  EXPECT_EQ(rules.profile("upstream-relaxed")->rules.count("except_for"), 0u);
  EXPECT_EQ(rules.document("except_for")->profiles,
            (std::vector<std::string>{"recommended", "upstream-strict", "all"}));
}

class RuleFolder : public testing::Test {
 protected:
  void SetUp() override {
    disk.files["/r/profiles.yaml"] =
        "profiles:\n  - name: mine\n    summary: s\n    contract: declare\n    rules:\n      "
        "hw_classification: warning\n";
    disk.files["/r/lint/hw_classification.yaml"] = "summary: s\nwhy: w\nbad: b\ngood: g\n";
  }

  Error error() {
    Result<LintRules> rules = load_lint_rules(disk, "/r");
    EXPECT_FALSE(rules.ok());
    return rules.ok() ? Error{} : rules.error();
  }

  FakeDisk disk;
};

TEST_F(RuleFolder, IsRead) {
  Result<LintRules> rules = load_lint_rules(disk, "/r");
  ASSERT_TRUE(rules.ok()) << to_string(rules.error());
  ASSERT_NE(rules->profile("mine"), nullptr);
  EXPECT_EQ(rules->profile("mine")->contract, Contract::declare);
  EXPECT_EQ(rules->profile("mine")->rules.at("hw_classification"), Severity::warning);
  EXPECT_EQ(rules->document("hw_classification")->why, "w");
  EXPECT_EQ(rules->document("hw_classification")->profiles, std::vector<std::string>{"mine"});
}

TEST_F(RuleFolder, RefusesAnUnknownKeyWithItsPlace) {
  disk.files["/r/lint/hw_classification.yaml"] = "summary: s\nwhy: w\nbad: b\ngoood: g\ngood: g\n";
  EXPECT_EQ(error().where, "/r/lint/hw_classification.yaml:4");
  EXPECT_EQ(error().what, "unknown key 'goood'");
}

TEST_F(RuleFolder, RefusesAnUnknownRuleSeverityOrContract) {
  std::string profiles = disk.files["/r/profiles.yaml"];
  disk.files["/r/profiles.yaml"] = profiles + "      only_foo: error\n";
  EXPECT_EQ(to_string(error()), "/r/profiles.yaml:7: unknown rule 'only_foo' (did you mean 'only_for'?)");
  disk.files["/r/profiles.yaml"] = profiles + "      only_for: fatal\n";
  EXPECT_EQ(to_string(error()), "/r/profiles.yaml:7: unknown word 'fatal' (one of: error, warning, advice)");
  disk.files["/r/profiles.yaml"] =
      "profiles:\n  - name: mine\n    summary: s\n    contract: declares\n    rules: {}\n";
  EXPECT_EQ(to_string(error()), "/r/profiles.yaml:4: unknown word 'declares' (did you mean 'declare'?)");
}

TEST_F(RuleFolder, RefusesWhatIsMissing) {
  disk.files["/r/profiles.yaml"] += "      only_for: error\n";
  EXPECT_EQ(error().where, "/r/lint/only_for.yaml");
  disk.files["/r/profiles.yaml"] = "profiles:\n  - {name: mine, summary: s, rules: {}}\n";
  EXPECT_EQ(to_string(error()), "/r/profiles.yaml:2: the key 'contract' is missing (add it)");
  disk.files["/r/profiles.yaml"] = "profiles: []\n";
  EXPECT_EQ(error().what, "holds no profile");
  disk.files.erase("/r/profiles.yaml");
  EXPECT_EQ(error().where, "/r/profiles.yaml");
}

TEST_F(RuleFolder, RefusesADocumentOfNoRuleAndADoubledProfile) {
  disk.files["/r/lint/only_fo.yaml"] = "summary: s\nwhy: w\nbad: b\ngood: g\n";
  EXPECT_EQ(error().where, "/r/lint/only_fo.yaml:1");
  disk.files.erase("/r/lint/only_fo.yaml");
  disk.files["/r/profiles.yaml"] += "  - {name: mine, summary: s, contract: declare, rules: {}}\n";
  EXPECT_EQ(error().what, "the profile 'mine' stands twice");
}

}  // namespace
}  // namespace hwsift::lint
