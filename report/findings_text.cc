#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "report/findings.h"

namespace hwsift::report {
namespace {

using lint::Finding;
using lint::Safety;
using lint::Severity;

constexpr std::size_t kMaxSourceColumns = 140;

std::string coloured(const Style& style, Severity severity, const std::string& text) {
  if (severity == Severity::error) return style.red(text);
  return severity == Severity::warning ? style.yellow(text) : style.cyan(text);
}

// "-" for a finding about the file as a whole.
std::string place_of(const Finding& finding) {
  return finding.line == 0 ? "-" : fmt::format("{}:{}", finding.line, finding.col);
}

// Widths of the columns of one file's findings.
struct Columns {
  std::size_t place = 0;
  std::size_t severity = 0;
  std::size_t rule = 0;
};

Columns columns_of(const Finding* first, const Finding* last) {
  Columns columns;
  for (const Finding* finding = first; finding != last; ++finding) {
    columns.place = std::max(columns.place, place_of(*finding).size());
    columns.severity = std::max(columns.severity, std::string_view(word(finding->severity)).size());
    columns.rule = std::max(columns.rule, finding->rule.size());
  }
  return columns;
}

// One character a code point, so that the caret stands below what it points at.
std::string shown_source(const std::string& line) {
  std::string clean = valid_utf8(line);
  std::replace(clean.begin(), clean.end(), '\t', ' ');
  while (!clean.empty() && (clean.back() == '\r' || clean.back() == ' ')) clean.pop_back();
  return clean;
}

std::string source_block(const Finding& finding, const SourceLine& source_line, const Columns& columns,
                         const Style& style) {
  std::string line = shown_source(source_line(finding));
  std::size_t width = code_points(line);
  bool shows = width > 0 && width <= kMaxSourceColumns && printable(line) == line && finding.col > 0;
  if (!shows || static_cast<std::size_t>(finding.col) > width) return "";
  std::size_t from = static_cast<std::size_t>(finding.col) - 1;
  std::size_t carets = 1;
  if (finding.end_line == finding.line && finding.end_col > finding.col)
    carets = std::min(static_cast<std::size_t>(finding.end_col - finding.col), width - from);
  std::string margin(columns.place + 4, ' ');
  return fmt::format("{}{}\n{}{}{}\n", margin, line, margin, std::string(from, ' '),
                     coloured(style, finding.severity, std::string(carets, '^')));
}

std::string finding_line(const Finding& finding, const Columns& columns, bool with_hint, const Style& style) {
  std::string severity = fmt::format("{:<{}}", word(finding.severity), columns.severity);
  std::string rule = fmt::format("{:<{}}", finding.rule, columns.rule);
  return fmt::format("  {:<{}}  {}  {}  {}\n", place_of(finding), columns.place,
                     coloured(style, finding.severity, severity), style.bold(rule),
                     printable(with_hint ? full_message(finding) : finding.message));
}

std::string file_block(const Finding* first, const Finding* last, const SourceLine* source_line,
                       const Style& style) {
  Columns columns = columns_of(first, last);
  std::string text = style.bold(printable(first->path)) + "\n";
  for (const Finding* finding = first; finding != last; ++finding) {
    std::string source = source_line == nullptr ? "" : source_block(*finding, *source_line, columns, style);
    text += finding_line(*finding, columns, source_line == nullptr, style) + source;
    if (source_line != nullptr && !finding->hint.empty())
      text += std::string(columns.place + 4, ' ') + style.dim("= " + printable(finding->hint)) + "\n";
  }
  return text + "\n";
}

std::string counted(std::size_t number, const char* noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string by_rule(const LintReport& report) {
  std::map<std::string, std::size_t> counts;
  for (const Finding& finding : report.findings) ++counts[finding.rule];
  std::vector<std::string> parts;
  for (const auto& [rule, number] : counts) parts.push_back(fmt::format("{} {}", rule, number));
  return join(parts, ", ");
}

std::string summary(const LintReport& report, const Style& style) {
  std::string allowed =
      report.allowlisted == 0 ? "" : fmt::format("; {} allowlisted", counted(report.allowlisted, "file"));
  std::string scope = fmt::format("profile {}", report.profile);
  if (report.files == 0) return fmt::format("no file to lint ({}){}\n", scope, allowed);
  if (report.findings.empty())
    return fmt::format("{} in {} ({}){}\n", style.green("no findings"), counted(report.files, "file"), scope,
                       allowed);
  return fmt::format("{} in {} of {} ({}){}\n  {}\n", style.red(counted(report.findings.size(), "finding")),
                     files_with_findings(report), counted(report.files, "file"), scope, allowed,
                     by_rule(report));
}

// What --fix mends, and what --fix=review mends beyond that; "" where no finding has a fix.
std::string fix_step(const LintReport& report) {
  std::size_t safe = 0;
  std::size_t review = 0;
  for (const Finding& finding : report.findings)
    if (finding.fix) ++(finding.fix->safety == Safety::safe ? safe : review);
  if (safe + review == 0) return "";
  constexpr char kLook[] = "for a person to look at";
  if (safe == 0) return fmt::format("add --fix=review to mend {}, {}\n", counted(review, "finding"), kLook);
  std::string text = fmt::format("add --fix to mend {}", counted(safe, "finding"));
  if (review > 0) text += fmt::format(", --fix=review for {} more, {}", review, kLook);
  return text + "\n";
}

std::string next_step(const LintReport& report) {
  if (report.findings.empty()) return "";
  std::string text = fmt::format("'hwsift rules show {}' explains a rule", report.findings.front().rule);
  if (report.offer_allowlist)
    text += fmt::format("; 'hwsift allowlist init --profile {}' lists the files that may still break rules",
                        report.profile);
  return fix_step(report) + text + "\n";
}

}  // namespace

std::string findings_text(const LintReport& report, const SourceLine& source_line, const Style& style) {
  bool with_source = report.findings.size() <= kMaxFindingsWithSource;
  std::string text;
  const Finding* end = report.findings.data() + report.findings.size();
  for (const Finding* first = report.findings.data(); first != end;) {
    const Finding* last = std::find_if(first, end, [&](const Finding& f) { return f.path != first->path; });
    text += file_block(first, last, with_source ? &source_line : nullptr, style);
    first = last;
  }
  return text + summary(report, style) + next_step(report);
}

}  // namespace hwsift::report
