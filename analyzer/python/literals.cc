#include <fmt/format.h>

#include <algorithm>

#include "analyzer/python/grammar_reader.h"

namespace hwsift::analyzer {
namespace {

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Which names Unicode gives is not known here; which letters they are made of is.
bool may_be_character_name(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ' ' || c == '-';
  });
}

}  // namespace

// Strings that stand next to each other are one.
Expr GrammarReader::strings() {
  Expr expr;
  expr.first = cur_;
  expr.shape = Shape::string;
  bool bytes = false, text = false, plain = false, templates = false;
  while (at(Kind::string) || at(Kind::fstring_start)) {
    bool formatted = at(Kind::fstring_start);
    bool is_template = formatted && cur_->is(Token::template_);
    (cur_->is(Token::bytes) ? bytes : text) = true;
    (is_template ? templates : plain) = true;
    if (formatted) {
      expr.shape = is_template ? Shape::template_ : Shape::formatted;
      formatted_string();
    } else {
      plain_string(*cur_);
    }
  }
  if (templates && plain) fail(*expr.first, "cannot mix t-string literals with string or bytes literals");
  if (bytes && text) fail(*expr.first, "cannot mix bytes and nonbytes literals");
  return expr;
}

void GrammarReader::plain_string(const Token& token) {
  if (token.is(Token::bytes) && token.is(Token::non_ascii))
    return fail(token, "bytes can only contain ASCII literal characters");
  if (token.is(Token::escapes)) check_escapes(token, token.begin, token.end);
  advance();
}

// ---- escapes

void GrammarReader::check_escapes(const Token& token, std::uint32_t from, std::uint32_t to) {
  for (std::uint32_t at = from; at + 1 < to && !failed(); ++at)
    if (text_[at] == '\\') at = check_escape(token, at, to);
}

// The offset of the last byte of the escape that starts at `at`.
// NOLINTNEXTLINE(readability-function-cognitive-complexity): one branch an escape
std::uint32_t GrammarReader::check_escape(const Token& token, std::uint32_t at, std::uint32_t to) {
  char kind = text_[at + 1];
  bool bytes = token.is(Token::bytes);
  std::uint32_t digits = kind == 'x' ? 2 : bytes ? 0 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
  std::uint32_t end = at + 2;
  while (end < to && end - at - 2 < digits && is_hex(text_[end])) ++end;
  if (end - at - 2 < digits) {
    fail(token, bytes ? "(value error) invalid \\x escape"
                      : fmt::format("(unicode error) truncated \\{} escape", kind));
  } else if (kind == 'U' && digits == 8 && text_.compare(at + 2, 8, "0010FFFF") > 0 &&
             std::stoul(text_.substr(at + 2, 8), nullptr, 16) > 0x10FFFF) {
    fail(token, "(unicode error) illegal Unicode character");
  } else if (kind == 'N' && !bytes) {
    std::size_t length = std::string_view(text_).substr(at + 2, to - at - 2).find('}');
    std::size_t close = length == std::string_view::npos ? to : at + 2 + length;
    if (at + 2 >= to || text_[at + 2] != '{' || close >= to || close == at + 3)
      fail(token, "(unicode error) malformed \\N character escape");
    else if (!may_be_character_name(std::string_view(text_).substr(at + 3, close - at - 3)))
      fail(token, "(unicode error) unknown Unicode character name");
    else
      return static_cast<std::uint32_t>(close);
  }
  return end - 1;
}

// ---- f-strings and t-strings

void GrammarReader::formatted_string() {
  bool is_template = cur_->is(Token::template_);
  if (is_template) rewrite_template_prefix();
  advance();
  while (!accept(Kind::fstring_end)) {
    if (at(Kind::fstring_middle)) {
      if (cur_->is(Token::escapes)) check_escapes(*cur_, cur_->begin, cur_->end);
      advance();
    } else if (at(Kind::lbrace)) {
      replacement_field(is_template);
    } else {
      return fail();
    }
  }
}

void GrammarReader::replacement_field(bool is_template) {
  const char* literal = is_template ? "t-string" : "f-string";
  if (!enter()) return;
  advance();
  switch (cur_->kind) {
    case Kind::rbrace:
    case Kind::equal:
    case Kind::exclamation:
    case Kind::colon:
      return fail(fmt::format("{}: valid expression required before '{}'", literal, word_of(*cur_)));
    case Kind::kw_yield:
      yield_expression();
      break;
    default:
      if (!starts_expression() && !at(Kind::star))
        return fail(fmt::format("{}: expecting a valid expression after '{{'", literal));
      star_expressions();
  }
  const char* wanted = accept(Kind::equal) ? "'!', or ':', or '}'" : "'=', or '!', or ':', or '}'";
  if (at(Kind::exclamation)) {
    conversion(literal);
    wanted = "':' or '}'";
  }
  if (at(Kind::colon)) {
    format(is_template);
    wanted = "'}', or format specs";
  }
  leave();
  if (accept(Kind::rbrace)) return;
  if (forgot_comma()) return fail(*operand_first_, "invalid syntax. Perhaps you forgot a comma?");
  fail(fmt::format("{}: expecting {}", literal, wanted));
}

void GrammarReader::format(bool is_template) {
  advance();
  while (at(Kind::fstring_middle) || at(Kind::lbrace)) {
    if (at(Kind::lbrace)) {
      replacement_field(is_template);
      continue;
    }
    if (cur_->is(Token::escapes)) check_escapes(*cur_, cur_->begin, cur_->end);
    advance();
  }
}

void GrammarReader::conversion(const char* literal) {
  const Token& mark = *cur_;
  advance();
  const Token& name = *cur_;
  if (at(Kind::colon) || at(Kind::rbrace))
    return fail(fmt::format("{}: missing conversion character", literal));
  if (!at(Kind::name)) return fail(fmt::format("{}: invalid conversion character", literal));
  if (name.begin != mark.end)
    return fail(mark, fmt::format("{}: conversion type must come right after the exclamation mark", literal));
  std::string_view word = word_of(name);
  if (word != "s" && word != "r" && word != "a")
    return fail(
        name, fmt::format("{}: invalid conversion character '{}': expected 's', 'r', or 'a'", literal, word));
  advance();
}

// tree-sitter-python knows no t-strings; an f-string has the same form.
void GrammarReader::rewrite_template_prefix() {
  for (std::uint32_t at = cur_->begin; at < cur_->end; ++at)
    if (text_[at] == 't' || text_[at] == 'T') rewrite(at, at + 1, "f");
}

}  // namespace hwsift::analyzer
