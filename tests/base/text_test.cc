#include "base/text.h"

#include <gtest/gtest.h>

namespace hwsift {
namespace {

TEST(Text, SplitKeepsEmptyParts) {
  EXPECT_EQ(split("a,,b,", ','), (std::vector<std::string>{"a", "", "b", ""}));
  EXPECT_EQ(split("", ','), std::vector<std::string>{""});
}

TEST(Text, TrimTakesEveryAsciiSpace) { EXPECT_EQ(trim(" \t\r\nx y\f\v"), "x y"); }

TEST(Text, CodePointsAreNotBytes) { EXPECT_EQ(code_points("aé√😀"), 4u); }

TEST(Text, Utf8IsCheckedAsStrictlyAsPythonDoes) {
  EXPECT_FALSE(invalid_utf8_at("aé√😀"));
  EXPECT_EQ(invalid_utf8_at("ab\xff"), 2u);
  EXPECT_EQ(invalid_utf8_at("\xC0\xAF"), 0u) << "overlong";
  EXPECT_EQ(invalid_utf8_at("\xED\xA0\x80"), 0u) << "surrogate";
  EXPECT_EQ(invalid_utf8_at("\xF4\x90\x80\x80"), 0u) << "above U+10FFFF";
  EXPECT_EQ(invalid_utf8_at("x\xE2\x88"), 1u) << "cut off";
}

TEST(Text, PrintableHidesControlCharacters) {
  EXPECT_EQ(printable("a\x1b[31m\n\x7f"), "a\\x1b[31m\\x0a\\x7f");
}

TEST(Text, ClosestFindsSlipsOnly) {
  std::vector<std::string> words{"only_for", "except_for", "allow_xpu"};
  EXPECT_EQ(closest("only_fro", words), "only_for");
  EXPECT_EQ(closest("wholly", words), std::nullopt);
  EXPECT_EQ(closest("scna", {"scan", "lint"}), "scan") << "two letters swapped";
}

TEST(Printable, WhatHidesOrMovesTextIsShown) {
  EXPECT_EQ(printable("a\xE2\x80\xAE"
                      "b\xE2\x81\xA6"
                      "c"),
            "a\\u202eb\\u2066c");
  EXPECT_EQ(printable("a\xE2\x80\x8B\xEF\xBB\xBF"), "a\\u200b\\ufeff");
  EXPECT_EQ(printable("\xC2\x85\xD8\x9C"), "\\u0085\\u061c");
  EXPECT_EQ(printable("a\nb\x1b[1m"), "a\\x0ab\\x1b[1m");
  EXPECT_EQ(printable("\xFFz\xE2\x80"), "\xEF\xBF\xBDz\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(printable("Grüße 日本 …"), "Grüße 日本 …");
}

}  // namespace
}  // namespace hwsift
