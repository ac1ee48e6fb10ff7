// Items as the text of an issue has them:
//
//   ## Core                                            the area of what follows
//   - [ ] test/test_a.py (#123) @someone               called by its path
//   - [x] [Device-generic a](.../issues/123) `test/test_a.py::TestA`    called #123: it begins with
//   it
//   - graph                                            a bullet with others below is their area
//     - [ ] `test/dynamo/test_b.py`
//   | No. | Test file | Status | PR | Comment |        a table with a column of paths
//
// Only where a text has neither boxes nor such a table are plain bullets items, if they name a path. What
// stands in fences and comments is no text. Numbers of rows are no ids: they are other ones once a row is put
// between.
#include <algorithm>

#include "base/text.h"
#include "history/item_files.h"
#include "history/path_glob.h"

namespace hwsift::history {
namespace {

constexpr std::size_t kLongestArea = 200;

// A line's text without its markup.
struct Inline {
  std::string text;                    // links and code as what is shown of them
  std::vector<std::string> code;       // what stood in backticks
  std::vector<std::string> addresses;  // of links
  bool begins_with_link = false;
};

// Goes over a line once: what is not closed is looked for no second time.
class InlineReader {
 public:
  explicit InlineReader(std::string_view line) : line_(line) {}

  Inline read() {
    while (at_ < line_.size()) {
      bool read = (line_[at_] == '`' && read_code()) || (line_[at_] == '[' && read_link());
      if (!read) out_.text += line_[at_++];
    }
    return std::move(out_);
  }

 private:
  bool read_code() {
    std::size_t ticks = std::min(line_.find_first_not_of('`', at_), line_.size()) - at_;
    if (ticks > 2) return take(ticks);
    if (unclosed_[ticks]) return false;
    std::size_t end = line_.find(line_.substr(at_, ticks), at_ + ticks);
    unclosed_[ticks] = end == std::string_view::npos;
    if (unclosed_[ticks]) return false;
    out_.code.emplace_back(trim(line_.substr(at_ + ticks, end - at_ - ticks)));
    out_.text += out_.code.back();
    at_ = end + ticks;
    return true;
  }

  bool take(std::size_t count) {
    out_.text += line_.substr(at_, count);
    at_ += count;
    return true;
  }

  // "[text](address)", with no brackets in the text.
  bool read_link() {
    std::size_t middle = line_.find_first_of("[]", at_ + 1);
    if (middle == std::string_view::npos || line_.substr(middle, 2) != "](" || unclosed_[0]) return false;
    std::size_t end = line_.find(')', middle);
    unclosed_[0] = end == std::string_view::npos;
    if (unclosed_[0]) return false;
    out_.begins_with_link = out_.begins_with_link || trim(out_.text).empty();
    Inline shown = InlineReader(line_.substr(at_ + 1, middle - at_ - 1)).read();
    out_.code.insert(out_.code.end(), shown.code.begin(), shown.code.end());
    out_.text += shown.text;
    std::string_view address = line_.substr(middle + 2, end - middle - 2);
    out_.addresses.emplace_back(address.substr(0, address.find(' ')));  // a title in quotes may follow
    at_ = end + 1;
    return true;
  }

  std::string_view line_;
  std::size_t at_ = 0;
  bool unclosed_[3] = {};  // an address; one backtick, two
  Inline out_;
};

Inline read_inline(std::string_view line) { return InlineReader(line).read(); }

// "#123", "owner/repo#123"; "" of other words.
std::string reference_in(std::string_view word) {
  std::size_t first = word.find_first_not_of("([");
  if (first == std::string_view::npos) return "";
  word.remove_prefix(first);
  word = word.substr(0, word.find_last_not_of(")],.;:") + 1);
  std::size_t hash = word.find('#');
  if (hash == std::string_view::npos || hash + 1 == word.size()) return "";
  bool is_number = word.find_first_not_of("0123456789", hash + 1) == std::string_view::npos;
  bool is_repository = hash == 0 || word.substr(0, hash).find('/') != std::string_view::npos;
  return is_number && is_repository ? std::string(word) : "";
}

std::string owner_in(std::string_view word) {
  std::size_t first = word.find_first_not_of("([");
  if (first == std::string_view::npos || word[first] != '@') return "";
  word.remove_prefix(first + 1);
  std::size_t end =
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_/");
  return std::string(word.substr(0, end));
}

void add_owner(const std::string& owner, Item& item) {
  if (!owner.empty()) item.owner += (item.owner.empty() ? "" : ", ") + owner;
}

void add_address(const std::string& address, Item& item) {
  if (is_test_path(address))
    add_path(named_path(address), item);
  else if (is_address(address))
    add_link(address, item);
}

// In backticks a folder may stand too, and a class of the paths beside it.
void add_code(const std::string& code, Item& item) {
  bool one_word = code.find_first_of(" \t") == std::string::npos;
  NamedPath named = named_path(code);
  bool below_test = named.path.starts_with("test/") || named.path == "test";
  if (is_test_path(code) || (one_word && (below_test || is_path_glob(named.path)) && !named.path.empty())) {
    add_path(named, item);
    return;
  }
  bool is_class = code.starts_with("Test") && std::all_of(code.begin(), code.end(), is_word_char);
  if (is_class) add_class(code, item);
}

// Paths, links and owners of a text; its other words make the title.
void read_text(std::string_view line, Item& item) {
  Inline text = read_inline(line);
  std::vector<std::string> words = words_of(text.text, " \t");
  std::string first = words.empty() ? "" : words.front();
  std::string called = text.begins_with_link ? reference_of(text.addresses.front()) : reference_in(first);
  if (called.empty() && is_address(first)) called = reference_of(first);
  item.id = called;
  if (!called.empty() && text.begins_with_link) item.url = text.addresses.front();
  if (!called.empty() && is_address(first)) item.url = first;
  for (const std::string& code : text.code) add_code(code, item);
  for (const std::string& address : text.addresses) add_address(address, item);
  for (const std::string& word : words) {
    std::string reference = reference_in(word);
    std::string owner = owner_in(word);
    add_owner(owner, item);
    if (!reference.empty() && reference != called) add_link(reference, item);
    if (is_address(word)) add_address(word, item);
    if (is_test_path(word) && !is_address(word)) add_path(named_path(word), item);
    if (owner.empty() && reference.empty() && !is_address(word))
      item.title += (item.title.empty() ? "" : " ") + word;
  }
}

void call_by_path(Item& item) {
  if (!item.id.empty() || item.paths.empty()) return;
  item.id = item.paths.front();
  if (item.classes.size() != 1) return;
  const std::string& cls = item.classes.front();
  item.id = cls.find("::") == std::string::npos ? item.id + "::" + cls : cls;
}

struct Bullet {
  std::size_t indent = 0;
  std::string_view text;
  bool box = false;
  bool ticked = false;
};

// How many columns of space a line begins with; `text` is the rest.
std::size_t indent_of(std::string_view line, std::string_view& text) {
  std::size_t columns = 0;
  std::size_t at = 0;
  for (; at < line.size() && (line[at] == ' ' || line[at] == '\t' || line[at] == '>'); ++at)
    columns += line[at] == '\t' ? 4 : 1;
  text = trim(line.substr(at));
  return columns;
}

std::size_t length_of_mark(std::string_view text) {
  if (text.size() > 1 && (text[0] == '-' || text[0] == '*' || text[0] == '+')) return 1;
  std::size_t digits = text.find_first_not_of("0123456789");
  bool is_number = digits != std::string_view::npos && digits > 0 && digits < 10;
  return is_number && (text[digits] == '.' || text[digits] == ')') ? digits + 1 : 0;
}

bool read_bullet(std::string_view line, Bullet& bullet) {
  std::string_view text;
  bullet.indent = indent_of(line, text);
  std::size_t mark = length_of_mark(text);
  if (mark == 0 || mark >= text.size() || (text[mark] != ' ' && text[mark] != '\t')) return false;
  text = trim(text.substr(mark));
  bool box = text.size() >= 3 && text[0] == '[' && text[2] == ']' && (text.size() == 3 || text[3] == ' ');
  bullet.box = box && (text[1] == ' ' || text[1] == 'x' || text[1] == 'X');
  bullet.ticked = bullet.box && text[1] != ' ';
  bullet.text = bullet.box ? trim(text.substr(3)) : text;
  return true;
}

std::vector<std::string> cells_of(std::string_view line) {
  line = trim(line);
  if (line.starts_with('|')) line.remove_prefix(1);
  if (line.ends_with('|') && !line.ends_with("\\|")) line.remove_suffix(1);
  std::vector<std::string> cells(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    bool escaped = line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|';
    if (line[i] == '|') {
      cells.emplace_back();
      continue;
    }
    cells.back() += escaped ? '|' : line[i];
    i += escaped ? 1 : 0;
  }
  for (std::string& cell : cells) cell = std::string(trim(cell));
  return cells;
}

// "| --- | :-: |", which stands below the headings of a table.
bool is_ruler(std::string_view line) {
  return line.find("--") != std::string_view::npos && line.find('|') != std::string_view::npos &&
         line.find_first_not_of("|-: \t\r") == std::string_view::npos;
}

std::string text_of_heading(std::string_view text) {
  text = trim(text.substr(std::min(text.find_first_not_of('#'), text.size())));
  std::size_t last = text.find_last_not_of('#');
  if (last != std::string_view::npos && last + 1 < text.size() && text[last] == ' ')
    text = trim(text.substr(0, last));
  return read_inline(text).text;
}

// Short, since it is copied to all that stands below it.
std::string without_marks(std::string text) {
  if (text.size() > kLongestArea) text.resize(kLongestArea);
  if (auto cut = invalid_utf8_at(text)) text.resize(*cut);
  std::erase_if(text, [](char c) { return c == '*' || c == '`'; });
  while (text.ends_with(':')) text.pop_back();
  return std::string(trim(text));
}

// What a text has of each kind: only one of the kinds is meant.
struct Found {
  std::vector<ReadItem> items;  // with a box, or of a table
  std::vector<ReadItem> plain;
};

class Reader {
 public:
  Reader(const std::string& bytes, const std::string& file, std::vector<std::string>& notes)
      : lines_(split(bytes, '\n')), file_(file), notes_(notes) {}

  Found read() {
    for (; at_ < lines_.size(); ++at_) {
      std::string_view line = trim_end(lines_[at_]);
      if (is_hidden(line)) continue;
      if (at_ + 1 < lines_.size() && line.find('|') != std::string_view::npos && is_ruler(lines_[at_ + 1]))
        read_table();
      else
        read_line(line);
    }
    return std::move(found_);
  }

 private:
  static std::string_view trim_end(std::string_view line) {
    return line.substr(0, line.find_last_not_of(" \t\r") + 1);
  }
  std::string place() const { return file_ + ":" + std::to_string(at_ + 1); }

  // In a fence or a comment, or the line that opens or closes one.
  bool is_hidden(std::string_view line) {
    std::string_view text = trim(line);
    if (!fence_.empty()) {
      if (text.starts_with(fence_)) fence_.clear();
      return true;
    }
    if (in_comment_) {
      in_comment_ = line.find("-->") == std::string_view::npos;
      return true;
    }
    if (text.starts_with("<!--")) {
      in_comment_ = text.find("-->") == std::string_view::npos;
      return true;
    }
    for (std::string_view mark : {"```", "~~~"})
      if (text.starts_with(mark)) fence_ = mark;
    return !fence_.empty();
  }

  void read_line(std::string_view line) {
    if (line.starts_with('#') && line.find_first_not_of('#') != std::string_view::npos &&
        line[line.find_first_not_of('#')] == ' ') {
      heading_ = without_marks(text_of_heading(line));
      parents_.clear();
      return;
    }
    Bullet bullet;
    if (read_bullet(line, bullet)) read_item(bullet);
  }

  void read_item(const Bullet& bullet) {
    while (!parents_.empty() && parents_.back().indent >= bullet.indent) parents_.pop_back();
    ReadItem one{{}, place()};
    read_text(bullet.text, one.item);
    one.item.done_by_hand = bullet.ticked;
    one.item.area = parents_.empty() || parents_.back().area.empty() ? heading_ : parents_.back().area;
    std::string own = one.item.paths.empty() ? without_marks(one.item.title) : one.item.area;
    parents_.push_back({bullet.indent, own});
    if (one.item.paths.empty()) {
      if (bullet.box) notes_.push_back(one.place + ": no path in '" + std::string(bullet.text) + "'");
      return;
    }
    call_by_path(one.item);
    (bullet.box ? found_.items : found_.plain).push_back(std::move(one));
  }

  void read_table() {
    std::vector<Column> columns;
    for (const std::string& cell : cells_of(lines_[at_])) columns.push_back(column_of(without_marks(cell)));
    bool is_list = std::find(columns.begin(), columns.end(), Column::paths) != columns.end();
    if (!is_list) notes_.push_back(place() + ": a table without a column of paths");
    for (++at_; at_ + 1 < lines_.size() && lines_[at_ + 1].find('|') != std::string::npos;) {
      ++at_;
      if (is_list) read_row(columns);
    }
  }

  void read_row(const std::vector<Column>& columns) {
    ReadItem one{{}, place()};
    one.item.area = heading_;
    std::vector<std::string> cells = cells_of(lines_[at_]);
    for (std::size_t i = 0; i < std::min(columns.size(), cells.size()); ++i)
      read_cell(columns[i], cells[i], one.item);
    if (one.item.paths.empty()) {
      notes_.push_back(one.place + ": no path in this row");
      return;
    }
    if (one.item.title.empty()) one.item.title = join(one.item.paths, " ");
    call_by_path(one.item);
    found_.items.push_back(std::move(one));
  }

  void read_cell(Column column, const std::string& cell, Item& item) {
    Item own;
    read_text(cell, own);
    std::string text = read_inline(cell).text;
    if (column == Column::paths) {
      for (const std::string& path : own.paths) add_path({path, ""}, item);
      for (const std::string& cls : own.classes) add_class(cls, item);
      if (own.paths.empty())
        for (const std::string& word : words_of(text, " \t,;"))
          if (NamedPath named = named_path(word); named.path.find('/') != std::string::npos)
            add_path(named, item);
    } else if (column == Column::owner && !own.owner.empty()) {
      item.owner = own.owner;
    } else if (column == Column::links) {
      add_links(own, item);
    } else if (column != Column::row) {
      set_column(column, text, place(), item, notes_);
    }
  }

  static void add_links(const Item& own, Item& item) {
    if (!own.url.empty() || !own.id.empty()) add_link(own.url.empty() ? own.id : own.url, item);
    for (const std::string& link : own.links) add_link(link, item);
  }

  struct Parent {
    std::size_t indent = 0;
    std::string area;
  };

  std::vector<std::string> lines_;
  const std::string& file_;
  std::vector<std::string>& notes_;
  std::size_t at_ = 0;
  std::string fence_;
  bool in_comment_ = false;
  std::string heading_;
  std::vector<Parent> parents_;
  Found found_;
};

}  // namespace

ReadItems read_item_markdown(const std::string& bytes, const std::string& file,
                             std::vector<std::string>& notes) {
  Found found = Reader(bytes, file, notes).read();
  std::vector<ReadItem>& items = found.items.empty() ? found.plain : found.items;
  if (items.empty())
    return Error{file, "no item in it: no line that begins with a box and names a path",
                 "write '- [ ] test/test_a.py', or a table with a column 'Test file'"};
  return std::move(items);
}

}  // namespace hwsift::history
