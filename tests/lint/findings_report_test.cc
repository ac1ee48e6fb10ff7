// Text, JSON and lintrunner messages of findings.
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/disk.h"
#include "base/json.h"
#include "base/text.h"
#include "report/findings.h"

namespace hwsift::report {
namespace {

using lint::Finding;
using lint::Severity;

// Compares with tests/fixtures/lint/NAME; HWSIFT_UPDATE_GOLDENS=1 rewrites it.
void expect_golden(const std::string& name, const std::string& found) {
  std::string file = HWSIFT_FIXTURES "/lint/" + name;
  if (std::getenv("HWSIFT_UPDATE_GOLDENS") != nullptr) {
    ASSERT_TRUE(real_disk().write(file, found).ok());
  }
  Result<std::string> recorded = real_disk().read(file, 1 << 20);
  ASSERT_TRUE(recorded.ok()) << "no golden file; run with HWSIFT_UPDATE_GOLDENS=1 and read the diff";
  EXPECT_EQ(found, *recorded);
}

LintReport some_findings() {
  LintReport report;
  report.profile = "recommended";
  report.files = 12;
  report.allowlisted = 3;
  report.findings = {
      {"hw_classification", "test/test_a.py", 9, 1, 9, 12, Severity::error, "TestA declares nothing",
       "declare it", "TestA", ""},
      {"device_param", "test/test_a.py", 112, 2, 112, 12, Severity::warning, "test_b takes no device", "",
       "TestA", "test_b"},
      {"parse_error", "test/test_\x1b[31m\xff.py", 0, 0, 0, 0, Severity::error, "cannot be read: not text",
       "", "", ""},
  };
  return report;
}

std::string no_source(const Finding&) { return ""; }

std::string source_of(const Finding& finding) {
  return finding.line == 9 ? "class TestA(TestCase):\r" : "\tdef test_b(self): pass";
}

TEST(FindingsText, GroupsByFileAndShowsTheSource) {
  expect_golden("report.txt", findings_text(some_findings(), source_of, Style{}));
}

TEST(FindingsText, IsOneLineAFindingWhereThereAreMany) {
  LintReport report = some_findings();
  report.findings.insert(report.findings.begin(), kMaxFindingsWithSource, report.findings.front());
  std::string text = findings_text(report, source_of, Style{});
  EXPECT_EQ(text.find("class TestA("), std::string::npos);
  EXPECT_NE(text.find("TestA declares nothing; declare it\n"), std::string::npos);
  EXPECT_NE(text.find("53 findings in 2 of 12 files"), std::string::npos);
}

TEST(FindingsText, NeverSendsControlCharactersToATerminal) {
  EXPECT_EQ(findings_text(some_findings(), no_source, Style{}).find('\x1b'), std::string::npos);
  auto hostile = [](const Finding&) { return std::string("class A: '\x1b[2J'"); };
  EXPECT_EQ(findings_text(some_findings(), hostile, Style{}).find('\x1b'), std::string::npos);
}

TEST(FindingsText, ColoursOnlyWhenAsked) {
  EXPECT_NE(findings_text(some_findings(), no_source, Style{true}).find("\x1b[31merror"), std::string::npos);
}

TEST(FindingsText, SaysWhatWasLookedAtWhenAllIsWell) {
  LintReport report;
  report.profile = "declare";
  report.files = 2;
  report.allowlisted = 1;
  EXPECT_EQ(findings_text(report, no_source, Style{}),
            "no findings in 2 files (profile declare); 1 file allowlisted\n");
  report.files = 0;
  EXPECT_EQ(findings_text(report, no_source, Style{}),
            "no file to lint (profile declare); 1 file allowlisted\n");
}

TEST(FindingsText, LeavesOutACaretThatWouldPointNowhere) {
  LintReport report = some_findings();
  report.findings.resize(1);
  report.findings[0].col = 40;
  std::string text = findings_text(report, source_of, Style{});
  EXPECT_EQ(text.find('^'), std::string::npos);
}

TEST(FindingsJson, HasEveryField) { expect_golden("report.json", findings_json(some_findings())); }

TEST(FindingsJson, OfNothingIsADocumentToo) {
  Result<Json> document = parse_json(findings_json({}), "findings");
  ASSERT_TRUE(document.ok());
  EXPECT_EQ((*document)["schema"], "hwsift.findings/1");
  EXPECT_EQ((*document)["findings"].size(), 0u);
}

void expect_message(const std::string& line) {
  EXPECT_EQ(invalid_utf8_at(line), std::nullopt) << line;
  EXPECT_EQ(line.find('\n'), line.size() - 1) << line;
  Result<Json> message = parse_json(line, "message");
  ASSERT_TRUE(message.ok()) << line;
  for (const char* field :
       {"path", "line", "char", "code", "severity", "name", "original", "replacement", "description"})
    EXPECT_TRUE(message->contains(field)) << field;
  EXPECT_EQ(message->size(), 9u);
  EXPECT_EQ((*message)["code"], "HW_CLASSIFICATION");
}

TEST(Lintrunner, EachMessageIsOneLineOfValidUtf8WithAllFields) {
  for (Finding finding : some_findings().findings) {
    expect_message(lintrunner_line(finding, "/t/\xff\n\"\\.py"));
    finding.message = "bytes \xf0\x28 and\nlines";
    expect_message(lintrunner_line(finding, finding.path));
  }
  expect_message(
      lintrunner_failure("parse_error", "/t/\xfe.py", {"/t/\xfe.py", "cannot find: \xff", "look"}));
  expect_message(lintrunner_failure("hwsift", "", {"allow.json:1:4", "not valid JSON", ""}));
}

TEST(Lintrunner, SaysWhatAndWhere) {
  Json message = parse_json(lintrunner_line(some_findings().findings[0], "/abs/test/test_a.py"), "m").value();
  EXPECT_EQ(message["path"], "/abs/test/test_a.py");
  EXPECT_EQ(message["line"], 9);
  EXPECT_EQ(message["char"], 1);
  EXPECT_EQ(message["name"], "hw_classification");
  EXPECT_EQ(message["severity"], "error");
  EXPECT_EQ(message["description"], "TestA declares nothing; declare it");
  EXPECT_TRUE(message["replacement"].is_null());
}

TEST(Lintrunner, AFindingWithoutALineHasNone) {
  Json message = parse_json(lintrunner_line(some_findings().findings[2], "x"), "m").value();
  EXPECT_TRUE(message["line"].is_null());
  EXPECT_TRUE(message["char"].is_null());
}

TEST(Lintrunner, AGeneralFailureHasNoPath) {
  Json message =
      parse_json(lintrunner_failure("hwsift", "", {"a.json:1:4", "not valid JSON", "mend it"}), "m").value();
  EXPECT_TRUE(message["path"].is_null());
  EXPECT_EQ(message["description"], "a.json:1:4: not valid JSON (mend it)");
}

}  // namespace
}  // namespace hwsift::report
