#include "base/json.h"
#include "report/findings.h"

namespace hwsift::report {
namespace {

using lint::Finding;

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

// Edits are in the order of their places and never overlap: bytes of the file as it is on disk.
Json fix_json(const lint::Fix& fix) {
  Json edits = Json::array();
  for (const lint::Edit& edit : fix.edits)
    edits.push_back({{"begin", edit.begin}, {"end", edit.end}, {"text", edit.text}});
  return {{"safety", word(fix.safety)}, {"edits", std::move(edits)}};
}

Json finding_json(const Finding& finding) {
  return {{"rule", finding.rule},
          {"path", finding.path},
          {"line", finding.line},
          {"col", finding.col},
          {"end_line", finding.end_line},
          {"end_col", finding.end_col},
          {"severity", word(finding.severity)},
          {"message", full_message(finding)},
          {"class", text_or_null(finding.cls)},
          {"method", text_or_null(finding.method)},
          {"hint", text_or_null(finding.hint)},
          {"fix", finding.fix ? fix_json(*finding.fix) : Json(nullptr)}};
}

}  // namespace

std::string findings_json(const LintReport& report) {
  Json findings = Json::array();
  for (const Finding& finding : report.findings) findings.push_back(finding_json(finding));
  Json document = {{"schema", "hwsift.findings/1"},
                   {"profile", report.profile},
                   {"findings", std::move(findings)},
                   {"counts",
                    {{"findings", report.findings.size()},
                     {"files", report.files},
                     {"files_with_findings", files_with_findings(report)},
                     {"allowlisted", report.allowlisted}}}};
  return dump_json(document, 1) + "\n";
}

std::string findings_jsonl(const LintReport& report) {
  std::string lines;
  for (const Finding& finding : report.findings) lines += dump_json(finding_json(finding), -1) + "\n";
  return lines;
}

}  // namespace hwsift::report
