// What the pages of hwsift are made of: one file each, that needs no network and reads without scripts.
//
//   Markup   HTML that is safe to put into a page. Text from outside becomes Markup through text(), code(),
//            link() and attribute() alone, which escape it; raw() is for literals of this program.
//   figure   a number that other formats show too: its element has data-figure="section.name.figure", and its
//            text is the number as the CSV has it
//
// How it looks and what it does in a browser: page/style.css and page/script.js. Charts: html_chart.h.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hwsift::report::html {

struct Markup {
  std::string html;
  Markup& operator+=(const Markup& more);
  bool empty() const { return html.empty(); }
};
Markup operator+(Markup first, const Markup& second);

Markup raw(std::string_view literal);
// Escaped for text and for attribute values in double quotes; malformed UTF-8 and control characters become
// visible and harmless, and what is longer than any name has to be is cut.
std::string escaped(std::string_view text);
Markup text(std::string_view text);
Markup code(std::string_view text);
// A path that may be broken behind its slashes.
Markup path(std::string_view path);
std::string attribute(std::string_view name, std::string_view value);  // ` name="value"`
// `<name attributes>inner</name>`; attributes are made by attribute().
Markup element(std::string_view name, const Markup& inner, const std::string& attributes = "");
Markup paragraph(const Markup& inner, std::string_view cls = "");
bool is_web_address(std::string_view url);
// A link where the address is one of http or https; else the label alone.
Markup link(std::string_view url, const Markup& label);
// Digits that copy as digits; groups of three are set apart from 10000 on.
Markup number(long long value);
Markup figure(std::string_view key, long long value);
std::string figure_key(std::string_view section, std::string_view name, std::string_view figure);
// The day of a moment.
Markup day(std::string_view utc);
// A word in a box: "clean". Tone: "good", "bad", "warn" or "" as style.css has them.
Markup chip(std::string_view word, std::string_view tone);
// "1 class", "3 classes".
std::string counted(std::size_t number, std::string_view one, std::string_view many);

struct Tile {
  std::string label;
  Markup value;
  Markup note = {};   // a line below it
  Markup chart = {};  // a sparkline
};
Markup tiles(const std::vector<Tile>& tiles);

struct Cell {
  Markup content;           // empty: there is none, which shows as a dash
  std::string sort = {};    // what it sorts by; "" is its text
  std::string choice = {};  // what a choice of the filter compares with
  bool is_figure = true;    // false: this row has no such figure
};
Cell cell(std::string_view plain);
Cell cell(long long value);
Cell cell(std::optional<long long> value);

struct Column {
  enum class Kind { text, number };
  std::string title;
  Kind kind = Kind::text;
  std::string figure = {};  // the last part of its cells' key
  std::string width = {};   // of CSS, "12rem"; for tables of fixed layout
};

struct Row {
  std::string name;  // the middle part of its cells' key
  std::vector<Cell> cells;
  // What the choices of that key compare with: {"area", "core"}. "" is to have none.
  std::vector<std::pair<std::string, std::string>> facets = {};
};

// One thing to choose rows by.
struct Choice {
  std::string label;                                              // "State"
  std::vector<std::pair<std::string, std::string>> options = {};  // value and what is shown
  std::string key = {};  // of Row::facets; "": the options compare with Cell::choice
};

// A field to type in and, where there are choices, lists to choose from: a row must fit all of them. Seen
// only where scripts run.
struct Filter {
  std::string label;  // "Filter items"
  std::string noun;   // "items": "12 of 259 items shown"
  std::vector<Choice> choices = {};
};
// What the rows have of a facet, each with the number of its rows, by name; those without any last.
Choice choice_of(std::string label, std::string key, const std::vector<Row>& rows);

struct Table {
  std::string id;
  std::string caption;  // what a screen reader calls it; "" where the heading says enough
  std::vector<Column> columns;
  std::vector<Row> rows = {};
  std::string section = {};  // the first part of its cells' key; "" where they are no figures
  // Keys in parts, for thousands of rows: data-section at the table, data-key at a column (data-part within a
  // cell), data-name at a row; where a row has none, its name is its first `named_by` cells joined by "::"
  // (data-named-by at the table).
  bool compact = false;
  std::size_t named_by = 0;
  bool sortable = true;
  std::optional<Filter> filter = {};
  // Of its rows: those beyond are left out and counted, so that no input makes a page that a browser cannot
  // show.
  std::size_t most_bytes = 100'000;
  bool long_on_paper = false;  // 300 rows are printed, of others 40
};
Markup table(const Table& table);

// What can be opened to be read. Closed at first; while it is, paper has the summary alone and says so.
Markup fold(const Markup& summary, const Markup& inner, bool open = false);

struct Section {
  std::string id;
  std::string title;
  Markup body;
};

struct Page {
  std::string title;
  Markup lead;  // below the title
  std::vector<Section> sections;
  Markup footer = {};
};
std::string page(const Page& page);

}  // namespace hwsift::report::html
