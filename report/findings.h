// What `hwsift lint` found, in each format that -o takes; one file of report/ prints each.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "lint/finding.h"
#include "lint/profile.h"
#include "report/output.h"

namespace hwsift::report {

// The whole text of a file before and after its fixes, for formats that carry texts.
struct FileFix {
  std::string original;
  std::string replacement;
};

struct LintReport {
  std::string profile;
  std::vector<lint::Finding> findings;     // by path
  std::map<std::string, FileFix> changes;  // by path; what the fixes asked for would make of each file
  bool changes_with_review = false;        // the changes hold the fixes marked review, too
  std::size_t files = 0;                   // that were linted
  std::size_t allowlisted = 0;             // that the allowlist took out
  bool offer_allowlist = true;             // the whole tree was linted and has no allowlist yet
};

std::size_t files_with_findings(const LintReport& report);

// The line of source that a finding is about, without its line feed; "" where it cannot be had.
using SourceLine = std::function<std::string(const lint::Finding& finding)>;
// Above this many findings the text shows no source lines.
inline constexpr std::size_t kMaxFindingsWithSource = 50;

// The report's changes as a unified diff, which `patch -p1` and `git apply` take where it is not coloured.
std::string changes_diff(const LintReport& report, const Style& style);
std::string findings_text(const LintReport& report, const SourceLine& source_line, const Style& style);

// hwsift.findings/1, and its findings alone, one object a line.
std::string findings_json(const LintReport& report);
std::string findings_jsonl(const LintReport& report);

// One JSON object a line, each with all fields of lintrunner's LintMessage. `given_path` makes the path as
// lintrunner named it of a finding's. Always valid UTF-8: one bad line would make lintrunner drop all of
// them. A file's change goes into one message, which stands for all findings that it mends.
using GivenPath = std::function<std::string(const std::string& path)>;
std::string lintrunner_messages(const LintReport& report, const GivenPath& given_path);
// What keeps hwsift from looking at a path, or from working at all (path "").
std::string lintrunner_failure(const std::string& name, const std::string& path, const Error& error);

// SARIF 2.1.0. The rules are those of the profile; paths are relative to the tree, which SRCROOT stands for.
std::string findings_sarif(const LintReport& report, const lint::LintRules& rules,
                           const std::map<std::string, lint::Severity>& in_force, const std::string& version);

// Workflow commands of GitHub Actions, which it shows at the lines of a change. `folder` is put before each
// path: the tree as seen from the checkout, with a slash at its end, or "".
std::string findings_github(const LintReport& report, const std::string& folder);

// One testsuite a file, one failed testcase a finding. Without findings one case that passed, since readers
// take a document without cases for a job that did not run.
std::string findings_junit(const LintReport& report);

}  // namespace hwsift::report
