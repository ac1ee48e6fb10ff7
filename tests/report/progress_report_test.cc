// The printers of the progress report agree on every number, hold for any size, and trust no text.
#include "report/progress_report.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <pugixml.hpp>
#include <set>

#include "base/csv.h"
#include "base/json.h"
#include "base/text.h"
#include "report/items_report.h"
#include "report/progress_figures.h"
#include "tests/report/plain_markdown.h"
#include "tests/report/sample_progress.h"

namespace hwsift::report {
namespace {

using history::Progress;
using testing::HasSubstr;
using testing::Not;

Json parsed(const std::string& text) {
  Result<Json> json = parse_json(text, "progress.json");
  EXPECT_TRUE(json.ok()) << text.substr(0, 400);
  return json.ok() ? json.value() : Json();
}

// Lines of CSV as their cells.
std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::string cell;
  std::vector<std::string> row;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (quoted && c == '"' && text.substr(at, 2) == "\"\"") {
      cell += c;
      ++at;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == ',' || c == '\r')) {
      row.push_back(cell);
      cell.clear();
      if (c == ',') continue;
      rows.push_back(row);
      row.clear();
      EXPECT_EQ(text.substr(at, 2), "\r\n");
      ++at;
    } else {
      cell += c;
    }
  }
  EXPECT_TRUE(row.empty() && cell.empty()) << "a line without its end";
  return rows;
}

std::map<std::string, std::string> csv_figures(const Progress& progress) {
  std::map<std::string, std::string> figures;
  std::vector<std::vector<std::string>> rows = csv_rows(progress_csv(progress));
  EXPECT_EQ(rows.at(0), (std::vector<std::string>{"section", "name", "figure", "value"}));
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].size(), 4u);
    std::string key = rows[i][0] + "." + (rows[i][1].empty() ? "" : rows[i][1] + ".") + rows[i][2];
    EXPECT_TRUE(figures.emplace(key, rows[i][3]).second) << "twice: " << key;
  }
  return figures;
}

std::string number(const Json& json) { return json.is_null() ? "" : json.dump(); }

// Each value of `data-figure="KEY">VALUE`.
std::map<std::string, std::string> html_figures(const std::string& html) {
  std::map<std::string, std::string> figures;
  const std::string mark = "data-figure=\"";
  for (std::size_t at = html.find(mark); at != std::string::npos; at = html.find(mark, at)) {
    at += mark.size();
    std::string key = html.substr(at, html.find('"', at) - at);
    std::size_t begin = html.find('>', at) + 1;
    figures[key] = html.substr(begin, html.find('<', begin) - begin);
  }
  return figures;
}

TEST(ProgressReport, JsonAndCsvAgree) {
  Progress progress = sample_progress({40, 12, 6});
  Json json = parsed(progress_json(progress));
  std::map<std::string, std::string> csv = csv_figures(progress);
  EXPECT_EQ(json["schema"], "hwsift.progress/1");
  for (const auto& [name, value] : json["totals"].items())
    EXPECT_EQ(csv.at("total." + name), number(value)) << name;
  for (const auto& [name, counts] : json["categories"].items())
    for (const auto& [figure, value] : counts.items())
      EXPECT_EQ(csv.at("category." + name + "." + figure), number(value));
  for (const auto& [name, value] : json["states"].items())
    EXPECT_EQ(csv.at("state." + name + ".items"), number(value));
  for (const Json& point : json["history"])
    for (const char* figure :
         {"classes", "tests", "declared", "undeclared", "mixed", "uses", "findings", "allowlisted"})
      EXPECT_EQ(csv.at("history." + std::string(point["commit"]) + "." + figure), number(point[figure]))
          << figure;
  for (const Json& item : json["items"])
    for (const auto& [figure, value] : item["counts"].items())
      EXPECT_EQ(csv.at("item." + std::string(item["id"]) + "." + figure), number(value));
  for (const Json& row : json["classes"])
    EXPECT_EQ(csv.at("class." + std::string(row["path"]) + "::" + std::string(row["name"]) + ".tests"),
              number(row["tests"]));
  for (const char* kind : {"directories", "areas", "owners"}) EXPECT_FALSE(json[kind].empty()) << kind;
}

TEST(ProgressReport, BurnDownsAgree) {
  Progress progress = sample_progress({40, 12, 6});
  Json json = parsed(progress_json(progress));
  std::map<std::string, std::string> csv = csv_figures(progress);
  ASSERT_EQ(json["burn_down"].size(), 3u);
  for (const Json& burn : json["burn_down"]) {
    std::string id = burn["id"];
    EXPECT_EQ(csv.at("burn_down." + id + ".now"), number(burn["now"]));
    for (std::size_t i = 0; i < progress.points.size(); ++i) {
      std::string key = "burn_down." + id + "@" + progress.points[i].commit.hash;
      EXPECT_EQ(csv.at(key + ".date"), progress.points[i].commit.date);
      EXPECT_EQ(csv.at(key + ".value"), number(burn["values"][i]));
      EXPECT_EQ(csv.at(key + ".added"), number(burn["added"][i]));
      EXPECT_EQ(csv.at(key + ".removed"), number(burn["removed"][i]));
    }
    EXPECT_EQ(burn["changes"][0]["author"], progress.commits.back().author);
  }
}

TEST(ProgressReport, EveryFormatNamesWhoAddedAndWhoRemoved) {
  Progress progress = sample_progress({40, 12, 6});
  Json json = parsed(progress_json(progress));
  std::map<std::string, std::string> csv = csv_figures(progress);
  std::string md = progress_md(progress);
  for (const Json& burn : json["burn_down"]) {
    std::string id = burn["id"], title = burn["title"];
    for (const Json& actor : burn["actors"]) {
      std::string author = actor["author"];
      EXPECT_EQ(csv.at("author." + id + "@" + author + ".added"), number(actor["added"]));
      EXPECT_EQ(csv.at("author." + id + "@" + author + ".removed"), number(actor["removed"]));
      EXPECT_THAT(md, HasSubstr(fmt::format("| {} | {} | {} | {} |", title, author, number(actor["removed"]),
                                            number(actor["added"]))));
    }
    for (std::size_t i = 0; i < burn["changes"].size(); ++i)
      for (const char* field : {"what", "path", "class", "commit", "date", "author"})
        EXPECT_EQ(csv.at(fmt::format("change.{}.{}.{}", id, i + 1, field)), burn["changes"][i][field])
            << field;
    EXPECT_EQ(csv.at("change." + id + ".left_out"), number(burn["changes_left_out"]));
  }
  for (const Json& point : json["history"])
    EXPECT_EQ(csv.at("history." + std::string(point["commit"]) + ".author"), point["author"]);
  EXPECT_EQ(csv.at("came_back.1.author"), json["came_back"][0]["author"]);
  EXPECT_EQ(csv.at("item.2.changed_author"), json["items"][1]["changed"]["author"]);
}

TEST(ProgressReport, PageAndCsvAgree) {
  Progress progress = sample_progress({40, 12, 6});
  std::map<std::string, std::string> csv = csv_figures(progress);
  std::map<std::string, std::string> html = html_figures(progress_html(progress));
  EXPECT_GT(html.size(), 150u);
  for (const auto& [key, value] : html) {
    ASSERT_TRUE(csv.count(key)) << key;
    EXPECT_EQ(csv[key], value) << key;
  }
  for (const char* key : {"total.classes", "total.allowlisted", "category.CUDA.declared", "state.clean.items",
                          "burn_down.uses.now", "came_back.changes", "came_back.1.amount"})
    EXPECT_TRUE(html.count(key)) << key;
}

TEST(ProgressReport, MarkdownAndTextSayTheTotals) {
  Progress progress = sample_progress({40, 12, 6});
  std::string headline =
      fmt::format("{} of {} test classes have a label", progress.total.declared, progress.total.classes);
  std::string md = progress_md(progress);
  EXPECT_THAT(md, HasSubstr(headline));
  EXPECT_THAT(md,
              HasSubstr(fmt::format("| {} | {} | {} | {} | {} | {} | {} |", progress.total.tests,
                                    progress.total.classes, progress.total.undeclared(), progress.total.mixed,
                                    progress.total.uses, *progress.allowlisted, progress.total.findings)));
  std::string text = progress_text(progress, 100, {});
  EXPECT_THAT(text, HasSubstr(headline));
  EXPECT_THAT(text, HasSubstr("\n\nNext: "));
}

TEST(ProgressReport, EmptyProgressSaysWhatToRun) {
  Progress none;
  for (const std::string& text : {progress_html(none), progress_md(none), progress_text(none, 80, {})}) {
    EXPECT_THAT(text, HasSubstr("hwsift history backfill --from REF"));
    EXPECT_THAT(text, HasSubstr("hwsift track import FILE"));
  }
  Json json = parsed(progress_json(none));
  EXPECT_TRUE(json["commit"].is_null());
  EXPECT_TRUE(json["allowlisted"].is_null());
  EXPECT_EQ(json["items"], Json::array());
  EXPECT_EQ(csv_figures(none).at("total.allowlisted"), "");
  EXPECT_THAT(progress_badge(none), HasSubstr("no classes"));
}

TEST(ProgressReport, OnePointHasNoPace) {
  std::string html = progress_html(sample_progress({12, 0, 1}));
  EXPECT_THAT(html, HasSubstr("Only one point is known"));
  EXPECT_THAT(html, HasSubstr("No date can be given"));
  EXPECT_THAT(html, Not(HasSubstr("class=cone")));
}

TEST(ProgressReport, NoTextFromOutsideActs) {
  Progress progress = nasty_progress();
  std::string html = progress_html(progress);
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, Not(HasSubstr("href=\"javascript:")));
  EXPECT_THAT(html, Not(HasSubstr("href=\"data:")));
  std::string md = progress_md(progress);
  std::string plain = plain_markdown(md);
  EXPECT_THAT(plain, HasSubstr("### Notes")) << "every span of code ends";
  for (const char* acts : {"<script", "<img", "@someone", " #1", "**b**", "[x]", "`", "\r"})
    EXPECT_THAT(plain, Not(HasSubstr(acts))) << acts;
  for (const std::string& text :
       {html, md, progress_json(progress), progress_csv(progress), progress_badge(progress),
        progress_text(progress, 100, {}), items_text(progress.items, 100, {}), items_csv(progress.items)}) {
    EXPECT_FALSE(invalid_utf8_at(text));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  }
  for (const std::string& text :
       {html, md, progress_text(progress, 100, {}), items_text(progress.items, 100, {})})
    EXPECT_THAT(text, Not(HasSubstr("\xE2\x80\xAE"))) << "an override of the writing direction";
  parsed(progress_json(progress));
  for (const std::vector<std::string>& row : csv_rows(progress_csv(progress)))
    for (const std::string& cell : row)
      EXPECT_EQ(cell.find_first_of("=+-@"), cell.empty() ? std::string::npos : cell.find_first_of("=+-@", 1))
          << cell;
}

TEST(ProgressReport, MarkdownStaysBelowTheLimit) {
  Progress large = sample_progress({3000, 5000, 200});
  std::string md = progress_md(large);
  EXPECT_LT(code_points(md), 60000u);
  EXPECT_THAT(md, testing::ContainsRegex("[0-9]+ more are left out here"));
  Progress nasty = nasty_progress();
  std::vector<history::TrackedItem> items = nasty.items;
  for (int i = 0; i < 9; ++i) nasty.items.insert(nasty.items.end(), items.begin(), items.end());
  for (int i = 0; i < 300; ++i) {
    nasty.came_back.push_back(nasty.came_back[0]);
    nasty.unlocks.push_back(nasty.unlocks[0]);
    nasty.directories.push_back(nasty.directories[0]);
    nasty.notes.push_back(nasty.notes[0]);
    nasty.categories.push_back({std::string(300, '_'), 1, 1, 1});
    nasty.burn_downs.push_back(nasty.burn_downs[0]);
  }
  EXPECT_LT(code_points(progress_md(nasty)), 60000u);
}

TEST(ProgressReport, SizeOfThePage) {
  EXPECT_LT(progress_html(sample_progress({3000, 259, 200})).size(), 1250000u);
}

TEST(ProgressReport, BadgeIsAnImageWithWords) {
  Progress progress = sample_progress({12, 0, 1});
  std::string svg = progress_badge(progress);
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(svg.c_str()));
  EXPECT_STREQ(document.child("svg").child("title").child_value(), "hw_classification: 50 %");
  EXPECT_STREQ(document.child("svg").child("desc").child_value(), "6 of 12 test classes have a label");
  progress.total.declared = progress.total.classes - 1;
  EXPECT_THAT(progress_badge(progress), HasSubstr("91 %")) << "rounded down: 100 only where all are";
}

TEST(ProgressReport, TextKeepsToItsWidth) {
  Progress progress = sample_progress({40, 30, 6});
  for (std::size_t width : {60, 80, 120})
    for (const std::string& line : split(progress_text(progress, width, {}), '\n'))
      EXPECT_LE(code_points(line), width) << line;
}

TEST(ProgressReport, ClassesOfOneNameHaveNamesOfTheirOwn) {
  Progress progress = sample_progress({2, 0, 0});
  progress.classes[1] = progress.classes[0];
  progress.classes[1].measure.line = 99;
  EXPECT_EQ(class_names(progress)[1], class_names(progress)[0] + ":99");
  EXPECT_THAT(progress_html(progress), HasSubstr(":99\""));
  csv_figures(progress);
}

TEST(ItemsReport, JsonIsTheSameInBothDocuments) {
  Progress progress = sample_progress({12, 9, 5});
  Json items = parsed(items_json(progress.items));
  EXPECT_EQ(items["schema"], "hwsift.items/1");
  EXPECT_EQ(items["items"], parsed(progress_json(progress))["items"]);
  EXPECT_TRUE(items["items"][0]["changed"].is_null());
  EXPECT_EQ(items["items"][1]["changed"]["before"], "labelled");
  EXPECT_EQ(parsed(items_json({}))["items"], Json::array());
}

TEST(ItemsReport, TextIsAlignedAndCounts) {
  Progress progress = sample_progress({12, 9, 5});
  std::string text = items_text(progress.items, 100, {});
  EXPECT_THAT(text, HasSubstr("9 items: 2 missing, 1 untouched"));
  std::vector<std::string> lines = split(text, '\n');
  std::size_t column = lines[0].find("title");
  for (std::size_t i = 1; i <= 9; ++i) EXPECT_EQ(lines[i].find("Sort the tests"), column) << lines[i];
  EXPECT_THAT(items_text({}, 80, {}), HasSubstr("hwsift track import FILE"));
}

TEST(ItemsReport, CsvHasARowAnItem) {
  Progress progress = sample_progress({12, 9, 5});
  std::vector<std::vector<std::string>> rows = csv_rows(items_csv(progress.items));
  ASSERT_EQ(rows.size(), 10u);
  for (const std::vector<std::string>& row : rows) EXPECT_EQ(row.size(), rows[0].size());
}

}  // namespace
}  // namespace hwsift::report
