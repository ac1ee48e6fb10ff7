#include "report/table.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include "base/csv.h"
#include "base/json.h"
#include "base/text.h"

namespace hwsift::report {
namespace {

using store::Cell;

std::string shown(const Cell& cell) { return cell.kind == Cell::Kind::null ? "" : printable(cell.text); }

bool is_number(const Cell& cell) { return cell.kind == Cell::Kind::integer || cell.kind == Cell::Kind::real; }

std::vector<std::size_t> widths_of(const store::Table& table) {
  std::vector<std::size_t> widths;
  for (const std::string& column : table.columns) widths.push_back(code_points(printable(column)));
  for (const std::vector<Cell>& row : table.rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], code_points(shown(row[i])));
  return widths;
}

std::string aligned(const Cell& cell, std::size_t width) {
  std::string text = shown(cell);
  if (!is_number(cell)) return padded(text, width);
  return std::string(width - std::min(width, code_points(text)), ' ') + text;
}

std::string line_of(const std::vector<std::string>& cells) {
  std::string line = join(cells, "  ");
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

Json value_of(const Cell& cell) {
  if (cell.kind == Cell::Kind::null) return nullptr;
  if (cell.kind == Cell::Kind::integer) return std::strtoll(cell.text.c_str(), nullptr, 10);
  if (cell.kind == Cell::Kind::real) return std::strtod(cell.text.c_str(), nullptr);
  return cell.text;
}

std::vector<std::string> unique_names(const std::vector<std::string>& columns) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const std::string& column : columns) {
    std::string name = column;
    for (int n = 2; !taken.insert(name).second; ++n) name = column + "_" + std::to_string(n);
    names.push_back(name);
  }
  return names;
}

}  // namespace

std::string table_text(const store::Table& table, const Style& style) {
  std::vector<std::size_t> widths = widths_of(table);
  std::vector<std::string> head;
  for (std::size_t i = 0; i < widths.size(); ++i)
    head.push_back(style.bold(padded(printable(table.columns[i]), widths[i])));
  std::string text = line_of(head);
  for (const std::vector<Cell>& row : table.rows) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < row.size(); ++i) cells.push_back(aligned(row[i], widths[i]));
    text += line_of(cells);
  }
  return text;
}

std::string table_json(const store::Table& table) {
  std::vector<std::string> names = unique_names(table.columns);
  Json rows = Json::array();
  for (const std::vector<Cell>& row : table.rows) {
    Json object = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) object.push_back({names[i], value_of(row[i])});
    rows.push_back(std::move(object));
  }
  return dump_json(rows, 2) + "\n";
}

std::string table_csv(const store::Table& table) {
  std::vector<std::string> cells;
  for (const std::string& column : table.columns) cells.push_back(csv_cell(column));
  std::string text = join(cells, ",") + "\r\n";
  for (const std::vector<Cell>& row : table.rows) {
    cells.clear();
    for (const Cell& cell : row) cells.push_back(is_number(cell) ? cell.text : csv_cell(cell.text));
    text += join(cells, ",") + "\r\n";
  }
  return text;
}

}  // namespace hwsift::report
