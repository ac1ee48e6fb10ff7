#include "runner/filter.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "runner/filter_terms.h"
#include "runner/glob.h"

namespace hwsift::runner {
namespace {

using Op = FilterStep::Op;

// --- matching ---

bool text_matches(Matcher matcher, std::string_view pattern, std::string_view text) {
  if (text.empty()) return false;
  if (matcher == Matcher::exact) return text == pattern;
  if (matcher == Matcher::contains) return text.find(pattern) != std::string_view::npos;
  return glob_matches(pattern, text);
}

// A path as people shorten it: with or without its ending; for Matcher::path the folders above it too.
bool spelling_matches(const FilterTerm& term, std::string_view path) {
  constexpr std::string_view kEnding = ".py";
  if (text_matches(term.matcher, term.text, path)) return true;
  if (path.ends_with(kEnding) &&
      text_matches(term.matcher, term.text, path.substr(0, path.size() - kEnding.size())))
    return true;
  if (term.matcher != Matcher::path) return false;
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1))
    if (glob_matches(term.text, path.substr(0, slash))) return true;
  return false;
}

bool file_matches(const FilterTerm& term, std::string_view path) {
  constexpr std::string_view kFolder = "test/";
  if (spelling_matches(term, path)) return true;
  return path.starts_with(kFolder) && spelling_matches(term, path.substr(kFolder.size()));
}

// "module: nn" is found as "nn" too.
bool owner_matches(const FilterTerm& term, const std::vector<std::string>* owners) {
  if (owners == nullptr) return false;
  std::string pattern = ascii_lower(term.text);
  for (const std::string& owner : *owners) {
    std::string label = ascii_lower(owner);
    if (text_matches(term.matcher, pattern, label)) return true;
    std::size_t colon = label.find(':');
    if (colon == std::string::npos) continue;
    if (text_matches(term.matcher, pattern, trim(std::string_view(label).substr(colon + 1)))) return true;
  }
  return false;
}

bool is_slow(const FilterTerm& term, const TestTraits& test) {
  return term.text.empty() ? test.slow : test.seconds.has_value() && *test.seconds >= term.seconds;
}

bool has_changed(const FilterTerm& term, const TestTraits& test, const ChangedFiles& changed) {
  auto files = changed.find(term.text);
  return files != changed.end() && files->second.find(test.path) != files->second.end();
}

bool term_matches(const FilterTerm& term, const TestTraits& test, const ChangedFiles& changed) {
  auto either = [&](std::string_view a, std::string_view b) {
    return text_matches(term.matcher, term.text, a) || text_matches(term.matcher, term.text, b);
  };
  switch (term.predicate) {
    case Predicate::file:
      return file_matches(term, test.path);
    case Predicate::cls:
      return either(test.cls, test.run_class);
    case Predicate::test:
      return either(test.method, test.name);
    case Predicate::hw:
      return std::find(term.categories.begin(), term.categories.end(), test.category) !=
             term.categories.end();
    case Predicate::owner:
      return owner_matches(term, test.owners);
    case Predicate::slow:
      return is_slow(term, test);
    case Predicate::failed:
      return test.failed;
    case Predicate::changed:
      return has_changed(term, test, changed);
    case Predicate::all:
      return true;
    case Predicate::none:
      return false;
  }
  return false;
}

bool joined(Op op, bool left, bool right) {
  if (op == Op::and_) return left && right;
  return op == Op::minus ? left && !right : left || right;
}

// --- printing ---

bool balanced(std::string_view text) {
  int open = 0;
  for (char c : text) {
    if (c == '(') ++open;
    if (c == ')' && --open < 0) return false;
  }
  return open == 0;
}

bool needs_quotes(std::string_view text) {
  constexpr std::string_view kSpecial = "=~#'\"";
  return text.empty() || trim(text) != text || kSpecial.find(text.front()) != std::string_view::npos ||
         !balanced(text);
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string argument_of(const FilterTerm& term, const PredicateRow& row) {
  if (term.predicate == Predicate::hw) return join(term.categories, ", ");
  if (row.takes != PredicateRow::Takes::text && term.text.empty()) return "";
  std::string text = needs_quotes(term.text) ? in_quotes(term.text) : term.text;
  if (!row.has_matchers || term.matcher == row.otherwise) return text;
  for (const MatcherRow& matcher : kMatchers)
    if (matcher.matcher == term.matcher) return matcher.sign + text;
  return text;
}

struct Printed {
  std::string text;
  int rank = kRankOfTerm;
};

Printed printed_term(const FilterTerm& term) {
  const PredicateRow& row = row_of(term.predicate);
  return {std::string(row.name) + "(" + argument_of(term, row) + ")", kRankOfTerm};
}

// In parentheses where it would bind less than it has to.
std::string at_rank(Printed part, int rank) {
  return part.rank >= rank ? std::move(part.text) : "(" + part.text + ")";
}

Printed printed_join(const OperatorRow& row, Printed left, Printed right) {
  std::string text = at_rank(std::move(left), row.rank);
  text += std::string(" ") + row.sign + " ";
  text += at_rank(std::move(right), row.rank + 1);
  return {std::move(text), row.rank};
}

}  // namespace

const PredicateRow& row_of(Predicate predicate) {
  return *std::find_if(std::begin(kPredicates), std::end(kPredicates),
                       [&](const PredicateRow& row) { return row.predicate == predicate; });
}

const OperatorRow& row_of(Op op) {
  return *std::find_if(std::begin(kOperators), std::end(kOperators),
                       [&](const OperatorRow& row) { return row.op == op; });
}

bool Filter::matches(const TestTraits& test, const ChangedFiles& changed) const {
  std::vector<char> values;
  for (const FilterStep& step : steps_) {
    if (step.op == Op::term) {
      values.push_back(term_matches(step.term, test, changed) ? 1 : 0);
      continue;
    }
    bool right = values.back() != 0;
    if (step.op != Op::not_) values.pop_back();
    values.back() = (step.op == Op::not_ ? !right : joined(step.op, values.back() != 0, right)) ? 1 : 0;
  }
  return values.back() != 0;
}

bool Filter::needs_history() const {
  return std::any_of(steps_.begin(), steps_.end(), [](const FilterStep& step) {
    return step.op == Op::term && step.term.predicate == Predicate::slow && !step.term.text.empty();
  });
}

bool Filter::needs_failed() const {
  return std::any_of(steps_.begin(), steps_.end(), [](const FilterStep& step) {
    return step.op == Op::term && step.term.predicate == Predicate::failed;
  });
}

std::vector<std::string> Filter::changed_bases() const {
  std::set<std::string> bases;
  for (const FilterStep& step : steps_)
    if (step.op == Op::term && step.term.predicate == Predicate::changed) bases.insert(step.term.text);
  return {bases.begin(), bases.end()};
}

std::string Filter::to_text() const {
  std::vector<Printed> parts;
  for (const FilterStep& step : steps_) {
    if (step.op == Op::term) {
      parts.push_back(printed_term(step.term));
      continue;
    }
    const OperatorRow& row = row_of(step.op);
    Printed right = std::move(parts.back());
    parts.pop_back();
    if (step.op == Op::not_) {
      parts.push_back({row.sign + at_rank(std::move(right), row.rank), row.rank});
    } else {
      parts.back() = printed_join(row, std::move(parts.back()), std::move(right));
    }
  }
  return parts.back().text;
}

std::string caret(std::string_view text, std::size_t at) {
  constexpr std::size_t kAround = 60;
  at = std::min(at, text.size());
  std::size_t begin = at > kAround ? at - kAround : 0;
  std::size_t end = std::min(text.size(), at + kAround);
  std::string before = (begin > 0 ? "..." : "") + printable(text.substr(begin, at - begin));
  std::string after = printable(text.substr(at, end - at)) + (end < text.size() ? "..." : "");
  return "  " + before + after + "\n  " + std::string(code_points(before), ' ') + "^\n";
}

}  // namespace hwsift::runner
