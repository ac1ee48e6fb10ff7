// The kit of the pages: nothing from outside acts as markup, and charts hold for any number of points.
#include "report/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/text.h"
#include "report/html_chart.h"

namespace hwsift::report::html {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Html, TextAndAttributesAreEscaped) {
  EXPECT_EQ(escaped("<script>alert('1' & \"2\")</script>`"),
            "&lt;script&gt;alert(&#39;1&#39; &amp; &quot;2&quot;)&lt;/script&gt;&#96;");
  EXPECT_EQ(attribute("title", "\" onload=x"), " title=\"&quot; onload=x\"");
  EXPECT_EQ(escaped("]]>"), "]]&gt;");
}

TEST(Html, LongTextsAreCutBetweenCharacters) {
  std::string cut = escaped(std::string(999, 'a') + "ü" + std::string(5000, 'b'));
  EXPECT_EQ(cut, std::string(999, 'a') + "…");
  EXPECT_EQ(link("https://example.org/" + std::string(2000, 'x'), text("a")).html, "a");
}

TEST(Html, ATableHoldsWhatAPageHasRoomFor) {
  Table made{"t", "T", {{"Name"}}};
  for (int i = 0; i < 5000; ++i) made.rows.push_back({"", {cell(std::string(100, 'x'))}});
  std::string html = table(made).html;
  EXPECT_LT(html.size(), 110'000u);
  std::size_t rows = 0;
  for (std::size_t at = html.find("<tr>", html.find("<tbody>")); at != std::string::npos;
       at = html.find("<tr>", at + 1))
    ++rows;
  EXPECT_THAT(html, HasSubstr(std::to_string(5000 - rows) + " further rows are left out here"));
  made.filter = Filter{"Filter", "names"};
  EXPECT_THAT(table(made).html, HasSubstr(std::to_string(rows) + " names</output>")) << "of those to filter";
  made.rows.resize(3);
  EXPECT_THAT(table(made).html, Not(HasSubstr("left out")));
}

TEST(Html, RowsAreChosenByWhatTheyHave) {
  Table made{"t", "T", {{"Name"}}};
  made.rows = {{"", {cell("a")}, {{"area", "graph"}}},
               {"", {cell("b")}, {{"area", ""}}},
               {"", {cell("c")}, {{"area", "\"core"}}},
               {"", {cell("d")}, {{"area", "graph"}}}};
  Choice areas = choice_of("Area", "area", made.rows);
  using Option = std::pair<std::string, std::string>;
  EXPECT_THAT(areas.options, testing::ElementsAre(Option("=\"core", "\"core (1)"),
                                                  Option("=graph", "graph (2)"), Option("=", "(none) (1)")));
  made.filter = Filter{"Filter", "rows", {areas, choice_of("Owner", "owner", made.rows)}};
  std::string html = table(made).html;
  EXPECT_THAT(html, HasSubstr("<label>Area <select data-choose=\"t\" data-key=\"area\">"));
  EXPECT_THAT(html, HasSubstr("<option value=\"=&quot;core\">"));
  EXPECT_THAT(html, HasSubstr("<tr data-area=\"&quot;core\">"));
  EXPECT_THAT(html, Not(HasSubstr("Owner"))) << "there is nothing to choose from";
}

TEST(Html, PaperSaysHowManyRowsItHas) {
  Table made{"t", "T", {{"Name"}}};
  made.rows.resize(40, {"", {cell("x")}});
  EXPECT_THAT(table(made).html, Not(HasSubstr("class=paper")));
  made.rows.resize(259, {"", {cell("x")}});
  EXPECT_THAT(table(made).html,
              HasSubstr("<p class=paper data-rows=40>The first 40 of 259 rows are printed;"));
  made.long_on_paper = true;
  EXPECT_THAT(table(made).html, Not(HasSubstr("class=paper")));
  made.rows.resize(301, {"", {cell("x")}});
  EXPECT_THAT(table(made).html, HasSubstr("The first 300 of 301 rows are printed;"));
}

TEST(Html, OnlyWebAddressesAreLinks) {
  EXPECT_THAT(link("https://example.org/1", text("a")).html,
              testing::StartsWith("<a href=\"https://example.org/1\" rel=\"noopener"));
  for (const char* url : {"javascript:alert(1)", "JAVASCRIPT:x", "data:text/html,x", "//example.org/",
                          "https://", " https://example.org/", "java\nscript:x", "", "ftp://example.org/"})
    EXPECT_EQ(link(url, text("a")).html, "a") << url;
}

TEST(Html, NumbersKeepTheirDigits) {
  EXPECT_EQ(number(9999).html, "9999");
  EXPECT_EQ(number(1234567).html, "1<span class=g>234</span><span class=g>567</span>");
  EXPECT_EQ(figure(figure_key("total", "", "classes"), 0).html,
            "<span data-figure=\"total.classes\">0</span>");
}

TEST(Html, PageIsOneFileThatFetchesNothing) {
  Table table{"items",
              "Items",
              {{"Item"}, {"Classes", Column::Kind::number, "classes"}},
              {{"a\"b", {cell("x"), cell(3LL)}}}};
  table.section = "item";
  table.filter = Filter{"Filter items", "items", {{"State", {{"clean", "clean (1)"}}}}};
  std::string html =
      page({"T <b>", raw("<p>lead</p>"), {{"one", "One & two", html::table(table)}}, raw("end")});
  EXPECT_THAT(html, HasSubstr("<title>T &lt;b&gt;</title>"));
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_THAT(html, HasSubstr("<a href=\"#one\">One &amp; two</a>"));
  EXPECT_THAT(html, HasSubstr("data-figure=\"item.a&quot;b.classes\">3"));
  EXPECT_THAT(html, HasSubstr("<div class=controls hidden>"));
  EXPECT_THAT(html, Not(HasSubstr("src=")));
  EXPECT_THAT(html, Not(HasSubstr("@import")));
}

TimeChart chart_of(std::size_t count, long long value) {
  TimeChart chart{"c", "Title", "Desc", "left"};
  for (std::size_t i = 0; i < count; ++i) {
    chart.dates.push_back("2026-0" + std::to_string(1 + i % 9) + "-01T00:00:00Z");
    chart.gap_before.push_back(i == 3);
    chart.values.emplace_back(value);
    chart.added.push_back(value);
    chart.removed.push_back(0);
  }
  return chart;
}

TEST(HtmlChart, HoldsForAnyNumberOfPointsAndForZero) {
  for (std::size_t count : {0, 1, 2, 3, 200})
    for (long long value : {0LL, 1LL, 3000000LL}) {
      std::string svg = time_chart(chart_of(count, value)).html;
      EXPECT_THAT(svg, HasSubstr("role=img"));
      EXPECT_THAT(svg, Not(HasSubstr("nan")));
      EXPECT_THAT(svg, Not(HasSubstr("inf%")));
    }
}

// Of the line of a chart: each begins with a move.
std::size_t runs(const TimeChart& chart) {
  std::string svg = time_chart(chart).html;
  std::size_t begin = svg.find("class=\"line");
  return split(svg.substr(begin, svg.find("/>", begin) - begin), 'M').size() - 1;
}

TEST(HtmlChart, AnyNumberOfPointsMakesAChartOfBoundedSize) {
  TimeChart chart{"c", "Title", "Desc", "left"};
  for (int i = 0; i < 20000; ++i) {
    chart.dates.push_back(date_of(i) + "T00:00:00Z");
    chart.gap_before.push_back(false);
    chart.values.emplace_back(20000 - i);
    chart.added.push_back(0);
    chart.removed.push_back(1);
  }
  std::string html = time_chart(chart).html;
  EXPECT_LT(html.size(), 120'000u);
  EXPECT_THAT(html, HasSubstr(">1<")) << "the last value stands at its end";
}

TEST(HtmlChart, AGapAndAMissingValueBreakTheLine) {
  TimeChart chart = chart_of(6, 5);
  EXPECT_EQ(runs(chart), 2u) << "one gap";
  chart.values[1] = std::nullopt;
  EXPECT_EQ(runs(chart), 3u);
}

TEST(HtmlChart, ForecastIsARange) {
  TimeChart chart = chart_of(3, 5);
  chart.forecast = Range{"2026-05-01", "2026-08-01"};
  EXPECT_THAT(time_chart(chart).html, HasSubstr("class=cone"));
  chart.forecast = Range{"2025-01-01", ""};
  EXPECT_THAT(time_chart(chart).html, Not(HasSubstr("class=cone"))) << "before the last point";
}

TEST(HtmlChart, SparklineNeedsTwoValues) {
  EXPECT_TRUE(sparkline({}, "x").empty());
  EXPECT_TRUE(sparkline({1, std::nullopt}, "x").empty());
  EXPECT_THAT(sparkline({1, std::nullopt, 0}, "a\"b").html, HasSubstr("aria-label=\"a&quot;b\""));
}

}  // namespace
}  // namespace hwsift::report::html
