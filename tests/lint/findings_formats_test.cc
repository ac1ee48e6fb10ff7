// SARIF, GitHub and JUnit: what their readers need, and text that would break them.
#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "base/json.h"
#include "base/text.h"
#include "report/findings.h"

namespace hwsift::report {
namespace {

using lint::Finding;
using lint::Fix;
using lint::Safety;
using lint::Severity;

constexpr char kHostileText[] = "100% of ::error::, \x1b[2J\r\nnext \xff \xef\xbf\xbf <&\"'> ]]>";
constexpr char kHostilePath[] = "test/a b,c:\xc3\xa9%\n\xff\"&<.py";

LintReport some_findings() {
  LintReport report;
  report.profile = "recommended";
  report.files = 12;
  report.findings = {
      {"hw_classification", "test/test_a.py", 9, 1, 9, 12, Severity::error, "TestA declares nothing",
       "declare it", "TestA", "", Fix{Safety::safe, {{3, 3, "added"}, {10, 20, ""}}}},
      {"device_param", "test/test_a.py", 112, 2, 114, 12, Severity::warning, "test_b takes no device", "",
       "TestA", "test_b", Fix{Safety::review, {{30, 40, "caf\xe9"}}}},
      {"only_for", "test/test_a.py", 200, 1, 200, 2, Severity::advice, kHostileText, "", "", ""},
      {"parse_error", kHostilePath, 0, 0, 0, 0, Severity::error, "cannot be read", "", "", ""},
      {"parse_error", "/else where/x.py", 3, 0, 0, 0, Severity::error, "cannot be read", "", "", ""},
  };
  return report;
}

// --- GitHub ---

TEST(Github, EscapesAsItsToolkitDoes) {
  std::vector<std::string> lines = split(findings_github(some_findings(), "pytorch/"), '\n');
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(lines[0],
            "::error "
            "file=pytorch/test/test_a.py,line=9,col=1,endLine=9,endColumn=12,title=hw_classification::TestA "
            "declares nothing; declare it");
  EXPECT_TRUE(lines[1].starts_with("::warning file=pytorch/test/test_a.py,line=112,col=2,endLine=114,"));
  EXPECT_TRUE(lines[2].starts_with("::notice "));
  EXPECT_TRUE(
      lines[2].ends_with("title=only_for::100%25 of ::error::, \\x1b[2J%0D%0Anext \xef\xbf\xbd \xef\xbf\xbf "
                         "<&\"'> ]]>"));
  EXPECT_EQ(lines[3],
            "::error file=pytorch/test/a b%2Cc%3A\xc3\xa9%25%0A\xef\xbf\xbd\"&<.py,title=parse_error::cannot "
            "be read");
  EXPECT_TRUE(lines[4].starts_with("::error file=/else where/x.py,line=3,title="));
}

TEST(Github, SaysNothingOfNothing) { EXPECT_EQ(findings_github({}, ""), ""); }

// --- JUnit ---

TEST(FindingsJunit, IsXmlWithAFailedCaseAFinding) {
  std::string text = findings_junit(some_findings());
  EXPECT_EQ(invalid_utf8_at(text), std::nullopt);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(text.c_str()));
  pugi::xml_node suites = document.child("testsuites");
  EXPECT_EQ(suites.attribute("tests").as_int(), 5);
  EXPECT_EQ(suites.attribute("failures").as_int(), 5);
  pugi::xml_node suite = suites.child("testsuite");
  EXPECT_STREQ(suite.attribute("name").value(), "test/test_a.py");
  EXPECT_EQ(suite.attribute("tests").as_int(), 3);
  pugi::xml_node second = suite.child("testcase").next_sibling();
  EXPECT_STREQ(second.attribute("classname").value(), "test.test_a.TestA.test_b");
  EXPECT_STREQ(second.attribute("name").value(), "device_param 112:2");
  EXPECT_STREQ(second.attribute("file").value(), "test/test_a.py");
  EXPECT_STREQ(second.attribute("line").value(), "112");
  EXPECT_STREQ(second.child("failure").attribute("message").value(), "test_b takes no device");
  EXPECT_STREQ(second.child("failure").text().get(),
               "test/test_a.py:112:2: warning: device_param: test_b takes no device");
}

TEST(FindingsJunit, OfNothingIsOneCaseThatPassed) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(findings_junit({}).c_str()));
  pugi::xml_node suites = document.child("testsuites");
  EXPECT_EQ(suites.attribute("tests").as_int(), 1);
  EXPECT_EQ(suites.attribute("failures").as_int(), 0);
  pugi::xml_node test = suites.child("testsuite").child("testcase");
  ASSERT_TRUE(test);
  EXPECT_FALSE(test.child("failure"));
}

// --- SARIF; tests/e2e/sarif_test.py holds it to the published schema ---

lint::LintRules some_rules() {
  lint::LintRules rules;
  rules.profiles = {{"recommended", "", lint::Contract::recommended, {{"except_for", Severity::advice}}}};
  rules.documents = {{"except_for", "No except_for.", "Because.\n", "bad", "good", "none", {"recommended"}}};
  return rules;
}

Json sarif_run(const LintReport& report) {
  std::string text = findings_sarif(report, some_rules(), some_rules().profiles[0].rules, "1.2.3");
  EXPECT_EQ(invalid_utf8_at(text), std::nullopt);
  Json log = parse_json(text, "sarif").value();
  EXPECT_TRUE(log["$schema"].get<std::string>().ends_with("/sarif-schema-2.1.0.json"));
  EXPECT_EQ(log["version"], "2.1.0");
  EXPECT_EQ(log["runs"].size(), 1u);
  return log["runs"][0];
}

TEST(Sarif, ListsTheRulesOfTheProfileAndThoseOfTheFindings) {
  Json run = sarif_run(some_findings());
  EXPECT_EQ(run["tool"]["driver"]["version"], "1.2.3");
  EXPECT_EQ(run["columnKind"], "unicodeCodePoints");
  Json rules = run["tool"]["driver"]["rules"];
  ASSERT_EQ(rules.size(), 5u);
  for (const Json& result : run["results"])
    EXPECT_EQ(rules[result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
  Json documented = rules[1];
  EXPECT_EQ(documented["id"], "except_for");
  EXPECT_EQ(documented["defaultConfiguration"]["level"], "note");
  EXPECT_EQ(documented["shortDescription"]["text"], "No except_for.");
  EXPECT_EQ(documented["fullDescription"]["text"], "Because.");
  EXPECT_TRUE(documented["help"]["markdown"].get<std::string>().starts_with("# except_for\n"));
}

TEST(Sarif, SaysWhere) {
  Json results = sarif_run(some_findings())["results"];
  ASSERT_EQ(results.size(), 5u);
  Json place = results[1]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"], Json({{"uri", "test/test_a.py"}, {"uriBaseId", "SRCROOT"}}));
  EXPECT_EQ(place["region"],
            Json({{"startLine", 112}, {"startColumn", 2}, {"endLine", 114}, {"endColumn", 12}}));
  EXPECT_EQ(results[1]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "TestA.test_b");
  EXPECT_EQ(results[0]["level"], "error");
  EXPECT_EQ(results[1]["level"], "warning");
  EXPECT_EQ(results[2]["level"], "note");
  EXPECT_FALSE(results[3]["locations"][0]["physicalLocation"].contains("region"));
  EXPECT_EQ(results[3]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "test/a%20b%2Cc%3A%C3%A9%25%0A%FF%22%26%3C.py");
  EXPECT_EQ(results[4]["locations"][0]["physicalLocation"]["artifactLocation"],
            Json({{"uri", "file:///else%20where/x.py"}}));
  EXPECT_EQ(results[4]["locations"][0]["physicalLocation"]["region"], Json({{"startLine", 3}}));
}

TEST(Sarif, CarriesFixesThatItCanCarry) {
  Json results = sarif_run(some_findings())["results"];
  Json change = results[0]["fixes"][0]["artifactChanges"][0];
  EXPECT_EQ(change["artifactLocation"]["uri"], "test/test_a.py");
  EXPECT_EQ(change["replacements"][0], Json({{"deletedRegion", {{"byteOffset", 3}, {"byteLength", 0}}},
                                             {"insertedContent", {{"text", "added"}}}}));
  EXPECT_EQ(change["replacements"][1], Json({{"deletedRegion", {{"byteOffset", 10}, {"byteLength", 10}}}}));
  EXPECT_FALSE(results[1].contains("fixes"));  // its text is no UTF-8
  EXPECT_FALSE(results[2].contains("fixes"));
}

TEST(Sarif, FingerprintsDoNotMoveWithTheLines) {
  LintReport report = some_findings();
  report.findings.resize(2, report.findings.front());
  report.findings.insert(report.findings.begin() + 1, report.findings.front());
  Json before = sarif_run(report)["results"];
  for (Finding& finding : report.findings) finding.line += 7;
  Json after = sarif_run(report)["results"];
  std::vector<Json> prints;
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i]["partialFingerprints"], after[i]["partialFingerprints"]);
    prints.push_back(before[i]["partialFingerprints"]);
  }
  EXPECT_NE(prints[0], prints[1]);
}

TEST(Sarif, OfNothingHasResultsToo) {
  Json run = sarif_run({});
  EXPECT_TRUE(run["results"].is_array());
  EXPECT_EQ(run["results"].size(), 0u);
  EXPECT_EQ(run["tool"]["driver"]["rules"].size(), 1u);
}

}  // namespace
}  // namespace hwsift::report
