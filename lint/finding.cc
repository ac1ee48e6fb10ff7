#include "lint/finding.h"

#include <algorithm>

namespace hwsift::lint {

const char* word(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::advice:
      return "advice";
  }
  return "";
}

const char* word(Safety safety) { return safety == Safety::safe ? "safe" : "review"; }

void sort_findings(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.path < b.path; });
}

std::string full_message(const Finding& finding) {
  return finding.hint.empty() ? finding.message : finding.message + "; " + finding.hint;
}

}  // namespace hwsift::lint
