#include "lint/stale.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lint/profile.h"
#include "lint/rule_ids.h"
#include "tests/fake_disk.h"

namespace hwsift::lint {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Allowlist json(const std::string& text) { return *parse_allowlist(text, "a.json"); }
Allowlist yaml(const std::string& text) { return *parse_allowlist(text, "a.yaml"); }

Finding finding(const std::string& path, const std::string& cls = "A", const std::string& rule = "only_for") {
  Finding finding;
  finding.path = path;
  finding.cls = cls;
  finding.rule = rule;
  return finding;
}

// "path staleness [new path]"
std::vector<std::string> judged(const Allowlist& allowlist, const Standing& standing) {
  constexpr const char* kWords[] = {"gone", "moved", "clean"};
  std::vector<std::string> words;
  for (const StaleEntry& stale : stale_entries(allowlist, standing))
    words.push_back(stale.entry.name() + " " + kWords[static_cast<int>(stale.staleness)] +
                    (stale.moved_to.empty() ? "" : " " + stale.moved_to));
  return words;
}

std::string after_pruning(const Allowlist& allowlist, const Standing& standing) {
  return to_text(pruned(allowlist, stale_entries(allowlist, standing)));
}

TEST(GonePaths, AreThoseThatLeadNowhere) {
  FakeDisk disk;
  disk.files["/t/test/test_a.py"] = "";
  disk.files["/t/test/sub/test_b.py"] = "";
  EXPECT_THAT(gone_paths(disk, "/t",
                         json("[\"test/test_a.py\", \"test/gone.py\", \"no/such.py\", \"test/sub\", "
                              "\"top.py\", \"test/test_a.py/x\"]")),
              ElementsAre("no/such.py", "test/gone.py", "test/sub", "test/test_a.py/x", "top.py"));
}

TEST(GonePaths, WhatMayNotBeLookedAtIsThere) {
  FakeDisk disk;
  disk.files["/t/test/secret/test_a.py"] = "";
  disk.unreadable = {"/t/test/secret"};
  EXPECT_THAT(gone_paths(disk, "/t", json("[\"test/secret/test_b.py\"]")), IsEmpty());
}

TEST(StaleEntries, AreGoneCleanOrMoved) {
  Allowlist allowlist = json("[\"clean\", \"gone\", \"needed\", \"old\", \"old_clean\"]");
  Standing standing{{"gone", "old", "old_clean"},
                    {{"old", "new"}, {"old_clean", "new_clean"}},
                    {finding("needed"), finding("new")}};
  EXPECT_THAT(judged(allowlist, standing),
              ElementsAre("clean clean", "gone gone", "old moved new", "old_clean clean"));
  EXPECT_EQ(after_pruning(allowlist, standing), "[\n  \"needed\",\n  \"new\"\n]\n");
}

TEST(StaleEntries, NarrowOnesNeedAMatchOfTheirOwn) {
  Allowlist allowlist = yaml(
      "- {path: a, class: A, reason: r}\n- {path: a, class: B, reason: r}\n- {path: a, class: C, rule: x, "
      "reason: r}\n"
      "- {path: a, rule: y, reason: r}\n");
  Standing standing{{}, {}, {finding("a", "A", "x"), finding("a", "C", "z")}};
  EXPECT_THAT(judged(allowlist, standing),
              ElementsAre("a (rule y) clean", "a (class B) clean", "a (class C, rule x) clean"));
}

TEST(StaleEntries, AMoveOntoAnotherEntryIsGone) {
  Allowlist allowlist = json("[\"new\", \"old\"]");
  Standing standing{{"old"}, {{"old", "new"}}, {finding("new")}};
  EXPECT_THAT(judged(allowlist, standing), ElementsAre("old gone"));
  Allowlist two = json("[\"old\", \"older\"]");
  Standing both{{"old", "older"}, {{"old", "new"}, {"older", "new"}}, {finding("new")}};
  EXPECT_THAT(judged(two, both), ElementsAre("old moved new", "older gone"));
  EXPECT_EQ(after_pruning(two, both), "[\n  \"new\"\n]\n");
}

TEST(StaleEntries, PruningTwiceChangesNothing) {
  Allowlist allowlist =
      yaml("# head\n- {path: gone, reason: r}\n- {path: old, rule: only_for, reason: r, owner: o}\n");
  Standing standing{{"gone", "old"}, {{"old", "new"}}, {finding("new")}};
  std::string once = after_pruning(allowlist, standing);
  EXPECT_EQ(once, "# head\n- path: new\n  rule: only_for\n  reason: r\n  owner: o\n");
  EXPECT_EQ(after_pruning(yaml(once), {{}, {}, {finding("new")}}), once);
}

TEST(TakeOutAllowed, LeavesTheOthersAndSaysWhatMatched) {
  Allowlist allowlist = yaml("- {path: a, class: A, reason: r}\n- {path: a, class: B, reason: r}\n");
  std::vector<Finding> findings = {finding("a", "A"), finding("a", "C"), finding("b", "A")};
  EXPECT_EQ(take_out_allowed(allowlist, findings), (std::vector<bool>{true, false}));
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].cls, "C");
  EXPECT_EQ(findings[1].path, "b");
}

TEST(StaleFinding, StandsAtTheEntrysLine) {
  StaleEntry stale{json("[\n  \"gone\"\n]").entries.front(), Staleness::gone, ""};
  Finding found = stale_finding(stale, "lists/a.json", Severity::warning, "recommended");
  EXPECT_EQ(found.rule, "stale_allowlist");
  EXPECT_EQ(found.path, "lists/a.json");
  EXPECT_EQ(found.line, 2);
  EXPECT_EQ(found.col, 3);
  EXPECT_EQ(full_message(found),
            "the allowlist entry gone: the file is gone; remove the entry, or run 'hwsift allowlist prune'");
}

// The rule's own examples, in a tree that holds test/test_add.py alone.
TEST(StaleFinding, BadExampleFiresAndGoodOneIsSilent) {
  const RuleDocument* document = builtin_lint_rules().document(rule::stale_allowlist);
  ASSERT_NE(document, nullptr);
  EXPECT_EQ(document->profiles, (std::vector<std::string>{"recommended", "all"}));
  FakeDisk disk;
  disk.files["/t/test/test_add.py"] = "";
  EXPECT_EQ(gone_paths(disk, "/t", json(document->bad)).size(), 1u);
  EXPECT_EQ(json(document->good).entries.size(), 1u);
  EXPECT_THAT(gone_paths(disk, "/t", json(document->good)), IsEmpty());
}

}  // namespace
}  // namespace hwsift::lint
