// Tracked items: pieces of work as a board has them, with what the sources say of each.
//
//   state   computed from the sources, never set
//   parts   what the state is made of; all are shown, since one word hides the others
//   mark    set by hand, shown as such, and never a part of the state
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "history/timeline.h"

namespace hwsift::history {

enum class Mark { none, blocked, wont_do };
const char* word(Mark mark);  // "", "blocked", "wont_do"
std::optional<Mark> mark_of(std::string_view word);

struct Item {
  std::string id;
  std::string title;
  std::vector<std::string> paths;    // files, folders or globs as path_glob.h has them, relative to the tree
  std::vector<std::string> classes;  // "test/test_a.py::TestA", or "TestA" within `paths`; [] is all of paths
  std::string area;                  // "core", "graph", "distributed", or whatever the board says
  std::string owner;
  std::string url;                 // of the item itself
  std::vector<std::string> links;  // further ones: pull requests
  bool done_by_hand = false;  // the imported list calls it done (a ticked box); says nothing about the state
  // Set by `track set`; an import never touches these.
  Mark mark = Mark::none;
  std::string reason;
  std::string note;
  // What the list says, where `area` or `owner` was set by hand instead.
  std::optional<std::string> listed_area;
  std::optional<std::string> listed_owner;
  std::string list;  // the list that named it last; "" is the default list
  bool operator==(const Item&) const = default;
};
// "list 'graph'", "the default list".
std::string list_text(const std::string& list);
// Whether the list gave no id, so that a path, a class or the address serves as one.
bool has_derived_id(const Item& item);
// The order of ids: numbers in them by value, "#9" before "#10".
bool id_before(const std::string& a, const std::string& b);

enum class State {
  missing,     // it names no file or class that is in the tree, or not all of them and the rest is done
  untouched,   // no class of it has a label
  labelled,    // some have; others, or findings of the lint, are left
  mixed_left,  // labelled, and a class is mixed
  uses_left,   // labelled, and hard-coded uses are left
  clean,       // every class has a label, none is mixed, no use and no finding is left
  graduated,   // clean, and its files have left the allowlist
  regressed,   // was clean or graduated once, and is not now
};
inline constexpr State kStates[] = {State::missing,   State::untouched, State::labelled,  State::mixed_left,
                                    State::uses_left, State::clean,     State::graduated, State::regressed};
const char* word(State state);  // "mixed_left"

// Of the classes in scope. Where an item names classes, uses and findings outside of them are none of its
// parts.
struct Parts {
  long long files = 0;
  long long classes = 0;
  long long tests = 0;
  long long declared = 0;
  long long mixed = 0;
  long long uses = 0;
  long long findings = 0;
  long long allowlisted = 0;  // files that an allowlist still takes out
  long long left = 0;         // files that were on it at an earlier commit of the timeline and are not now
  long long absent = 0;       // paths and classes that the item names, and the tree does not have
  bool operator==(const Parts&) const = default;
};
State state_of(const Parts& parts);  // never regressed

struct Standing {
  State state = State::missing;
  State without_regression = State::missing;  // what the parts alone say
  Parts parts;
  // The commit that brought the state (index into Timeline::commits); nullopt where it is as old as the
  // timeline.
  std::optional<std::size_t> changed;
  std::optional<State> before;      // the state until then
  std::vector<std::string> files;   // in scope now, sorted
  std::vector<std::string> absent;  // what it names and the tree does not have, as the item has it
  // Those of which the item names classes alone: which of FileMeasure::classes.
  std::map<std::string, std::set<std::size_t>> narrowed;
};

// One standing an item, in their order. A path that names a file follows it when it is renamed, back and
// forth; folders and globs mean what has such a name at each commit. What was clean and is gone is missing,
// not regressed.
std::vector<Standing> standings(const std::vector<Item>& items, const Timeline& timeline);

struct StateChange {
  std::size_t commit = 0;  // into Timeline::commits
  State before = State::missing;
  State state = State::missing;
};
struct ScopedClass {
  std::string path;
  ClassMeasure measure;
};
// All that is known of one item.
struct ItemHistory {
  Standing standing;
  std::vector<StateChange> changes;  // oldest first
  std::vector<ScopedClass> classes;  // in scope now, by path and line
};
ItemHistory history_of(const Item& item, const Timeline& timeline);

// What an import did.
struct Imported {
  std::vector<Item> items;  // as they are to be kept, sorted by id
  std::size_t added = 0;
  std::size_t updated = 0;  // something of them changed
  std::size_t unchanged = 0;
  std::size_t renamed = 0;  // the list gave an id to what was called by its path; no change besides counts
  std::size_t moved = 0;    // another list named it until now; no change besides counts
  std::set<std::string> lists;      // that the file is, mostly one
  std::vector<std::string> absent;  // ids of these lists that the file does not name; they stay
  std::vector<std::string> notes;   // an id that names other files than before, though it has a mark
};

enum class ItemFormat { csv, markdown, github_json };
std::optional<ItemFormat> item_format(std::string_view word);  // "csv", "markdown", "github"
// By name (.csv, .tsv, .md, .json), else by content.
ItemFormat item_format_of(const std::string& file, const std::string& bytes);

inline constexpr std::size_t kMostItemBytes = 32u << 20;
inline constexpr std::size_t kMostItemNotes = 2000;
Error too_large(const std::string& file);  // of more than kMostItemBytes

// Reads a list of items; item_csv.cc, item_markdown.cc and item_github.cc say what each format may hold.
// Errors name file and line (of JSON the item's place in its list) and leave nothing read; so do two items
// of one id, more than kMostItemBytes, and bytes that are no UTF-8 text. `notes` gets what was read and could
// not be used: a line without a path, a column that nobody knows; of very many the first kMostItemNotes.
Result<std::vector<Item>> parse_items(const std::string& bytes, const std::string& file, ItemFormat format,
                                      std::vector<std::string>& notes);
// Updates by id; what was set by hand stays. New items come as they were read, with their marks. An id that
// is new and names the very paths and classes of one item of the same list, whose derived id is read no more,
// is that item's new id.
Imported merge_items(std::vector<Item> kept, const std::vector<Item>& read);

}  // namespace hwsift::history
