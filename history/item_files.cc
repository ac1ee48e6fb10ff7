#include "history/item_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/disk.h"
#include "base/text.h"
#include "history/path_glob.h"

namespace hwsift::history {
namespace {

constexpr std::string_view kSpace = " \t\r\n\v\f";
constexpr std::string_view kBetween = " \t\r\n\v\f;,";
constexpr std::size_t kMostErrors = 20;
constexpr std::size_t kMostNames = 1000;            // paths, classes or links of one item
constexpr std::string_view kMark = "\xEF\xBB\xBF";  // of UTF-8, which spreadsheets write

struct Heading {
  std::string_view name;
  Column column;
};
constexpr Heading kHeadings[] = {
    {"id", Column::id},
    {"no", Column::row},
    {"no.", Column::row},
    {"nr", Column::row},
    {"#", Column::row},
    {"number", Column::id},
    {"item", Column::id},
    {"key", Column::id},
    {"title", Column::title},
    {"name", Column::title},
    {"summary", Column::title},
    {"task", Column::title},
    {"path", Column::paths},
    {"paths", Column::paths},
    {"file", Column::paths},
    {"files", Column::paths},
    {"test file", Column::paths},
    {"test files", Column::paths},
    {"test", Column::paths},
    {"filename", Column::paths},
    {"file name", Column::paths},
    {"file path", Column::paths},
    {"test path", Column::paths},
    {"class", Column::classes},
    {"classes", Column::classes},
    {"test class", Column::classes},
    {"test classes", Column::classes},
    {"named classes", Column::classes},
    {"area", Column::area},
    {"module", Column::area},
    {"component", Column::area},
    {"category", Column::area},
    {"module label", Column::label},
    {"label", Column::label},
    {"labels", Column::label},
    {"owner", Column::owner},
    {"owners", Column::owner},
    {"assignee", Column::owner},
    {"assignees", Column::owner},
    {"assigned to", Column::owner},
    {"url", Column::url},
    {"issue", Column::url},
    {"issue url", Column::url},
    {"link", Column::links},
    {"links", Column::links},
    {"pr", Column::links},
    {"prs", Column::links},
    {"pull request", Column::links},
    {"pull requests", Column::links},
    {"linked pull requests", Column::links},
    {"status", Column::status},
    {"state of work", Column::status},
    {"done", Column::status},
    {"done by hand", Column::status},
    {"checked", Column::status},
    // What `track list` prints besides.
    {"state", Column::silent},
    {"without regression", Column::silent},
    {"mark", Column::silent},
    {"reason", Column::silent},
    {"note", Column::silent},
    {"changed date", Column::silent},
    {"changed commit", Column::silent},
    {"changed author", Column::silent},
    {"tests", Column::silent},
    {"declared", Column::silent},
    {"mixed", Column::silent},
    {"uses", Column::silent},
    {"findings", Column::silent},
    {"allowlisted", Column::silent},
    {"left allowlist", Column::silent},
    {"comment", Column::silent},
    {"comments", Column::silent},
};

bool is_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

// ".../o/r/blob/main/test/test_a.py" names a file of the tree.
std::string_view path_of_address(std::string_view address) {
  for (std::string_view mark : {"/blob/", "/tree/"}) {
    std::size_t at = address.find(mark);
    if (at == std::string_view::npos) continue;
    std::size_t slash = address.find('/', at + mark.size());
    return slash == std::string_view::npos ? std::string_view() : address.substr(slash + 1);
  }
  return {};
}

// "**test/test_a.py**", "~~test/test_a.py~~" and "*test/test_a.py*", but no glob: that has a slash beside its
// stars.
std::string_view without_emphasis(std::string_view word) {
  for (std::string_view mark : {"**", "~~", "__", "*", "_"}) {
    bool marked = word.size() > 2 * mark.size() + 2 && word.starts_with(mark) && word.ends_with(mark);
    if (!marked) continue;
    std::string_view inner = word.substr(mark.size(), word.size() - 2 * mark.size());
    if (inner.front() != '/' && inner.front() != '*' && inner.back() != '/' && inner.back() != '*')
      return inner;
  }
  return word;
}

std::string_view stripped(std::string_view word) {
  std::size_t first = word.find_first_not_of("`\"'([{<");
  if (first == std::string_view::npos) return {};
  word.remove_prefix(first);
  word = word.substr(0, word.find_last_not_of("`\"')]}>,;.:!") + 1);
  return without_emphasis(word);
}

bool has_source_ending(std::string_view path) {
  for (std::string_view ending : {".py", ".cpp", ".cc", ".cu", ".mm"})
    if (path.ends_with(ending) && path.size() > ending.size()) return true;
  return false;
}

std::string area_of_labels(const std::string& cell) {
  constexpr std::string_view kModule = "module:";
  std::vector<std::string> labels = words_of(cell, ",;\n");
  for (const std::string& label : labels)
    if (label.starts_with(kModule)) return std::string(trim(std::string_view(label).substr(kModule.size())));
  return labels.empty() ? "" : labels.front();
}

void set_paths(const std::string& cell, const std::string& place, Item& item,
               std::vector<std::string>& notes) {
  for (const std::string& word : words_of(cell, kBetween)) {
    NamedPath named = named_path(word);
    bool is_path = named.path.find('/') != std::string::npos || has_source_ending(named.path) ||
                   is_path_glob(named.path) || named.path == "test";
    if (is_path && ascii_lower(named.path) != "n/a")
      add_path(named, item);
    else
      notes.push_back(fmt::format("{}: '{}' is no path below the tree", place, word));
  }
}

std::string place_of(const std::string& bytes, std::size_t at, const std::string& file) {
  auto here = bytes.begin() + static_cast<std::ptrdiff_t>(at);
  std::size_t last = at == 0 ? std::string::npos : bytes.rfind('\n', at - 1);
  std::size_t col = last == std::string::npos ? at + 1 : at - last;
  return file + ":" + std::to_string(std::count(bytes.begin(), here, '\n') + 1) + ":" + std::to_string(col);
}

Status check_text(const std::string& bytes, const std::string& file) {
  if (bytes.size() > kMostItemBytes)
    return Error{file,
                 std::to_string(bytes.size()) + " bytes; a list of items has at most " +
                     std::to_string(kMostItemBytes),
                 "is it the right file?"};
  const char* remedy = "save it as UTF-8 text";
  if (bytes.starts_with("PK\x03\x04"))
    return Error{file, "a spreadsheet or an archive, no text", "save it as CSV in UTF-8"};
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
    return Error{file + ":1:1", "UTF-16, which is not read", remedy};
  if (std::size_t nul = bytes.find('\0'); nul != std::string::npos)
    return Error{place_of(bytes, nul, file), "a NUL byte: this is no text", remedy};
  if (auto bad = invalid_utf8_at(bytes)) return Error{place_of(bytes, *bad, file), "not UTF-8", remedy};
  return {};
}

ReadItems read(const std::string& bytes, const std::string& file, ItemFormat format,
               std::vector<std::string>& notes) {
  if (format == ItemFormat::csv) return read_item_csv(bytes, file, notes);
  if (format == ItemFormat::markdown) return read_item_markdown(bytes, file, notes);
  return read_item_github(bytes, file, notes);
}

Status check_sizes(const std::vector<ReadItem>& items) {
  for (const ReadItem& one : items)
    for (const std::vector<std::string>* names : {&one.item.paths, &one.item.classes, &one.item.links})
      if (names->size() > kMostNames)
        return Error{one.place, "an item with more than " + std::to_string(kMostNames) + " paths or links",
                     "name folders or globs, or make it several items"};
  return {};
}

void add_new(const std::vector<std::string>& more, std::vector<std::string>& list) {
  for (const std::string& one : more)
    if (std::find(list.begin(), list.end(), one) == list.end()) list.push_back(one);
}

// A checklist may come to a file more than once: its lines are one item then. It is done when all of them
// are.
std::vector<ReadItem> joined_by_id(std::vector<ReadItem> items) {
  std::vector<ReadItem> joined_items;
  std::map<std::string, std::size_t> places;
  for (ReadItem& one : items) {
    auto [place, is_new] = places.emplace(one.item.id, joined_items.size());
    if (is_new) {
      joined_items.push_back(std::move(one));
      continue;
    }
    Item& first = joined_items[place->second].item;
    bool whole = first.classes.empty() || one.item.classes.empty();
    add_new(one.item.paths, first.paths);
    add_new(one.item.classes, first.classes);
    if (whole) first.classes.clear();
    add_new(one.item.links, first.links);
    first.done_by_hand = first.done_by_hand && one.item.done_by_hand;
  }
  return joined_items;
}

Status check_ids(const std::vector<ReadItem>& items) {
  std::map<std::string, const ReadItem*> seen;
  std::vector<Error> errors;
  for (const ReadItem& one : items) {
    auto [first, is_new] = seen.emplace(one.item.id, &one);
    if (is_new) continue;
    if (errors.size() == kMostErrors) break;
    errors.push_back({one.place,
                      "a second item '" + one.item.id + "'; the first is at " + first->second->place,
                      "give each an id of its own, or join the two"});
  }
  return errors.empty() ? Status() : Status(joined(errors));
}

}  // namespace

Column column_of(std::string_view heading) {
  std::string name = ascii_lower(trim(heading));
  std::replace(name.begin(), name.end(), '_', ' ');
  for (const Heading& known : kHeadings)
    if (known.name == name) return known.column;
  return Column::unknown;
}

void set_column(Column column, const std::string& cell, const std::string& place, Item& item,
                std::vector<std::string>& notes) {
  std::string text(trim(cell));
  if (text.empty()) return;
  switch (column) {
    case Column::id:
      item.id = text;
      break;
    case Column::title:
      item.title = text;
      break;
    case Column::paths:
      set_paths(text, place, item, notes);
      break;
    case Column::classes:
      for (const std::string& cls : words_of(text, kBetween)) add_class(cls, item);
      break;
    case Column::area:
      item.area = text;
      break;
    case Column::label:
      if (item.area.empty()) item.area = area_of_labels(text);
      break;
    case Column::owner:
      item.owner = text;
      break;
    case Column::url:
      item.url = text;
      break;
    case Column::links:
      for (const std::string& link : words_of(text, kBetween)) add_link(link, item);
      break;
    case Column::status:
      item.done_by_hand = item.done_by_hand || means_done(text);
      break;
    default:
      break;
  }
}

bool means_done(std::string_view text) {
  std::string lower = ascii_lower(text);
  for (std::string_view mark : {"\xE2\x9C\x85", "\xE2\x9C\x94", "\xE2\x98\x91", "\xE2\x9C\x93",
                                ":white_check_mark:", ":heavy_check_mark:", ":ballot_box_with_check:"})
    if (lower.find(mark) != std::string::npos) return true;
  std::string first;
  for_each_word(lower, [&](std::string_view word) {
    if (first.empty()) first = word;
  });
  return is_any(first, {"done", "closed", "merged", "complete", "completed", "finished", "landed", "resolved",
                        "yes", "true", "x", "1"});
}

NamedPath named_path(std::string_view word) {
  word = stripped(word);
  if (is_address(word)) word = path_of_address(word);
  NamedPath named;
  std::string path(word.substr(0, word.find('#')));
  if (std::size_t mark = path.find("::"); mark != std::string::npos) {
    named.cls = path.substr(mark + 2);
    named.cls.resize(std::min(named.cls.find("::"), named.cls.size()));
    path.resize(mark);
  }
  std::replace(path.begin(), path.end(), '\\', '/');
  // "test_a.py:12"
  if (std::size_t colon = path.find(':'); colon != std::string::npos) path.resize(colon);
  if (path.empty() || path.front() == '/') return {};
  path = normal_path(path);
  if (path == "." || path == ".." || path.starts_with("../")) return {};
  named.path = path;
  return named;
}

bool is_test_path(std::string_view word) {
  std::string path = named_path(word).path;
  if (path.empty()) return false;
  bool in_folder = path.find('/') != std::string::npos;
  bool of_tests = path.starts_with("test/");
  if (has_source_ending(path)) {
    std::string name = base_name(path);
    return in_folder || name.starts_with("test_") || name.ends_with("_test.py");
  }
  return of_tests && (is_path_glob(path) || stripped(word).ends_with('/'));
}

static void add_once(const std::string& text, std::vector<std::string>& texts) {
  if (texts.size() > kMostNames || std::find(texts.begin(), texts.end(), text) != texts.end()) return;
  texts.push_back(text);
}

void add_path(const NamedPath& named, Item& item) {
  add_once(named.path, item.paths);
  if (!named.cls.empty()) add_once(named.path + "::" + named.cls, item.classes);
}

void add_class(const std::string& cls, Item& item) { add_once(cls, item.classes); }

void add_link(const std::string& link, Item& item) {
  if (link != item.url) add_once(link, item.links);
}

void add_paths_of(std::string_view text, Item& item) {
  for (const std::string& word : words_of(text, " \t\r\n,;()[]<>|\"'`"))
    if (is_test_path(word)) add_path(named_path(word), item);
}

bool is_address(std::string_view word) {
  std::size_t scheme = word.starts_with("https:") ? 6 : word.starts_with("http:") ? 5 : 0;
  return scheme > 0 && word.substr(scheme).starts_with("//");
}

std::string reference_of(std::string_view address) {
  for (std::string_view mark : {"/issues/", "/pull/"}) {
    std::size_t at = address.find(mark);
    if (at == std::string_view::npos) continue;
    std::string_view digits = address.substr(at + mark.size());
    digits = digits.substr(0, digits.find_first_not_of("0123456789"));
    if (!digits.empty()) return "#" + std::string(digits);
  }
  return "";
}

std::vector<std::string> words_of(std::string_view text, std::string_view separators) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    std::string_view word = trim(text.substr(at, end - at));
    if (!word.empty()) words.emplace_back(word);
    at = end + 1;
  }
  return words;
}

std::optional<ItemFormat> item_format(std::string_view word) {
  if (word == "csv") return ItemFormat::csv;
  if (word == "markdown") return ItemFormat::markdown;
  if (word == "github") return ItemFormat::github_json;
  return std::nullopt;
}

ItemFormat item_format_of(const std::string& file, const std::string& bytes) {
  std::string name = ascii_lower(file);
  if (name.ends_with(".csv") || name.ends_with(".tsv")) return ItemFormat::csv;
  if (name.ends_with(".md") || name.ends_with(".markdown")) return ItemFormat::markdown;
  if (name.ends_with(".json")) return ItemFormat::github_json;
  std::string_view text = bytes;
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  std::size_t first = std::min(text.find_first_not_of(kSpace), text.size());
  text.remove_prefix(first);
  if (text.starts_with('{') || text.starts_with("[{") || trim(text.substr(0, 2)) == "[")
    return ItemFormat::github_json;
  std::string_view line = text.substr(0, text.find('\n'));
  bool has_columns = line.find_first_of(",;\t") != std::string_view::npos;
  for (const std::string& cell : words_of(line, ",;\t\""))
    has_columns = has_columns && column_of(cell) != Column::unknown;
  return has_columns ? ItemFormat::csv : ItemFormat::markdown;
}

Result<std::vector<Item>> parse_items(const std::string& bytes, const std::string& file, ItemFormat format,
                                      std::vector<std::string>& notes) {
  if (Status text = check_text(bytes, file); !text.ok()) return text.error();
  bool has_mark = bytes.starts_with(kMark);
  ReadItems found = read(has_mark ? bytes.substr(kMark.size()) : bytes, file, format, notes);
  if (!found.ok()) return found.error();
  if (format == ItemFormat::markdown) *found = joined_by_id(std::move(*found));
  if (Status sizes = check_sizes(*found); !sizes.ok()) return sizes.error();
  if (Status ids = check_ids(*found); !ids.ok()) return ids.error();
  std::vector<Item> items;
  for (ReadItem& one : *found) items.push_back(std::move(one.item));
  return items;
}

}  // namespace hwsift::history
