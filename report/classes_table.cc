#include "report/classes_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "base/disk.h"
#include "base/text.h"
#include "report/output.h"

namespace hwsift::report {
namespace {

using classifier::Category;
using classifier::ClassVerdict;
using classifier::MethodVerdict;

constexpr std::size_t kDeepest = 3;        // components of a directory: test/distributed/fsdp
constexpr std::size_t kShortestName = 16;  // to which directories are cut
constexpr const char* kShortDeviceGeneric = "DEV_GEN";
constexpr const char* kRest = "others";

// Which categories have a column of their own; the joined ones share one.
struct Shape {
  std::vector<Category> own;
  std::vector<Category> joined;
};

struct Line {
  std::string name;
  std::vector<std::size_t> cells;  // by column
  bool of_classes = true;          // false: the columns `mixed` and `classes` mean nothing here
};

// The last three columns are mixed, classes and tests.
struct Grid {
  std::vector<std::string> columns;
  std::vector<Line> lines;
};

std::string directory_of(const std::string& path) {
  if (path.starts_with('/')) return "(outside the tree)";
  std::vector<std::string> parts = split(folder_of(path), '/');
  if (parts.size() > kDeepest) parts.resize(kDeepest);
  std::string name = join(parts, "/");
  return name.empty() ? "." : printable(name);
}

// Of own tests, by the place of their category in `categories`.
std::vector<std::size_t> count_tests(const ClassesReport& report, const std::vector<Category>& categories) {
  std::vector<std::size_t> counts(categories.size());
  for (const ClassVerdict& verdict : report.verdicts)
    for (const MethodVerdict& method : verdict.methods) {
      auto found = std::find(categories.begin(), categories.end(), method.category);
      if (verdict.own_tests && found != categories.end())
        ++counts[static_cast<std::size_t>(found - categories.begin())];
    }
  return counts;
}

// A category without a test gets no column.
Shape full_shape(const ClassesReport& report) {
  std::vector<std::size_t> tests = count_tests(report, report.categories);
  Shape shape;
  for (std::size_t i = 0; i < tests.size(); ++i)
    if (tests[i] > 0) shape.own.push_back(report.categories[i]);
  return shape;
}

// One that has no column of its own stands in the column after those.
std::size_t column_of(const Shape& shape, const Category& category) {
  return static_cast<std::size_t>(std::find(shape.own.begin(), shape.own.end(), category) -
                                  shape.own.begin());
}

std::vector<std::string> columns_of(const Shape& shape) {
  std::vector<std::string> columns;
  for (const Category& category : shape.own) columns.push_back(category.name());
  if (!shape.joined.empty()) columns.emplace_back(kRest);
  columns.insert(columns.end(), {"mixed", "classes", "tests"});
  return columns;
}

void add_class(const ClassVerdict& verdict, const Shape& shape, Line& line) {
  std::size_t from_end = line.cells.size();
  ++line.cells[verdict.mixed ? from_end - 3 : column_of(shape, verdict.inferred)];
  ++line.cells[from_end - 2];
  line.cells[from_end - 1] += verdict.methods.size();
}

void add_tests(const ClassVerdict& verdict, const Shape& shape, Line& line) {
  for (const MethodVerdict& method : verdict.methods) ++line.cells[column_of(shape, method.category)];
  line.cells.back() += verdict.methods.size();
}

Grid grid_of(const ClassesReport& report, const Shape& shape) {
  Grid grid;
  grid.columns = columns_of(shape);
  std::vector<std::size_t> zeros(grid.columns.size());
  std::map<std::string, Line> directories;
  Line total{"total", zeros};
  Line tests{"tests of each", zeros, false};
  for (const ClassVerdict& verdict : report.verdicts) {
    if (!verdict.own_tests) continue;
    std::string name = directory_of(verdict.path);
    add_class(verdict, shape, directories.try_emplace(name, Line{name, zeros}).first->second);
    add_class(verdict, shape, total);
    add_tests(verdict, shape, tests);
  }
  for (auto& [name, line] : directories) grid.lines.push_back(std::move(line));
  grid.lines.push_back(std::move(total));
  grid.lines.push_back(std::move(tests));
  return grid;
}

bool is_blank(const Grid& grid, const Line& line, std::size_t column) {
  std::size_t from_end = grid.columns.size() - column;
  return !line.of_classes && (from_end == 3 || from_end == 2);
}

// A zero is a dash, so that the others stand out.
std::string cell(const Grid& grid, const Line& line, std::size_t column) {
  if (is_blank(grid, line, column)) return "";
  return line.cells[column] == 0 ? "-" : std::to_string(line.cells[column]);
}

// Of each column but the first.
std::vector<std::size_t> column_widths(const Grid& grid) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < grid.columns.size(); ++i) {
    widths.push_back(grid.columns[i].size());
    for (const Line& line : grid.lines) widths[i] = std::max(widths[i], cell(grid, line, i).size());
  }
  return widths;
}

std::size_t names_width(const Grid& grid) {
  std::size_t width = std::string_view("directory").size();
  for (const Line& line : grid.lines) width = std::max(width, code_points(line.name));
  return width;
}

// Of all columns but the first, with the space before each.
std::size_t numbers_width(const Grid& grid) {
  std::vector<std::size_t> widths = column_widths(grid);
  return std::accumulate(widths.begin(), widths.end(), widths.size());
}

bool fits(const Grid& grid, std::size_t width) { return names_width(grid) + numbers_width(grid) <= width; }

// The end of a directory tells most.
std::string shortened(const std::string& name, std::size_t width) {
  std::size_t length = code_points(name);
  if (length <= width) return name;
  std::size_t at = 0;
  for (std::size_t skip = length - width + 1; skip > 0; --skip)
    for (++at; at < name.size() && (static_cast<unsigned char>(name[at]) & 0xC0) == 0x80;) ++at;
  std::size_t slash = name.find('/', at);
  return "…" + name.substr(slash == std::string::npos ? at : slash);
}

// Takes the column of the device with the fewest tests away; false where no device has one.
bool join_rarest(const ClassesReport& report, Shape& shape) {
  std::vector<std::size_t> tests = count_tests(report, shape.own);
  std::optional<std::size_t> rarest;
  for (std::size_t i = 0; i < shape.own.size(); ++i) {
    if (shape.own[i].kind != Category::Kind::device) continue;
    if (!rarest || tests[i] <= tests[*rarest]) rarest = i;
  }
  if (!rarest) return false;
  shape.joined.push_back(shape.own[*rarest]);
  shape.own.erase(shape.own.begin() + static_cast<std::ptrdiff_t>(*rarest));
  return true;
}

void shorten_device_generic(Grid& grid) {
  std::replace(grid.columns.begin(), grid.columns.end(), Category::device_generic().name(),
               std::string(kShortDeviceGeneric));
}

void shorten_names(Grid& grid, std::size_t width) {
  std::size_t numbers = numbers_width(grid);
  std::size_t left = numbers < width ? width - numbers : 0;
  for (Line& line : grid.lines) line.name = shortened(line.name, std::max(left, kShortestName));
}

Grid fitted(const ClassesReport& report, std::size_t width, Shape& shape) {
  Grid grid = grid_of(report, shape);
  if (fits(grid, width)) return grid;
  shorten_device_generic(grid);
  while (kShortestName + numbers_width(grid) > width && join_rarest(report, shape)) {
    grid = grid_of(report, shape);
    shorten_device_generic(grid);
  }
  shorten_names(grid, width);
  return grid;
}

// "others are CPU, XPU" in lines of at most `width` columns.
std::string joined_note(const std::vector<Category>& joined, std::size_t width) {
  std::string text = std::string(kRest) + " are";
  std::size_t column = text.size();
  for (const Category& category : joined) {
    std::string word = category.name() + (&category == &joined.back() ? "" : ",");
    bool breaks = column + 1 + word.size() > width;
    text += (breaks ? "\n" : " ") + word;
    column = breaks ? word.size() : column + 1 + word.size();
  }
  return text + "\n";
}

// What the columns say short; "" where nothing is.
std::string legend(const Grid& grid, const Shape& shape, std::size_t width) {
  bool is_short = std::count(grid.columns.begin(), grid.columns.end(), kShortDeviceGeneric) > 0;
  std::string text = is_short ? std::string(kShortDeviceGeneric) + " is DEVICE_GENERIC\n" : "";
  return shape.joined.empty() ? text : text + joined_note(shape.joined, width);
}

struct Widths {
  std::size_t name = 0;
  std::vector<std::size_t> columns;
};

std::string row(const std::string& name, const std::vector<std::string>& cells, const Widths& widths) {
  std::string text = padded(name, widths.name);
  for (std::size_t i = 0; i < cells.size(); ++i) text += fmt::format(" {:>{}}", cells[i], widths.columns[i]);
  return text;
}

std::vector<std::string> cells_of(const Grid& grid, const Line& line) {
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < grid.columns.size(); ++i) cells.push_back(cell(grid, line, i));
  return cells;
}

}  // namespace

std::string classes_table(const ClassesReport& report, std::size_t width, const Style& style) {
  Shape shape = full_shape(report);
  Grid grid = fitted(report, width, shape);
  Widths widths{names_width(grid), column_widths(grid)};
  std::string text = style.bold(row("directory", grid.columns, widths)) + "\n";
  for (const Line& line : grid.lines) {
    std::string shown = row(line.name, cells_of(grid, line), widths);
    bool total = &line + 2 == grid.lines.data() + grid.lines.size();
    text += (total ? style.bold(shown) : shown) + "\n";
  }
  return text + style.dim(legend(grid, shape, width));
}

}  // namespace hwsift::report
