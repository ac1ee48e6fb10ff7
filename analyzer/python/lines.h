// The logical lines of a file and how they stand in each other, told from its tokens.
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/python/tokens.h"

namespace hwsift::analyzer {

// A statement, or a row of them with semicolons between; the header of a compound one, with what stands after
// its colon on the same line.
struct Line {
  std::uint32_t first = 0;  // token
  std::uint32_t last = 0;   // token after the last one; the newline is none of it
  std::uint32_t next =
      0;  // line after the block that this one opens; the line after this where it opens none
};

// Tokens [first, last).
struct TokenRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

inline bool opens(Kind kind) {
  return kind == Kind::lparen || kind == Kind::lbracket || kind == Kind::lbrace;
}
inline bool closes(Kind kind) {
  return kind == Kind::rparen || kind == Kind::rbracket || kind == Kind::rbrace;
}
// Of a text: one that is a token, or a piece of an f-string that is no code.
inline bool is_part_of_text(Kind kind) {
  return kind == Kind::string || kind == Kind::fstring_start || kind == Kind::fstring_middle ||
         kind == Kind::fstring_end;
}
// The token after the bracket that closes the one at `open`.
std::uint32_t after_brackets(const std::vector<Token>& tokens, std::uint32_t open);
// The token after what begins at one: a bracket with all that is in it, an f-string, any other token alone.
std::uint32_t after_part(const std::vector<Token>& tokens, std::uint32_t first);
// The token after a text, of which f-strings have many, or after any other token.
std::uint32_t after_literal(const std::vector<Token>& tokens, std::uint32_t first);

// The token that says what a line is; `async` may stand before it.
std::uint32_t keyword_of(const std::vector<Token>& tokens, const Line& line);

// `tokens` without errors.
std::vector<Line> logical_lines(const Tokens& tokens);

}  // namespace hwsift::analyzer
