#include "lint/lint.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include "analyzer/discover.h"
#include "lint/contract.h"
#include "lint/cxx/cxx_rules.h"
#include "lint/own/own_rules.h"
#include "lint/rule_ids.h"
#include "lint/suppressions.h"

namespace hwsift::lint {
namespace {

constexpr char kUpstreamAlone[] =
    "note: upstream's linter alone reports this, as it does not see what Python sees";

// Upstream's globs let `*` cross `/`, so that test/test_dir/__init__.py is a test file too.
bool relaxed_covers(const std::string& path) {
  if (!path.starts_with("test/") || !path.ends_with(".py")) return false;
  if (path.starts_with("test/cpython/") ||
      path.starts_with("test/cpp_extensions/open_registration_extension/"))
    return false;
  return path.find("/test_") != std::string::npos || path.ends_with("_test.py");
}

std::string more_errors(const analyzer::ParseOutcome& parse) {
  if (parse.errors.size() < 2) return "";
  return " (and " + std::to_string(parse.errors.size() - 1) + " more)";
}

// upstream-strict reports all of these on line 0, so there the place stands in the message.
std::vector<Finding> parse_findings(const Subject& subject) {
  Report report(subject);
  const analyzer::ParseOutcome& parse = subject.file.parse;
  analyzer::ParseError error =
      parse.errors.empty() ? analyzer::ParseError{0, 0, "nothing is known of it"} : parse.errors.front();
  std::string language = subject.file.language == "cpp" ? "C++" : "Python";
  std::string what =
      (parse.read ? "not valid " + language + ": " : "cannot be read: ") + error.message + more_errors(parse);
  bool strict = subject.profile.contract == Contract::upstream_strict;
  if (strict && error.line > 0) what = "line " + std::to_string(error.line) + ": " + what;
  report.at_file(rule::parse_error, strict ? 0 : error.line, strict ? 0 : error.col, what, "");
  return report.take();
}

using Key = std::tuple<std::string_view, std::string_view, std::string_view>;

Key key_of(const Finding& finding) { return {finding.rule, finding.cls, finding.method}; }

// Upstream overlooks aliases, keywords and nested code, and takes @only_if_slow for a filter. Where Python
// sees nothing wrong, the finding says so.
std::vector<Finding> with_notes(std::vector<Finding> findings, const Subject& subject,
                                const PythonView& view) {
  if (findings.empty()) return findings;
  std::vector<Finding> ours = lint_recommended(subject, view);
  std::set<Key> sound;
  for (const Finding& finding : ours) sound.insert(key_of(finding));
  for (Finding& finding : findings) {
    if (finding.rule == rule::accelerator_availability || sound.count(key_of(finding)) > 0) continue;
    finding.hint += std::string(finding.hint.empty() ? "" : "; ") + kUpstreamAlone;
  }
  return findings;
}

std::vector<Finding> contract_findings(const Subject& subject, const PythonView& view) {
  switch (subject.profile.contract) {
    case Contract::upstream_strict:
      return with_notes(lint_upstream_strict(subject), subject, view);
    case Contract::upstream_relaxed:
      return with_notes(lint_upstream_relaxed(subject), subject, view);
    case Contract::recommended:
      return lint_recommended(subject, view);
    case Contract::declare:
      return lint_declare(subject);
  }
  return {};
}

void add_own_findings(const Subject& subject, const PythonView& view, std::vector<Finding>& findings) {
  Report report(subject);
  bool any = std::any_of(own_rules().begin(), own_rules().end(),
                         [&](const OwnRule& rule) { return report.has(rule.id); });
  if (!any) return;
  DeviceTests tests(subject, view);
  FileView file{subject, view, tests};
  for (const OwnRule& rule : own_rules())
    if (report.has(rule.id)) rule.check(report, file);
  for (Finding& finding : report.take()) findings.push_back(std::move(finding));
}

// Rules speak about the text, edits about the file.
void move_edits(std::vector<Finding>& findings, std::size_t by) {
  for (Finding& finding : findings) {
    if (!finding.fix) continue;
    for (Edit& edit : finding.fix->edits) edit.begin += by, edit.end += by;
  }
}

void sort_by_place(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::pair(a.line, a.col) < std::pair(b.line, b.col);
  });
}

std::vector<Finding> lint_cxx_file(const Subject& subject) {
  std::vector<Finding> findings = apply_suppressions(subject, lint_cxx(subject));
  sort_by_place(findings);
  return findings;
}

bool keeps_upstream_order(const Profile& profile) {
  return profile.contract == Contract::upstream_strict || profile.contract == Contract::upstream_relaxed;
}

}  // namespace

bool covers(const Profile& profile, const std::string& path) {
  if (profile.contract == Contract::recommended && analyzer::is_cxx_file(path)) return true;
  return profile.contract == Contract::upstream_relaxed ? relaxed_covers(path) : analyzer::is_test_file(path);
}

std::vector<Finding> lint_file(const Subject& subject) {
  if (!subject.file.parse.ok) return parse_findings(subject);
  if (subject.file.language == "cpp") return lint_cxx_file(subject);
  PythonView view(subject.file);
  std::vector<Finding> findings = contract_findings(subject, view);
  add_own_findings(subject, view, findings);
  findings = apply_suppressions(subject, std::move(findings));
  move_edits(findings, subject.text_begin);
  if (!keeps_upstream_order(subject.profile)) sort_by_place(findings);
  return findings;
}

}  // namespace hwsift::lint
