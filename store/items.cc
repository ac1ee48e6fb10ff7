#include "store/items.h"

#include <algorithm>

#include "base/json.h"
#include "store/statement.h"

namespace hwsift::store {
namespace {

using history::Item;

constexpr const char* kSelect =
    "SELECT id, title, paths, classes, area, owner, url, links, done_by_hand, mark, reason, note, "
    "listed_area, "
    "listed_owner, list FROM item";
constexpr const char* kInsert =
    "INSERT INTO item (id, title, paths, classes, area, owner, url, links, done_by_hand, mark, reason, note, "
    "listed_area, listed_owner, list) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

enum Column {
  kId,
  kTitle,
  kPaths,
  kClasses,
  kArea,
  kOwner,
  kUrl,
  kLinks,
  kDone,
  kMark,
  kReason,
  kNote,
  kListedArea,
  kListedOwner,
  kList
};

// A cell that holds a JSON array of texts.
Status read_texts(const Statement& row, Column column, std::vector<std::string>& texts) {
  Result<Json> json = parse_json(row.text(column), "");
  bool fits = json.ok() && json->is_array() &&
              std::all_of(json->begin(), json->end(), [](const Json& text) { return text.is_string(); });
  if (!fits) return Error{"", "no array of texts: " + row.text(column), ""};
  texts = json->get<std::vector<std::string>>();
  return {};
}

std::optional<std::string> read_optional(const Statement& row, Column column) {
  return row.is_null(column) ? std::nullopt : std::optional(row.text(column));
}

Status read_item(const Statement& row, Item& item) {
  item.id = row.text(kId);
  item.title = row.text(kTitle);
  for (auto [column, texts] :
       {std::pair(kPaths, &item.paths), std::pair(kClasses, &item.classes), std::pair(kLinks, &item.links)})
    if (Status read = read_texts(row, column, *texts); !read.ok()) return read;
  item.area = row.text(kArea);
  item.owner = row.text(kOwner);
  item.url = row.text(kUrl);
  item.done_by_hand = row.number(kDone) != 0;
  std::optional<history::Mark> mark = history::mark_of(row.text(kMark));
  if (!mark) return Error{"", "no mark: " + row.text(kMark), ""};
  item.mark = *mark;
  item.reason = row.text(kReason);
  item.note = row.text(kNote);
  item.listed_area = read_optional(row, kListedArea);
  item.listed_owner = read_optional(row, kListedOwner);
  item.list = row.text(kList);
  return {};
}

std::string json_of(const std::vector<std::string>& texts) { return dump_json(Json(texts), -1); }

void bind_optional(Statement& statement, Column column, const std::optional<std::string>& text) {
  if (text)
    statement.bind(column + 1, *text);
  else
    statement.bind_null(column + 1);
}

bool insert(Statement& statement, const Item& item) {
  statement.bind(kId + 1, item.id);
  statement.bind(kTitle + 1, item.title);
  statement.bind(kPaths + 1, json_of(item.paths));
  statement.bind(kClasses + 1, json_of(item.classes));
  statement.bind(kArea + 1, item.area);
  statement.bind(kOwner + 1, item.owner);
  statement.bind(kUrl + 1, item.url);
  statement.bind(kLinks + 1, json_of(item.links));
  statement.bind(kDone + 1, static_cast<long long>(item.done_by_hand));
  statement.bind(kMark + 1, std::string(history::word(item.mark)));
  statement.bind(kReason + 1, item.reason);
  statement.bind(kNote + 1, item.note);
  bind_optional(statement, kListedArea, item.listed_area);
  bind_optional(statement, kListedOwner, item.listed_owner);
  statement.bind(kList + 1, item.list);
  return statement.run();
}

}  // namespace

Result<std::vector<Item>> read_items(Store& store) {
  Statement row(store.handle(), kSelect);
  std::vector<Item> items;
  while (row.row()) {
    Item item;
    Status read = read_item(row, item);
    if (!read.ok())
      return Error{store.file(), "item '" + item.id + "' cannot be read: " + read.error().what,
                   "put its row in table item right, or delete it and import again"};
    items.push_back(std::move(item));
  }
  if (has_failed(store.handle())) return database_error(store.file(), "read the items", store.handle());
  std::sort(items.begin(), items.end(),
            [](const Item& a, const Item& b) { return history::id_before(a.id, b.id); });
  return items;
}

Status change_items(Store& store, const std::function<Status(std::vector<Item>&)>& change) {
  sqlite3* handle = store.handle();
  auto failed = [&] { return database_error(store.file(), "keep the items", handle); };
  Transaction transaction(handle);
  if (!transaction.begun()) return failed();
  Result<std::vector<Item>> items = read_items(store);
  if (!items.ok()) return items.error();
  if (Status changed = change(*items); !changed.ok()) return changed;
  if (!execute(handle, "DELETE FROM item")) return failed();
  {
    Statement statement(handle, kInsert);
    for (const Item& item : *items)
      if (!insert(statement, item)) return failed();
  }
  return transaction.commit() ? Status() : Status(failed());
}

}  // namespace hwsift::store
