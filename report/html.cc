#include "report/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "embedded/page_script.h"
#include "embedded/page_style.h"

namespace hwsift::report::html {
namespace {

constexpr std::size_t kMostText = 1000;  // bytes
constexpr std::size_t kTallRows = 30;    // from here on a table scrolls in itself
// As style.css prints them.
constexpr std::size_t kPaperRows = 40;
constexpr std::size_t kLongPaperRows = 300;
constexpr long long kGrouped = 10000;

// Nothing is fetched, nothing is sent; what the page needs stands in it.
constexpr const char* kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'";

const char* entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    case '`':
      return "&#96;";
    default:
      return nullptr;
  }
}

std::string header_cell(const Table& table, const Column& column) {
  std::string attributes;
  if (column.kind == Column::Kind::number) attributes += " class=n";
  if (table.compact && !column.figure.empty()) attributes += attribute("data-key", column.figure);
  if (!column.width.empty()) attributes += attribute("style", "width:" + column.width);
  return "<th scope=col" + attributes + ">" + escaped(column.title) + "</th>";
}

// The end tags of rows and cells may be left out in HTML: a tenth of a page of thousands.
std::string body_cell(const Table& table, const Row& row, std::size_t i) {
  const Column& column = table.columns[i];
  const Cell& cell = row.cells[i];
  std::string tag = i == 0 ? "<th scope=row" : "<td";
  bool keyed = !table.section.empty() && !column.figure.empty() && cell.is_figure && !table.compact;
  if (keyed) tag += attribute("data-figure", figure_key(table.section, row.name, column.figure));
  if (!cell.sort.empty()) tag += attribute("data-sort", cell.sort);
  if (!cell.choice.empty()) tag += attribute("data-choice", cell.choice);
  return tag + ">" + cell.content.html;
}

std::string body_row(const Table& table, const Row& row) {
  std::string tag = "<tr";
  if (table.compact && !row.name.empty()) tag += attribute("data-name", row.name);
  for (const auto& [key, value] : row.facets)
    if (!value.empty()) tag += attribute("data-" + key, value);
  std::string html = tag + ">";
  for (std::size_t i = 0; i < std::min(table.columns.size(), row.cells.size()); ++i)
    html += body_cell(table, row, i);
  return html + (row.cells.size() > 1 ? "</td>\n" : "</th>\n");
}

std::string choice_html(const Table& table, const Choice& choice) {
  std::string key = choice.key.empty() ? "" : attribute("data-key", choice.key);
  std::string html = fmt::format("<label>{} <select data-choose=\"{}\"{}><option value=\"\">all</option>",
                                 escaped(choice.label), escaped(table.id), key);
  for (const auto& [value, label] : choice.options)
    html += "<option" + attribute("value", value) + ">" + escaped(label) + "</option>";
  return html + "</select></label>";
}

std::string choices_html(const Table& table, const Filter& filter) {
  std::string html;
  for (const Choice& choice : filter.choices)
    if (!choice.options.empty()) html += choice_html(table, choice);
  return html;
}

// Hidden until the script has made it work.
std::string filter_html(const Table& table, std::size_t rows) {
  if (!table.filter) return "";
  const Filter& filter = *table.filter;
  std::string id = escaped(table.id);
  std::string count = counted(rows, filter.noun, filter.noun);
  return fmt::format(
      "<div class=controls hidden><label>{0} <input type=search data-filter=\"{1}\" autocomplete=off "
      "spellcheck=false></label>{2}<button type=button class=clear hidden>Clear</button>"
      "<output data-count=\"{1}\" data-noun=\"{3}\" aria-live=polite>{4}</output></div>",
      escaped(filter.label), id, choices_html(table, filter), escaped(filter.noun), escaped(count));
}

// "fixed n2 n5": how its columns are laid out, said once instead of at every cell.
std::string layout(const Table& table) {
  std::string classes;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].kind == Column::Kind::number) classes += fmt::format(" n{}", i + 1);
  bool fixed = std::any_of(table.columns.begin(), table.columns.end(),
                           [](const Column& column) { return !column.width.empty(); });
  if (table.long_on_paper) classes += " long";
  return (fixed ? "fixed" : "table") + classes;
}

std::string table_html(const Table& table, const std::vector<std::string>& rows) {
  std::string tag = "<table" + attribute("id", table.id) + attribute("class", layout(table));
  if (table.sortable) tag += " data-sortable";
  if (table.compact && !table.section.empty()) tag += attribute("data-section", table.section);
  if (table.named_by > 0) tag += attribute("data-named-by", std::to_string(table.named_by));
  std::string html = tag + ">";
  if (!table.caption.empty()) html += "<caption>" + escaped(table.caption) + "</caption>";
  html += "<thead><tr>";
  for (const Column& column : table.columns) html += header_cell(table, column);
  html += "</tr></thead><tbody>\n";
  for (const std::string& row : rows) html += row;
  return html + "</tbody></table>";
}

// The rows that a page has room for.
std::vector<std::string> rows_of(const Table& table) {
  std::vector<std::string> rows;
  std::size_t bytes = 0;
  for (const Row& row : table.rows) {
    rows.push_back(body_row(table, row));
    bytes += rows.back().size();
    if (bytes > table.most_bytes) break;
  }
  if (bytes > table.most_bytes && rows.size() > 1) rows.pop_back();
  return rows;
}

std::string left_out(std::size_t rows) {
  if (rows == 0) return "";
  return fmt::format("<p class=muted>{} are left out here; -o csv and -o json have them.</p>",
                     counted(rows, "further row", "further rows"));
}

// Seen on paper alone, which has no room for every row; the script counts anew what a filter leaves.
std::string left_out_on_paper(const Table& table, std::size_t rows) {
  std::size_t most = table.long_on_paper ? kLongPaperRows : kPaperRows;
  if (rows <= most) return "";
  return fmt::format(
      "<p class=paper data-rows={}>The first {} of {} rows are printed; -o csv and -o json have all.</p>",
      most, most, rows);
}

std::string contents(const std::vector<Section>& sections) {
  std::string html = "<nav aria-label=Contents><ol>";
  for (const Section& section : sections)
    html += fmt::format("<li><a href=\"#{}\">{}</a></li>", escaped(section.id), escaped(section.title));
  return html + "</ol></nav>";
}

std::string section_html(const Section& section) {
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-h\"><h2 id=\"{0}-h\">{1}</h2>\n{2}\n</section>\n",
      escaped(section.id), escaped(section.title), section.body.html);
}

std::string head(const Page& page) {
  return fmt::format(
      "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
      "<meta http-equiv=Content-Security-Policy content=\"{}\">\n"
      "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=color-scheme content=\"light dark\">\n<meta name=referrer content=no-referrer>\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n",
      kPolicy, escaped(page.title), embedded::page_style());
}

}  // namespace

Markup& Markup::operator+=(const Markup& more) {
  html += more.html;
  return *this;
}
Markup operator+(Markup first, const Markup& second) { return first += second; }

Markup raw(std::string_view literal) { return {std::string(literal)}; }

namespace {

// The first bytes of a text, whole characters of it.
std::string_view beginning(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return text.substr(0, most);
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  std::string_view shown = beginning(text, kMostText);
  for (char c : printable(shown) + (shown.size() < text.size() ? "…" : "")) {
    const char* name = entity(c);
    if (name == nullptr)
      safe += c;
    else
      safe += name;
  }
  return safe;
}

Markup text(std::string_view text) { return {escaped(text)}; }
Markup code(std::string_view text) {
  return text.empty() ? Markup() : Markup{"<code>" + escaped(text) + "</code>"};
}

Markup path(std::string_view path) {
  std::string html;
  for (char c : escaped(path)) {
    html += c;
    if (c == '/' || c == '_') html += "<wbr>";
  }
  return {html};
}

std::string attribute(std::string_view name, std::string_view value) {
  return fmt::format(" {}=\"{}\"", name, escaped(value));
}

Markup element(std::string_view name, const Markup& inner, const std::string& attributes) {
  return {fmt::format("<{}{}>{}</{}>", name, attributes, inner.html, name)};
}

Markup paragraph(const Markup& inner, std::string_view cls) {
  return element("p", inner, cls.empty() ? "" : attribute("class", cls));
}

bool is_web_address(std::string_view url) {
  std::string start = ascii_lower(url.substr(0, 6));
  std::size_t scheme = start == "https:" ? 6 : start.starts_with("http:") ? 5 : 0;
  bool clean =
      std::all_of(url.begin(), url.end(), [](char c) { return static_cast<unsigned char>(c) > ' '; });
  return scheme > 0 && clean && url.size() <= kMostText && url.substr(scheme, 2) == "//" &&
         url.size() > scheme + 2;
}

Markup link(std::string_view url, const Markup& label) {
  if (!is_web_address(url)) return label;
  return element("a", label, attribute("href", url) + " rel=\"noopener noreferrer\"");
}

Markup number(long long value) {
  std::string digits = std::to_string(value);
  if (value < kGrouped) return {digits};
  std::size_t lead = (digits.size() - 1) % 3 + 1;
  std::string html = digits.substr(0, lead);
  for (std::size_t at = lead; at < digits.size(); at += 3)
    html += "<span class=g>" + digits.substr(at, 3) + "</span>";
  return {html};
}

std::string figure_key(std::string_view section, std::string_view name, std::string_view figure) {
  return name.empty() ? fmt::format("{}.{}", section, figure)
                      : fmt::format("{}.{}.{}", section, name, figure);
}

Markup figure(std::string_view key, long long value) {
  return element("span", number(value), attribute("data-figure", key));
}

Markup day(std::string_view utc) {
  if (utc.empty()) return {};
  return element("time", text(utc.substr(0, 10)));
}

Markup chip(std::string_view word, std::string_view tone) {
  std::string cls = tone.empty() ? "chip" : fmt::format("chip {}", tone);
  return element("span", text(word), attribute("class", cls));
}

std::string counted(std::size_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

Markup tiles(const std::vector<Tile>& tiles) {
  std::string html = "<dl class=tiles>";
  for (const Tile& tile : tiles)
    html += fmt::format("<div><dt>{}</dt><dd><b>{}</b>{}<small>{}</small></dd></div>", escaped(tile.label),
                        tile.value.html, tile.chart.html, tile.note.html);
  return {html + "</dl>"};
}

Cell cell(std::string_view plain) { return {text(plain)}; }
Cell cell(long long value) { return {number(value)}; }
Cell cell(std::optional<long long> value) { return value ? cell(*value) : Cell{}; }

Choice choice_of(std::string label, std::string key, const std::vector<Row>& rows) {
  std::map<std::string, std::size_t> counts;
  for (const Row& row : rows)
    for (const auto& [name, value] : row.facets)
      if (name == key) ++counts[value];
  Choice choice{std::move(label), {}, std::move(key)};
  for (const auto& [value, count] : counts)
    if (!value.empty()) choice.options.emplace_back("=" + value, fmt::format("{} ({})", value, count));
  if (counts.count("") > 0) choice.options.emplace_back("=", fmt::format("(none) ({})", counts[""]));
  return choice;
}

Markup table(const Table& table) {
  bool tall = table.rows.size() >= kTallRows;
  std::string name = table.caption.empty() ? table.id : table.caption;
  std::vector<std::string> rows = rows_of(table);
  return {
      fmt::format("<div class=\"data\">{}<div class=\"scroll{}\" role=region tabindex=0{}>{}</div>{}{}</div>",
                  filter_html(table, rows.size()), tall ? " tall" : "", attribute("aria-label", name),
                  table_html(table, rows), left_out_on_paper(table, rows.size()),
                  left_out(table.rows.size() - rows.size()))};
}

Markup fold(const Markup& summary, const Markup& inner, bool open) {
  return {fmt::format("<details{}><summary>{}</summary>{}</details>", open ? " open" : "", summary.html,
                      inner.html)};
}

std::string page(const Page& page) {
  std::string html = head(page);
  html += fmt::format(
      "<body>\n<a class=skip href=\"#content\">Skip to the content</a>\n<header><h1>{}</h1>{}</header>\n"
      "{}\n<main id=content tabindex=-1>\n",
      escaped(page.title), page.lead.html, contents(page.sections));
  for (const Section& section : page.sections) html += section_html(section);
  return html + fmt::format("</main>\n<footer>{}</footer>\n<script>\n{}</script>\n</body>\n</html>\n",
                            page.footer.html, embedded::page_script());
}

}  // namespace hwsift::report::html
