// Items as a spreadsheet writes them: RFC 4180, also with semicolons or tabs. The first row names the
// columns, in any order (item_files.cc has their names). Paths, classes and links may be several in a cell,
// with space, a line feed, a comma or a semicolon between them.
#include <algorithm>

#include "base/csv.h"
#include "base/text.h"
#include "history/item_files.h"

namespace hwsift::history {
namespace {

constexpr std::size_t kMostErrors = 20;
constexpr std::size_t kMostCells = 1000;  // of a row

struct Row {
  int line = 0;
  std::vector<std::string> cells;
  bool empty() const {
    return std::all_of(cells.begin(), cells.end(), [](const std::string& c) { return trim(c).empty(); });
  }
};

// Reads row by row; line feeds within quotes belong to a cell.
class RowReader {
 public:
  RowReader(const std::string& bytes, const std::string& file, char separator)
      : bytes_(bytes), file_(file), separator_(separator) {}

  bool at_end() const { return at_ >= bytes_.size(); }

  Result<Row> next() {
    Row row;
    row.line = line_;
    while (true) {
      std::string cell;
      Status read = at_ < bytes_.size() && bytes_[at_] == '"' ? read_quoted(cell) : read_plain(cell);
      if (!read.ok()) return read.error();
      row.cells.push_back(std::move(cell));
      if (row.cells.size() > kMostCells) return too_many_cells(row.line);
      if (at_end() || bytes_[at_] != separator_) break;
      ++at_;
    }
    end_line();
    return row;
  }

 private:
  Error too_many_cells(int line) const {
    return {file_ + ":" + std::to_string(line), "more than " + std::to_string(kMostCells) + " cells in a row",
            "is it the right file?"};
  }

  bool ends_cell() const {
    return at_end() || bytes_[at_] == separator_ || bytes_[at_] == '\n' || bytes_[at_] == '\r';
  }

  Status read_plain(std::string& cell) {
    const char ends[] = {separator_, '\n', '\r'};
    std::size_t end = std::min(bytes_.find_first_of(std::string_view(ends, 3), at_), bytes_.size());
    cell = bytes_.substr(at_, end - at_);
    at_ = end;
    return {};
  }

  Status read_quoted(std::string& cell) {
    int first_line = line_;
    for (++at_; !at_end(); ++at_) {
      std::size_t end = std::min(bytes_.find('"', at_), bytes_.size());
      cell.append(bytes_, at_, end - at_);
      line_ += static_cast<int>(std::count(bytes_.begin() + static_cast<std::ptrdiff_t>(at_),
                                           bytes_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      at_ = end + 1;
      if (end < bytes_.size() && (at_end() || bytes_[at_] != '"')) return after_quotes();
      cell += '"';
    }
    return Error{file_ + ":" + std::to_string(first_line), "a quoted cell that never ends",
                 "close the quotes"};
  }

  Status after_quotes() {
    while (!at_end() && bytes_[at_] == ' ') ++at_;
    if (ends_cell()) return {};
    return Error{file_ + ":" + std::to_string(line_), "text behind a quoted cell",
                 "double the quotes that are part of a cell"};
  }

  void end_line() {
    if (!at_end() && bytes_[at_] == '\r') ++at_;
    if (!at_end() && bytes_[at_] == '\n') ++at_;
    ++line_;
  }

  const std::string& bytes_;
  const std::string& file_;
  char separator_;
  std::size_t at_ = 0;
  int line_ = 1;
};

std::size_t count_known(const Row& header) {
  return static_cast<std::size_t>(
      std::count_if(header.cells.begin(), header.cells.end(),
                    [](const std::string& cell) { return column_of(cell) != Column::unknown; }));
}

// The one that makes the most columns of the header known.
char separator_of(const std::string& bytes, const std::string& file) {
  char best = ',';
  std::size_t most = 0;
  for (char separator : {',', ';', '\t'}) {
    Result<Row> header = RowReader(bytes, file, separator).next();
    std::size_t known = header.ok() ? count_known(*header) : 0;
    if (known > most) best = separator;
    most = std::max(most, known);
  }
  return best;
}

bool has(const std::vector<Column>& columns, Column column) {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

// Two columns that mean the same would overwrite each other; paths and links add up.
Status check_doubled(const std::vector<Column>& columns, const Row& header, const std::string& place) {
  for (Column once : {Column::id, Column::title, Column::area, Column::owner, Column::url}) {
    if (std::count(columns.begin(), columns.end(), once) < 2) continue;
    auto first = std::find(columns.begin(), columns.end(), once);
    auto second = std::find(first + 1, columns.end(), once);
    auto name = [&](auto at) { return header.cells[static_cast<std::size_t>(at - columns.begin())]; };
    return Error{place, "columns '" + name(first) + "' and '" + name(second) + "' mean the same",
                 "rename or remove one"};
  }
  return {};
}

// `hwsift track list -o csv` counts files and classes under these names; what it says of paths comes last.
// Its lists are ours too: the "list" of another tool may be anything. What was set by hand stands in "area"
// and "owner", and what the list says beside them.
void take_our_own(const Row& header, std::vector<Column>& columns) {
  auto is_ours = [](const std::string& cell) { return cell == "without_regression"; };
  if (std::none_of(header.cells.begin(), header.cells.end(), is_ours)) return;
  auto is_listed = [](const std::string& cell) { return cell == "listed_owner"; };
  bool has_listed = std::any_of(header.cells.begin(), header.cells.end(), is_listed);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string& name = header.cells[i];
    if (name == "files" || name == "classes") columns[i] = Column::silent;
    if (name == "list") columns[i] = Column::list;
    if (has_listed && (name == "area" || name == "owner")) columns[i] = Column::silent;
    if (name == "listed_area") columns[i] = Column::area;
    if (name == "listed_owner") columns[i] = Column::owner;
  }
}

Result<std::vector<Column>> read_header(const Row& header, const std::string& file,
                                        std::vector<std::string>& notes) {
  std::string place = file + ":" + std::to_string(header.line);
  std::vector<Column> columns;
  std::vector<std::string> unknown;
  for (const std::string& cell : header.cells) {
    columns.push_back(column_of(cell));
  }
  take_our_own(header, columns);
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i] == Column::unknown) unknown.push_back("'" + std::string(trim(header.cells[i])) + "'");
  if (!has(columns, Column::paths) && !has(columns, Column::classes))
    return Error{place, "no column of paths", "name the columns in the first row: id,title,paths"};
  if (Status single = check_doubled(columns, header, place); !single.ok()) return single.error();
  if (!unknown.empty())
    add_note(place + ": not used: column" + (unknown.size() > 1 ? "s " : " ") + join(unknown, ", "), notes);
  if (!has(columns, Column::id)) std::replace(columns.begin(), columns.end(), Column::row, Column::id);
  if (!has(columns, Column::id))
    notes.push_back(place + ": no column 'id': items are called by their " +
                    (has(columns, Column::url) ? "url" : "path"));
  return columns;
}

std::string id_without_column(const Item& item) {
  if (!item.url.empty()) return item.url;
  if (!item.paths.empty()) return item.paths.front();
  return item.classes.empty() ? "" : item.classes.front();
}

Result<ReadItem> read_row(const Row& row, const std::vector<Column>& columns, const std::string& file,
                          std::vector<std::string>& notes) {
  ReadItem one;
  one.place = file + ":" + std::to_string(row.line);
  if (row.cells.size() != columns.size())
    return Error{
        one.place,
        std::to_string(row.cells.size()) + " cells under " + std::to_string(columns.size()) + " columns",
        "quote cells that hold a separator or a line feed"};
  for (std::size_t i = 0; i < columns.size(); ++i)
    set_column(columns[i], csv_unguarded(row.cells[i]), one.place, one.item, notes);
  if (!has(columns, Column::id)) one.item.id = id_without_column(one.item);
  if (one.item.id.empty()) return Error{one.place, "an item without an id", "give it one"};
  if (one.item.paths.empty() && one.item.classes.empty())
    add_note(one.place + ": item " + one.item.id + " names no path", notes);
  return one;
}

}  // namespace

ReadItems read_item_csv(const std::string& bytes, const std::string& file, std::vector<std::string>& notes) {
  RowReader reader(bytes, file, separator_of(bytes, file));
  std::vector<Column> columns;
  std::vector<ReadItem> items;
  std::vector<Error> errors;
  while (!reader.at_end() && errors.size() < kMostErrors && items.size() <= kMostItems) {
    Result<Row> row = reader.next();
    if (!row.ok()) return row.error();
    if (row->empty()) continue;
    if (columns.empty()) {
      Result<std::vector<Column>> header = read_header(*row, file, notes);
      if (!header.ok()) return header.error();
      columns = *header;
      continue;
    }
    Result<ReadItem> one = read_row(*row, columns, file, notes);
    if (one.ok())
      items.push_back(std::move(*one));
    else
      errors.push_back(one.error());
  }
  if (!errors.empty()) return joined(errors);
  if (items.empty()) return Error{file, "no item in it", "is it the right file?"};
  return items;
}

}  // namespace hwsift::history
