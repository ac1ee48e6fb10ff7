// Findings as JUnit XML, for CI that shows nothing else: a failed testcase each.
#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>

#include "report/findings.h"
#include "report/junit.h"

namespace hwsift::report {
namespace {

using lint::Finding;

void set(pugi::xml_node node, const char* name, std::string_view value) {
  node.append_attribute(name).set_value(xml_safe(value).c_str());
}

void set_counts(pugi::xml_node node, std::size_t tests, std::size_t failures) {
  set(node, "tests", std::to_string(tests));
  set(node, "failures", std::to_string(failures));
  set(node, "errors", "0");
  set(node, "skipped", "0");
  set(node, "time", "0.000");
}

// Readers tell cases apart by class and name; the place makes the name one of a kind.
std::string case_name(const Finding& finding) {
  return finding.line == 0 ? finding.rule : fmt::format("{} {}:{}", finding.rule, finding.line, finding.col);
}

std::string place_of(const Finding& finding) {
  return finding.line == 0 ? finding.path : fmt::format("{}:{}:{}", finding.path, finding.line, finding.col);
}

void add_case(pugi::xml_node suite, const Finding& finding) {
  pugi::xml_node test = suite.append_child("testcase");
  std::string separator = finding.cls.empty() || finding.method.empty() ? "" : ".";
  std::string scope = finding.cls + separator + finding.method;
  set(test, "classname", junit_module(finding.path) + (scope.empty() ? "" : "." + scope));
  set(test, "name", case_name(finding));
  set(test, "file", finding.path);
  if (finding.line > 0) set(test, "line", std::to_string(finding.line));
  set(test, "time", "0.000");
  pugi::xml_node failure = test.append_child("failure");
  set(failure, "type", finding.rule);
  set(failure, "message", full_message(finding));
  std::string details = fmt::format("{}: {}: {}: {}", place_of(finding), word(finding.severity), finding.rule,
                                    full_message(finding));
  failure.text().set(xml_safe(details).c_str());
}

void add_clean_case(pugi::xml_node suites, const LintReport& report) {
  pugi::xml_node suite = suites.append_child("testsuite");
  set(suite, "name", "hwsift lint");
  set_counts(suite, 1, 0);
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "classname", "hwsift.lint");
  set(test, "name", "no findings");
  set(test, "time", "0.000");
  test.append_child("system-out")
      .text()
      .set(xml_safe(fmt::format("files: {}, profile: {}", report.files, report.profile)).c_str());
}

}  // namespace

std::string findings_junit(const LintReport& report) {
  const std::vector<Finding>& findings = report.findings;
  pugi::xml_document document;
  pugi::xml_node suites = document.append_child("testsuites");
  set(suites, "name", "hwsift lint " + report.profile);
  set_counts(suites, std::max<std::size_t>(findings.size(), 1), findings.size());
  if (findings.empty()) add_clean_case(suites, report);
  for (auto first = findings.begin(); first != findings.end();) {
    auto last = std::find_if(first, findings.end(), [&](const Finding& f) { return f.path != first->path; });
    pugi::xml_node suite = suites.append_child("testsuite");
    set(suite, "name", first->path);
    set_counts(suite, static_cast<std::size_t>(last - first), static_cast<std::size_t>(last - first));
    for (; first != last; ++first) add_case(suite, *first);
  }
  std::ostringstream text;
  document.save(text, " ", pugi::format_indent, pugi::encoding_utf8);
  return text.str();
}

}  // namespace hwsift::report
