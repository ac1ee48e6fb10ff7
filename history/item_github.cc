// Items as JSON:
//
//   gh project item-list --format json    {"items": [{"id", "title", "status", "content": {...}, "FIELD":
//   ...}]} GraphQL                               {"data": {"organization": {"projectV2": {"items": {"nodes":
//   [{"id",
//                                         "content": {...}, "fieldValues": {"nodes": [{"text", "field":
//                                         {"name"}}]}}]}}}}}
//   hwsift track list -o json, and arrays of such objects
//
// An issue or pull request is called by its number, "#123", where no field of the board is an id; two of that
// number in several repositories "owner/repo#123"; a draft by the board's own id. Paths come from a field of
// that name, else from the title, else from the body.
#include <algorithm>
#include <cmath>
#include <map>

#include "base/json.h"
#include "base/text.h"
#include "history/item_files.h"

namespace hwsift::history {
namespace {

using Node = SortedJson;

constexpr int kDeepest = 8;
constexpr std::size_t kMostValues = 1000000;

const Node kNothing;

const Node& at(const Node& node, const char* key) {
  if (!node.is_object()) return kNothing;
  auto found = node.find(key);
  return found == node.end() ? kNothing : *found;
}

// A field of a board that holds numbers has "17.0".
std::string text_of_number(double number) {
  constexpr double kMost = 1e15;
  bool is_whole = std::abs(number) < kMost && std::trunc(number) == number;
  return is_whole ? std::to_string(static_cast<long long>(number)) : std::to_string(number);
}

std::string scalar_of(const Node& node) {
  if (node.is_string()) return node.get<std::string>();
  if (node.is_number_integer()) return std::to_string(node.get<long long>());
  if (node.is_number()) return text_of_number(node.get<double>());
  if (node.is_boolean()) return node.get<bool>() ? "true" : "false";
  return "";
}

std::string text_of(const Node& node, int depth = 0);

// A person, a label, an option, an iteration, a linked pull request: by the first of these that it has.
std::string text_of_object(const Node& node, int depth) {
  for (const char* key :
       {"nodes", "users", "labels", "pullRequests", "login", "name", "title", "text", "url", "number"})
    if (std::string text = text_of(at(node, key), depth + 1); !text.empty()) return text;
  return "";
}

std::string text_of(const Node& node, int depth) {
  if (depth > kDeepest) return "";
  if (node.is_object()) return text_of_object(node, depth);
  if (!node.is_array()) return scalar_of(node);
  std::string text;
  for (const Node& one : node)
    if (std::string part = one.is_array() ? "" : text_of(one, depth + 1); !part.empty())
      text += (text.empty() ? "" : "\n") + part;
  return text;
}

std::string joined_by_comma(std::string_view lines) {
  std::string text;
  Words words(lines, "\n");
  for (std::string_view line; words.next(line);) text.append(text.empty() ? "" : ", ").append(line);
  return text;
}

void set_field(const std::string& name, const Node& value, ReadItem& one, std::vector<std::string>& notes) {
  Column column = column_of(name);
  std::string text = text_of(value);
  if (column == Column::owner) text = joined_by_comma(text);
  if (column == Column::row || (column == Column::url && !is_address(text))) return;
  set_column(column, text, one.place, one.item, notes);
}

// {"text": "test/test_a.py", "field": {"name": "Test file"}}; "name", "date" and others stand for "text".
void set_field_value(const Node& value, ReadItem& one, std::vector<std::string>& notes) {
  std::string name = text_of(at(at(value, "field"), "name"));
  if (name.empty()) return;
  set_field(name, value, one, notes);
}

std::string repository_of(const Node& content) {
  const Node& repository = at(content, "repository");
  if (repository.is_string()) return repository.get<std::string>();
  return scalar_of(at(repository, "nameWithOwner"));
}

// What an item is called in its own list, before two of one name are told apart.
struct Naming {
  std::string number;
  std::string repository;
};

void set_content(const Node& content, ReadItem& one, Naming& naming, std::vector<std::string>& notes) {
  for (const char* key : {"title", "url", "assignees", "labels"})
    if (!at(content, key).is_null()) set_field(key, at(content, key), one, notes);
  std::string state = scalar_of(at(content, "state"));
  one.item.done_by_hand = one.item.done_by_hand || means_done(state);
  naming.number = scalar_of(at(content, "number"));
  naming.repository = repository_of(content);
}

void find_paths(const std::string& body, Item& item) {
  if (!item.paths.empty() || !item.classes.empty()) return;
  add_paths_of(item.title, item);
  if (item.paths.empty()) add_paths_of(body, item);
}

// Fields of the board come last: they are what its people keep up.
ReadItem read_project_item(const Node& node, const std::string& place, Naming& naming,
                           std::vector<std::string>& notes) {
  ReadItem one{{}, place};
  const Node& content = at(node, "content");
  set_content(content, one, naming, notes);
  for (const auto& [key, value] : node.items()) {
    if (key == "id" || key == "content" || key == "fieldValues" || key == "repository") continue;
    set_field(key, value, one, notes);
  }
  const Node& values = at(at(node, "fieldValues"), "nodes");
  if (values.is_array())
    for (const Node& value : values) set_field_value(value, one, notes);
  if (!one.item.id.empty())
    naming = {};
  else
    one.item.id = naming.number.empty() ? scalar_of(at(node, "id")) : "#" + naming.number;
  find_paths(scalar_of(at(content, "body")), one.item);
  return one;
}

void read_texts(const Node& node, const char* key, std::vector<std::string>& texts) {
  texts.clear();
  for (const Node& text : at(node, key))
    if (text.is_string()) texts.push_back(text.get<std::string>());
}

std::optional<std::string> read_listed(const Node& node, const char* key) {
  const Node& listed = at(at(node, "listed"), key);
  return listed.is_string() ? std::optional(listed.get<std::string>()) : std::nullopt;
}

// Our own fields, as they are; other names of a field as in a spreadsheet.
ReadItem read_plain_item(const Node& node, const std::string& place, std::vector<std::string>& notes) {
  ReadItem one{{}, place};
  for (const auto& [key, value] : node.items()) set_field(key, value, one, notes);
  Item& item = one.item;
  if (at(node, "paths").is_array()) read_texts(node, "paths", item.paths);
  if (at(node, "classes").is_array()) read_texts(node, "classes", item.classes);
  if (at(node, "links").is_array()) read_texts(node, "links", item.links);
  item.url = scalar_of(at(node, "url"));
  const Node& mark = at(node, "mark");
  item.mark = mark_of(scalar_of(mark)).value_or(Mark::none);
  if (!mark.is_null() && !(mark.is_string() && mark_of(scalar_of(mark))))
    add_note(place + ": the mark is none of blocked and wont_do", notes);
  item.reason = scalar_of(at(node, "reason"));
  item.note = scalar_of(at(node, "note"));
  item.listed_area = read_listed(node, "area");
  item.listed_owner = read_listed(node, "owner");
  item.list = trim(scalar_of(at(node, "list")));
  if (item.id.empty()) item.id = !item.url.empty() ? item.url : item.paths.empty() ? "" : item.paths.front();
  return one;
}

const Node& list_of(const Node& document, int depth = 0) {
  if (document.is_array()) return document;
  if (const Node& items = at(document, "items"); items.is_array()) return items;
  if (const Node& nodes = at(at(document, "items"), "nodes"); nodes.is_array()) return nodes;
  for (const char* key : {"data", "organization", "user", "repository", "viewer", "node", "projectV2"})
    if (depth < kDeepest && at(document, key).is_object()) return list_of(at(document, key), depth + 1);
  return kNothing;
}

// What a later hwsift wrote may mean something else.
Status check_schema(const Node& document, const std::string& file) {
  constexpr std::string_view kOurs = "hwsift.items/";
  std::string schema = scalar_of(at(document, "schema"));
  if (!schema.starts_with(kOurs) || schema == std::string(kOurs) + "1") return {};
  return Error{file, "'" + schema + "' is of a newer hwsift", "import it with that one"};
}

// A board may hold issues of several repositories.
void tell_apart(std::vector<ReadItem>& items, const std::vector<Naming>& namings) {
  std::map<std::string, std::string> first;
  std::map<std::string, bool> is_shared;
  for (const Naming& naming : namings) {
    auto [place, is_new] = first.emplace(naming.number, naming.repository);
    if (!is_new && place->second != naming.repository) is_shared[naming.number] = true;
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Naming& naming = namings[i];
    if (!naming.number.empty() && is_shared.count(naming.number) > 0)
      items[i].item.id = naming.repository + "#" + naming.number;
  }
}

// At least as many as a document has: a short one can hold so many that each takes a hundred bytes for two of
// the file.
std::size_t count_values(std::string_view bytes) {
  std::size_t count = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (in_text && bytes[i] == '\\')
      ++i;
    else if (bytes[i] == '"')
      in_text = !in_text;
    else if (!in_text && (bytes[i] == ',' || bytes[i] == '[' || bytes[i] == '{'))
      ++count;
  }
  return count;
}

Result<ReadItem> read_one(const Node& node, const std::string& place, Naming& naming,
                          std::vector<std::string>& notes) {
  if (!node.is_object()) return Error{place, "not an object", "each item is {\"id\": ..., \"paths\": [...]}"};
  bool of_project = node.contains("content") || node.contains("fieldValues");
  ReadItem one =
      of_project ? read_project_item(node, place, naming, notes) : read_plain_item(node, place, notes);
  if (one.item.id.empty()) return Error{place, "an item without an id", "give it one"};
  if (one.item.paths.empty() && one.item.classes.empty())
    add_note(place + ": item " + one.item.id + " names no path", notes);
  return one;
}

}  // namespace

ReadItems read_item_github(const std::string& bytes, const std::string& file,
                           std::vector<std::string>& notes) {
  if (count_values(bytes) > kMostValues)
    return Error{file, "more than " + std::to_string(kMostValues) + " values", "import it in parts"};
  Result<SortedJson> document = parse_sorted_json(bytes, file);
  if (!document.ok()) return document.error();
  if (Status known = check_schema(*document, file); !known.ok()) return known.error();
  const Node& list = list_of(*document);
  if (!list.is_array())
    return Error{file, "no list of items in it", "write it with 'gh project item-list NUMBER --format json'"};
  std::vector<ReadItem> items;
  items.reserve(std::min(list.size(), kMostItems));
  std::vector<Naming> namings(list.size());
  for (std::size_t i = 0; i < list.size() && items.size() <= kMostItems; ++i) {
    Result<ReadItem> one = read_one(list[i], file + ": item " + std::to_string(i + 1), namings[i], notes);
    if (!one.ok()) return one.error();
    items.push_back(std::move(*one));
  }
  if (items.empty()) return Error{file, "no item in it", "is it the right file?"};
  const Node& total = at(*document, "totalCount");
  if (total.is_number_integer() && total.get<long long>() > static_cast<long long>(items.size()))
    notes.push_back(file + ": " + std::to_string(items.size()) + " of " + scalar_of(total) +
                    " items: read them all with 'gh project item-list --limit " + scalar_of(total) + "'");
  tell_apart(items, namings);
  return items;
}

}  // namespace hwsift::history
