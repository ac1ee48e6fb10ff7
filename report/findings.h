// What `hwsift lint` found: text for people, hwsift.findings/1, and the messages of lintrunner.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "lint/finding.h"
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
  std::size_t files = 0;                   // that were linted
  std::size_t allowlisted = 0;             // that the allowlist took out
  bool offer_allowlist = true;             // the whole tree was linted and has no allowlist yet
};

// The line of source that a finding is about, without its line feed; "" where it cannot be had.
using SourceLine = std::function<std::string(const lint::Finding& finding)>;
// Above this many findings the text shows no source lines.
inline constexpr std::size_t kMaxFindingsWithSource = 50;

std::string findings_json(const LintReport& report);
std::string findings_text(const LintReport& report, const SourceLine& source_line, const Style& style);

// One JSON object a line, each with all fields of lintrunner's LintMessage. `given_path` is the path as
// lintrunner named it. Always valid UTF-8: one bad line would make lintrunner drop all of them.
std::string lintrunner_line(const lint::Finding& finding, const std::string& given_path);
// What keeps hwsift from looking at a path, or from working at all (path "").
std::string lintrunner_failure(const std::string& name, const std::string& path, const Error& error);

}  // namespace hwsift::report
