#include "lint/suppressions.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "lint/edits.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using analyzer::Class;
using analyzer::Suppression;

// As a comment of the file's language.
std::string form_for(const analyzer::FileFacts& file) {
  return std::string("write: ") + (file.language == "cpp" ? "//" : "#") + " hwsift: ignore[rule] reason";
}

std::vector<std::string> known_rules() { return {std::begin(rule::kAll), std::end(rule::kAll)}; }

bool is_known(const std::string& id) {
  return std::find(std::begin(rule::kAll), std::end(rule::kAll), id) != std::end(rule::kAll);
}

struct Use {
  const Suppression* suppression = nullptr;
  const Class* cls = nullptr;  // that it is about as a whole, or nullptr
  std::vector<bool> used;      // by rule of the suppression
};

// The suppressions of a file, found by the line and by the class that they are about.
class Uses {
 public:
  explicit Uses(const analyzer::FileFacts& file) {
    std::map<int, const Class*> heads;  // first lines of classes, their decorators' among them
    for (const Class& cls : file.classes) {
      by_name_[cls.name].push_back(&cls);
      if (file.language == "cpp") continue;  // a suite has no line of its own
      heads.emplace(cls.line, &cls);
      for (const analyzer::Decorator& decorator : cls.decorators) heads.emplace(decorator.line, &cls);
    }
    for (const Suppression& suppression : file.suppressions) {
      auto head = heads.find(suppression.target_line);
      const Class* cls = head == heads.end() ? nullptr : head->second;
      by_line_.emplace(suppression.target_line, all_.size());
      if (cls != nullptr) of_class_.emplace(cls->name, all_.size());
      all_.push_back({&suppression, cls, std::vector<bool>(suppression.rules.size())});
    }
  }

  // Whether a suppression with a reason takes the finding out; marks all that would.
  bool take_out(const Finding& finding) {
    if (finding.rule == rule::parse_error || finding.rule == rule::unused_suppression) return false;
    bool taken = false;
    int last = std::max(finding.line, finding.end_line);
    for (auto use = by_line_.lower_bound(finding.line); use != by_line_.end() && use->first <= last; ++use)
      taken = mark(all_[use->second], finding) || taken;
    auto [first, end] = of_class_.equal_range(finding.cls);
    for (auto use = first; use != end; ++use)
      if (!is_of_namesake(*all_[use->second].cls, finding.line))
        taken = mark(all_[use->second], finding) || taken;
    return taken;
  }

  const std::vector<Use>& all() const { return all_; }

 private:
  static bool mark(Use& use, const Finding& finding) {
    bool fits = false;
    for (std::size_t i = 0; i < use.suppression->rules.size(); ++i) {
      if (use.suppression->rules[i] != finding.rule) continue;
      use.used[i] = fits = true;
    }
    return fits && !use.suppression->reason.empty();
  }

  // Whether the line is of another class of that name, in another branch of the module.
  bool is_of_namesake(const Class& cls, int line) const {
    const std::vector<const Class*>& alike = by_name_.at(cls.name);
    return std::any_of(alike.begin(), alike.end(), [&](const Class* other) {
      return other != &cls && other->line <= line && line <= other->end_line;
    });
  }

  std::vector<Use> all_;
  std::multimap<int, std::size_t> by_line_;
  std::multimap<std::string, std::size_t> of_class_;
  std::map<std::string, std::vector<const Class*>> by_name_;
};

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
    at("this comment suppresses nothing: it names no rule", form_for(report.subject().file));
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
  if (s.reason.empty())
    at("this suppression gives no reason, so that it suppresses nothing", form_for(report.subject().file));
  if (unused.empty()) return;
  Finding& finding = at(
      "nothing here breaks " + join(unused, " or ") + ", so that the suppression is not needed", "remove it");
  if (unused.size() == s.rules.size()) remove_comment(finding, report.subject().text, s);
}

}  // namespace

std::vector<Finding> apply_suppressions(const Subject& subject, std::vector<Finding> findings) {
  if (subject.file.suppressions.empty()) return findings;
  Uses uses(subject.file);
  std::erase_if(findings, [&](const Finding& finding) { return uses.take_out(finding); });
  Report report(subject);
  for (const Use& use : uses.all()) report_use(report, use);
  for (Finding& finding : report.take()) findings.push_back(std::move(finding));
  return findings;
}

}  // namespace hwsift::lint
