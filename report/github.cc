// Workflow commands of GitHub Actions: "::error file=F,line=L,col=C,endLine=L,endColumn=C,title=T::MESSAGE".
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

// As GitHub's own toolkit escapes: the percent sign and line ends everywhere, ':' and ',' in properties.
// Other control characters are made visible, as the log of a job is read in terminals, too.
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

std::string data(const std::string& text) { return escaped(text, "%\r\n"); }
std::string property(const std::string& text) { return escaped(text, "%\r\n:,"); }

std::string number(const char* name, int value) {
  return value > 0 ? fmt::format(",{}={}", name, value) : "";
}

// "" for a finding about the file as a whole.
std::string place_of(const Finding& finding) {
  return number("line", finding.line) + number("col", finding.col) + number("endLine", finding.end_line) +
         number("endColumn", finding.end_col);
}

}  // namespace

std::string findings_github(const LintReport& report, const std::string& folder) {
  std::string text;
  for (const Finding& finding : report.findings) {
    std::string path = finding.path.starts_with('/') ? finding.path : folder + finding.path;
    text += fmt::format("::{} file={}{},title={}::{}\n", command(finding.severity), property(path),
                        place_of(finding), property(finding.rule), data(full_message(finding)));
  }
  return text;
}

}  // namespace hwsift::report
