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

TEST(CxxWire, WhatNoHelperWritesIsRefused) {
  const char* kLines[] = {
      "",
      "{}",
      "[]",
      "null",
      R"({"path":"a","tokens":[[9,"x",1,1,-1,0]],"conditions":[],"comments":[],"errors":[]})",
      R"({"path":"a","tokens":[["x"]],"conditions":[],"comments":[],"errors":[]})",
      R"({"path":"a","tokens":[[0,"x",1,1,0,0]],"conditions":[],"comments":[],"errors":[]})",
      R"({"path":"a","tokens":[],"conditions":[["X",false,1,0]],"comments":[],"errors":[]})"};
  for (const char* line : kLines) {
    Result<LexedLine> read = from_line(line);
    ASSERT_FALSE(read.ok()) << line;
    EXPECT_FALSE(read.error().hint.empty());
  }
}

}  // namespace
}  // namespace hwsift::analyzer::cxx
