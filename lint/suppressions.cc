#include "lint/suppressions.h"

#include <algorithm>

#include "base/text.h"
#include "lint/edits.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using analyzer::Class;
using analyzer::Suppression;

constexpr char kForm[] = "write: # hwsift: ignore[rule] reason";

std::vector<std::string> known_rules() { return {std::begin(rule::kAll), std::end(rule::kAll)}; }

bool is_known(const std::string& id) {
  return std::find(std::begin(rule::kAll), std::end(rule::kAll), id) != std::end(rule::kAll);
}

// The class whose statement or first decorator stands on that line; nullptr where none does.
const Class* class_at(const analyzer::FileFacts& file, int line) {
  for (const Class& cls : file.classes) {
    bool decorator = !cls.decorators.empty() && cls.decorators.front().line <= line && line < cls.line;
    if (cls.line == line || decorator) return &cls;
  }
  return nullptr;
}

// Whether the line is of another class of that name, in another branch of the module.
bool is_of_namesake(const analyzer::FileFacts& file, const Class& cls, int line) {
  return std::any_of(file.classes.begin(), file.classes.end(), [&](const Class& other) {
    return &other != &cls && other.name == cls.name && other.line <= line && line <= other.end_line;
  });
}

// A finding about a decorator of a test stands on that or on the test: both are the same place to a reader.
bool covers(const analyzer::FileFacts& file, const Suppression& suppression, const Class* cls,
            const Finding& finding) {
  if (finding.rule == rule::parse_error || finding.rule == rule::unused_suppression) return false;
  if (cls != nullptr && finding.cls == cls->name && !is_of_namesake(file, *cls, finding.line)) return true;
  return finding.line <= suppression.target_line &&
         suppression.target_line <= std::max(finding.line, finding.end_line);
}

struct Use {
  const Suppression* suppression = nullptr;
  const Class* cls = nullptr;
  std::vector<bool> used;  // by rule of the suppression
};

bool is_taken_out(const analyzer::FileFacts& file, const Finding& finding, std::vector<Use>& uses) {
  bool taken = false;
  for (Use& use : uses)
    for (std::size_t i = 0; i < use.suppression->rules.size(); ++i) {
      bool fits =
          use.suppression->rules[i] == finding.rule && covers(file, *use.suppression, use.cls, finding);
      use.used[i] = use.used[i] || fits;
      taken = taken || (fits && !use.suppression->reason.empty());
    }
  return taken;
}

// Takes the comment out, and the blanks before it; with its line feed where it has the line for itself.
void remove_comment(Finding& finding, std::string_view text, const Suppression& suppression) {
  if (text.empty()) return;
  std::size_t begin = suppression.span.begin;
  std::size_t end = suppression.span.end;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
  if (suppression.own_line && (begin == 0 || text[begin - 1] == '\n') && end < text.size())
    end = text.find('\n', end) == std::string_view::npos ? text.size() : text.find('\n', end) + 1;
  add_edit(finding, Safety::safe, {begin, end, ""});
}

std::string unknown_rule_hint(const std::string& id) {
  std::optional<std::string> near = closest(id, known_rules());
  return near ? "did you mean '" + *near + "'?" : "'hwsift rules list' has them";
}

void report_use(Report& report, const Use& use) {
  static const Class none;
  const Suppression& s = *use.suppression;
  auto at = [&](const std::string& message, const std::string& hint) -> Finding& {
    int width = static_cast<int>(s.span.end - s.span.begin);
    return report.at_place(rule::unused_suppression, none, {s.line, s.col, width}, message, hint);
  };
  if (s.malformed) {
    at("this comment suppresses nothing: it names no rule", kForm);
    return;
  }
  std::vector<std::string> unused;
  for (std::size_t i = 0; i < s.rules.size(); ++i) {
    bool runs = report.has(s.rules[i].c_str());
    if (!is_known(s.rules[i]))
      at("no rule is called '" + s.rules[i] + "'", unknown_rule_hint(s.rules[i]));
    else if (runs && !use.used[i] && !s.reason.empty())
      unused.push_back(s.rules[i]);
  }
  if (s.reason.empty()) at("this suppression gives no reason, so that it suppresses nothing", kForm);
  if (unused.empty()) return;
  Finding& finding = at(
      "nothing here breaks " + join(unused, " or ") + ", so that the suppression is not needed", "remove it");
  if (unused.size() == s.rules.size()) remove_comment(finding, report.subject().text, s);
}

}  // namespace

std::vector<Finding> apply_suppressions(const Subject& subject, std::vector<Finding> findings) {
  if (subject.file.suppressions.empty()) return findings;
  std::vector<Use> uses;
  for (const Suppression& suppression : subject.file.suppressions)
    uses.push_back({&suppression, class_at(subject.file, suppression.target_line),
                    std::vector<bool>(suppression.rules.size())});
  std::erase_if(findings, [&](const Finding& finding) { return is_taken_out(subject.file, finding, uses); });
  Report report(subject);
  for (const Use& use : uses) report_use(report, use);
  for (Finding& finding : report.take()) findings.push_back(std::move(finding));
  return findings;
}

}  // namespace hwsift::lint
