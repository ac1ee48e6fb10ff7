#include "analyzer/cxx/wire.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/cxx/lex.h"

namespace hwsift::analyzer::cxx {
namespace {

TEST(CxxWire, ALineHoldsAllOfAFile) {
  LexedLine lexed{"a b.cpp", lex("// c\n#ifdef X\nf(\"\xc3\xa9\", 'c');\n#endif\n/* open", {})};
  Result<LexedLine> read = from_line(to_line(lexed));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(to_line(*read), to_line(lexed));
  EXPECT_EQ(read->path, "a b.cpp");
  EXPECT_EQ(read->file.tokens.size(), lexed.file.tokens.size());
  EXPECT_EQ(read->file.conditions.size(), 1u);
  EXPECT_EQ(read->file.comments.size(), lexed.file.comments.size());
  EXPECT_EQ(read->file.errors.size(), 1u);
}

TEST(CxxWire, WhatTheCompilerKnowsIsKept) {
  LexedLine lexed{"a.cpp", lex("x.cuda();", {})};
  EXPECT_EQ(from_line(to_line(lexed))->file.origin, Origin::fast);
  lexed.file.origin = Origin::full;
  lexed.file.tokens[2].resolved = "at.Tensor.cuda";
  lexed.file.made_tests = {{"Suite", "Name", true, 3, 4}};
  lexed.file.notes = {"why"};
  LexedFile read = from_line(to_line(lexed))->file;
  EXPECT_EQ(read.origin, Origin::full);
  EXPECT_EQ(read.tokens[2].resolved, "at.Tensor.cuda");
  EXPECT_EQ(read.tokens[0].resolved, "");
  ASSERT_EQ(read.made_tests.size(), 1u);
  EXPECT_EQ(read.made_tests[0].name, "Name");
  EXPECT_TRUE(read.made_tests[0].expands);
  EXPECT_EQ(read.notes, lexed.file.notes);
}

TEST(CxxWire, WhatNoHelperWritesIsRefused) {
  const char* kLines[] = {
      "",
      "{}",
      "[]",
      "null",
      R"({"path":"a","tokens":[[9,"x",1,1,-1,0]],"conditions":[],"comments":[],"includes":[],"errors":[],"notes":[]})",
      R"({"path":"a","tokens":[["x"]],"conditions":[],"comments":[],"includes":[],"errors":[],"notes":[]})",
      R"({"path":"a","tokens":[[0,"x",1,1,0,0]],"conditions":[],"comments":[],"includes":[],"errors":[],"notes":[]})",
      R"({"path":"a","tokens":[],"conditions":[["X",false,1,0]],"comments":[],"includes":[],"errors":[],"notes":[]})",
      R"({"path":"a","tokens":[],"conditions":[],"comments":[],"includes":[],"errors":[],"notes":[],"resolved":[[0,"x"]],"made_tests":[]})"};
  for (const char* line : kLines) {
    Result<LexedLine> read = from_line(line);
    ASSERT_FALSE(read.ok()) << line;
    EXPECT_FALSE(read.error().hint.empty());
  }
}

}  // namespace
}  // namespace hwsift::analyzer::cxx
