// What a report of a run shows, as tables and sentences that each printer writes in its own signs. No number
// is made anywhere else.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "report/run_report.h"

namespace hwsift::report {

struct ReportCell {
  std::string text;                 // from outside, or a word; printers escape it
  std::optional<long long> number;  // instead
  bool id = false;                  // of a test, a path: shown as code
  bool state = false;               // an outcome or a state: shown in its colour
};

struct ReportRow {
  std::string name;  // of the row, for the key of its numbers
  std::vector<ReportCell> cells;
  std::vector<std::string> more = {};  // examples, reasons: lines that go with it
  std::string here = {}, there = {};   // ids, of tests that are compared
};

struct ReportColumn {
  std::string title;
  bool right = false;       // numbers, seconds, shares
  std::string figure = {};  // the last part of the key; "" where the cells are no figures
};

struct ReportTable {
  std::string section;  // the first part of the key
  std::string title;
  std::string says = {};  // a sentence on what it holds
  std::vector<ReportColumn> columns = {};
  std::vector<ReportRow> rows = {};
  std::size_t total = 0;  // rows in all
  std::string noun = {};  // what a row is: "files"
  std::size_t left_out() const { return total - rows.size(); }
};

struct ReportFact {
  std::string label;
  std::string text;
};

// Rows at most, by the kind of table.
struct ReportLimits {
  std::size_t groups;
  std::size_t clusters;
  std::size_t tests;
  std::size_t differences;
};
inline constexpr std::size_t kNoLimit = static_cast<std::size_t>(-1);

// "783 tests on cuda", "xpu against cuda".
std::string report_title(const RunReport& report);
std::vector<ReportFact> head_facts(const history::RunHead& head);
// Which side is which, and what a reader must know of the comparison.
std::vector<std::string> comparison_sentences(const history::Comparison& comparison);
std::string percent_text(const history::Share& share);  // "97.30"; "-" of nothing
std::string seconds_text(double seconds);

// Those with rows.
std::vector<ReportTable> run_tables(const history::RunReport& run, const ReportLimits& limits);
std::vector<ReportTable> comparison_tables(const history::Comparison& comparison, const ReportLimits& limits);

}  // namespace hwsift::report
