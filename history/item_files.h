// What the formats of items share: the columns that lists of people have, and what of a text is a path.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "history/items.h"

namespace hwsift::history {

struct ReadItem {
  Item item;
  std::string place;  // "items.csv:12", "items.json: item 3"
};
using ReadItems = Result<std::vector<ReadItem>>;

// Each reads bytes that are UTF-8 without a byte order mark.
ReadItems read_item_csv(const std::string& bytes, const std::string& file, std::vector<std::string>& notes);
ReadItems read_item_markdown(const std::string& bytes, const std::string& file,
                             std::vector<std::string>& notes);
ReadItems read_item_github(const std::string& bytes, const std::string& file,
                           std::vector<std::string>& notes);

inline constexpr std::size_t kMostItems = 200000;  // of a file; readers may stop at one more

// Long notes are cut, and beyond kMostItemNotes none is kept.
void add_note(std::string note, std::vector<std::string>& notes);

enum class Column {
  unknown,
  silent,
  id,
  row,
  title,
  paths,
  classes,
  area,
  label,
  owner,
  url,
  links,
  status,
  list
};
// By the heading that people give it, in any case: "Test file" is paths, "Assignee" owner. `row` is a number
// of rows ("No."), which may serve as an id; `silent` are those that hwsift prints itself or that nobody
// needs.
Column column_of(std::string_view heading);
// Puts a cell into the item; a word among paths that is none is noted.
void set_column(Column column, const std::string& cell, const std::string& place, Item& item,
                std::vector<std::string>& notes);
// "Done", "merged", "x", a check mark.
bool means_done(std::string_view text);

// A path as people write one: in backticks, with "./", backslashes, "#L12", as an address of a repository's
// page, or with "::TestA" (or "::TestA::test_a") behind it.
struct NamedPath {
  std::string path;  // "" where it is none: it is absolute, or leaves the tree
  std::string cls;
};
NamedPath named_path(std::string_view word);
// Whether a word of a sentence means a path: a source file in a folder, a test file, a glob.
bool is_test_path(std::string_view word);
// What was there already. The lists of an item are short, but a text may name each of theirs a million times.
class Seen {
 public:
  bool is_new(std::string_view word);

 private:
  std::set<std::string, std::less<>> words_;
};
// Once each.
void add_path(const NamedPath& named, Item& item);
void add_class(const std::string& cls, Item& item);
void add_link(const std::string& link, Item& item);
// The paths of a text, with classes behind them.
void add_paths_of(std::string_view text, Item& item);
bool is_address(std::string_view word);  // of the web
// "#123" of ".../issues/123" and ".../pull/123"; "" of others.
std::string reference_of(std::string_view address);
// The words of a text between any of `separators`; without empty ones.
class Words {
 public:
  Words(std::string_view text, std::string_view separators) : text_(text), separators_(separators) {}
  bool next(std::string_view& word);

 private:
  std::string_view text_;
  std::string_view separators_;
};

}  // namespace hwsift::history
