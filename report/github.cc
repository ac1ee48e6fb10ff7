// Workflow commands of GitHub Actions: "::error file=F,line=L,col=C,endLine=L,endColumn=C,title=T::MESSAGE".
#include "report/github.h"

#include <fmt/format.h>

#include "base/text.h"
#include "report/findings.h"

namespace hwsift::report {
namespace {

using lint::Finding;
using lint::Severity;

const char* command(Severity severity) {
  if (severity == Severity::error) return "error";
  return severity == Severity::warning ? "warning" : "notice";
}

std::string number(const char* name, int value) {
  return value > 0 ? fmt::format(",{}={}", name, value) : "";
}

// "" for a finding about the file as a whole.
std::string place_of(const Finding& finding) {
  return number("line", finding.line) + number("col", finding.col) + number("endLine", finding.end_line) +
         number("endColumn", finding.end_col);
}

std::string escaped(const std::string& text, std::string_view special) {
  std::string safe;
  for (char c : text) {
    if (special.find(c) == std::string_view::npos)
      safe += c;
    else
      safe += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return printable(safe);
}

}  // namespace

std::string github_data(const std::string& text) { return escaped(text, "%\r\n"); }
std::string github_property(const std::string& text) { return escaped(text, "%\r\n:,"); }

std::string findings_github(const LintReport& report, const std::string& folder) {
  std::string text;
  for (const Finding& finding : report.findings) {
    std::string path = finding.path.starts_with('/') ? finding.path : folder + finding.path;
    text += fmt::format("::{} file={}{},title={}::{}\n", command(finding.severity), github_property(path),
                        place_of(finding), github_property(finding.rule), github_data(full_message(finding)));
  }
  return text;
}

}  // namespace hwsift::report
