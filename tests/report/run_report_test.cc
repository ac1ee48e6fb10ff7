// The reports of runs: one number everywhere, nothing from outside acts, and pages stay small.
#include "report/run_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>

#include "base/json.h"
#include "base/text.h"
#include "report/markdown.h"
#include "tests/report/plain_markdown.h"

namespace hwsift::report {
namespace {

using classifier::builtin_vocabulary;
using runner::Outcome;
using runner::RunRecord;
using runner::TestResult;
using testing::HasSubstr;
using testing::Not;

TestResult result(const std::string& id, Outcome outcome, const std::string& message = "") {
  TestResult one;
  one.id = id;
  one.path = id.substr(0, id.find("::"));
  one.outcome = outcome;
  one.seconds = 0.25;
  one.message = message;
  one.category = "CUDA";
  return one;
}

RunReport report_of(const RunRecord& here, const RunRecord& there, bool only_if_passed = false) {
  RunReport report;
  report.made = "2026-01-02T03:04:05Z";
  report.version = "1";
  report.run = history::run_report(here, {"here.json"}, builtin_vocabulary());
  report.comparison =
      history::compare(here, {"here.json"}, there, {"there.json"}, builtin_vocabulary(), {only_if_passed});
  return report;
}

// Every outcome, in several files; `turn` makes the outcomes of the two runs differ.
RunRecord varied(const std::string& device, const std::string& suffix, std::size_t turn) {
  RunRecord record;
  record.device = device;
  for (const char* file : {"test/test_x.py", "test/nn/test_y.py", "test/nn/test_z.py"})
    for (std::size_t i = 0; i < 25; ++i) {
      std::string letter(1, static_cast<char>('a' + i));
      std::string id = std::string(file) + "::TestA" + suffix + "::test_" + letter + "_" + device;
      std::size_t place = i + std::string_view(file).size();
      bool fine = (place + turn) % 4 != 0 || i > 20;
      Outcome outcome =
          fine ? Outcome::passed : runner::kOutcomes[place * turn / 2 % std::size(runner::kOutcomes)];
      bool passes = outcome == Outcome::passed;
      if (i + turn == 6)
        record.not_run["left out"].push_back(id);
      else if (i + turn != 9 && i * turn != 51)
        record.results.push_back(result(id, outcome, passes ? "" : "message " + letter));
    }
  record.results.front().attempts = 2;
  record.results.front().outcome = Outcome::passed;
  record.results.back().category = "";
  record.notes = {"a note"};
  return record;
}

RunReport varied_report() { return report_of(varied("xpu", "XPU", 3), varied("cuda", "CUDA", 1)); }

// --- one number everywhere ---

// "section.name.figure" to the number.
using Figures = std::map<std::string, std::string>;

std::vector<std::string> csv_cells(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

Figures csv_figures(const std::string& csv) {
  Figures figures;
  for (const std::string& line : split(csv, '\n')) {
    std::vector<std::string> cells = csv_cells(std::string(trim(line)));
    if (cells.size() < 4 || cells[3].empty() || cells[0] == "section") continue;
    EXPECT_TRUE(figures.emplace(cells[0] + "." + cells[1] + "." + cells[2], cells[3]).second) << line;
  }
  return figures;
}

Figures html_figures(const std::string& html) {
  static const std::regex kCell("data-figure=\"([^\"]*)\"[^>]*>((?:[^<]|<span class=g>|</span>)*)");
  static const std::regex kTag("<[^>]*>");
  Figures figures;
  for (std::sregex_iterator at(html.begin(), html.end(), kCell), end; at != end; ++at)
    figures[(*at)[1]] = std::string(trim(std::regex_replace((*at)[2].str(), kTag, "")));
  return figures;
}

// The numbers of each row of each table, in the order of the tables.
std::vector<std::string> csv_rows(const std::string& csv) {
  std::vector<std::string> rows;
  std::string last;
  for (const std::string& line : split(csv, '\n')) {
    std::vector<std::string> cells = csv_cells(std::string(trim(line)));
    if (cells.size() < 4 || cells[3].empty() || cells[0] == "section") continue;
    std::string row = cells[0] + "." + cells[1];
    if (row != last) rows.emplace_back();
    rows.back() += " " + cells[3];
    last = row;
  }
  return rows;
}

bool is_number(const std::string& text) {
  static const std::regex kNumber("[0-9]+([.][0-9]+)?");
  return std::regex_match(text, kNumber);
}

std::string numbers_of(const std::vector<std::string>& cells) {
  std::string row;
  for (const std::string& cell : cells)
    if (std::string number(trim(cell)); is_number(number)) row += " " + number;
  return row;
}

std::vector<std::string> md_rows(const std::string& md) {
  std::vector<std::string> rows;
  for (const std::string& line : split(md, '\n'))
    if (line.starts_with("| "))
      if (std::string row = numbers_of(split(line, '|')); !row.empty()) rows.push_back(row);
  return rows;
}

std::vector<std::string> text_rows(const std::string& text) {
  std::vector<std::string> rows;
  for (const std::string& line : split(text, '\n')) {
    bool fact =
        line.starts_with("  seconds  ") || line.starts_with("  selected  ") || line.starts_with("  ... ");
    if (!line.starts_with("  ") || line.starts_with("        | ") || fact) continue;
    if (std::string row = numbers_of(split(line, ' ')); !row.empty()) rows.push_back(row);
  }
  return rows;
}

TEST(RunReportPrinters, TheNumbersOfEveryFormatAreTheSame) {
  RunReport report = varied_report();
  std::string csv = run_report_csv(report);
  Figures figures = csv_figures(csv);
  ASSERT_GT(figures.size(), 150u);
  EXPECT_EQ(html_figures(run_report_html(report)), figures);
  EXPECT_EQ(join(md_rows(run_report_md(report)), "\n"), join(csv_rows(csv), "\n"));
  // A terminal gets the first ten of the slowest.
  std::string text = run_report_text(report, {}, 80);
  EXPECT_EQ(join(text_rows(text.substr(0, text.find("Slowest tests"))), "\n"),
            join(csv_rows(csv.substr(0, csv.find("slowest_tests"))), "\n"));
}

void expect_counts(const Json& counts, const std::string& key, const Figures& figures) {
  for (const auto& [name, value] : counts.items()) {
    auto found = figures.find(key + name);
    if (found == figures.end() || name == "seconds" || name == "percent") continue;
    EXPECT_EQ(std::to_string(value.get<long long>()), found->second) << key << name;
  }
}

TEST(RunReportPrinters, TheDocumentHasTheNumbersOfTheSpreadsheet) {
  RunReport report = varied_report();
  Figures figures = csv_figures(run_report_csv(report));
  Json document = *parse_json(run_report_json(report), "report");
  EXPECT_EQ(document["schema"], "hwsift.run_report/1");
  const Json& run = document["run"];
  for (const auto& [name, value] : run["counts"].items()) {
    if (auto found = figures.find("total." + name + ".tests"); found != figures.end()) {
      EXPECT_EQ(std::to_string(value.get<long long>()), found->second) << name;
    }
  }
  for (const Json& one : run["directories"])
    expect_counts(one, "directory." + one["name"].get<std::string>() + ".", figures);
  for (const Json& one : run["files"])
    expect_counts(one, "file." + one["name"].get<std::string>() + ".", figures);
  for (const Json& one : run["failures"])
    expect_counts(one, "failure." + one["text"].get<std::string>() + ".", figures);
  const Json& comparison = document["comparison"];
  for (const auto& [here, row] : comparison["matrix"].items())
    expect_counts(row, "matrix." + here + ".", figures);
  for (const auto& [name, value] : comparison["relations"].items())
    EXPECT_EQ(std::to_string(value.get<long long>()), figures.at("relation." + name + ".tests"));
  for (const char* share : {"parity", "agreement"})
    expect_counts(comparison[share], std::string("share.") + share + ".", figures);
  for (const Json& one : comparison["files"])
    expect_counts(one, "parity_file." + one["name"].get<std::string>() + ".", figures);
  EXPECT_EQ(std::to_string(comparison["tests"].get<long long>()), figures.at("relation.all.tests"));
}

TEST(RunReportPrinters, SaysWhichSideIsWhich) {
  RunReport report = varied_report();
  for (const std::string& text : {run_report_text(report, {}, 400), run_report_html(report)}) {
    EXPECT_THAT(text, HasSubstr("Here, this run: xpu"));
    EXPECT_THAT(text, HasSubstr("There, the baseline: cuda"));
  }
  EXPECT_THAT(run_report_text(report, {}, 400), HasSubstr("Run on xpu against cuda"));
  EXPECT_THAT(run_report_md(report), HasSubstr("this run: xpu"));
}

// --- nothing from outside acts ---

const std::string kNasty = std::string("=1+1</code>|<script>alert(1)</script>`**[x](http:") +
                           "//y)** &amp; @user #1 \x1b[31m \\| ~~_ ![i](j)\xff\xE2\x80\xAE" +
                           "gnp.exe\r\n::error::x";

RunRecord hostile(const std::string& device) {
  RunRecord record;
  record.device = device + kNasty;
  record.environment[kNasty] = kNasty;
  record.started = kNasty;
  record.notes = {kNasty};
  for (Outcome outcome : runner::kOutcomes) {
    record.results.push_back(result("test/" + kNasty + word(outcome) + "::Test" + kNasty, outcome, kNasty));
    record.results.back().category = kNasty;
  }
  record.results[0].attempts = 2;
  record.not_run[kNasty] = {kNasty, "test/x.py::TestA::" + kNasty};
  return record;
}

RunReport hostile_report() {
  RunRecord here = hostile("a");
  for (std::size_t i = 0; i + 1 < here.results.size(); ++i)
    std::swap(here.results[i].outcome, here.results[i + 1].outcome);
  here.not_run["other"] = here.not_run[kNasty];
  here.not_run.erase(kNasty);
  return report_of(here, hostile("b"));
}

TEST(RunReportPrinters, NothingFromOutsideActsInAPage) {
  std::string html = run_report_html(hostile_report());
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(html, HasSubstr("\\u202egnp.exe"));
  EXPECT_FALSE(invalid_utf8_at(html).has_value());
}

TEST(RunReportPrinters, NothingFromOutsideIsMarkdown) {
  std::string md = run_report_md(hostile_report());
  std::string plain = plain_markdown(md);
  for (const char* sign :
       {"<script", "`", "**", "[x]", "&amp; ", "@", "~", "|<", "http:", "\x1b", "![", "\xE2\x80\xAE", "\r"})
    EXPECT_THAT(plain, Not(HasSubstr(sign))) << sign;
  EXPECT_FALSE(invalid_utf8_at(md).has_value());
  for (const std::string& line : split(md, '\n')) {
    EXPECT_FALSE(line.starts_with("::")) << line;
    if (line.starts_with("| ")) {
      EXPECT_EQ(line.back(), '|') << line;
    }
  }
}

TEST(RunReportPrinters, NothingFromOutsideMovesTheCursorOrMakesALine) {
  std::string text = run_report_text(hostile_report(), {}, 80);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\r")));
  EXPECT_THAT(text, Not(HasSubstr("\xE2\x80\xAE")));
  EXPECT_FALSE(invalid_utf8_at(text).has_value());
  for (const std::string& line : split(text, '\n')) EXPECT_FALSE(line.starts_with("::")) << line;
}

TEST(RunReportPrinters, NoCellIsAFormula) {
  for (const std::string& line : split(run_report_csv(hostile_report()), '\n')) {
    for (const std::string& cell : csv_cells(line))
      if (!cell.empty()) {
        EXPECT_EQ(std::string("=+-@\t").find(cell.front()), std::string::npos) << line;
      }
  }
}

TEST(RunReportPrinters, TheDocumentIsValidWhateverTheTextsAre) {
  Result<Json> document = parse_json(run_report_json(hostile_report()), "report");
  ASSERT_TRUE(document.ok());
  EXPECT_EQ((*document)["run"]["counts"]["results"], std::size(runner::kOutcomes));
}

// --- pages stay small, and nothing is left out silently ---

RunRecord large(std::size_t tests, Outcome outcome) {
  RunRecord record;
  record.device = "cpu";
  for (std::size_t i = 0; i < tests; ++i) {
    std::string number = std::to_string(i);
    record.results.push_back(
        result("test/test_" + number + ".py::TestX::test_" + number, outcome,
               std::string("word") + static_cast<char>('a' + i % 26) + std::string(400, '.')));
    record.results.back().category = "C" + number;
  }
  return record;
}

TEST(RunReportPrinters, ManyDifferencesAreBoundedAndCounted) {
  constexpr std::size_t kTests = 2200;
  RunReport report = report_of(large(kTests, Outcome::failed), large(kTests, Outcome::passed));
  std::string md = run_report_md(report);
  EXPECT_LE(md.size(), kMostCommentBytes);
  EXPECT_THAT(md, HasSubstr("more are left out here."));
  std::string html = run_report_html(report);
  EXPECT_LT(html.size(), 8u << 20);
  EXPECT_THAT(html, HasSubstr("200 more tests are left out here"));
  EXPECT_THAT(run_report_text(report, {}, 80), HasSubstr("... and 2175 more tests"));
  Json document = *parse_json(run_report_json(report), "report");
  EXPECT_EQ(document["comparison"]["differences"].size(), kTests);
}

TEST(RunReportPrinters, AListThatIsBoundedShowsEveryKind) {
  RunRecord here = large(100, Outcome::failed);
  here.results.resize(95);
  here.results[3].outcome = Outcome::skipped;
  std::string text = run_report_text(report_of(here, large(100, Outcome::passed)), {}, 80);
  text = text.substr(text.find("Tests that differ"), text.find("This run"));
  EXPECT_THAT(text, HasSubstr("  passed  missing  test/"));
  EXPECT_THAT(text, HasSubstr("  passed  skipped  test/"));
  EXPECT_THAT(text, HasSubstr("... and 75 more tests"));
}

TEST(RunReportPrinters, AnEmptyRunAndAnEmptyBaseline) {
  RunRecord empty;
  empty.device = "cpu";
  RunReport report = report_of(empty, empty);
  for (const std::string& text :
       {run_report_text(report, {}, 80), run_report_md(report), run_report_html(report)})
    EXPECT_THAT(text, Not(HasSubstr("nan")));
  report.comparison.reset();
  EXPECT_THAT(run_report_text(report, {}, 80), HasSubstr("Run on cpu\n"));
  EXPECT_THAT(run_report_json(report), Not(HasSubstr("comparison")));
}

}  // namespace
}  // namespace hwsift::report
