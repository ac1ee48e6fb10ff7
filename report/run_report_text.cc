#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/run_report.h"
#include "report/run_report_tables.h"

namespace hwsift::report {
namespace {

constexpr ReportLimits kLimits = {15, 10, 10, 25};
const std::string kBelow = "        | ";
constexpr std::size_t kMoreWidth = 160;  // ids stay whole, messages do not

std::string shown(const ReportCell& cell) {
  return cell.number ? fmt::format("{}", *cell.number) : printable(cell.text);
}

// Code points of each column, that of its title included; the last one is as long as it is.
std::vector<std::size_t> widths_of(const ReportTable& table) {
  std::vector<std::size_t> widths;
  for (const ReportColumn& column : table.columns) widths.push_back(code_points(column.title));
  for (const ReportRow& row : table.rows)
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      widths[i] = std::max(widths[i], code_points(shown(row.cells[i])));
  return widths;
}

std::string in_column(const ReportColumn& column, const std::string& text, std::size_t width, bool last) {
  std::string blanks(width - std::min(width, code_points(text)), ' ');
  if (column.right) return blanks + text;
  return last ? text : text + blanks;
}

std::string line(const ReportTable& table, const std::vector<std::size_t>& widths,
                 const std::vector<std::string>& cells) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i)
    text += "  " + in_column(table.columns[i], cells[i], widths[i], i + 1 == cells.size());
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

std::string titles(const ReportTable& table, const std::vector<std::size_t>& widths) {
  std::vector<std::string> cells;
  for (const ReportColumn& column : table.columns) cells.push_back(column.title);
  return line(table, widths, cells);
}

// Broken at blanks; a word that is longer than the line stays whole.
std::string wrapped(const std::string& text, std::size_t width) {
  std::string lines;
  std::size_t used = 0;
  for (const std::string& word : split(text, ' ')) {
    std::size_t length = code_points(word);
    bool fits = used == 0 || used + 1 + length <= width;
    if (used > 0) lines += fits ? ' ' : '\n';
    used = fits && used > 0 ? used + 1 + length : length;
    lines += word;
  }
  return lines;
}

std::string table_text(const ReportTable& table, const Style& style, std::size_t width) {
  std::vector<std::size_t> widths = widths_of(table);
  std::string text = "\n" + style.bold(table.title) + "\n";
  if (!table.says.empty()) text += style.dim(wrapped(table.says, width)) + "\n";
  text += style.dim(titles(table, widths)) + "\n";
  for (const ReportRow& row : table.rows) {
    std::vector<std::string> cells;
    for (const ReportCell& cell : row.cells) cells.push_back(shown(cell));
    text += line(table, widths, cells) + "\n";
    for (const std::string& more : row.more)
      text += style.dim(cut_to(kBelow + printable(more), std::max(width, kMoreWidth))) + "\n";
  }
  if (table.left_out() > 0)
    text += fmt::format("  ... and {} more {}; -o json:FILE and -o csv:FILE hold all\n", table.left_out(),
                        table.noun);
  return text;
}

std::string facts_text(const std::vector<ReportFact>& facts) {
  std::size_t width = 0;
  for (const ReportFact& fact : facts) width = std::max(width, code_points(fact.label));
  std::string text;
  for (const ReportFact& fact : facts)
    text += "  " + padded(printable(fact.label), width + 2) + printable(fact.text) + "\n";
  return text;
}

}  // namespace

std::string run_report_text(const RunReport& report, const Style& style, std::size_t width) {
  std::string text = style.bold(printable(report_title(report))) + "\n";
  if (report.comparison) {
    for (const std::string& sentence : comparison_sentences(*report.comparison))
      text += wrapped(printable(sentence), width) + "\n";
    for (const ReportTable& table : comparison_tables(*report.comparison, kLimits))
      text += table_text(table, style, width);
    text += "\n" + style.bold("This run") + "\n";
  }
  text += facts_text(head_facts(report.run.head));
  for (const std::string& note : report.run.notes) text += "note: " + printable(note) + "\n";
  for (const ReportTable& table : run_tables(report.run, kLimits)) text += table_text(table, style, width);
  return text;
}

}  // namespace hwsift::report
