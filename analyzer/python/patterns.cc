#include "analyzer/python/grammar_reader.h"

namespace hwsift::analyzer {

void GrammarReader::patterns() {
  bool star = star_pattern();
  if (!at(Kind::comma)) {
    if (star) fail();
    return;
  }
  while (accept(Kind::comma)) {
    if (at(Kind::colon) || at(Kind::kw_if)) return;
    star_pattern();
  }
}

// A pattern that may have a star; true if it has.
bool GrammarReader::star_pattern() {
  if (!accept(Kind::star)) {
    pattern();
    return false;
  }
  expect(Kind::name);
  return true;
}

void GrammarReader::pattern() {
  if (!enter()) return;
  or_pattern();
  if (accept(Kind::kw_as)) {
    if (at_word("_")) fail("cannot use '_' as a target");
    expect(Kind::name);
    if (at(Kind::dot) || at(Kind::lparen) || at(Kind::equal)) fail();
  }
  leave();
}

void GrammarReader::or_pattern() {
  do {
    closed_pattern();
  } while (accept(Kind::pipe));
}

void GrammarReader::closed_pattern() {
  switch (cur_->kind) {
    case Kind::kw_none:
    case Kind::kw_true:
    case Kind::kw_false:
      return advance();
    case Kind::string:
    case Kind::fstring_start:
      strings();
      return;
    case Kind::plus:
    case Kind::minus:
    case Kind::number:
      return number_pattern();
    case Kind::name:
      return name_pattern();
    case Kind::lparen:
      return sequence_pattern(Kind::rparen);
    case Kind::lbracket:
      return sequence_pattern(Kind::rbracket);
    case Kind::lbrace:
      return mapping_pattern();
    default:
      return fail();
  }
}

// A signed number, or a complex one: the part after the sign must be imaginary, the part before must not.
void GrammarReader::number_pattern() {
  auto is_imaginary = [&](const Token& token) {
    char last = text_[token.end - 1];
    return last == 'j' || last == 'J';
  };
  accept(Kind::minus);
  const Token& first = *cur_;
  if (!expect(Kind::number)) return;
  if (first.is(Token::long_number))
    return fail(first, "Exceeds the limit (4300 digits) for integer string conversion");
  if (!at(Kind::plus) && !at(Kind::minus)) return;
  if (is_imaginary(first)) return fail(first, "real number required in complex literal");
  advance();
  const Token& second = *cur_;
  if (!expect(Kind::number)) return;
  if (!is_imaginary(second)) fail(second, "imaginary number required in complex literal");
}

void GrammarReader::name_pattern() {
  advance();
  while (accept(Kind::dot)) expect(Kind::name);
  if (at(Kind::lparen)) class_arguments();
}

void GrammarReader::sequence_pattern(Kind close) {
  advance();
  if (accept(close)) return;
  bool star = star_pattern();
  bool comma = false;
  while (accept(Kind::comma)) {
    comma = true;
    if (at(close)) break;
    star_pattern();
  }
  if (close == Kind::rparen && star && !comma) return fail();
  expect_close(close);
}

void GrammarReader::mapping_pattern() {
  advance();
  while (!at(Kind::rbrace)) {
    if (accept(Kind::double_star)) {
      if (at_word("_")) return fail();
      expect(Kind::name);
      accept(Kind::comma);
      break;
    }
    switch (cur_->kind) {
      case Kind::name: {
        const Token& name = *cur_;
        name_pattern();
        if (failed()) return;
        if (cur_ == &name + 1 || cur_[-1].kind == Kind::rparen)
          return fail();  // only literals and dotted names
        break;
      }
      case Kind::lparen:
      case Kind::lbracket:
      case Kind::lbrace:
        return fail();
      default:
        closed_pattern();
    }
    if (!expect(Kind::colon)) return;
    pattern();
    if (!accept(Kind::comma)) break;
  }
  expect_close(Kind::rbrace);
}

void GrammarReader::class_arguments() {
  advance();
  bool keywords = false;
  while (!at(Kind::rparen)) {
    bool is_keyword = at(Kind::name) && next().kind == Kind::equal;
    const Token& first = *cur_;
    if (is_keyword) {
      advance();
      advance();
    }
    pattern();
    if (failed()) return;
    if (keywords && !is_keyword) return fail(first, "positional patterns follow keyword patterns");
    keywords = is_keyword;
    if (!accept(Kind::comma)) break;
  }
  expect_close(Kind::rparen);
}

}  // namespace hwsift::analyzer
