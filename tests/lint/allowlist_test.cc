#include "lint/allowlist.h"

#include <gtest/gtest.h>

#include "tests/fake_disk.h"

namespace hwsift::lint {
namespace {

std::string error_of(const std::string& bytes) {
  Result<Allowlist> allowlist = parse_allowlist(bytes, "a.json");
  return allowlist.ok() ? "ok" : allowlist.error().where + ": " + allowlist.error().what;
}

std::string yaml_error_of(const std::string& bytes) {
  Result<Allowlist> allowlist = parse_allowlist(bytes, "a.yaml");
  return allowlist.ok() ? "ok" : to_string(allowlist.error());
}

Finding finding(const std::string& path, const std::string& cls, const std::string& rule) {
  Finding finding;
  finding.path = path;
  finding.cls = cls;
  finding.rule = rule;
  return finding;
}

TEST(Allowlist, IsASortedFlatArrayOfPaths) {
  Result<Allowlist> allowlist = parse_allowlist("[\"test/test_b.py\", \"test/test_a.py\"]", "a.json");
  ASSERT_TRUE(allowlist.ok());
  EXPECT_TRUE(allowlist->allows("test/test_b.py"));
  EXPECT_FALSE(allowlist->allows("test/test_c.py"));
  EXPECT_EQ(to_text(*allowlist), "[\n  \"test/test_a.py\",\n  \"test/test_b.py\"\n]\n");
  EXPECT_EQ(to_text({}), "[]\n");
}

TEST(Allowlist, EntriesKnowTheirPlace) {
  Result<Allowlist> allowlist = parse_allowlist("[ \"a\\\"],.py\",\n\t\"b\xc3\xa9\", \"c\\\\\" ]", "a.json");
  ASSERT_TRUE(allowlist.ok());
  ASSERT_EQ(allowlist->entries.size(), 3u);
  EXPECT_EQ(allowlist->entries[0].col, 3);
  EXPECT_EQ(allowlist->entries[1].line, 2);
  EXPECT_EQ(allowlist->entries[1].col, 2);
  EXPECT_EQ(allowlist->entries[2].col, 8);
}

TEST(Allowlist, TheFormFollowsTheNameThenTheContent) {
  EXPECT_EQ(form_of("a.json", ""), AllowlistForm::json);
  EXPECT_EQ(form_of("a.yml", "[]"), AllowlistForm::yaml);
  EXPECT_EQ(form_of("a.yaml", "[]"), AllowlistForm::yaml);
  EXPECT_EQ(form_of("list", " [\"a\"]"), AllowlistForm::json);
  EXPECT_EQ(form_of("list", "# why\n- path: a"), AllowlistForm::yaml);
}

TEST(Allowlist, YamlEntriesSayWhyAndKeepTheHead) {
  std::string text =
      "# Owners mend these first.\n\n- path: test/test_a.py\n  reason: \"old: see #7\"\n  owner: me\n  "
      "since: "
      "2026-03-14\n- path: test/test_b.py\n  class: TestB\n  rule: only_for\n  reason: a filter, for now\n";
  Result<Allowlist> allowlist = parse_allowlist(text, "a.yaml");
  ASSERT_TRUE(allowlist.ok()) << to_string(allowlist.error());
  EXPECT_EQ(allowlist->entries[0].reason, "old: see #7");
  EXPECT_EQ(allowlist->entries[1].line, 7);
  EXPECT_EQ(allowlist->entries[1].name(), "test/test_b.py (class TestB, rule only_for)");
  EXPECT_TRUE(allowlist->allows("test/test_a.py"));
  EXPECT_FALSE(allowlist->allows("test/test_b.py"));
  EXPECT_FALSE(allowlist->comments_below);
  EXPECT_EQ(to_text(*allowlist), text);
}

TEST(Allowlist, WrittenOrderIsByPathClassAndRule) {
  Result<Allowlist> allowlist = parse_allowlist(
      "- {path: b, rule: x, reason: r}\n- {path: b, class: A, rule: z, reason: r}\n# c\n- {path: a, reason: "
      "r}\n",
      "a.yaml");
  ASSERT_TRUE(allowlist.ok());
  EXPECT_TRUE(allowlist->comments_below);
  EXPECT_EQ(to_text(*allowlist),
            "- path: a\n  reason: r\n- path: b\n  rule: x\n  reason: r\n- path: b\n  class: A\n  rule: z\n  "
            "reason: r\n");
  EXPECT_EQ(to_text(*parse_allowlist("# none\n", "a.yaml")), "# none\n[]\n");
  EXPECT_EQ(to_text(*parse_allowlist("", "a.yaml")), "[]\n");
}

TEST(Allowlist, AnyTextSurvivesWriting) {
  Allowlist allowlist;
  allowlist.form = AllowlistForm::yaml;
  for (const char* text : {"null",     "yes", "~",  "1",    "2026-03-14", "- a",  "a: b",     "a #b",
                           "\"",       "\\",  "\n", "\x01", "\x7f",       " a ",  "\xc3\xa9", "\xe2\x80\xa8",
                           "\xc2\x85", "{",   "*a", "!x",   "%",          "a\tb", "---"}) {
    AllowlistEntry entry;
    entry.path = "test/" + std::to_string(allowlist.entries.size());
    entry.cls = text;
    entry.reason = std::string("x") + text;
    allowlist.entries.push_back(entry);
  }
  Result<Allowlist> again = parse_allowlist(to_text(allowlist), "a.yaml");
  ASSERT_TRUE(again.ok()) << to_string(again.error());
  for (const AllowlistEntry& entry : allowlist.entries) {
    ASSERT_EQ(again->of(entry.path).size(), 1u) << entry.path;
    EXPECT_EQ(again->of(entry.path).front().cls, entry.cls);
    EXPECT_EQ(again->of(entry.path).front().reason, entry.reason);
  }
}

TEST(Allowlist, EntriesMatchByClassAndRule) {
  Result<Allowlist> allowlist = parse_allowlist(
      "- {path: a, class: A, reason: r}\n- {path: b, rule: x, reason: r}\n- {path: c, class: A, rule: x, "
      "reason: r}\n",
      "a.yaml");
  ASSERT_TRUE(allowlist.ok());
  auto matches = [&](const Finding& f) {
    return !allowlist->of(f.path).empty() && allowlist->of(f.path).front().matches(f);
  };
  EXPECT_TRUE(matches(finding("a", "A", "x")));
  EXPECT_FALSE(matches(finding("a", "B", "x")));
  EXPECT_TRUE(matches(finding("b", "B", "x")));
  EXPECT_FALSE(matches(finding("b", "B", "y")));
  EXPECT_TRUE(matches(finding("c", "A", "x")));
  EXPECT_FALSE(matches(finding("c", "A", "y")));
  EXPECT_FALSE(matches(finding("d", "A", "x")));
}

TEST(Allowlist, YamlFaultsNamePlaceAndRemedy) {
  EXPECT_EQ(yaml_error_of("- {path: a, reasn: r}\n"),
            "a.yaml:1:20: unknown key 'reasn' (did you mean 'reason'?)");
  EXPECT_EQ(yaml_error_of("- path: a\n  reason: r\n- reason: r\n"),
            "a.yaml:3:3: the key 'path' is missing (add it, or remove the entry)");
  EXPECT_EQ(yaml_error_of("- path: a\n"),
            "a.yaml:1:3: the entry of 'a' has no reason (add 'reason:', why it may break rules)");
  EXPECT_EQ(yaml_error_of("- {path: /a, reason: r}\n"),
            "a.yaml:1:3: '/a' is not below the tree (write the path as seen from the root of the tree)");
  EXPECT_EQ(yaml_error_of("- {path: a//b, reason: r}\n"),
            "a.yaml:1:3: 'a//b' is not a normal path (write 'a/b')");
  EXPECT_EQ(yaml_error_of("- {path: a, reason: r, since: May}\n"),
            "a.yaml:1:3: 'May' is no date (write it as 2026-03-14)");
  EXPECT_EQ(yaml_error_of("- {path: a, reason: r, class: }\n"),
            "a.yaml:1:31: 'class' must be text (write a text, or leave the key out)");
  EXPECT_EQ(yaml_error_of("- {path: a, reason: r, class: ''}\n"),
            "a.yaml:1:31: 'class' is empty (write a text, or leave the key out)");
  EXPECT_NE(yaml_error_of("- {path: a, reason: \"\\N\"}\n").find("not valid UTF-8"), std::string::npos);
  EXPECT_NE(yaml_error_of("- a\n").find("a.yaml:1:3: an entry must be a map"), std::string::npos);
  EXPECT_NE(yaml_error_of("path: a\n").find("a.yaml:1:1: not a list of entries"), std::string::npos);
  EXPECT_NE(yaml_error_of("- [\n").find("a.yaml:2: not valid YAML"), std::string::npos);
}

TEST(Allowlist, RefusesWhatIsCovered) {
  EXPECT_EQ(error_of("[\"a\",\n\"b\", \"a\"]"), "a.json:2:6: 'a' stands twice");
  EXPECT_EQ(
      yaml_error_of("- {path: a, class: A, reason: r}\n- {path: a, reason: r}\n"),
      "a.yaml:1:3: 'a (class A)' is covered by another entry (line 2 covers it; remove one of the two)");
  EXPECT_EQ(yaml_error_of("- {path: a, class: A, reason: r}\n- {path: a, class: A, rule: x, reason: r}\n"),
            "a.yaml:2:3: 'a (class A, rule x)' is covered by another entry (line 1 covers it; remove one of "
            "the two)");
  EXPECT_EQ(yaml_error_of("- {path: a, class: A, reason: r}\n- {path: a, rule: x, reason: r}\n"), "ok");
}

TEST(Allowlist, InsertKeepsTheOrderAndRefusesWhatIsCovered) {
  Allowlist allowlist = *parse_allowlist("[\"a\", \"c\"]", "a.json");
  AllowlistEntry entry;
  entry.path = "b";
  ASSERT_TRUE(insert(allowlist, entry).ok());
  EXPECT_EQ(to_text(allowlist), "[\n  \"a\",\n  \"b\",\n  \"c\"\n]\n");
  EXPECT_EQ(insert(allowlist, entry).error().what, "the allowlist has 'b' already");
  entry.cls = "B";
  EXPECT_EQ(insert(allowlist, entry).error().what, "the JSON form holds paths only, no class and no rule");
  allowlist.form = AllowlistForm::yaml;
  EXPECT_EQ(insert(allowlist, entry).error().what, "the entry of 'b' has no reason");
  entry.reason = "r";
  EXPECT_EQ(insert(allowlist, entry).error().what, "the allowlist has 'b' already");
  entry.path = "d";
  ASSERT_TRUE(insert(allowlist, entry).ok());
  entry.cls = "";
  EXPECT_EQ(insert(allowlist, entry).error().what, "the allowlist has the narrower 'd (class B)'");
  entry.path = "\xff";
  EXPECT_EQ(insert(allowlist, entry).error().hint, "rename the file");
}

TEST(Allowlist, NamesThePlaceOfWhatItRefuses) {
  EXPECT_EQ(error_of("[1,"), "a.json:1:4: not valid JSON");
  EXPECT_EQ(error_of(""), "a.json:1:1: not valid JSON");
  EXPECT_EQ(error_of("{\"test/test_a.py\": 1}"), "a.json:1:1: not a JSON array");
  EXPECT_EQ(error_of("[\n  \"test/test_a.py\",\n  3\n]\n"), "a.json:3:3: an entry must be a text");
  EXPECT_EQ(error_of("[\"test/test_a.py\", \"\"]"), "a.json:1:20: an entry is empty");
}

TEST(Allowlist, RefusesPathsThatWouldNeverMatch) {
  EXPECT_EQ(error_of("[\n\"test//test_a.py\"]"), "a.json:2:1: 'test//test_a.py' is not a normal path");
  EXPECT_EQ(error_of("[\"./test/test_a.py\"]"), "a.json:1:2: './test/test_a.py' is not a normal path");
  EXPECT_EQ(error_of("[\"/test/test_a.py\"]"), "a.json:1:2: '/test/test_a.py' is not below the tree");
  EXPECT_EQ(error_of("[\"../test_a.py\"]"), "a.json:1:2: '../test_a.py' is not below the tree");
}

TEST(Allowlist, SaysHowToMakeAMissingOne) {
  FakeDisk disk;
  Result<Allowlist> allowlist = load_allowlist(disk, "/t/none.json");
  ASSERT_FALSE(allowlist.ok());
  EXPECT_EQ(allowlist.error().where, "/t/none.json");
  EXPECT_NE(allowlist.error().hint.find("allowlist init"), std::string::npos);
}

}  // namespace
}  // namespace hwsift::lint
