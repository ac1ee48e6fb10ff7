// Items as the text of an issue has them:
//
//   ## Core                                            the area of what follows
//   - [ ] test/test_a.py (#123) @someone               called by its path
//   - [x] [Device-generic a](.../issues/123) `test/test_a.py::TestA`    called #123: it begins with
//   it
//   - graph                                            a bullet with others below is their area
//     - [ ] `test/dynamo/test_b.py`
//       - [ ] TestB                                part of the box above, and narrows it to the class
//   | No. | Test file | Status | PR | Comment |        a table with a column of paths
//
// Only where a text has neither boxes nor such a table are plain bullets items, if they name a path. What
// stands in fences and comments is no text. Numbers of rows are no ids: they are other ones once a row is put
// between.
#include <algorithm>
#include <optional>

#include "base/text.h"
#include "history/item_files.h"
#include "history/item_inline.h"
#include "history/path_glob.h"

namespace hwsift::history {
namespace {

constexpr std::size_t kLongestArea = 200;
constexpr std::size_t kEnoughTitle = 1000;
constexpr std::size_t kMostCells = 1000;  // of a row

bool is_repository(std::string_view word) {
  std::size_t slash = word.find('/');
  auto fits = [](char c) { return is_word_char(c) || c == '-' || c == '.' || c == '/'; };
  return slash != std::string_view::npos && slash > 0 && slash + 1 < word.size() &&
         word.find('/', slash + 1) == std::string_view::npos && std::all_of(word.begin(), word.end(), fits) &&
         !is_test_path(word);
}

// "#123", "owner/repo#123"; "" of other words.
std::string reference_in(std::string_view word) {
  std::size_t hash = word.find('#');
  std::size_t first = word.find_first_not_of("([*_~");
  if (hash == std::string_view::npos || first > hash) return "";
  word = word.substr(first, word.find_last_not_of(")],.;:*_~") + 1 - first);
  hash -= first;
  if (hash + 1 >= word.size()) return "";
  bool is_number = word.find_first_not_of("0123456789", hash + 1) == std::string_view::npos;
  return is_number && (hash == 0 || is_repository(word.substr(0, hash))) ? std::string(word) : "";
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
  item.owner += (item.owner.empty() ? "" : ", ") + owner;
}

void add_address(const std::string& address, Item& item) {
  if (is_test_path(address))
    add_path(named_path(address), item);
  else if (is_address(address))
    add_link(address, item);
}

// The whole path, where a link says it.
void add_file(NamedPath named, const Inline& text, Item& item) {
  if (auto whole = text.files.find(named.path); whole != text.files.end()) named.path = whole->second;
  add_path(named, item);
}

// "TestA", "GPUTests", "WeakTestCase"; no "Tests", no "Testing".
bool is_class_name(std::string_view word) {
  constexpr std::string_view kTest = "Test";
  std::size_t at = word.find(kTest);
  bool is_identifier = std::all_of(word.begin(), word.end(), is_word_char) && !word.empty() &&
                       ((word[0] >= 'A' && word[0] <= 'Z') || word[0] == '_');
  if (!is_identifier || at == std::string_view::npos) return false;
  std::string_view rest = word.substr(at + kTest.size());
  return at > 0 || (!rest.empty() && (rest[0] < 'a' || rest[0] > 'z'));
}

// In backticks a folder may stand too, and a class of the paths beside it.
void add_code(const std::string& code, const Inline& text, Item& item) {
  bool one_word = code.find_first_of(" \t") == std::string::npos;
  NamedPath named = named_path(code);
  bool below_test = named.path.starts_with("test/") || named.path == "test";
  if (is_test_path(code) || (one_word && (below_test || is_path_glob(named.path)) && !named.path.empty())) {
    add_file(named, text, item);
    return;
  }
  if (is_class_name(code)) add_class(code, item);
}

void add_title_word(std::string_view word, Item& item) {
  if (item.title.size() > kEnoughTitle) return;
  if (!item.title.empty()) item.title += ' ';
  item.title += word;
}

// What one word adds; `called` is the reference that is the item's id.
void read_word(std::string_view word, const std::string& called, const Inline& text, Seen& seen, Item& item) {
  std::string reference = reference_in(word);
  std::string owner = owner_in(word);
  bool is_link = is_address(word);
  bool is_path = !is_link && is_test_path(word);
  bool is_new = (reference.empty() && owner.empty() && !is_link && !is_path) || seen.is_new(word);
  if (is_new && !owner.empty()) add_owner(owner, item);
  if (is_new && !reference.empty() && reference != called) add_link(reference, item);
  if (is_new && is_link) add_address(std::string(word), item);
  if (is_new && is_path) add_file(named_path(word), text, item);
  if (owner.empty() && reference.empty() && !is_link) add_title_word(word, item);
}

std::string first_word(const std::string& text) {
  std::string_view first;
  Words(text, " \t").next(first);
  return std::string(first);
}

// Paths, links and owners of a text; its other words make the title.
void read_text(const Inline& text, Item& item) {
  std::string first = first_word(text.text);
  std::string called = text.begins_with_link ? reference_of(text.addresses.front()) : reference_in(first);
  if (called.empty() && is_address(first)) called = reference_of(first);
  item.id = called;
  if (!called.empty() && text.begins_with_link) item.url = text.addresses.front();
  if (!called.empty() && is_address(first)) item.url = first;
  for (const std::string& code : text.code) add_code(code, text, item);
  for (const std::string& address : text.addresses) add_address(address, item);
  Seen seen;
  Words words(text.text, " \t");
  for (std::string_view word; words.next(word);) read_word(word, called, text, seen, item);
}

// A class that is named without backticks: "TestA", "TestA::test_a".
std::string class_in(std::string_view word) {
  std::size_t first = std::min(word.find_first_not_of("([*~\"'`"), word.size());
  word.remove_prefix(first);
  word = word.substr(0, word.find("::"));
  word = word.substr(0, word.find_last_not_of(")]*~\"'`,.;:") + 1);
  while (word.size() > 2 && word.front() == '_' && word.back() == '_') word = word.substr(1, word.size() - 2);
  return is_class_name(word) ? std::string(word) : "";
}

void add_plain_classes(const Inline& text, Item& item) {
  Seen seen;
  Words words(text.text, " \t,;");
  for (std::string_view word; words.next(word);)
    if (std::string cls = class_in(word); !cls.empty() && seen.is_new(cls)) add_class(cls, item);
}

// The classes of a box are those of the path that the box above it names; of several paths, of any. One that
// names a class of no path in particular goes on so: a path beside it would take the other's place.
std::vector<std::string> classes_within(const Item& above, const Item& below) {
  bool any_path = above.paths.size() != 1 ||
                  std::any_of(above.classes.begin(), above.classes.end(),
                              [](const std::string& cls) { return cls.find("::") == std::string::npos; });
  std::vector<std::string> classes;
  for (const std::string& cls : below.classes)
    classes.push_back(any_path ? cls : above.paths.front() + "::" + cls);
  return classes;
}

void add_part(const Item& part, Item& item) {
  for (const std::string& cls : classes_within(item, part)) add_class(cls, item);
  for (const std::string& link : part.links) add_link(link, item);
  if (!part.owner.empty() && item.owner.find(part.owner) == std::string::npos) add_owner(part.owner, item);
  item.done_by_hand = item.done_by_hand && part.done_by_hand;
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
    if (line[i] == '|' && cells.size() == kMostCells) break;
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

// Goes through a text line by line.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool next() {
    if (rest_.empty()) return false;
    line_ = following();
    rest_.remove_prefix(std::min(line_.size() + 1, rest_.size()));
    ++number_;
    return true;
  }
  std::string_view line() const { return line_; }
  std::string_view following() const { return rest_.substr(0, rest_.find('\n')); }
  std::size_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::string_view line_;
  std::size_t number_ = 0;
};

class Reader {
 public:
  Reader(const std::string& bytes, const std::string& file, std::vector<std::string>& notes)
      : lines_(bytes), file_(file), notes_(notes) {}

  Found read() {
    while (found_.items.size() <= kMostItems && found_.plain.size() <= kMostItems && lines_.next()) {
      std::string_view line = trim_end(lines_.line());
      if (is_hidden(line)) continue;
      if (line.find('|') != std::string_view::npos && is_ruler(lines_.following()))
        read_table();
      else
        read_line(line);
    }
    return std::move(found_);
  }

 private:
  struct Parent {
    std::size_t indent = 0;
    std::string area;
    std::optional<std::size_t> item;  // of the found: what boxes below are parts of
  };

  static std::string_view trim_end(std::string_view line) {
    return line.substr(0, line.find_last_not_of(" \t\r") + 1);
  }
  std::string place() const { return file_ + ":" + std::to_string(lines_.number()); }

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
    Parent above = parents_.empty() ? Parent() : parents_.back();
    ReadItem one{{}, place()};
    Inline text = read_inline(bullet.text);
    read_text(text, one.item);
    one.item.done_by_hand = bullet.ticked;
    one.item.area = above.area.empty() ? heading_ : above.area;
    if (one.item.paths.empty() && above.item && bullet.box && is_part(text, above, one.item)) {
      parents_.push_back({bullet.indent, above.area, above.item});
      return;
    }
    std::string own = one.item.paths.empty() ? without_marks(one.item.title) : one.item.area;
    bool between = !bullet.box && one.item.paths.empty();  // a heading of the boxes below it
    parents_.push_back({bullet.indent, own, between ? above.item : std::nullopt});
    keep(bullet, std::move(one));
  }

  // A box below one that names a path. With an id and a class it is an item of its own within the same path;
  // else its classes and links are the item's.
  bool is_part(const Inline& text, const Parent& above, Item& item) {
    Item& whole = found_.items[*above.item].item;
    add_plain_classes(text, item);
    if (!item.id.empty() && !item.classes.empty()) {
      item.classes = classes_within(whole, item);
      item.paths = whole.paths;
      return false;
    }
    if (!item.id.empty()) add_link(item.url.empty() ? item.id : item.url, whole);
    if (item.id.empty() && item.classes.empty() && item.links.empty())
      add_note(place() + ": no class in '" + item.title + "'", notes_);
    add_part(item, whole);
    return true;
  }

  void keep(const Bullet& bullet, ReadItem one) {
    if (one.item.paths.empty()) {
      if (bullet.box) add_note(one.place + ": no path in '" + std::string(bullet.text) + "'", notes_);
      return;
    }
    call_by_path(one.item);
    if (bullet.box) parents_.back().item = found_.items.size();
    (bullet.box ? found_.items : found_.plain).push_back(std::move(one));
  }

  void read_table() {
    std::vector<Column> columns;
    for (const std::string& cell : cells_of(lines_.line())) columns.push_back(column_of(without_marks(cell)));
    bool is_list = std::find(columns.begin(), columns.end(), Column::paths) != columns.end();
    if (!is_list) add_note(place() + ": a table without a column of paths", notes_);
    lines_.next();
    while (lines_.following().find('|') != std::string_view::npos && lines_.next())
      if (is_list) read_row(columns);
  }

  void read_row(const std::vector<Column>& columns) {
    ReadItem one{{}, place()};
    one.item.area = heading_;
    std::vector<std::string> cells = cells_of(lines_.line());
    for (std::size_t i = 0; i < std::min(columns.size(), cells.size()); ++i)
      read_cell(columns[i], cells[i], one.item);
    if (one.item.paths.empty()) {
      add_note(one.place + ": no path in this row", notes_);
      return;
    }
    if (one.item.title.empty()) one.item.title = join(one.item.paths, " ");
    call_by_path(one.item);
    found_.items.push_back(std::move(one));
  }

  void read_cell(Column column, const std::string& cell, Item& item) {
    Item own;
    Inline read = read_inline(cell);
    read_text(read, own);
    const std::string& text = read.text;
    if (column == Column::paths) {
      for (const std::string& path : own.paths) add_path({path, ""}, item);
      for (const std::string& cls : own.classes) add_class(cls, item);
      if (own.paths.empty()) add_plain_paths(text, item);
    } else if (column == Column::owner && !own.owner.empty()) {
      item.owner = own.owner;
    } else if (column == Column::links) {
      add_links(own, item);
    } else if (column != Column::row) {
      set_column(column, text, place(), item, notes_);
    }
  }

  // Whatever has a slash: the column says that they are paths.
  static void add_plain_paths(const std::string& text, Item& item) {
    Seen seen;
    Words words(text, " \t,;");
    for (std::string_view word; words.next(word);)
      if (word.find_first_of("/\\") != std::string_view::npos && seen.is_new(word))
        if (NamedPath named = named_path(word); named.path.find('/') != std::string::npos)
          add_path(named, item);
  }

  static void add_links(const Item& own, Item& item) {
    if (!own.url.empty() || !own.id.empty()) add_link(own.url.empty() ? own.id : own.url, item);
    for (const std::string& link : own.links) add_link(link, item);
  }

  Lines lines_;
  const std::string& file_;
  std::vector<std::string>& notes_;
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
