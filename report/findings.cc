#include "report/findings.h"

namespace hwsift::report {

std::size_t files_with_findings(const LintReport& report) {
  std::size_t files = 0;
  const std::vector<lint::Finding>& findings = report.findings;
  for (std::size_t i = 0; i < findings.size(); ++i)
    files += i == 0 || findings[i].path != findings[i - 1].path ? 1 : 0;
  return files;
}

}  // namespace hwsift::report
