// The messages of lintrunner: one JSON object a line. lintrunner gives up on all of them when two carry a
// replacement for one path, and writes a replacement as it stands.
#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "report/findings.h"

namespace hwsift::report {
namespace {

using lint::Finding;
using lint::Safety;
using lint::Severity;

constexpr char kCode[] = "HW_CLASSIFICATION";

struct Message {
  Json path, line, col;
  Severity severity = Severity::error;
  std::string name;
  std::string description;
  Json original, replacement;
};

std::string as_line(const Message& message) {
  Json object = {{"path", message.path},
                 {"line", message.line},
                 {"char", message.col},
                 {"code", kCode},
                 {"severity", word(message.severity)},
                 {"name", message.name},
                 {"original", message.original},
                 {"replacement", message.replacement},
                 {"description", message.description}};
  return dump_json(object, -1) + "\n";
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
Json number_or_null(int number) { return number > 0 ? Json(number) : Json(nullptr); }

Message message_of(const Finding& finding, const std::string& given_path) {
  Message message;
  message.path = given_path;
  message.line = number_or_null(finding.line);
  message.col = number_or_null(finding.col);
  message.severity = finding.severity;
  message.name = finding.rule;
  message.description = full_message(finding);
  return message;
}

// JSON cannot carry other bytes, and what it put in their place would be written into the file.
bool can_be_carried(const FileFix& change) {
  return !invalid_utf8_at(change.original) && !invalid_utf8_at(change.replacement);
}

const FileFix* change_of(const LintReport& report, const std::string& path) {
  auto found = report.changes.find(path);
  return found == report.changes.end() || !can_be_carried(found->second) ? nullptr : &found->second;
}

bool is_mended(const LintReport& report, const Finding& finding) {
  return finding.fix && (finding.fix->safety == Safety::safe || report.changes_with_review);
}

std::string listed(const std::vector<const Finding*>& findings) {
  std::vector<std::string> lines;
  for (const Finding* finding : findings)
    lines.push_back(fmt::format("line {}: {}: {}", finding->line, finding->rule, full_message(*finding)));
  return join(lines, "\n");
}

// The one message that all mended findings of a file share.
Message fix_message(const std::vector<const Finding*>& mended, const FileFix& change,
                    const std::string& given_path) {
  Message message = message_of(*mended.front(), given_path);
  if (mended.size() > 1) message.description = listed(mended);
  for (const Finding* finding : mended) message.severity = std::min(message.severity, finding->severity);
  message.original = change.original;
  message.replacement = change.replacement;
  return message;
}

}  // namespace

std::string lintrunner_messages(const LintReport& report, const GivenPath& given_path) {
  std::string text;
  const std::vector<Finding>& findings = report.findings;
  for (auto first = findings.begin(); first != findings.end();) {
    auto last = std::find_if(first, findings.end(), [&](const Finding& f) { return f.path != first->path; });
    std::string given = given_path(first->path);
    const FileFix* change = change_of(report, first->path);
    std::vector<const Finding*> mended;
    std::string others;
    for (; first != last; ++first) {
      if (change != nullptr && is_mended(report, *first))
        mended.push_back(&*first);
      else
        others += as_line(message_of(*first, given));
    }
    text += (mended.empty() ? "" : as_line(fix_message(mended, *change, given))) + others;
  }
  return text;
}

std::string lintrunner_failure(const std::string& name, const std::string& path, const Error& error) {
  std::string what = error.what + (error.hint.empty() ? "" : " (" + error.hint + ")");
  Message message;
  message.path = text_or_null(path);
  message.name = name;
  message.description = path.empty() ? to_string(error) : what;
  return as_line(message);
}

}  // namespace hwsift::report
