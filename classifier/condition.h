// Conditions of Python source in three values: what cannot be told stays unknown, and decides nothing.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace hwsift::classifier {

enum class Truth { no, yes, unknown };

Truth negated(Truth truth);
Truth to_truth(bool value);

// Of a text without `and`, `or` and `not` around it, and without enclosing parentheses.
using AtomTruth = std::function<Truth(std::string_view atom)>;
Truth truth_of(std::string_view condition, const AtomTruth& of_atom);

// "f(a, b)" to "a"; the value of `keyword=` where the call has it. nullopt where there is none, or where the
// text ends before it does.
std::optional<std::string> first_argument(std::string_view call, std::string_view keyword);

// `left op 2` with a whole number on the right.
struct NumberComparison {
  std::string left;
  std::string op;
  long number = 0;
  bool holds_for(long value) const;
};
std::optional<NumberComparison> number_comparison(std::string_view atom);

// Whether `word` stands in `text` as a whole word, outside of longer names.
bool has_word(std::string_view text, std::string_view word);

}  // namespace hwsift::classifier
