#include "history/items.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"

namespace hwsift::history {
namespace {

std::string_view digits_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_ascii_digit(text[end])) ++end;
  return text.substr(at, end - at);
}

std::string_view without_zeros(std::string_view digits) {
  std::size_t first = digits.find_first_not_of('0');
  return first == std::string_view::npos ? std::string_view() : digits.substr(first);
}

// < 0, 0 or > 0. Digits of any length, so nothing is turned into a number.
int compare_numbers(std::string_view a, std::string_view b) {
  a = without_zeros(a);
  b = without_zeros(b);
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

bool shares_a_path(const Item& a, const Item& b) {
  return std::any_of(a.paths.begin(), a.paths.end(), [&](const std::string& path) {
    return std::find(b.paths.begin(), b.paths.end(), path) != b.paths.end();
  });
}

// A list may give the id of a row to another file, and the mark would move with it unseen.
void note_moved_mark(const Item& kept, const Item& read, std::vector<std::string>& notes) {
  bool is_marked = kept.mark != Mark::none || !kept.note.empty();
  if (!is_marked || kept.paths.empty() || shares_a_path(kept, read)) return;
  notes.push_back("item " + kept.id + " names other files than before; what was set by hand stays with it");
}

// The hand's word over the list's, which is kept beside it.
void keep_set_by_hand(const std::string& set, const std::optional<std::string>& was_listed,
                      std::string& value, std::optional<std::string>& listed) {
  std::string of_the_list = listed.value_or(value);
  listed.reset();
  value = of_the_list;
  if (!was_listed) return;
  listed = of_the_list;
  value = set;
}

Item updated(const Item& kept, Item read) {
  keep_set_by_hand(kept.area, kept.listed_area, read.area, read.listed_area);
  keep_set_by_hand(kept.owner, kept.listed_owner, read.owner, read.listed_owner);
  read.mark = kept.mark;
  read.reason = kept.reason;
  read.note = kept.note;
  return read;
}

// Each item counts once.
void update(const Item& read, bool is_renamed, Item& kept, Imported& imported) {
  note_moved_mark(kept, read, imported.notes);
  Item merged = updated(kept, read);
  if (merged.list != kept.list)
    ++imported.moved;
  else if (!is_renamed)
    ++(merged == kept ? imported.unchanged : imported.updated);
  kept = std::move(merged);
}

using ById = std::map<std::string, Item>;

// What an item names, in any order.
std::string scope_of(const Item& item) {
  std::string scope = item.list;
  for (std::vector<std::string> names : {item.paths, item.classes}) {
    std::sort(names.begin(), names.end());
    scope += '\0' + std::to_string(names.size());
    for (const std::string& name : names) scope += '\0' + name;
  }
  return scope;
}

bool names_something(const Item& item) { return !item.paths.empty() || !item.classes.empty(); }

struct Renaming {
  std::vector<const Item*> before;  // kept, by a derived id that is read no more
  std::vector<const Item*> after;   // read, by an id that is new
};

std::map<std::string, Renaming> renamings_of(const ById& kept, const std::vector<Item>& read) {
  std::set<std::string> ids;
  std::map<std::string, Renaming> renamings;
  for (const Item& item : read) {
    ids.insert(item.id);
    bool may_be = kept.count(item.id) == 0 && names_something(item) && !has_derived_id(item);
    if (may_be) renamings[scope_of(item)].after.push_back(&item);
  }
  if (renamings.empty()) return renamings;
  for (const auto& [id, item] : kept) {
    auto renaming = renamings.find(scope_of(item));
    bool may_be = renaming != renamings.end() && has_derived_id(item) && ids.count(id) == 0;
    if (may_be) renaming->second.before.push_back(&item);
  }
  return renamings;
}

// Only where one item and one id fit each other: a mark on the wrong item would be worse than one that stays
// behind.
std::set<std::string> rename(const std::vector<Item>& read, ById& kept) {
  std::set<std::string> renamed;
  for (const auto& [scope, renaming] : renamings_of(kept, read)) {
    if (renaming.before.size() != 1 || renaming.after.size() != 1) continue;
    auto node = kept.extract(renaming.before.front()->id);
    node.key() = renaming.after.front()->id;
    node.mapped().id = node.key();
    renamed.insert(node.key());
    kept.insert(std::move(node));
  }
  return renamed;
}

// What stays though the file does not name it.
std::vector<std::string> absent_of(const ById& kept, const std::vector<Item>& read,
                                   const std::set<std::string>& lists) {
  std::set<std::string> named;
  for (const Item& item : read) named.insert(item.id);
  std::vector<std::string> absent;
  for (const auto& [id, item] : kept)
    if (named.count(id) == 0 && lists.count(item.list) > 0) absent.push_back(id);
  std::sort(absent.begin(), absent.end(), id_before);
  return absent;
}

}  // namespace

std::string list_text(const std::string& list) {
  return list.empty() ? "the default list" : "list '" + list + "'";
}

bool has_derived_id(const Item& item) {
  if (!item.url.empty() && item.id == item.url) return true;
  if (item.paths.empty()) return !item.classes.empty() && item.id == item.classes.front();
  const std::string& path = item.paths.front();
  return item.id == path || item.id.starts_with(path + "::");
}

const char* word(Mark mark) {
  switch (mark) {
    case Mark::blocked:
      return "blocked";
    case Mark::wont_do:
      return "wont_do";
    default:
      return "";
  }
}

std::optional<Mark> mark_of(std::string_view text) {
  for (Mark mark : {Mark::none, Mark::blocked, Mark::wont_do})
    if (text == word(mark)) return mark;
  return std::nullopt;
}

const char* word(State state) {
  constexpr const char* kWords[] = {"missing",   "untouched", "labelled",  "mixed_left",
                                    "uses_left", "clean",     "graduated", "regressed"};
  return kWords[static_cast<std::size_t>(state)];
}

bool id_before(const std::string& a, const std::string& b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    std::string_view left = digits_at(a, i);
    std::string_view right = digits_at(b, j);
    if (left.empty() || right.empty()) {
      if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
      ++i;
      ++j;
      continue;
    }
    if (int order = compare_numbers(left, right); order != 0) return order < 0;
    i += left.size();
    j += right.size();
  }
  if (i < a.size() || j < b.size()) return j < b.size();
  return a < b;  // "07" and "7"
}

Imported merge_items(std::vector<Item> kept, const std::vector<Item>& read) {
  Imported imported;
  ById by_id;
  for (Item& item : kept) by_id.emplace(item.id, std::move(item));
  std::set<std::string> renamed = rename(read, by_id);
  imported.renamed = renamed.size();
  for (const Item& item : read) {
    imported.lists.insert(item.list);
    auto [place, is_new] = by_id.emplace(item.id, item);
    if (is_new)
      ++imported.added;
    else
      update(item, renamed.count(item.id) > 0, place->second, imported);
  }
  imported.absent = absent_of(by_id, read, imported.lists);
  for (auto& [id, item] : by_id) imported.items.push_back(std::move(item));
  std::sort(imported.items.begin(), imported.items.end(),
            [](const Item& a, const Item& b) { return id_before(a.id, b.id); });
  return imported;
}

}  // namespace hwsift::history
