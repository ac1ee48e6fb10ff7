#include "base/json_writer.h"
#include "report/findings.h"

namespace hwsift::report {
namespace {

using lint::Finding;

// Edits are in the order of their places and never overlap: bytes of the file as it is on disk.
void write(JsonWriter& json, const lint::Fix& fix) {
  json.object([&] {
    json.member("safety", word(fix.safety));
    json.list("edits", fix.edits, [&](const lint::Edit& edit) {
      json.object([&] {
        json.member("begin", edit.begin);
        json.member("end", edit.end);
        json.member("text", edit.text);
      });
    });
  });
}

void write(JsonWriter& json, const Finding& finding) {
  json.object([&] {
    json.member("rule", finding.rule);
    json.member("path", finding.path);
    json.member("line", finding.line);
    json.member("col", finding.col);
    json.member("end_line", finding.end_line);
    json.member("end_col", finding.end_col);
    json.member("severity", word(finding.severity));
    json.member("message", full_message(finding));
    json.text_or_null("class", finding.cls);
    json.text_or_null("method", finding.method);
    json.text_or_null("hint", finding.hint);
    json.key("fix");
    if (finding.fix)
      write(json, *finding.fix);
    else
      json.value(nullptr);
  });
}

Json counts_json(const LintReport& report) {
  return {{"findings", report.findings.size()},
          {"files", report.files},
          {"files_with_findings", files_with_findings(report)},
          {"allowlisted", report.allowlisted}};
}

}  // namespace

std::string findings_json(const LintReport& report) {
  constexpr std::size_t kUsual = 512;  // bytes a finding: growing to that would take as much again
  std::string text;
  text.reserve(report.findings.size() * kUsual);
  JsonWriter json(text, 1);
  json.object([&] {
    json.member("schema", "hwsift.findings/1");
    json.member("profile", report.profile);
    json.list("findings", report.findings, [&](const Finding& finding) { write(json, finding); });
    json.member("counts", counts_json(report));
  });
  text += '\n';
  return text;
}

std::string findings_jsonl(const LintReport& report) {
  std::string text;
  for (const Finding& finding : report.findings) {
    JsonWriter json(text, -1);
    write(json, finding);
    text += "\n";
  }
  return text;
}

}  // namespace hwsift::report
