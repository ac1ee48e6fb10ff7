// Text and JSON of findings.
#include <gmock/gmock.h>
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
using ::testing::HasSubstr;

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

LintReport with_fixes(std::size_t safe, std::size_t review) {
  LintReport report = some_findings();
  report.findings.resize(1);
  report.findings.resize(1 + safe + review, report.findings.front());
  for (std::size_t i = 1; i < report.findings.size(); ++i)
    report.findings[i].fix = lint::Fix{i <= safe ? lint::Safety::safe : lint::Safety::review, {{0, 1, "x"}}};
  return report;
}

TEST(FindingsText, NamesTheFixesAsTheNextStep) {
  auto text = [](std::size_t safe, std::size_t review) {
    return findings_text(with_fixes(safe, review), no_source, Style{});
  };
  EXPECT_EQ(text(0, 0).find("--fix"), std::string::npos);
  EXPECT_THAT(text(1, 0), HasSubstr("\nadd --fix to mend 1 finding\n'hwsift rules show"));
  EXPECT_THAT(
      text(3, 2),
      HasSubstr("\nadd --fix to mend 3 findings, --fix=review for 2 more, for a person to look at\n"));
  EXPECT_THAT(text(0, 2), HasSubstr("\nadd --fix=review to mend 2 findings, for a person to look at\n"));
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

TEST(FindingsJsonl, HasOneObjectALineTheSameAsInJson) {
  std::vector<std::string> lines = split(findings_jsonl(some_findings()), '\n');
  Json findings = parse_json(findings_json(some_findings()), "json").value()["findings"];
  ASSERT_EQ(lines.size(), findings.size() + 1);
  EXPECT_EQ(lines.back(), "");
  for (std::size_t i = 0; i < findings.size(); ++i)
    EXPECT_EQ(parse_json(lines[i], "line").value(), findings[i]);
  EXPECT_EQ(findings_jsonl({}), "");
}

}  // namespace
}  // namespace hwsift::report
