#include "lint/fix.h"

#include <algorithm>
#include <utility>

#include "lint/line_origins.h"

namespace hwsift::lint {
namespace {

using analyzer::FileFacts;
using analyzer::ScannedFile;

// A fix may bring up a finding with a fix of its own: a label asks for its import, a call for its flags.
constexpr int kMostRounds = 10;

bool before(const Edit& a, const Edit& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); }
bool same(const Edit& a, const Edit& b) { return a.begin == b.begin && a.end == b.end && a.text == b.text; }

// Two insertions at one place follow each other; anything else that shares a byte or a place does not fit.
bool clash(const Edit& a, const Edit& b) {
  if (a.begin == a.end && b.begin == b.end) return false;
  return a.begin <= b.end && b.begin <= a.end &&
         !(a.end == b.begin && a.begin != a.end && b.begin != b.end) &&
         !(b.end == a.begin && a.begin != a.end && b.begin != b.end);
}

// The edits of as many fixes as fit beside each other, each with all of its edits. Two classes that ask for
// the same import share it.
class Batch {
 public:
  bool take(const Fix& fix) {
    std::vector<Edit> fresh;
    for (const Edit& edit : fix.edits) {
      bool known = std::any_of(edits_.begin(), edits_.end(), [&](const Edit& e) { return same(e, edit); });
      bool bad = std::any_of(edits_.begin(), edits_.end(), [&](const Edit& e) { return clash(e, edit); });
      bool replaces_alike = std::any_of(edits_.begin(), edits_.end(), [&](const Edit& e) {
        return e.begin == edit.begin && e.end == edit.end && e.begin != e.end;
      });
      if (known) continue;
      if (bad || replaces_alike) return false;
      fresh.push_back(edit);
    }
    edits_.insert(edits_.end(), fresh.begin(), fresh.end());
    return true;
  }

  std::vector<Edit> sorted() const {
    std::vector<Edit> edits = edits_;
    std::stable_sort(edits.begin(), edits.end(), before);
    return edits;
  }

 private:
  std::vector<Edit> edits_;
};

// Classes with their methods and functions: what a fix must leave as it was.
std::vector<std::string> names_of(const FileFacts& file) {
  std::vector<std::string> names;
  for (const analyzer::Class& cls : file.classes) {
    names.push_back(cls.qualified_name);
    for (const analyzer::Method& method : cls.methods)
      names.push_back(cls.qualified_name + "." + method.name);
  }
  for (const analyzer::Function& function : file.functions) names.push_back(function.name);
  return names;
}

bool is_sound(const FileFacts& fixed, const FileFacts& original) {
  return fixed.parse.ok && names_of(fixed) == names_of(original);
}

class Fixer {
 public:
  Fixer(const ScannedFile& file, Safety limit, const analyzer::Lexicon& lexicon, const LintScanned& lint,
        const Counts& counts)
      : original_(file.facts),
        limit_(limit),
        lexicon_(lexicon),
        lint_(lint),
        counts_(counts),
        current_(file),
        origins_(file.text) {}

  FixedFile run() {
    findings_ = lint_(current_);
    for (int round = 0; round < kMostRounds && step(); ++round) {
    }
    std::erase_if(findings_, [&](const Finding& finding) { return !counts(finding); });
    return {current_.bytes, std::move(findings_), applied_, std::move(refused_)};
  }

 private:
  // One round: all fixes that fit beside each other, or, where the sum of them breaks the file, one by one.
  bool step() {
    std::vector<const Fix*> taken;
    Batch batch;
    for (const Finding& finding : findings_)
      if (is_eligible(finding) && !is_refused(finding) && batch.take(*finding.fix))
        taken.push_back(&*finding.fix);
    if (taken.empty() || !current_.editable) return false;
    if (try_edits(batch.sorted())) {
      applied_ += taken.size();
      findings_ = lint_(current_);
      return true;
    }
    return step_alone();
  }

  bool step_alone() {
    for (const Finding& finding : findings_) {
      if (!is_eligible(finding) || is_refused(finding)) continue;
      Batch batch;
      if (batch.take(*finding.fix) && try_edits(batch.sorted())) {
        ++applied_;
        findings_ = lint_(current_);
        return true;
      }
      refused_.push_back(finding);
    }
    return false;
  }

  bool counts(const Finding& finding) const {
    Finding original = finding;
    original.line = origins_.of(finding.line);
    return counts_(original);
  }

  bool is_eligible(const Finding& finding) const {
    bool fits = finding.fix && (limit_ == Safety::review || finding.fix->safety == Safety::safe);
    return fits && counts(finding);
  }

  bool is_refused(const Finding& finding) const {
    return std::any_of(refused_.begin(), refused_.end(), [&](const Finding& other) {
      return other.rule == finding.rule && other.cls == finding.cls && other.method == finding.method &&
             other.message == finding.message;
    });
  }

  bool try_edits(const std::vector<Edit>& edits) {
    std::string bytes = with_edits(current_.bytes, edits);
    if (bytes == current_.bytes) return false;
    ScannedFile fixed = analyzer::scan_text(original_.path, std::move(bytes), lexicon_);
    if (!is_sound(fixed.facts, original_)) return false;
    origins_.follow(current_.text, current_.text_begin, edits);
    current_ = std::move(fixed);
    return true;
  }

  const FileFacts& original_;
  Safety limit_;
  const analyzer::Lexicon& lexicon_;
  const LintScanned& lint_;
  const Counts& counts_;
  ScannedFile current_;
  LineOrigins origins_;
  std::vector<Finding> findings_;
  std::vector<Finding> refused_;
  std::size_t applied_ = 0;
};

}  // namespace

std::string with_edits(const std::string& bytes, const std::vector<Edit>& edits) {
  std::string result;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    result.append(bytes, at, edit.begin - at);
    result += edit.text;
    at = edit.end;
  }
  return result.append(bytes, at, std::string::npos);
}

FixedFile fix_file(const ScannedFile& file, Safety limit, const analyzer::Lexicon& lexicon,
                   const LintScanned& lint, const Counts& counts) {
  return Fixer(file, limit, lexicon, lint, counts).run();
}

}  // namespace hwsift::lint
