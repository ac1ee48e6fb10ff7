#include "base/csv.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/text.h"

namespace hwsift {

namespace {

// What a spreadsheet takes for one, in some countries by the wide forms of the signs too.
bool is_formula(std::string_view text) {
  constexpr std::string_view kSigns = "=+-@\t\r\n";
  constexpr std::string_view kWideSigns[] = {"\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
  if (text.empty() || kSigns.find(text.front()) != std::string_view::npos) return !text.empty();
  return std::any_of(std::begin(kWideSigns), std::end(kWideSigns),
                     [&](std::string_view sign) { return text.starts_with(sign); });
}

}  // namespace

std::string csv_cell(const std::string& text) {
  std::string cell = printable(text);
  if (is_formula(text)) cell.insert(0, 1, '\'');
  if (cell.find_first_of(",\"") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (char c : cell) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string csv_unguarded(const std::string& cell) {
  bool guarded = cell.size() > 1 && cell.front() == '\'' && is_formula(std::string_view(cell).substr(1));
  return guarded ? cell.substr(1) : cell;
}

std::string csv_row(const std::vector<std::string>& cells) {
  std::string text;
  for (const std::string& cell : cells) text += csv_cell(cell) + ",";
  text.pop_back();
  return text + "\r\n";
}

}  // namespace hwsift
