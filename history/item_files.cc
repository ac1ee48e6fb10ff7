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
constexpr std::size_t kMostNames = 1000;    // paths, classes or links of one item
constexpr std::size_t kMostWordNotes = 20;  // of one cell
constexpr std::size_t kLongestNote = 500;
constexpr std::size_t kLongestTitle = 1000;
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

std::string area_of_labels(std::string_view cell) {
  constexpr std::string_view kModule = "module:";
  std::string_view first;
  Words labels(cell, ",;\n");
  for (std::string_view label; labels.next(label);) {
    if (label.starts_with(kModule)) return std::string(trim(label.substr(kModule.size())));
    if (first.empty()) first = label;
  }
  return std::string(first);
}

bool is_path_of_cell(std::string_view word, NamedPath& named) {
  if (word.find_first_of("./\\*?[") == std::string_view::npos && word.find("test") == std::string_view::npos)
    return false;
  named = named_path(word);
  bool is_path = named.path.find('/') != std::string::npos || has_source_ending(named.path) ||
                 is_path_glob(named.path) || named.path == "test";
  return is_path && ascii_lower(named.path) != "n/a";
}

void set_paths(std::string_view cell, const std::string& place, Item& item, std::vector<std::string>& notes) {
  std::size_t others = 0;
  Seen seen;
  NamedPath named;
  Words words(cell, kBetween);
  for (std::string_view word; words.next(word) && item.paths.size() <= kMostNames;) {
    if (is_path_of_cell(word, named)) {
      if (seen.is_new(word)) add_path(named, item);
    } else if (++others <= kMostWordNotes) {
      add_note(fmt::format("{}: '{}' is no path below the tree", place, word), notes);
    }
  }
  if (others > kMostWordNotes)
    add_note(fmt::format("{}: {} more words are no path", place, others - kMostWordNotes), notes);
}

std::string place_of(const std::string& bytes, std::size_t at, const std::string& file) {
  auto here = bytes.begin() + static_cast<std::ptrdiff_t>(at);
  std::size_t last = at == 0 ? std::string::npos : bytes.rfind('\n', at - 1);
  std::size_t col = last == std::string::npos ? at + 1 : at - last;
  return file + ":" + std::to_string(std::count(bytes.begin(), here, '\n') + 1) + ":" + std::to_string(col);
}

Status check_text(const std::string& bytes, const std::string& file) {
  if (bytes.size() > kMostItemBytes) return too_large(file);
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

Status check_sizes(const std::vector<ReadItem>& items, const std::string& file) {
  if (items.size() > kMostItems)
    return Error{file, "more than " + std::to_string(kMostItems) + " items", "import it in parts"};
  for (const ReadItem& one : items)
    for (const std::vector<std::string>* names : {&one.item.paths, &one.item.classes, &one.item.links})
      if (names->size() > kMostNames)
        return Error{one.place, "an item with more than " + std::to_string(kMostNames) + " paths or links",
                     "name folders or globs, or make it several items"};
  return {};
}

constexpr std::string_view kClassMark = "::";

std::string path_of_class(const std::string& cls) {
  std::size_t mark = cls.find(kClassMark);
  return mark == std::string::npos ? "" : cls.substr(0, mark);
}

// Where the lines of an id are joined, and what they named so far.
struct Joint {
  std::size_t at = 0;
  bool begun = false;
  Seen paths, classes, links;
  std::set<std::string> whole;  // paths that a line names without a class of theirs
  bool any_path = false;        // a line names no class at all
};

void note_whole(const Item& item, Joint& joint) {
  joint.any_path = joint.any_path || item.classes.empty();
  std::set<std::string> narrowed;
  for (const std::string& cls : item.classes) narrowed.insert(path_of_class(cls));
  if (narrowed.count("") > 0) return;  // a class of any path
  for (const std::string& path : item.paths)
    if (narrowed.count(path) == 0 && joint.whole.size() <= kMostNames) joint.whole.insert(path);
}

void begin(const Item& first, Joint& joint) {
  if (joint.begun) return;
  joint.begun = true;
  note_whole(first, joint);
  for (const std::string& path : first.paths) joint.paths.is_new(path);
  for (const std::string& cls : first.classes) joint.classes.is_new(cls);
  for (const std::string& link : first.links) joint.links.is_new(link);
}

void add_new(const std::vector<std::string>& more, Seen& seen, std::vector<std::string>& list) {
  for (const std::string& one : more)
    if (list.size() <= kMostNames && seen.is_new(one)) list.push_back(one);
}

void join_to(const Item& more, Joint& joint, Item& first) {
  begin(first, joint);
  note_whole(more, joint);
  add_new(more.paths, joint.paths, first.paths);
  add_new(more.classes, joint.classes, first.classes);
  add_new(more.links, joint.links, first.links);
  first.done_by_hand = first.done_by_hand && more.done_by_hand;
}

// Where one line names a class and another all of its file, it is all of it.
void drop_classes_of_whole_paths(const Joint& joint, Item& item) {
  std::erase_if(item.classes, [&](const std::string& cls) {
    std::string path = path_of_class(cls);
    return path.empty() ? joint.any_path : joint.whole.count(path) > 0;
  });
}

// A checklist may come to a file more than once: its lines are one item then. It is done when all of them
// are.
std::vector<ReadItem> joined_by_id(std::vector<ReadItem> items) {
  std::vector<ReadItem> joined_items;
  std::map<std::string, Joint> joints;
  for (ReadItem& one : items) {
    auto [joint, is_new] = joints.try_emplace(one.item.id);
    if (is_new) {
      joint->second.at = joined_items.size();
      joined_items.push_back(std::move(one));
    } else {
      join_to(one.item, joint->second, joined_items[joint->second.at].item);
    }
  }
  for (const auto& [id, joint] : joints)
    if (joint.begun) drop_classes_of_whole_paths(joint, joined_items[joint.at].item);
  return joined_items;
}

void cut(std::size_t longest, std::string& text) {
  if (text.size() <= longest) return;
  text.resize(longest);
  if (auto bad = invalid_utf8_at(text)) text.resize(*bad);
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

static void for_each_new(std::string_view cell, const std::function<void(const std::string&)>& on_word) {
  Seen seen;
  Words words(cell, kBetween);
  for (std::string_view word; words.next(word);)
    if (seen.is_new(word)) on_word(std::string(word));
}

void add_note(std::string note, std::vector<std::string>& notes) {
  if (notes.size() == kMostItemNotes) return;
  cut(kLongestNote, note);
  notes.push_back(std::move(note));
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
      for_each_new(text, [&](const std::string& cls) { add_class(cls, item); });
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
      for_each_new(text, [&](const std::string& link) { add_link(link, item); });
      break;
    case Column::list:
      item.list = text;
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
  if (word.find_first_of("./\\") == std::string_view::npos) return false;  // as most words
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

bool Seen::is_new(std::string_view word) {
  if (words_.find(word) != words_.end()) return false;
  if (words_.size() <= 4 * kMostNames) words_.emplace(word);
  return true;
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
  Seen seen;
  Words words(text, " \t\r\n,;()[]<>|\"'`");
  for (std::string_view word; words.next(word);)
    if (is_test_path(word) && seen.is_new(word)) add_path(named_path(word), item);
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

bool Words::next(std::string_view& word) {
  while (!text_.empty()) {
    std::size_t end = std::min(text_.find_first_of(separators_), text_.size());
    word = trim(text_.substr(0, end));
    text_.remove_prefix(std::min(end + 1, text_.size()));
    if (!word.empty()) return true;
  }
  return false;
}

Error too_large(const std::string& file) {
  return {file, "larger than " + std::to_string(kMostItemBytes) + " bytes, the most that a list of items has",
          "is it the right file? if so, import it in parts"};
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
  Words cells(line, ",;\t\"");
  for (std::string_view cell; has_columns && cells.next(cell);)
    has_columns = column_of(cell) != Column::unknown;
  return has_columns ? ItemFormat::csv : ItemFormat::markdown;
}

Result<std::vector<Item>> parse_items(const std::string& bytes, const std::string& file, ItemFormat format,
                                      std::vector<std::string>& notes) {
  if (Status text = check_text(bytes, file); !text.ok()) return text.error();
  ReadItems found = bytes.starts_with(kMark) ? read(bytes.substr(kMark.size()), file, format, notes)
                                             : read(bytes, file, format, notes);
  if (!found.ok()) return found.error();
  if (format == ItemFormat::markdown) *found = joined_by_id(std::move(*found));
  if (Status sizes = check_sizes(*found, file); !sizes.ok()) return sizes.error();
  if (Status ids = check_ids(*found); !ids.ok()) return ids.error();
  std::vector<Item> items;
  items.reserve(found->size());
  for (ReadItem& one : *found) {
    cut(kLongestTitle, one.item.title);
    items.push_back(std::move(one.item));
  }
  return items;
}

}  // namespace hwsift::history
