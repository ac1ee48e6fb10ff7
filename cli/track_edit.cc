#include <algorithm>
#include <set>

#include "base/text.h"
#include "cli/database.h"
#include "cli/track_run.h"
#include "store/items.h"

namespace hwsift::cli {
namespace {

using history::Item;
using history::Mark;

constexpr std::size_t kMostNotes = 20;

// All of a file, or of standard input.
Result<std::string> read_list(Context& context, const std::string& file, const std::string& name) {
  std::string path = file == "-" ? "/dev/stdin" : path_from_here(context, file);
  Result<std::string> bytes = context.disk.read(path, history::kMostItemBytes);
  bool is_too_large = !bytes.ok() && bytes.error().what.starts_with("larger than");
  return is_too_large ? history::too_large(name) : bytes;
}

Result<store::Store> make_store(Context& context, const Tree& tree) {
  if (!context.globals.db.empty()) return store::Store::open(context.globals.db);
  Result<std::string> file = store::default_file(context.disk, tree.root);
  if (!file.ok()) return file.error();
  return store::Store::open(*file);
}

void warn_of_notes(const Context& context, const std::vector<std::string>& notes) {
  for (std::size_t i = 0; i < std::min(notes.size(), kMostNotes); ++i)
    print_warning(context, {"", notes[i], ""});
  std::string least = notes.size() >= history::kMostItemNotes ? "at least " : "";
  if (notes.size() > kMostNotes)
    print_warning(context, {"", least + std::to_string(notes.size() - kMostNotes) + " more such lines", ""});
}

bool is_set_by_hand(const Item& item) {
  return item.mark != Mark::none || !item.note.empty() || item.listed_area || item.listed_owner;
}

// Ids that the file does not name and nobody set anything of; they are taken out.
std::set<std::string> prune(history::Imported& imported) {
  std::set<std::string> absent(imported.absent.begin(), imported.absent.end());
  std::set<std::string> removed;
  std::erase_if(imported.items, [&](const Item& item) {
    bool is_over = absent.count(item.id) > 0 && !is_set_by_hand(item);
    if (is_over) removed.insert(item.id);
    return is_over;
  });
  std::erase_if(imported.absent, [&](const std::string& id) { return removed.count(id) > 0; });
  return removed;
}

std::string shortened(const std::vector<std::string>& ids) {
  std::vector<std::string> shown(ids.begin(),
                                 ids.begin() + static_cast<std::ptrdiff_t>(std::min(ids.size(), kMostNotes)));
  if (ids.size() > kMostNotes) shown.push_back("and " + std::to_string(ids.size() - kMostNotes) + " more");
  return join(shown, ", ");
}

void warn_of_absent(const Context& context, const history::Imported& imported, const TrackOptions& options) {
  if (imported.absent.empty()) return;
  std::vector<std::string> lists;
  for (const std::string& list : imported.lists) lists.push_back(printable(history::list_text(list)));
  print_warning(context,
                {options.file, "does not name " + shortened(imported.absent) + " of " + join(lists, ", "),
                 options.prune ? "they stay, since something of them was set by hand"
                               : "they stay; --prune removes those of which nothing was set by hand"});
}

std::string summary(const history::Imported& imported, std::size_t read, std::size_t removed) {
  std::vector<std::string> parts;
  for (auto [number, what] :
       {std::pair(imported.added, " new"), std::pair(imported.renamed, " renamed"),
        std::pair(imported.moved, " moved from another list"), std::pair(imported.updated, " changed"),
        std::pair(imported.unchanged, " unchanged"), std::pair(removed, " removed")})
    if (number > 0) parts.push_back(std::to_string(number) + what);
  return counted(read, "item", "items") + ": " + join(parts, ", ") + "\n";
}

int print(Context& context, const std::string& text) {
  return emit_all(context, {{"text", ""}}, [&](const report::OutputSpec&) { return text; });
}

Status check_reason(const TrackOptions& options, const Item& item) {
  bool given = options.reason && !trim(*options.reason).empty();
  bool has_mark = options.mark ? *options.mark != kNone : item.mark != Mark::none;
  if (options.reason && !has_mark)
    return Error{"--reason", "there is no mark that it could be the reason for", "add --mark blocked"};
  if (options.reason && !given) return Error{"--reason", "is empty", "say why"};
  if (options.mark && *options.mark != kNone && !given)
    return Error{"--mark " + *options.mark, "needs a reason", "add --reason TEXT"};
  return {};
}

void set_mark(const TrackOptions& options, Item& item) {
  if (options.mark)
    item.mark = history::mark_of(*options.mark == kNone ? "" : *options.mark).value_or(Mark::none);
  if (options.reason) item.reason = *options.reason;
  if (item.mark == Mark::none) item.reason.clear();
}

// Over what the list says, which is kept beside it; "none" takes it back.
void set_over(const std::optional<std::string>& wanted, std::string& value,
              std::optional<std::string>& listed) {
  if (!wanted) return;
  std::string of_the_list = listed.value_or(value);
  bool back = *wanted == kNone;
  value = back ? of_the_list : *wanted;
  listed = back ? std::nullopt : std::optional(of_the_list);
}

void apply(const TrackOptions& options, Item& item) {
  set_mark(options, item);
  if (options.note) item.note = *options.note == kNone ? "" : *options.note;
  set_over(options.area, item.area, item.listed_area);
  set_over(options.owner, item.owner, item.listed_owner);
}

std::string set_text(const Item& item) {
  std::vector<std::string> parts;
  if (item.mark != Mark::none) parts.push_back(word(item.mark) + (": " + item.reason));
  if (!item.note.empty()) parts.push_back("note: " + item.note);
  if (item.listed_area) parts.push_back("area: " + item.area);
  if (item.listed_owner) parts.push_back("owner: " + item.owner);
  return printable(item.id + "  " + (parts.empty() ? "nothing is set by hand" : join(parts, "; "))) + "\n";
}

bool sets_nothing(const TrackOptions& options) {
  return !options.mark && !options.reason && !options.note && !options.area && !options.owner;
}

}  // namespace

int import_items(Context& context, const TrackOptions& options) {
  auto refuse = [&](const Error& error) { return print_error(context, error), kUsage; };
  if (options.list && invalid_utf8_at(*options.list))
    return refuse({"--list", "not UTF-8: no document could say it", "write the name as UTF-8 text"});
  Tree tree;
  if (int bad = open_tree(context, tree)) return bad;
  std::string name = options.file == "-" ? "standard input" : options.file;
  Result<std::string> bytes = read_list(context, options.file, name);
  if (!bytes.ok()) return refuse(bytes.error());
  history::ItemFormat format =
      history::item_format(options.format).value_or(history::item_format_of(options.file, *bytes));
  std::vector<std::string> notes;
  Result<std::vector<Item>> read = history::parse_items(*bytes, name, format, notes);
  if (!read.ok()) return refuse(read.error());

  if (options.list)
    for (Item& item : *read) item.list = list_called(*options.list);

  Result<store::Store> database = make_store(context, tree);
  if (!database.ok()) return refuse(database.error());
  history::Imported imported;
  std::set<std::string> removed;
  Status changed = store::change_items(*database, [&](std::vector<Item>& items) {
    imported = history::merge_items(std::move(items), *read);
    if (options.prune) removed = prune(imported);
    items = imported.items;
    return Status();
  });
  if (!changed.ok()) return refuse(changed.error());
  notes.insert(notes.end(), imported.notes.begin(), imported.notes.end());
  warn_of_notes(context, notes);
  warn_of_absent(context, imported, options);
  return print(context, summary(imported, read->size(), removed.size()));
}

int set_item(Context& context, const TrackOptions& options) {
  auto refuse = [&](const Error& error) { return print_error(context, error), kUsage; };
  if (sets_nothing(options))
    return refuse({"track set", "nothing to set", "add --mark, --reason, --note, --owner or --area"});
  Tree tree;
  if (int bad = open_tree(context, tree)) return bad;
  Items items;
  if (Status read = read_items_of(context, tree, items); !read.ok()) return refuse(read.error());
  if (!items.store) return refuse(find_item({}, options.id).error());
  Item set;
  Status changed = store::change_items(*items.store, [&](std::vector<Item>& all) -> Status {
    Result<std::size_t> at = find_item(all, options.id);
    if (!at.ok()) return at.error();
    if (Status may = check_reason(options, all[*at]); !may.ok()) return may;
    apply(options, all[*at]);
    set = all[*at];
    return {};
  });
  if (!changed.ok()) return refuse(changed.error());
  return print(context, set_text(set));
}

}  // namespace hwsift::cli
