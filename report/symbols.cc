#include "report/symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/json.h"
#include "base/text.h"

namespace hwsift::report {
namespace {

using classifier::Need;
using classifier::Symbol;

// One entry as it is printed: name below its module, kind, says, devices, needs, releases, twin.
using Row = std::array<std::string, 7>;

// "2 devices, cudnn"
std::string needs_of(const Need& need) {
  std::vector<std::string> parts;
  if (need.count_from_argument) parts.emplace_back("devices as given");
  if (need.count > 0) parts.push_back(fmt::format("{} device{}", need.count, need.count == 1 ? "" : "s"));
  if (!need.library.empty()) parts.push_back(need.library);
  if (!need.capability.empty()) parts.push_back(need.capability);
  return join(parts, ", ");
}

// "since 2.14", "until 2.6", "builds for mps"; "" where every known release and build has it.
std::string releases_of(const Symbol& symbol) {
  std::vector<std::string> parts;
  if (!symbol.since.empty()) parts.push_back("since " + symbol.since);
  if (!symbol.until.empty()) parts.push_back("until " + symbol.until);
  if (!symbol.build.empty()) parts.push_back("builds for " + symbol.build);
  return join(parts, ", ");
}

// A prefix entry ends in ".*"; the module itself is "*".
std::string name_below_module(const Symbol& symbol) {
  std::string name = symbol.name;
  if (!symbol.package && !symbol.module.empty())
    name = name.substr(std::min(name.size(), symbol.module.size() + 1));
  if (!symbol.prefix) return name.empty() ? "(the module itself)" : name;
  return name.empty() ? "*" : name + ".*";
}

Row row_of(const Symbol& symbol) {
  return {name_below_module(symbol), symbol.kind_word,    word(symbol.meaning), join(symbol.devices, " "),
          needs_of(symbol.need),     releases_of(symbol), symbol.twin};
}

std::map<std::string, std::vector<Row>> rows_by_module(const SymbolList& symbols) {
  std::map<std::string, std::vector<Row>> rows;
  for (const Symbol* symbol : symbols)
    rows[symbol->package ? "other packages" : symbol->module].push_back(row_of(*symbol));
  return rows;
}

std::array<std::size_t, 7> widths_of(const std::vector<Row>& rows) {
  std::array<std::size_t, 7> widths{};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  return widths;
}

// Columns that no entry fills take no room.
std::string aligned(const Row& row, const std::array<std::size_t, 7>& widths) {
  std::string line = " ";
  for (std::size_t i = 0; i < row.size(); ++i)
    if (widths[i] > 0) line += fmt::format(" {:<{}} ", row[i], widths[i]);
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

Json need_json(const Need& need) {
  Json json = Json::object();
  if (need.count_from_argument) json["count"] = "argument";
  if (need.count > 0) json["count"] = need.count;
  if (!need.library.empty()) json["library"] = need.library;
  if (!need.capability.empty()) json["capability"] = need.capability;
  return json;
}

Json symbol_json(const Symbol& symbol) {
  Json json = {{"name", symbol.name},
               {"module", symbol.module},
               {"kind", symbol.kind_word},
               {"says", word(symbol.meaning)},
               {"devices", symbol.devices},
               {"prefix", symbol.prefix},
               {"needs", need_json(symbol.need)},
               {"package", symbol.package},
               {"recorded", symbol.recorded}};
  auto add_known = [&](const char* key, const std::string& value) {
    json[key] = value.empty() ? Json(nullptr) : Json(value);
  };
  add_known("twin", symbol.twin);
  add_known("since", symbol.since);
  add_known("until", symbol.until);
  add_known("build", symbol.build);
  return json;
}

constexpr char kHeadings[] =
    "| name | kind | says | devices | needs | releases | agnostic twin |\n"
    "| --- | --- | --- | --- | --- | --- | --- |\n";

std::string table_line(const Row& row) {
  std::vector<std::string> cells(row.begin(), row.end());
  return "| " + join(cells, " | ") + " |\n";
}

}  // namespace

std::string symbols_text(const SymbolList& symbols, const Style& style) {
  std::string text;
  for (const auto& [module, rows] : rows_by_module(symbols)) {
    text += (text.empty() ? "" : "\n") + style.bold(module) + "\n";
    std::array<std::size_t, 7> widths = widths_of(rows);
    for (const Row& row : rows) text += aligned(row, widths);
  }
  return text + "\n'hwsift rules symbols NAME' shows one; rules/symbols/README.md says what the words mean\n";
}

std::string symbols_json(const SymbolList& symbols, const std::string& version) {
  Json document = {{"schema", "hwsift.symbols/1"}, {"version", version}};
  Json entries = Json::array();
  for (const Symbol* symbol : symbols) entries.push_back(symbol_json(*symbol));
  document["symbols"] = std::move(entries);
  return dump_json(document, 1) + "\n";
}

std::string symbols_markdown(const SymbolList& symbols) {
  std::string text =
      "<!-- Written by `hwsift rules docs` from rules/symbols/; change those files instead. -->\n"
      "# Hardware symbols\n\n"
      "What the names that PyTorch tests use say about hardware, module by module. The words are explained "
      "in "
      "[rules/symbols/README.md](../rules/symbols/README.md); `name.*` stands for everything below it.\n";
  for (const auto& [module, rows] : rows_by_module(symbols)) {
    text += fmt::format("\n## {}\n\n{}", module, kHeadings);
    for (const Row& row : rows) text += table_line(row);
  }
  return text;
}

}  // namespace hwsift::report
