#include "analyzer/python/literal.h"

#include <cstddef>

namespace hwsift::analyzer {

StringLiteral read_literal(std::string_view text) {
  StringLiteral literal;
  std::size_t quote = text.find_first_of("'\"");
  if (quote == std::string_view::npos || quote > 3) return literal;
  std::string_view prefix = text.substr(0, quote);
  if (prefix.find_first_of("bB") != std::string_view::npos) return literal;
  bool triple = text.size() >= quote + 6 && text[quote + 1] == text[quote] && text[quote + 2] == text[quote];
  std::size_t quotes = triple ? 3 : 1;
  if (text.size() < quote + 2 * quotes) return literal;
  literal.is_text = true;
  literal.inner = text.substr(quote + quotes, text.size() - quote - 2 * quotes);
  literal.content = literal.inner;
  if (prefix.find_first_of("fFtT") == std::string_view::npos) return literal;
  std::size_t brace = literal.inner.find('{');
  literal.interpolated = brace != std::string_view::npos;
  literal.content = literal.inner.substr(0, brace);
  return literal;
}

}  // namespace hwsift::analyzer
