// What the commands of `hwsift track` share. track.cc declares them and has `list` and `show`; track_edit.cc
// has `import` and `set`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "history/items.h"
#include "store/store.h"

namespace hwsift::cli {

struct TrackOptions {
  // import
  std::string file;
  std::string format;
  bool prune = false;
  // import, list
  std::optional<std::string> list;
  // list
  std::vector<std::string> states;
  std::vector<std::string> marks;
  // list, and set: there `area`, `owner`, `mark` and what follows are what to set
  std::optional<std::string> area;
  std::optional<std::string> owner;
  // set
  std::optional<std::string> mark;
  std::optional<std::string> reason;
  std::optional<std::string> note;
  // show, set
  std::string id;
  std::vector<std::string> outputs;
};

// "none" takes back what was set by hand, and is the list without a name.
inline constexpr char kNone[] = "none";
std::string list_called(const std::string& name);

int import_items(Context& context, const TrackOptions& options);
int set_item(Context& context, const TrackOptions& options);

// As the id is written; "12" also means "#12" and "owner/repo#12" where it can mean one item only, since a
// shell takes "#12" for a comment.
Result<std::size_t> find_item(const std::vector<history::Item>& items, const std::string& id);

// The items of the database; none where there is no database yet.
struct Items {
  std::optional<store::Store> store;
  std::vector<history::Item> items;
};
Status read_items_of(Context& context, const Tree& tree, Items& items);

std::string counted(std::size_t number, const char* one, const char* many);

}  // namespace hwsift::cli
