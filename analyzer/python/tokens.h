// Python's tokens, as CPython 3.14's own tokenizer cuts them, with its errors.
//
// One pass over the text, no copies: a token is a kind and two offsets. Line numbers are counted only for
// errors. f-strings and t-strings come in pieces (start, middle, '{' tokens '}', end), so that what stands
// between their braces is ordinary Python.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hwsift::analyzer {

enum class Kind : std::uint8_t {
  end,
  newline,
  indent,
  dedent,
  error,  // the tokenizer has said what is wrong here
  halt,   // of the grammar: nothing more is read of this statement
  name,
  number,
  string,
  fstring_start,
  fstring_middle,
  fstring_end,
  // keywords
  kw_false,
  kw_none,
  kw_true,
  kw_and,
  kw_as,
  kw_assert,
  kw_async,
  kw_await,
  kw_break,
  kw_class,
  kw_continue,
  kw_def,
  kw_del,
  kw_elif,
  kw_else,
  kw_except,
  kw_finally,
  kw_for,
  kw_from,
  kw_global,
  kw_if,
  kw_import,
  kw_in,
  kw_is,
  kw_lambda,
  kw_nonlocal,
  kw_not,
  kw_or,
  kw_pass,
  kw_raise,
  kw_return,
  kw_try,
  kw_while,
  kw_with,
  kw_yield,
  // brackets and punctuation
  lparen,
  rparen,
  lbracket,
  rbracket,
  lbrace,
  rbrace,
  comma,
  colon,
  semicolon,
  dot,
  ellipsis,
  arrow,
  exclamation,
  walrus,
  equal,
  augmented,  // augmented: += and its like
  // operators
  plus,
  minus,
  star,
  double_star,
  slash,
  double_slash,
  percent,
  at,
  tilde,
  pipe,
  caret,
  ampersand,
  left_shift,
  right_shift,
  less,
  greater,
  less_equal,
  greater_equal,
  equal_equal,
  not_equal,
  old_not_equal,  // <>
  unknown,        // a character that is no token of Python: $ ? `
};

struct Token {
  enum Flag : std::uint8_t {
    bytes = 1,
    raw = 2,
    template_ = 4,  // of a t-string
    escapes = 8,    // holds a backslash that is not raw
    non_ascii = 16,
    long_number = 32,  // more digits than Python converts
  };
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  Kind kind = Kind::end;
  std::uint8_t flags = 0;

  bool is(Flag flag) const { return (flags & flag) != 0; }
};

struct TokenError {
  std::uint32_t offset = 0;
  std::string message;
  bool weak = false;  // CPython tells it only if the grammar comes to this place without an error of its own
};

struct Tokens {
  std::vector<Token> list;  // the last one is `end`
  std::vector<TokenError> errors;
  // Offset of the innermost bracket that is open at the end of the file or at the first error, if that one is
  // weak.
  std::optional<std::uint32_t> unclosed;
};

// Reads on after an error, so that one slip does not hide the rest of the file.
Tokens tokenize(const std::string& text);

}  // namespace hwsift::analyzer
