// A C++ file as the compiler's lexer reads it: tokens after macros are replaced, with the conditions of the
// preprocessor around each. All branches of a condition are there, those that no build takes too.
#pragma once

#include <string>
#include <vector>

#include "analyzer/facts.h"

namespace hwsift::analyzer::cxx {

enum class TokenKind { identifier, number, text, character, punctuator };

struct Token {
  TokenKind kind = TokenKind::punctuator;
  std::string text;    // as written; a string literal with its prefix and quotes
  int line = 0;        // 1-based, of the place in the file: of a macro's use for what it stands for
  int col = 0;         // 1-based, in code points
  int condition = -1;  // into LexedFile::conditions: the innermost; -1 for none
  bool from_macro = false;
  std::string resolved =
      {};  // of the last word of a name: what it refers to, "at.Tensor.cuda"; "" where unknown

  bool is(const char* what) const { return text == what; }
  bool is_name() const { return kind == TokenKind::identifier; }
};

// One `#if`, `#elif` or `#else`: what must hold, or must not, for the lines up to the next.
struct Condition {
  std::string text;      // "USE_CUDA" for #ifdef USE_CUDA and #if defined(USE_CUDA); else as written
  bool negated = false;  // the lines are there where it does not hold
  int line = 0;
  int parent = -1;  // holds as well; for an #else or #elif what stood before it, negated
};

// How many conditions around a place are followed, the innermost first. Real code nests a few.
inline constexpr int kMostConditions = 100;

struct Comment {
  std::string text;  // with its slashes
  int line = 0;
  int col = 0;
  bool own_line = false;
};

struct Include {
  std::string path;  // between its brackets or quotes
  int line = 0;
  int condition = -1;  // into LexedFile::conditions
};

struct LexError {
  int line = 0;  // 0 where the file could not be read at all
  int col = 0;
  std::string message;
};

// A test that the compiler finds, whatever macro made it.
struct MadeTest {
  std::string suite;
  std::string name;
  bool expands = false;  // typed or parametrized
  int line = 0;          // of the macro in this file
  int col = 0;
};

struct LexedFile {
  std::vector<Token> tokens;
  std::vector<Condition> conditions;
  std::vector<Comment> comments;
  std::vector<Include> includes;
  std::vector<LexError> errors;  // unterminated strings and comments
  Origin origin = Origin::fast;
  std::vector<MadeTest> made_tests = {};  // all that the compiler finds; [] of a fast one
  std::vector<std::string> notes = {};    // why it is a fast one
};

}  // namespace hwsift::analyzer::cxx
