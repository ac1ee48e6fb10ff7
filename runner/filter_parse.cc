// Reads a filter with two stacks, as for arithmetic: what is written out, and the operators that wait.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "runner/filter_terms.h"

namespace hwsift::runner {
namespace {

using Op = FilterStep::Op;

constexpr std::size_t kMaxBytes = 64u << 10;
constexpr std::size_t kMaxWord = 64;  // longer ones are no slip of a name

std::string shown(std::string_view word) {
  return printable(word.size() > kMaxWord ? std::string(word.substr(0, kMaxWord)) + "..."
                                          : std::string(word));
}

const PredicateRow* find_predicate(std::string_view word) {
  for (const PredicateRow& row : kPredicates)
    if (word == row.name) return &row;
  return nullptr;
}

std::string predicate_names() {
  std::string names;
  for (const PredicateRow& row : kPredicates)
    names += (names.empty() ? "" : ", ") + std::string(row.name) + "()";
  return names;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known,
                         const std::string& otherwise) {
  std::optional<std::string> near = word.size() <= kMaxWord ? closest(word, known) : std::nullopt;
  return near ? "did you mean '" + *near + "'?" : otherwise;
}

// "./test/nn/" as "test/nn".
std::string without_dots(std::string_view path) {
  for (std::size_t before = path.size() + 1; path.size() < before;) {
    before = path.size();
    path = trim(path);
    if (path.starts_with("./")) path.remove_prefix(2);
    if (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  }
  return std::string(path);
}

// What stands in the parentheses of a predicate.
struct Argument {
  std::size_t at = 0;
  char sign = 0;  // of its matcher, 0 where none is written
  std::string text;
};

class Parser {
 public:
  Parser(std::string_view text, const std::vector<std::string>& categories)
      : text_(text), categories_(categories) {}

  // Whether the whole text is a filter.
  bool read() {
    if (text_.size() > kMaxBytes) return fail(kMaxBytes, "longer than 64 KiB", "split it into several runs");
    bool wants_operand = true;
    for (skip_spaces(); at_ < text_.size(); skip_spaces())
      if (!(wants_operand ? read_operand(wants_operand) : read_operator(wants_operand))) return false;
    if (wants_operand) return fail(at_, "a predicate is missing at the end", "one of " + predicate_names());
    return finish();
  }

  std::vector<FilterStep> steps;
  Error error;
  std::size_t fault = 0;

 private:
  struct Waiting {
    const OperatorRow* row = nullptr;  // nullptr for an open parenthesis
    std::size_t at = 0;
  };

  bool fail(std::size_t at, const std::string& what, const std::string& hint) {
    fault = std::min(at, text_.size());
    std::size_t column = code_points(text_.substr(0, fault)) + 1;
    error = {"-E: column " + std::to_string(column), what, hint};
    return false;
  }

  void skip_spaces() {
    while (at_ < text_.size() && is_ascii_space(text_[at_])) ++at_;
  }

  std::string_view word_here() const {
    std::size_t end = at_;
    while (end < text_.size() && is_word_char(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }

  const OperatorRow* operator_here() const {
    std::string_view word = word_here();
    for (const OperatorRow& row : kOperators)
      if (word.empty() ? text_[at_] == row.sign : word == row.word) return &row;
    return nullptr;
  }

  void pass(const OperatorRow&) { at_ += std::max<std::size_t>(1, word_here().size()); }

  bool read_operand(bool& wants_operand) {
    const OperatorRow* row = operator_here();
    if (text_[at_] == '(') {
      waiting_.push_back({nullptr, at_++});
      return true;
    }
    if (row != nullptr && row->op == Op::not_) {
      waiting_.push_back({row, at_});
      pass(*row);
      return true;
    }
    if (row != nullptr || word_here().empty())
      return fail(at_, "a predicate is missing here", "one of " + predicate_names());
    wants_operand = false;
    return read_term();
  }

  bool read_operator(bool& wants_operand) {
    if (text_[at_] == ')') return close();
    const OperatorRow* row = operator_here();
    if (row == nullptr || row->op == Op::not_)
      return fail(at_, "an operator is missing here",
                  "join two predicates with & (and), | (or) or - (without)");
    release(row->rank);
    waiting_.push_back({row, at_});
    pass(*row);
    wants_operand = true;
    return true;
  }

  // Writes out the operators that bind at least as tightly as what follows.
  void release(int rank) {
    while (!waiting_.empty() && waiting_.back().row != nullptr && waiting_.back().row->rank >= rank) {
      steps.push_back({waiting_.back().row->op});
      waiting_.pop_back();
    }
  }

  bool close() {
    release(0);
    if (waiting_.empty()) return fail(at_, "no '(' belongs to this ')'", "remove it");
    waiting_.pop_back();
    ++at_;
    return true;
  }

  bool finish() {
    release(0);
    if (waiting_.empty()) return true;
    return fail(waiting_.back().at, "no ')' belongs to this '('", "add one");
  }

  bool read_term() {
    std::size_t start = at_;
    std::string_view word = word_here();
    const PredicateRow* row = find_predicate(word);
    at_ += word.size();
    skip_spaces();
    bool opens = at_ < text_.size() && text_[at_] == '(';
    if (row == nullptr) return unknown_predicate(start, word, opens);
    if (!opens)
      return fail(at_, "'" + std::string(word) + "' needs parentheses", "as in " + std::string(row->example));
    ++at_;
    Argument argument;
    return read_argument(start, argument) && add_term(*row, argument);
  }

  bool unknown_predicate(std::size_t start, std::string_view word, bool opens) {
    std::vector<std::string> names;
    for (const PredicateRow& row : kPredicates) names.emplace_back(row.name);
    std::string hint =
        opens ? did_you_mean(word, names, "there are " + predicate_names())
              : "to look for it in names write test(" + shown(word) + ") or class(" + shown(word) + ")";
    return fail(start, "no predicate '" + shown(word) + "'", hint);
  }

  bool read_argument(std::size_t start, Argument& argument) {
    skip_spaces();
    argument.at = at_;
    for (const MatcherRow& row : kMatchers)
      if (at_ < text_.size() && text_[at_] == row.sign) argument.sign = row.sign;
    if (argument.sign != 0) ++at_;
    skip_spaces();
    bool quote = at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'');
    return quote ? read_quoted(argument) : read_plain(start, argument);
  }

  bool read_plain(std::size_t start, Argument& argument) {
    std::size_t begin = at_;
    for (int open = 1; at_ < text_.size(); ++at_) {
      if (text_[at_] == '(') ++open;
      if (text_[at_] == ')' && --open == 0) break;
    }
    if (at_ == text_.size())
      return fail(start, "no ')' ends this predicate",
                  "add one; text with a parenthesis alone needs quotes: test('a(b')");
    argument.text = trim(text_.substr(begin, at_++ - begin));
    return true;
  }

  // A backslash takes a quote or another backslash for itself.
  bool read_quoted(Argument& argument) {
    std::size_t begin = at_;
    char quote = text_[at_++];
    for (; at_ < text_.size() && text_[at_] != quote; ++at_) {
      bool escape = text_[at_] == '\\' && at_ + 1 < text_.size() &&
                    std::string_view("'\"\\").find(text_[at_ + 1]) != std::string_view::npos;
      if (escape) ++at_;
      argument.text += text_[at_];
    }
    if (at_ >= text_.size()) return fail(begin, "this quote is not closed", "add the second one");
    ++at_;
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == ')') return ++at_, true;
    return fail(at_, "')' is missing after the quoted text", "quote all of the argument");
  }

  bool add_term(const PredicateRow& row, const Argument& argument) {
    std::string example = "as in " + std::string(row.example);
    std::string call = std::string(row.name) + "()";
    bool empty = argument.text.empty();
    if (argument.sign != 0 && !row.has_matchers)
      return fail(argument.at, call + " takes no '" + argument.sign + "'", example);
    if (empty && row.takes == PredicateRow::Takes::text)
      return fail(argument.at, call + " needs a text", example);
    if (!empty && row.takes == PredicateRow::Takes::nothing)
      return fail(argument.at, call + " takes nothing", "write " + call);
    FilterTerm term{row.predicate, row.otherwise, argument.text, {}, 0};
    for (const MatcherRow& matcher : kMatchers)
      if (matcher.sign == argument.sign) term.matcher = matcher.matcher;
    if (!settle(term, argument)) return false;
    steps.push_back({Op::term, std::move(term)});
    return true;
  }

  // What only some predicates ask of their text.
  bool settle(FilterTerm& term, const Argument& argument) {
    if (term.matcher == Matcher::path) return settle_path(term, argument);
    if (term.predicate == Predicate::hw) return settle_categories(term, argument);
    if (term.predicate == Predicate::slow) return settle_time(term, argument);
    if (term.predicate == Predicate::changed) return settle_base(term, argument);
    return true;
  }

  bool settle_path(FilterTerm& term, const Argument& argument) {
    std::string path = without_dots(term.text);
    if (path.empty() || path == "." || path.starts_with('/'))
      return fail(argument.at, "a path is told from the root of the tree", "as in file(test/nn)");
    term.text = std::move(path);
    return true;
  }

  bool settle_categories(FilterTerm& term, const Argument& argument) {
    for (const std::string& part : split(term.text, ',')) {
      std::string name = ascii_upper(trim(part));
      if (name == "ACCELERATOR") name = "DEVICE_GENERIC";
      if (std::find(categories_.begin(), categories_.end(), name) == categories_.end())
        return unknown_category(argument, trim(part), name);
      if (std::find(term.categories.begin(), term.categories.end(), name) == term.categories.end())
        term.categories.push_back(name);
    }
    term.text.clear();
    return true;
  }

  bool unknown_category(const Argument& argument, std::string_view written, const std::string& name) {
    std::string known = "there are " + join(categories_, ", ");
    if (name.empty()) return fail(argument.at, "a category is missing", known);
    std::vector<std::string> names = categories_;
    names.emplace_back("ACCELERATOR");
    return fail(argument.at, "no category '" + shown(written) + "'", did_you_mean(name, names, known));
  }

  bool settle_time(FilterTerm& term, const Argument& argument) {
    if (term.text.empty()) return true;
    const char* end = term.text.data() + term.text.size();
    auto [after, failure] = std::from_chars(term.text.data(), end, term.seconds);
    std::string_view unit = trim(std::string_view(after, static_cast<std::size_t>(end - after)));
    double factor = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
    term.seconds *= factor;
    if (failure == std::errc() && std::isfinite(term.seconds) && term.seconds > 0) return true;
    return fail(argument.at, "'" + shown(term.text) + "' is no duration",
                "write seconds, or a number with s, m or h: slow(90), slow(90s), slow(1.5m)");
  }

  bool settle_base(FilterTerm& term, const Argument& argument) {
    if (!term.text.starts_with('-') && term.text.find('\0') == std::string::npos) return true;
    return fail(argument.at, "'" + shown(term.text) + "' cannot name a commit",
                "name a branch, tag or commit");
  }

  std::string_view text_;
  const std::vector<std::string>& categories_;
  std::size_t at_ = 0;
  std::vector<Waiting> waiting_;
};

}  // namespace

Result<Filter> Filter::parse(std::string_view text, const std::vector<std::string>& categories,
                             std::size_t* fault_at) {
  Parser parser(text, categories);
  bool whole = parser.read();
  if (!whole && fault_at != nullptr) *fault_at = parser.fault;
  if (!whole) return parser.error;
  Filter filter;
  filter.steps_ = std::move(parser.steps);
  return filter;
}

}  // namespace hwsift::runner
