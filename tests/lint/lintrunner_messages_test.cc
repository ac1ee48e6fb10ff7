// The messages of lintrunner: what it accepts, and one message a file for all that a fix mends.
#include <gtest/gtest.h>

#include "base/json.h"
#include "base/text.h"
#include "report/findings.h"

namespace hwsift::report {
namespace {

using lint::Finding;
using lint::Fix;
using lint::Safety;
using lint::Severity;

constexpr char kHostile[] = "test/test_\x1b[31m\xff\n\"\\.py";

Finding finding(const std::string& rule, const std::string& path, int line) {
  return {
      rule,      path, line, line == 0 ? 0 : 1, line, line == 0 ? 0 : 9, Severity::error, rule + " is broken",
      "mend it", "",   ""};
}

Finding fixable(const std::string& rule, const std::string& path, int line, Safety safety = Safety::safe) {
  Finding found = finding(rule, path, line);
  found.fix = Fix{safety, {{0, 1, "x"}}};
  return found;
}

std::vector<Json> messages_of(const LintReport& report) {
  std::string text = lintrunner_messages(report, [](const std::string& path) { return "/t/" + path; });
  EXPECT_EQ(invalid_utf8_at(text), std::nullopt) << text;
  std::vector<Json> messages;
  for (const std::string& line : split(text, '\n'))
    if (!line.empty()) messages.push_back(parse_json(line, "message").value());
  return messages;
}

void expect_all_fields(const Json& message) {
  for (const char* field :
       {"path", "line", "char", "code", "severity", "name", "original", "replacement", "description"})
    EXPECT_TRUE(message.contains(field)) << field;
  EXPECT_EQ(message.size(), 9u);
  EXPECT_EQ(message["code"], "HW_CLASSIFICATION");
}

TEST(Lintrunner, SaysWhatAndWhere) {
  LintReport report;
  report.findings = {finding("only_for", "test/test_a.py", 9)};
  Json message = messages_of(report).at(0);
  expect_all_fields(message);
  EXPECT_EQ(message["path"], "/t/test/test_a.py");
  EXPECT_EQ(message["line"], 9);
  EXPECT_EQ(message["char"], 1);
  EXPECT_EQ(message["name"], "only_for");
  EXPECT_EQ(message["severity"], "error");
  EXPECT_EQ(message["description"], "only_for is broken; mend it");
  EXPECT_TRUE(message["original"].is_null());
  EXPECT_TRUE(message["replacement"].is_null());
}

TEST(Lintrunner, SaysNothingOfNothing) { EXPECT_EQ(messages_of({}).size(), 0u); }

TEST(Lintrunner, StaysValidWithTextThatIsNone) {
  LintReport report;
  report.findings = {finding("parse_error", kHostile, 0)};
  report.findings[0].message = "bytes \xf0\x28 and\nlines";
  std::vector<Json> messages = messages_of(report);
  ASSERT_EQ(messages.size(), 1u);
  expect_all_fields(messages[0]);
}

TEST(Lintrunner, AFindingWithoutALineHasNone) {
  LintReport report;
  report.findings = {finding("parse_error", "x", 0)};
  Json message = messages_of(report).at(0);
  EXPECT_TRUE(message["line"].is_null());
  EXPECT_TRUE(message["char"].is_null());
}

LintReport two_files() {
  LintReport report;
  report.findings = {finding("only_for", "a.py", 3), fixable("hw_classification", "a.py", 5),
                     fixable("except_for", "a.py", 9), fixable("decorator", "a.py", 11, Safety::review),
                     fixable("hw_classification", "b.py", 2)};
  report.findings[1].severity = Severity::warning;
  report.changes["a.py"] = {"old\n", "new\r\n"};
  return report;
}

TEST(Lintrunner, OneMessageCarriesAllThatTheFixMends) {
  std::vector<Json> messages = messages_of(two_files());
  ASSERT_EQ(messages.size(), 4u);
  for (const Json& message : messages) expect_all_fields(message);
  EXPECT_EQ(messages[0]["name"], "hw_classification");
  EXPECT_EQ(messages[0]["severity"], "error");  // the worst of the two
  EXPECT_EQ(messages[0]["line"], 5);
  EXPECT_EQ(messages[0]["original"], "old\n");
  EXPECT_EQ(messages[0]["replacement"], "new\r\n");
  EXPECT_EQ(messages[0]["description"],
            "line 5: hw_classification: hw_classification is broken; mend it\n"
            "line 9: except_for: except_for is broken; mend it");
  EXPECT_EQ(messages[1]["name"], "only_for");
  EXPECT_EQ(messages[2]["name"], "decorator");
  EXPECT_EQ(messages[3]["path"], "/t/b.py");
  for (std::size_t i = 1; i < messages.size(); ++i) EXPECT_TRUE(messages[i]["replacement"].is_null());
}

TEST(Lintrunner, FixesForReviewCountWhereTheChangeHoldsThem) {
  LintReport report = two_files();
  report.changes_with_review = true;
  std::vector<Json> messages = messages_of(report);
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_NE(messages[0]["description"].get<std::string>().find("line 11: decorator"), std::string::npos);
}

TEST(Lintrunner, OneMendedFindingIsDescribedAsAlways) {
  LintReport report;
  report.findings = {fixable("only_for", "a.py", 3)};
  report.changes["a.py"] = {"old", "new"};
  EXPECT_EQ(messages_of(report).at(0)["description"], "only_for is broken; mend it");
}

// lintrunner would write the replacement characters into the file.
TEST(Lintrunner, NeverCarriesTextsThatJsonWouldChange) {
  for (const FileFix& change : {FileFix{"caf\xe9", "new"}, FileFix{"old", "caf\xe9"}}) {
    LintReport report = two_files();
    report.changes["a.py"] = change;
    std::vector<Json> messages = messages_of(report);
    EXPECT_EQ(messages.size(), 5u);
    for (const Json& message : messages) EXPECT_TRUE(message["replacement"].is_null());
  }
}

TEST(Lintrunner, AFailureNamesThePathOrNone) {
  std::string line =
      lintrunner_failure("parse_error", "/t/\xfe.py", {"/t/\xfe.py", "cannot find: \xff", "look"});
  EXPECT_EQ(invalid_utf8_at(line), std::nullopt);
  expect_all_fields(parse_json(line, "message").value());
  Json general =
      parse_json(lintrunner_failure("hwsift", "", {"a.json:1:4", "not valid JSON", "mend it"}), "m").value();
  expect_all_fields(general);
  EXPECT_TRUE(general["path"].is_null());
  EXPECT_EQ(general["description"], "a.json:1:4: not valid JSON (mend it)");
}

}  // namespace
}  // namespace hwsift::report
