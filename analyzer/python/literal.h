// What stands between the quotes of a string literal.
#pragma once

#include <string_view>

namespace hwsift::analyzer {

// A string literal of one piece. f-strings give the text before their first interpolation and say so; bytes
// are no text.
struct StringLiteral {
  bool is_text = false;       // a str: no bytes, no concatenation
  bool interpolated = false;  // an f-string or t-string with at least one interpolation
  std::string_view content;   // up to the first interpolation; escapes are not resolved
  std::string_view inner;     // everything between the quotes
};
// `source` with its prefix and quotes.
StringLiteral read_literal(std::string_view source);

}  // namespace hwsift::analyzer
