// Comma-separated values as RFC 4180 has them (CRLF, quotes where needed), for spreadsheets.
#pragma once

#include <string>
#include <vector>

namespace hwsift {

// One cell. A text that a spreadsheet would take for a formula gets a single quote before it.
std::string csv_cell(const std::string& text);
// What a cell said before csv_cell put a quote before it.
std::string csv_unguarded(const std::string& cell);
// A line with its end.
std::string csv_row(const std::vector<std::string>& cells);

}  // namespace hwsift
