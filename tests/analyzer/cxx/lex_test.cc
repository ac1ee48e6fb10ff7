#include "analyzer/cxx/lex.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"

namespace hwsift::analyzer::cxx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::string words(const LexedFile& file) {
  std::vector<std::string> all;
  for (const Token& token : file.tokens) all.push_back(token.text);
  return join(all, " ");
}

// The conditions around the first token with this text, outermost first; '!' stands for a negated one.
std::vector<std::string> around(const LexedFile& file, const std::string& text) {
  std::vector<std::string> all;
  for (const Token& token : file.tokens) {
    if (token.text != text) continue;
    for (int i = token.condition; i >= 0; i = file.conditions[static_cast<std::size_t>(i)].parent) {
      const Condition& one = file.conditions[static_cast<std::size_t>(i)];
      all.insert(all.begin(), (one.negated ? "!" : "") + one.text);
    }
    break;
  }
  return all;
}

TEST(CxxLex, TokensHaveTheirPlaces) {
  LexedFile file = lex("int a;\n  f(\"cuda:0\", 1.5);\n", {});
  ASSERT_THAT(file.tokens, SizeIs(10));
  EXPECT_EQ(file.tokens[3].text, "f");
  EXPECT_EQ(file.tokens[3].line, 2);
  EXPECT_EQ(file.tokens[3].col, 3);
  EXPECT_EQ(file.tokens[5].kind, TokenKind::text);
  EXPECT_EQ(file.tokens[5].text, "\"cuda:0\"");
  EXPECT_EQ(file.tokens[7].kind, TokenKind::number);
}

TEST(CxxLex, ColumnsCountCodePoints) {
  LexedFile file = lex("f(\"\xc3\xa9\xc3\xa9\", b);\nc\n", {});
  EXPECT_EQ(file.tokens[4].text, "b");
  EXPECT_EQ(file.tokens[4].col, 9);
  EXPECT_EQ(file.tokens.back().line, 2);
}

TEST(CxxLex, EveryBranchIsReadWithItsCondition) {
  LexedFile file =
      lex("a\n#ifdef USE_CUDA\nb\n#else\nc\n#endif\n#if defined(X) && Y\nd\n#elif "
          "defined(__HIPCC__)\ne\n#endif\nf\n",
          {});
  EXPECT_EQ(words(file), "a b c d e f");
  EXPECT_THAT(around(file, "a"), IsEmpty());
  EXPECT_THAT(around(file, "b"), ElementsAre("USE_CUDA"));
  EXPECT_THAT(around(file, "c"), ElementsAre("!USE_CUDA"));
  EXPECT_THAT(around(file, "d"), ElementsAre("defined(X) && Y"));
  EXPECT_THAT(around(file, "e"), ElementsAre("!defined(X) && Y", "__HIPCC__"));
  EXPECT_THAT(around(file, "f"), IsEmpty());
}

TEST(CxxLex, NestedAndNegatedConditions) {
  LexedFile file = lex("#ifndef A\n#if !defined(B)\nx\n#endif\ny\n#endif\n#if 0\nz\n#endif\n", {});
  EXPECT_THAT(around(file, "x"), ElementsAre("!A", "!B"));
  EXPECT_THAT(around(file, "y"), ElementsAre("!A"));
  EXPECT_THAT(around(file, "z"), ElementsAre("0"));
}

TEST(CxxLex, MacrosOfTheFileAndOfHeadersAreReplaced) {
  LexedFile file =
      lex("#define PASTE(n) TEST(Suite, n##Works)\nPASTE(It)\nEACH(PASTE)\n", {{"EACH(_)=_(A) _(B)"}});
  EXPECT_EQ(words(file), "TEST ( Suite , ItWorks ) TEST ( Suite , AWorks ) TEST ( Suite , BWorks )");
  EXPECT_EQ(file.tokens[4].line, 2) << "where the macro is used";
  EXPECT_TRUE(file.tokens[4].from_macro);
  EXPECT_EQ(file.tokens.back().line, 3);
}

TEST(CxxLex, OfMacrosThatBranchesDefineTheFirstCountsUnlessItIsOfAnotherSystem) {
  EXPECT_EQ(words(lex("#ifdef __CUDACC__\n#define M host device\n#else\n#define M host\n#endif\nM\n", {})),
            "host device");
  EXPECT_EQ(words(lex("#ifdef _WIN32\n#define M DISABLED\n#else\n#define M here\n#endif\nM\n", {})), "here");
}

TEST(CxxLex, OfBranchesThatOpenDifferentBracesTheFirstIsKept) {
  LexedFile file = lex("#ifdef A\nvoid f() {\n#else\nvoid g() {\n#endif\n}\nh\n", {});
  EXPECT_EQ(words(file), "void f ( ) { } h");
}

TEST(CxxLex, NoMacroOfTheCompilerAndNoHeader) {
  EXPECT_EQ(words(lex("#include <nothing.h>\n#pragma once\n#error don't\nlinux __linux__ TEST\n", {})),
            "linux __linux__ TEST");
}

TEST(CxxLex, CommentsAreKept) {
  LexedFile file = lex("int a; // hwsift: ignore[x] why\n  /* b\n */\nint c;\n", {});
  ASSERT_THAT(file.comments, SizeIs(2));
  EXPECT_EQ(file.comments[0].text, "// hwsift: ignore[x] why");
  EXPECT_EQ(file.comments[0].line, 1);
  EXPECT_FALSE(file.comments[0].own_line);
  EXPECT_TRUE(file.comments[1].own_line);
  EXPECT_EQ(file.comments[1].col, 3);
}

TEST(CxxLex, RawStringsHideWhatLooksLikeDirectives) {
  LexedFile file = lex("auto s = R\"x(\n#if 0\n{ )x\";\nb\n", {});
  EXPECT_THAT(around(file, "b"), IsEmpty());
  EXPECT_EQ(file.tokens[3].kind, TokenKind::text);
}

TEST(CxxLex, BrokenFilesAreReadAsFarAsTheyGo) {
  EXPECT_THAT(lex("int a; /* open", {}).errors, SizeIs(1));
  EXPECT_THAT(lex("#endif\n#else\n#if\n#ifdef\n#\nx\n", {}).errors, IsEmpty());
  EXPECT_EQ(words(lex("#endif\n#else\n#if\n#ifdef\n#\nx\n", {})), "x");
  EXPECT_EQ(words(lex(std::string("a\0b", 3), {})), "a b");
  lex("\xff\xfe\x80 \"\x01", {});
}

TEST(CxxLex, AMacroThatStandsForItselfManyTimesEnds) {
  std::string text = "#define A0 x x\n";
  for (int i = 1; i < 40; ++i)
    text +=
        "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) + " A" + std::to_string(i - 1) + "\n";
  LexedFile file = lex("#define B A1 A2\n" + text + "A10\n", {});
  EXPECT_THAT(file.tokens, SizeIs(2048));
}

TEST(CxxLex, BranchesThatAreLeftOutAreNoted) {
  LexedFile file = lex("int x;\n#ifdef A\nTEST(S, a) {\n#else\nTEST(S, b) {\n#endif\n}\n", {});
  ASSERT_EQ(file.notes.size(), 1U);
  EXPECT_EQ(file.notes[0].substr(0, 7), "line 2:");
  EXPECT_TRUE(lex("#ifdef A\nTEST(S, a) {}\n#else\nTEST(S, b) {}\n#endif\n", {}).notes.empty());
}

TEST(CxxLex, ElifdefIsACondition) {
  LexedFile file = lex("#ifdef A\na\n#elifdef B\nb\n#elifndef C\nc\n#endif\n", {});
  std::vector<std::string> texts;
  for (const Token& token : file.tokens)
    texts.push_back(file.conditions[static_cast<std::size_t>(token.condition)].text);
  EXPECT_EQ(texts, (std::vector<std::string>{"A", "B", "!defined(C)"}));
}

}  // namespace
}  // namespace hwsift::analyzer::cxx
