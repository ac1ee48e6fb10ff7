// The snippets of tests/fixtures/python_syntax: what CPython 3.14 says of them is written beside them.
//
//   valid/*.py    each is a file that Python accepts
//   invalid/*.py  pieces that Python refuses, each below a line "#: LINE [MESSAGE]" with what Python says of
//   the piece;
//                 where there is no message, ours is not Python's
#include "analyzer/python/syntax.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "analyzer/python/grammar.h"
#include "analyzer/python/tokens.h"

namespace hwsift::analyzer {
namespace {

struct Piece {
  std::string origin;
  int line = 0;
  std::string message;
  std::string text;
};

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::vector<std::filesystem::path> fixtures(const char* folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(HWSIFT_FIXTURES "/python_syntax/") + folder))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<Piece> invalid_pieces() {
  std::vector<Piece> pieces;
  for (const std::filesystem::path& path : fixtures("invalid")) {
    std::string text = read(path);
    for (std::size_t at = 0; at < text.size();) {
      std::size_t header_end = text.find('\n', at);
      std::size_t end = std::min(text.find("\n#: ", header_end), text.size() - 1) + 1;
      std::string header = text.substr(at + 3, header_end - at - 3);
      std::size_t space = std::min(header.find(' '), header.size());
      Piece piece;
      piece.origin =
          path.filename().string() + ":" +
          std::to_string(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1);
      piece.line = std::stoi(header.substr(0, space));
      piece.message = space < header.size() ? header.substr(space + 1) : "";
      piece.text = text.substr(header_end + 1, end - header_end - 1);
      pieces.push_back(piece);
      at = end;
    }
  }
  return pieces;
}

std::string described(const ParsedSource& parsed) {
  std::string text;
  for (const ParseError& error : parsed.errors)
    text += std::to_string(error.line) + ":" + std::to_string(error.col) + " " + error.message + "\n";
  return text;
}

std::string errors_of(const std::string& text) { return described(parse_python(text)); }

bool has_error_node(const ParsedSource& parsed) {
  return ts_node_has_error(ts_tree_root_node(parsed.tree.get()));
}

// What our own checks find, at most twenty of each kind, without tree-sitter.
std::size_t tokenize_and_check(const std::string& text) {
  Tokens tokens = tokenize(text);
  return std::max(check_grammar(text, tokens).faults.size(), tokens.errors.size());
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  result.reserve(text.size() * static_cast<std::size_t>(times));
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

int depth_of(const ParsedSource& parsed) {
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(parsed.tree.get()));
  int depth = 0;
  int deepest = 0;
  for (bool more = true; more;) {
    if (ts_tree_cursor_goto_first_child(&cursor)) {
      deepest = std::max(deepest, ++depth);
      continue;
    }
    while (more && !ts_tree_cursor_goto_next_sibling(&cursor)) {
      more = ts_tree_cursor_goto_parent(&cursor);
      --depth;
    }
  }
  ts_tree_cursor_delete(&cursor);
  return deepest;
}

TEST(Syntax, ValidFixturesAreAcceptedAndGiveAGoodTree) {
  std::vector<std::filesystem::path> paths = fixtures("valid");
  ASSERT_GE(paths.size(), 15u);
  for (const std::filesystem::path& path : paths) {
    ParsedSource parsed = parse_python(read(path));
    EXPECT_EQ(described(parsed), "") << path;
    EXPECT_FALSE(has_error_node(parsed)) << path;
  }
}

TEST(Syntax, InvalidFixturesAreRefusedOnTheLineThatPythonNames) {
  std::vector<Piece> pieces = invalid_pieces();
  ASSERT_GE(pieces.size(), 600u);
  for (const Piece& piece : pieces) {
    ParsedSource parsed = parse_python(piece.text);
    ASSERT_FALSE(parsed.errors.empty()) << piece.origin << "\n" << piece.text;
    EXPECT_EQ(parsed.errors[0].line, piece.line) << piece.origin << "\n"
                                                 << piece.text << parsed.errors[0].message;
    if (!piece.message.empty()) {
      EXPECT_EQ(parsed.errors[0].message, piece.message) << piece.origin << "\n" << piece.text;
    }
  }
}

TEST(Syntax, EmptyTextsAreValid) {
  for (const char* text : {"", "\n", "\r\n", "# comment", "   ", "\t\n\f\n", "\\\n\n"})
    EXPECT_EQ(errors_of(text), "") << text;
}

TEST(Syntax, TheLastLineNeedsNoEnd) {
  EXPECT_EQ(errors_of("if x:\n    y"), "");
  EXPECT_EQ(errors_of("x = '''a'''"), "");
  EXPECT_EQ(errors_of("x = 1  # comment"), "");
}

TEST(Syntax, WindowsLineEndsAreLineEnds) {
  EXPECT_EQ(errors_of("if x:\r\n    y = (1,\r\n  2)\r\n\r\nz = '''a\r\n'''\r\nw = 1 + \\\r\n  2\r\n"), "");
  EXPECT_EQ(errors_of("x = 1\r\ny = = 2\r\n"), "2:5 invalid syntax\n");
}

TEST(Syntax, ColumnsCountCodePoints) { EXPECT_EQ(errors_of("'é😀' b\n"), "1:6 invalid syntax\n"); }

TEST(Syntax, EveryBadStatementIsTold) {
  EXPECT_EQ(errors_of("def f(1):\n    x = = 1\n    y = 2\n    z = = 3\nclass A\n    pass\n"),
            "1:7 invalid syntax\n2:9 invalid syntax\n4:9 invalid syntax\n5:8 expected ':'\n");
}

TEST(Syntax, ABadHeaderDoesNotBlameItsClauses) {
  EXPECT_EQ(errors_of("if x y:\n    a\nelif z:\n    b\nelse:\n    c\n"), "1:6 invalid syntax\n");
  EXPECT_EQ(errors_of("try x:\n    a\nexcept A:\n    b\nfinally:\n    c\n"), "1:5 expected ':'\n");
}

TEST(Syntax, AtMostTwentyErrorsAreTold) {
  EXPECT_EQ(parse_python(repeated("x = = 1\n", 50)).errors.size(), 20u);
}

// CPython reads on to the end of the file for an error of its tokenizer, and tells that one.
TEST(Syntax, ATokenErrorFurtherDownIsTheFirstOne) {
  EXPECT_EQ(errors_of("print 'a'\nx = 0777\n"),
            "2:5 leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal "
            "integers\n");
  EXPECT_EQ(errors_of("  x = 1\ny = 0777\n").substr(0, 21), "1:3 unexpected indent");
  EXPECT_EQ(errors_of("x y\nif x:\n    a\n  b\n"),
            "1:3 invalid syntax\n4:3 unindent does not match any outer indentation level\n");
}

TEST(Syntax, AnOpenBracketIsToldWhereItStands) {
  EXPECT_EQ(errors_of("x = f(\n    1,\n\ndef g():\n    pass\n"), "1:6 '(' was never closed\n");
  EXPECT_EQ(errors_of("x = [1, 2\n"), "1:5 '[' was never closed\n");
}

// ---- the tree of valid code that the grammar of tree-sitter does not know

std::string tree_of(const std::string& text) {
  ParsedSource parsed = parse_python(text);
  char* dump = ts_node_string(ts_tree_root_node(parsed.tree.get()));
  std::string result(dump);
  std::free(dump);  // NOLINT
  return result;
}

TEST(Syntax, StarredDisplaysInABareTupleGiveATree) {
  EXPECT_EQ(tree_of("return a, *[b]\n"), tree_of("return a,  [b]\n"));
  EXPECT_EQ(tree_of("for x in *[1], *(2): pass\n"), tree_of("for x in  [1],  (2): pass\n"));
}

TEST(Syntax, TypeParameterDefaultsGiveATree) {
  EXPECT_EQ(tree_of("class A[T: int = str, *Ts = *B](C):\n    x = 1\n"),
            tree_of("class A[T: int      , *Ts     ](C):\n    x = 1\n"));
  EXPECT_EQ(tree_of("class A[\n    T = int,\n](C): pass\n"), tree_of("class A[\n    T      ,\n](C): pass\n"));
}

TEST(Syntax, TemplateStringsGiveTheTreeOfAnFString) {
  EXPECT_EQ(tree_of("x = t'{a!r:>{b}}'\n"), tree_of("x = f'{a!r:>{b}}'\n"));
  EXPECT_EQ(tree_of("x = rT'{a}'\n"), tree_of("x = rf'{a}'\n"));
}

TEST(Syntax, ALineThatEndsWithADotInBracketsKeepsTheRestOfTheTree) {
  ParsedSource parsed =
      parse_python("class A:\n    def f(self):\n        (bar.\nbaz)\n\n    def test_g(self): pass\n");
  EXPECT_EQ(described(parsed), "");
  EXPECT_FALSE(has_error_node(parsed));
}

// ---- hostile text: neither a deep stack nor quadratic time

constexpr int kMany = 100000;

TEST(SyntaxLimits, DeepBracketsAreRefusedAndGiveAShallowTree) {
  for (const char* open : {"(", "[", "{1: ", "f(", "a["}) {
    ParsedSource parsed = parse_python("class A: pass\nx = " + repeated(open, kMany) + "\n");
    EXPECT_EQ(parsed.errors[0].message, "too many nested parentheses");
    EXPECT_LE(depth_of(parsed), 3000);
  }
  ParsedSource closed =
      parse_python("class A: pass\nx = " + repeated("(", kMany) + repeated(")", kMany) + "\n");
  EXPECT_EQ(closed.errors[0].line, 2);
  EXPECT_LE(depth_of(closed), 3000);
  EXPECT_NE(std::string(ts_node_type(ts_node_named_child(ts_tree_root_node(closed.tree.get()), 0))), "ERROR")
      << "what stands before is kept";
}

TEST(SyntaxLimits, LongChainsAreAcceptedAndGiveAShallowTree) {
  for (const char* link : {".b", "()", "[0]", " + b", " and b", " < b", " if b else c"}) {
    ParsedSource parsed = parse_python("x = a" + repeated(link, kMany) + "\n");
    EXPECT_EQ(described(parsed), "") << link;
    EXPECT_LE(depth_of(parsed), 3000) << link;
    EXPECT_FALSE(has_error_node(parsed)) << link;
  }
  for (const char* prefix : {"not ", "- ", "~"}) {
    ParsedSource parsed = parse_python("x = " + repeated(prefix, kMany) + "y\n");
    EXPECT_EQ(described(parsed), "") << prefix;
    EXPECT_LE(depth_of(parsed), 3000) << prefix;
  }
}

TEST(SyntaxLimits, LongStatementsAreAccepted) {
  EXPECT_EQ(errors_of("if x: pass\n" + repeated("elif y: pass\n", kMany)), "");
  EXPECT_EQ(errors_of("x = " + repeated("'a' ", kMany) + "\n"), "");
  EXPECT_EQ(errors_of(repeated("@a\n", kMany) + "def f(): pass\n"), "");
  EXPECT_EQ(errors_of(repeated("x;", kMany) + "\n"), "");
}

TEST(SyntaxLimits, WhatCannotNestSoDeepIsRefused) {
  EXPECT_EQ(errors_of("x = " + repeated("lambda: ", kMany) + "0\n"), "1:6397 source too complex to parse\n");
  EXPECT_EQ(parse_python("x = 2" + repeated(" ** 2", kMany) + "\n").errors[0].message,
            "source too complex to parse");
  EXPECT_EQ(
      parse_python("x = " + repeated("f\"{", kMany) + "1" + repeated("}\"", kMany) + "\n").errors[0].message,
      "too many nested f-strings or t-strings");
}

TEST(SyntaxLimits, DeepBlocksAreRefused) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += std::string(static_cast<std::size_t>(i), ' ') + "if x:\n";
  ParsedSource parsed = parse_python(text);
  EXPECT_EQ(parsed.errors[0].line, 101);
  EXPECT_EQ(parsed.errors[0].message, "too many levels of indentation");
  EXPECT_LE(depth_of(parsed), 3000);
}

TEST(SyntaxLimits, TextThatTreeSitterReadsAgainAndAgainIsGivenUp) {
  EXPECT_EQ(errors_of(repeated("\\\n", kMany) + "x\n"), "1:1 too complex to be read\n");
  EXPECT_EQ(parse_python("x = \"" + repeated("\\N{", kMany) + "\"\n").errors.size(), 1u);
  EXPECT_EQ(parse_python(repeated("def class if else for ", 10000)).errors.size(), 1u);
  EXPECT_EQ(parse_python("x " + repeated(".", kMany) + "\n").errors.size(), 1u);
}

TEST(SyntaxLimits, ManyErrorsCostNoMoreThanFew) {
  for (const char* line : {"'\n", "if x:\n", "'\\N{'\n", "x = (]\n", "x y\n", "{\n]"})
    EXPECT_EQ(tokenize_and_check(repeated(line, kMany)), 20u) << line;
}

// ---- the pieces below parse_python()

TEST(Tokens, KindsAndPlaces) {
  std::string text = "if x:\n    f'{a!r:>{b}}'\n";
  std::vector<Kind> kinds;
  for (const Token& token : tokenize(text).list) kinds.push_back(token.kind);
  EXPECT_EQ(kinds,
            (std::vector<Kind>{Kind::kw_if,       Kind::name,          Kind::colon,  Kind::newline,
                               Kind::indent,      Kind::fstring_start, Kind::lbrace, Kind::name,
                               Kind::exclamation, Kind::name,          Kind::colon,  Kind::fstring_middle,
                               Kind::lbrace,      Kind::name,          Kind::rbrace, Kind::rbrace,
                               Kind::fstring_end, Kind::newline,       Kind::dedent, Kind::end}));
}

TEST(Tokens, EveryTokenLiesWithinTheText) {
  for (const std::filesystem::path& path : fixtures("invalid")) {
    std::string text = read(path);
    for (const Token& token : tokenize(text).list) {
      ASSERT_LE(token.begin, token.end);
      ASSERT_LE(token.end, text.size());
    }
  }
}

TEST(Grammar, ValidCodeNeedsNoRewrites) {
  std::string text = "def f(a, *b, **c):\n    return a, *b\n";
  EXPECT_TRUE(check_grammar(text, tokenize(text)).rewrites.empty());
}

}  // namespace
}  // namespace hwsift::analyzer
