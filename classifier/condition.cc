#include "classifier/condition.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/text.h"

namespace hwsift::classifier {
namespace {

// Walks over a text, and knows what stands in brackets or quotes.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ >= text_.size(); }
  std::size_t at() const { return at_; }
  char here() const { return text_[at_]; }
  bool is_open() const { return depth_ == 0 && quote_ == '\0'; }

  void step() {
    char c = text_[at_++];
    if (quote_ != '\0') {
      if (c == '\\') ++at_;
      if (c == quote_) quote_ = '\0';
      return;
    }
    if (c == '"' || c == '\'') quote_ = c;
    if (c == '(' || c == '[' || c == '{') ++depth_;
    if (c == ')' || c == ']' || c == '}') --depth_;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  char quote_ = '\0';
};

bool word_at(std::string_view text, std::size_t at, std::string_view word) {
  if (text.substr(at, word.size()) != word) return false;
  bool starts = at == 0 || !is_word_char(text[at - 1]);
  std::size_t end = at + word.size();
  return starts && (end >= text.size() || !is_word_char(text[end]));
}

// The parts between `word` outside of brackets; one part where it is not there.
std::vector<std::string_view> parts_between(std::string_view text, std::string_view word) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (Scanner scanner(text); !scanner.at_end(); scanner.step()) {
    if (!scanner.is_open() || scanner.at() < begin || !word_at(text, scanner.at(), word)) continue;
    parts.push_back(text.substr(begin, scanner.at() - begin));
    begin = scanner.at() + word.size();
  }
  parts.push_back(text.substr(begin));
  return parts;
}

// Arguments of the brackets that `text` starts with, as far as it goes; the last one only where it is whole.
std::vector<std::string_view> arguments_of(std::string_view text) {
  std::vector<std::string_view> arguments;
  std::size_t begin = 1;
  std::string_view inside = text.substr(1);
  for (Scanner scanner(inside); !scanner.at_end(); scanner.step()) {
    bool ends = scanner.is_open() && (scanner.here() == ',' || scanner.here() == ')');
    if (!ends) continue;
    arguments.push_back(trim(text.substr(begin, scanner.at() + 1 - begin)));
    begin = scanner.at() + 2;
    if (scanner.here() == ')') break;
  }
  return arguments;
}

std::string_view without_brackets(std::string_view text) {
  text = trim(text);
  while (text.size() > 2 && text.front() == '(') {
    Scanner scanner(text);
    do scanner.step();
    while (!scanner.at_end() && !scanner.is_open());
    if (!scanner.at_end()) break;
    text = trim(text.substr(1, text.size() - 2));
  }
  return text;
}

bool is_choice(std::string_view text) {
  return parts_between(text, "if").size() > 1 || parts_between(text, "lambda").size() > 1;
}

// `decisive` is what one part needs to be to decide for all.
Truth together(const std::vector<std::string_view>& parts, Truth decisive, const AtomTruth& of_atom) {
  bool all_known = true;
  for (std::string_view part : parts) {
    Truth truth = truth_of(part, of_atom);
    if (truth == decisive) return decisive;
    all_known = all_known && truth != Truth::unknown;
  }
  return all_known ? negated(decisive) : Truth::unknown;
}

}  // namespace

Truth negated(Truth truth) {
  if (truth == Truth::unknown) return Truth::unknown;
  return truth == Truth::yes ? Truth::no : Truth::yes;
}

Truth to_truth(bool value) { return value ? Truth::yes : Truth::no; }

Truth truth_of(std::string_view condition, const AtomTruth& of_atom) {
  std::string_view text = without_brackets(condition);
  if (is_choice(text)) return Truth::unknown;
  std::vector<std::string_view> alternatives = parts_between(text, "or");
  if (alternatives.size() > 1) return together(alternatives, Truth::yes, of_atom);
  std::vector<std::string_view> demands = parts_between(text, "and");
  if (demands.size() > 1) return together(demands, Truth::no, of_atom);
  if (word_at(text, 0, "not")) return negated(truth_of(text.substr(3), of_atom));
  if (text == "True" || text == "False") return to_truth(text == "True");
  return of_atom(text);
}

std::optional<std::string> first_argument(std::string_view call, std::string_view keyword) {
  std::size_t open = call.find('(');
  if (open == std::string_view::npos) return std::nullopt;
  std::vector<std::string_view> arguments = arguments_of(call.substr(open));
  for (std::string_view argument : arguments) {
    std::size_t equals = argument.find('=');
    if (equals == std::string_view::npos || trim(argument.substr(0, equals)) != keyword) continue;
    return std::string(trim(argument.substr(equals + 1)));
  }
  if (arguments.empty() || arguments.front().empty()) return std::nullopt;
  return std::string(arguments.front());
}

bool NumberComparison::holds_for(long value) const {
  if (op == "<") return value < number;
  if (op == "<=") return value <= number;
  if (op == ">") return value > number;
  if (op == ">=") return value >= number;
  return op == "==" ? value == number : value != number;
}

std::optional<NumberComparison> number_comparison(std::string_view atom) {
  static constexpr std::string_view kOperators[] = {"<=", ">=", "==", "!=", "<", ">"};
  for (std::string_view op : kOperators) {
    std::size_t at = atom.find(op);
    if (at == std::string_view::npos) continue;
    std::string_view right = trim(atom.substr(at + op.size()));
    NumberComparison comparison{std::string(trim(atom.substr(0, at))), std::string(op), 0};
    auto [end, failure] = std::from_chars(right.data(), right.data() + right.size(), comparison.number);
    if (failure != std::errc() || end != right.data() + right.size()) return std::nullopt;
    return comparison;
  }
  return std::nullopt;
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    if (word_at(text, at, word)) return true;
  return false;
}

}  // namespace hwsift::classifier
