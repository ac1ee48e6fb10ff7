#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/html.h"
#include "report/html_chart.h"
#include "report/run_report.h"
#include "report/run_report_tables.h"

namespace hwsift::report {
namespace {

using html::Markup;

// A page with these opens and filters at once; documents hold the rest.
constexpr ReportLimits kLimits = {1000, 200, 500, 2000};
constexpr std::size_t kCompactRows = 300;
constexpr std::size_t kFilterRows = 20;
// Room for these rows; a page stays below 4 MB.
constexpr std::size_t kMostBytes = 300'000;
constexpr std::size_t kMostDifferenceBytes = 1'200'000;
constexpr std::size_t kMoreBytes = 400;

// Which tables stand under one heading.
struct Chapter {
  const char* id;
  const char* title;
  std::vector<std::string_view> sections;
};

const std::vector<Chapter>& chapters() {
  static const std::vector<Chapter> list = {
      {"parity", "Against the baseline", {"share", "passed_there", "matrix", "relation", "match"}},
      {"where", "Where it differs", {"parity_category", "parity_directory", "parity_file"}},
      {"renames", "Renamed classes", {"rename", "possible_rename"}},
      {"why", "Why it differs", {"failure_here", "skip_here", "not_run_here", "skip_there", "not_run_there"}},
      {"differences", "Tests that differ", {"difference"}},
      {"outcomes", "This run", {"total", "category", "device"}},
      {"failures", "Failures", {"failure", "broken"}},
      {"left-out", "Skips and what did not run", {"skip", "not_run"}},
      {"files", "Directories and files", {"directory", "file"}},
      {"flaky-tests", "Flaky tests", {"flaky"}},
      {"time", "Slowest", {"slowest_tests", "slowest_files"}},
  };
  return list;
}

const char* tone_of(std::string_view word) {
  if (word == "passed" || word == "xfailed") return "good";
  if (word == "failed" || word == "error" || word == "crashed" || word == "timeout" || word == "missing")
    return "bad";
  if (word == "skipped" || word == "not run" || word == "not_run" || word == "xpassed" || word == "ambiguous")
    return "warn";
  return nullptr;
}

Markup small(const std::string& line) {
  bool cut = line.size() > kMoreBytes;
  return html::element("small", html::text(cut ? line.substr(0, kMoreBytes) + "…" : line));
}

html::Cell cell_of(const ReportCell& cell) {
  if (cell.number) return html::cell(*cell.number);
  if (cell.id) return {html::code(cell.text)};
  if (const char* tone = cell.state ? tone_of(cell.text) : nullptr)
    return {html::chip(cell.text, tone), cell.text, cell.text};
  return html::cell(std::string_view(cell.text));
}

html::Row row_of(const ReportRow& row) {
  html::Row made{row.name, {}};
  for (const ReportCell& cell : row.cells) made.cells.push_back(cell_of(cell));
  auto about =
      std::find_if(row.cells.begin(), row.cells.end(), [](const ReportCell& cell) { return cell.id; });
  for (const std::string& more : row.more)
    made.cells[static_cast<std::size_t>(about - row.cells.begin()) % row.cells.size()].content += small(more);
  return made;
}

// What this run made of the tests that differ.
html::Filter filter_of(const ReportTable& table) {
  html::Filter filter{"Filter " + table.noun, table.noun};
  if (table.section != "difference") return filter;
  html::Choice here{"Here"};
  for (const char* state :
       {"failed", "missing", "not run", "skipped", "passed", "xfailed", "xpassed", "ambiguous"})
    here.options.emplace_back(state, state);
  filter.choices = {here};
  return filter;
}

// What a row is about stands first: numbers before it are for lines of text.
ReportTable name_first(ReportTable table) {
  if (table.columns.empty() || !table.columns.front().right) return table;
  std::rotate(table.columns.begin(), table.columns.end() - 1, table.columns.end());
  for (ReportRow& row : table.rows) std::rotate(row.cells.begin(), row.cells.end() - 1, row.cells.end());
  return table;
}

Markup table_of(const ReportTable& table) {
  html::Table made{table.section, "", {}};
  made.section = table.section;
  for (const ReportColumn& column : table.columns)
    made.columns.push_back(
        {column.title, column.right ? html::Column::Kind::number : html::Column::Kind::text, column.figure});
  for (const ReportRow& row : table.rows) made.rows.push_back(row_of(row));
  // The state there is no choice: it would be taken for that here.
  if (table.section == "difference")
    for (html::Row& row : made.rows) row.cells.front().choice.clear();
  made.compact = made.rows.size() > kCompactRows;
  made.most_bytes = table.section == "difference" ? kMostDifferenceBytes : kMostBytes;
  if (made.rows.size() > kFilterRows) made.filter = filter_of(table);
  return html::table(made);
}

Markup section_of(const ReportTable& table, bool alone) {
  Markup body;
  if (!alone) body += html::element("h3", html::text(table.title));
  if (!table.says.empty()) body += html::paragraph(html::text(table.says), "muted");
  body += table_of(table);
  if (table.left_out() > 0)
    body +=
        html::paragraph(html::text(fmt::format("{} more {} are left out here; -o json and -o csv hold all.",
                                               table.left_out(), table.noun)),
                        "note");
  return body;
}

html::Tile tile(const std::string& label, const std::string& value, const std::string& note = "") {
  return {label, html::text(value), note.empty() ? Markup() : html::text(note)};
}

html::Tile tile(const std::string& label, std::size_t value, const std::string& note = "") {
  return {label, html::number(static_cast<long long>(value)), note.empty() ? Markup() : html::text(note)};
}

html::Tile share_tile(const std::string& label, const history::Share& share, const std::string& note) {
  std::string value = share.whole == 0 ? "–" : percent_text(share) + " %";
  return tile(label, value, fmt::format("{} of {} {}", share.part, share.whole, note));
}

Markup comparison_tiles(const history::Comparison& made) {
  using history::TestState;
  auto lost = [&](TestState here) { return made.cell(here, TestState::passed); };
  return html::tiles({
      share_tile("Parity", made.parity, "that passed there"),
      tile("Failed here", lost(TestState::failed), "passed there"),
      tile("Skipped here", lost(TestState::skipped), "passed there, ran into a skip here"),
      tile("Not run here", lost(TestState::not_run), "passed there, left out here for a reason"),
      tile("Missing here", lost(TestState::missing), "passed there, not known here"),
  });
}

Markup comparison_lead(const history::Comparison& made) {
  Markup items;
  for (const std::string& sentence : comparison_sentences(made))
    items += html::element("li", html::text(sentence));
  return comparison_tiles(made) + html::element("ul", items);
}

// How much of each category passed.
Markup category_chart(const history::RunReport& run) {
  html::BarChart chart;
  chart.id = "categories-chart";
  chart.title = "Results by category";
  chart.desc = "The table below has the numbers.";
  chart.part_name = "passed";
  chart.rest_name = "other results";
  for (const history::RunGroup& group : run.categories) {
    auto passed = static_cast<long long>(group.counts.of(runner::Outcome::passed));
    auto results = static_cast<long long>(group.counts.results());
    chart.bars.push_back({group.name.empty() ? "no category known" : group.name, passed, results,
                          fmt::format("{} of {}", passed, results)});
  }
  return chart.bars.empty() ? Markup() : html::bar_chart(chart);
}

Markup run_lead(const history::RunReport& run) {
  Markup body = html::tiles({
      tile("Results", run.total.results()),
      tile("Passed", run.total.of(runner::Outcome::passed)),
      tile("Failed", run.total.bad(), "failed, error, crashed, timeout"),
      tile("Skipped", run.total.of(runner::Outcome::skipped)),
      tile("Not run", run.total.not_run, "known, and left out for a reason"),
  });
  Markup notes;
  for (const std::string& note : run.notes) notes += html::element("li", html::text(note));
  if (!notes.empty()) body += html::element("ul", notes);
  return body + category_chart(run);
}

html::Section facts_section(const RunReport& report) {
  html::Table table{"run", "", {{""}, {"This run"}}};
  table.sortable = false;
  std::vector<ReportFact> facts = head_facts(report.run.head);
  std::vector<ReportFact> others;
  if (report.comparison) others = head_facts(report.comparison->there.head);
  if (report.comparison) table.columns.push_back({"Baseline"});
  auto value_in = [](const std::vector<ReportFact>& list, const std::string& label) {
    auto found =
        std::find_if(list.begin(), list.end(), [&](const ReportFact& one) { return one.label == label; });
    return found == list.end() ? std::string() : found->text;
  };
  for (const ReportFact& other : others)
    if (value_in(facts, other.label).empty()) facts.push_back({other.label, ""});
  for (const ReportFact& fact : facts) {
    html::Row row{"", {html::cell(std::string_view(fact.label)), html::cell(std::string_view(fact.text))}};
    if (report.comparison) row.cells.push_back(html::cell(std::string_view(value_in(others, fact.label))));
    table.rows.push_back(std::move(row));
  }
  return {"about", "Where it comes from", html::table(table)};
}

void add_chapter(const Chapter& chapter, const RunReport& report, const std::vector<ReportTable>& tables,
                 html::Page& page) {
  std::vector<const ReportTable*> own;
  for (const ReportTable& table : tables)
    if (std::find(chapter.sections.begin(), chapter.sections.end(), table.section) != chapter.sections.end())
      own.push_back(&table);
  if (own.empty()) return;
  Markup body;
  if (std::string_view(chapter.id) == "parity") body += comparison_lead(*report.comparison);
  if (std::string_view(chapter.id) == "outcomes") body += run_lead(report.run);
  for (const ReportTable* table : own) body += section_of(name_first(*table), own.size() == 1);
  page.sections.push_back({chapter.id, chapter.title, body});
}

}  // namespace

std::string run_report_html(const RunReport& report) {
  std::vector<ReportTable> tables;
  if (report.comparison) tables = comparison_tables(*report.comparison, kLimits);
  for (ReportTable& table : run_tables(report.run, kLimits)) tables.push_back(std::move(table));
  html::Page page;
  page.title = report_title(report);
  page.lead = html::paragraph(html::text(fmt::format("Made {} by hwsift {}", report.made, report.version)));
  for (const Chapter& chapter : chapters()) add_chapter(chapter, report, tables, page);
  page.sections.push_back(facts_section(report));
  return html::page(page);
}

}  // namespace hwsift::report
