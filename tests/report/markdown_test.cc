// Texts in Markdown: as they are where GitHub takes them for text, harmless where it would not.
// tests/e2e/markdown_test.py renders such texts.
#include "report/markdown.h"

#include <gtest/gtest.h>

#include "tests/report/plain_markdown.h"

namespace hwsift::report {
namespace {

std::string text_of(const std::string& text) { return markdown_text(text, 1000); }

TEST(Markdown, WhatIsTextStaysAsItIs) {
  for (const char* plain :
       {"test_a_b.py: label (2 of 3), then split - see #later", "a-b.c/d", "1.5 s", "x > y & z", "-v +1 #x",
        "[]", "C:\\dir", "2026-03-14T15:09:26Z", "50 % of 0x1f", "what? yes!", "{a: 'b', \"c\"}", "日本 é"}) {
    std::string shown = plain;
    if (shown == "[]") shown = "\\[]";  // could begin a link
    EXPECT_EQ(text_of(plain), shown);
  }
}

TEST(Markdown, SignsOfMarkdownAreEscaped) {
  EXPECT_EQ(text_of("*a* _b_ ~~c~~ `d`"), "\\*a\\* \\_b\\_ \\~\\~c\\~\\~ \\`d\\`");
  EXPECT_EQ(text_of("[x](y) ![i](j)"), "\\[x](y) !\\[i](j)");
  EXPECT_EQ(text_of("<b> &amp; &#x;"), "&lt;b> &amp;amp; &amp;#x;");
  EXPECT_EQ(text_of("a|b \\| \\*"), "a\\|b \\\\\\| \\\\\\*");
  EXPECT_EQ(text_of("__init__ a__b _"), "\\_\\_init\\_\\_ a__b \\_");
  EXPECT_EQ(text_of("\xE2\x80\x9C_a_\xE2\x80\x9D"), "\xE2\x80\x9C\\_a\\_\xE2\x80\x9D")
      << "quotes are no letters";
}

TEST(Markdown, ALineBeginsNothing) {
  EXPECT_EQ(text_of("# a"), "\\# a");
  EXPECT_EQ(text_of("- a - b"), "\\- a - b");
  EXPECT_EQ(text_of(">a"), "\\>a");
  EXPECT_EQ(text_of("1. a"), "1\\. a");
  EXPECT_EQ(text_of("12) a"), "12\\) a");
  EXPECT_EQ(text_of("---"), "\\---");
  EXPECT_EQ(text_of("    a "), "a");
}

TEST(Markdown, WhatGitHubActsOnLaterIsCode) {
  EXPECT_EQ(text_of("ask @someone, or a@example.org"), "ask `@someone,` or `a@example.org`");
  EXPECT_EQ(text_of("fixes #12 and org/repo#3 and GH-4"), "fixes `#12` and `org/repo#3` and `GH-4`");
  EXPECT_EQ(text_of("see https://example.org/x_y or www.example.org"),
            "see `https://example.org/x_y` or `www.example.org`");
  EXPECT_EQ(text_of("since deadbee1 :tada: costs $a b$"), "since `deadbee1` `:tada:` costs `$a` `b$`");
  EXPECT_EQ(text_of("a|@b`c"), "a\\|``@b`c``");
}

TEST(Markdown, CodeIsLiteral) {
  EXPECT_EQ(markdown_code("test/a_b.py::Test<A>*", 100), "`test/a_b.py::Test<A>*`");
  EXPECT_EQ(markdown_code("a`b``c", 100), "```a`b``c```");
  EXPECT_EQ(markdown_code("`a", 100), "`` `a ``");
  EXPECT_EQ(markdown_code("a|b", 100), "`a|b`");
  EXPECT_EQ(markdown_cell_code("a|b", 100), "`a\\|b`");
  EXPECT_EQ(markdown_code("", 100), "");
  EXPECT_EQ(markdown_code("a\nb", 100), "`a\\x0ab`");
}

TEST(Markdown, IsCutBetweenCharacters) {
  EXPECT_EQ(markdown_text("aä", 2), "a…");
  EXPECT_EQ(markdown_text("aä", 3), "aä");
  EXPECT_EQ(markdown_text("日", 1), "…");
  EXPECT_EQ(markdown_code("a`b", 2), "``a`…``");
}

TEST(Markdown, TestsSeeWhatIsLeftToAct) {
  EXPECT_EQ(plain_markdown("a `b` ``c`d`` \\*e"), "a   e");
  EXPECT_EQ(plain_markdown("a `b *c*"), "a `b *c*");
}

}  // namespace
}  // namespace hwsift::report
