#include "base/csv.h"
#include "base/text.h"
#include "report/run_report.h"
#include "report/run_report_tables.h"

namespace hwsift::report {
namespace {

constexpr ReportLimits kAll = {kNoLimit, kNoLimit, kNoLimit, kNoLimit};

std::string value_of(const ReportCell& cell) {
  return cell.number ? std::to_string(*cell.number) : cell.text;
}

// What no column holds stands in a text of its own, with the first number of the row.
std::string row_lines(const ReportTable& table, const ReportRow& row) {
  std::string lines;
  std::string more = join(row.more, " | ");
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    if (table.columns[i].figure.empty()) continue;
    lines += csv_row({table.section, row.name, table.columns[i].figure, value_of(row.cells[i]), row.here,
                      row.there, lines.empty() ? more : ""});
  }
  return lines;
}

// "passed there, missing here".
std::string difference_line(const ReportTable& table, const ReportRow& row) {
  std::string states = row.cells[0].text + " there, " + row.cells[1].text + " here";
  return csv_row({table.section, row.name, states, "", row.here, row.there, join(row.more, " | ")});
}

std::string tables(const std::vector<ReportTable>& list) {
  std::string lines;
  for (const ReportTable& table : list)
    for (const ReportRow& row : table.rows)
      lines += table.section == "difference" ? difference_line(table, row) : row_lines(table, row);
  return lines;
}

std::string facts(const std::string& section, const history::RunHead& head) {
  std::string lines;
  for (const ReportFact& fact : head_facts(head))
    lines += csv_row({section, fact.label, "", "", "", "", fact.text});
  return lines;
}

}  // namespace

std::string run_report_csv(const RunReport& report) {
  std::string text = csv_row({"section", "name", "figure", "value", "here", "there", "text"});
  text += facts("run", report.run.head);
  if (report.comparison) {
    text += facts("baseline", report.comparison->there.head);
    text += tables(comparison_tables(*report.comparison, kAll));
  }
  for (const std::string& note : report.run.notes) text += csv_row({"note", "", "", "", "", "", note});
  return text + tables(run_tables(report.run, kAll));
}

}  // namespace hwsift::report
