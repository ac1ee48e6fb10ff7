#include "report/item_detail.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "report/items_report.h"
#include "report/progress_figures.h"

namespace hwsift::report {
namespace {

using history::ClassMeasure;
using history::Commit;
using history::Item;
using history::Parts;
using history::ScopedClass;
using history::Standing;
using history::StateChange;

constexpr std::size_t kDateLength = 10;
constexpr std::size_t kNameWidth = 11;

std::string count(long long number, const char* one, const char* many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

std::string line(const std::string& name, const std::string& text) {
  return text.empty() ? "" : padded(name, kNameWidth) + text + "\n";
}

std::string commit_text(const Commit& commit) {
  if (commit.hash.empty()) return "in the work tree";
  return fmt::format("{}  {}  {}: {}", commit.date.substr(0, kDateLength), short_hash(commit.hash),
                     printable(author_of(commit)), printable(commit.subject));
}

std::string state_text(const Standing& standing, const Style& style) {
  std::string text = coloured(standing.state, word(standing.state), style);
  if (standing.state == history::State::regressed)
    text += fmt::format("; its parts alone say {}", word(standing.without_regression));
  return text;
}

// What is gone and was done is no loss; until when, its changes tell.
std::string once_text(const ItemDetail& detail) {
  const std::vector<StateChange>& changes = detail.history.changes;
  if (detail.history.standing.state != history::State::missing) return "";
  for (std::size_t i = changes.size(); i-- > 0;)
    if (is_done(changes[i].before))
      return fmt::format("; it was {} until {}", word(changes[i].before),
                         detail.commits[i].hash.empty() ? "now" : commit_text(detail.commits[i]));
  return "";
}

std::string parts_text(const Parts& parts) {
  return fmt::format("{}, {}, {}; {} labelled, {} mixed, {}, {}", count(parts.files, "file", "files"),
                     count(parts.classes, "class", "classes"), count(parts.tests, "test", "tests"),
                     parts.declared, parts.mixed, count(parts.uses, "hard-coded use", "hard-coded uses"),
                     count(parts.findings, "finding", "findings"));
}

std::string allowlist_text(const Parts& parts) {
  if (parts.allowlisted + parts.left == 0) return "";
  return fmt::format("{} on it, {} left it", count(parts.allowlisted, "file is", "files are"), parts.left);
}

std::string by_hand(const std::string& value, const std::optional<std::string>& listed) {
  if (!listed) return printable(value);
  std::string list = listed->empty() ? "names none" : "says " + printable(*listed);
  return fmt::format("{} (set by hand; the list {})", value.empty() ? "none" : printable(value), list);
}

std::string mark_text(const Item& item) {
  std::string mark = word(item.mark);
  return mark.empty() ? "" : fmt::format("{} (set by hand): {}", mark, printable(item.reason));
}

std::string list_text(const Item& item) {
  std::string list = item.list.empty() ? "default list" : printable(item.list);
  return item.done_by_hand ? list + ", which calls it done" : list;
}

std::string links_text(const Item& item) {
  std::string text;
  for (const std::string& link : item.links) text += (text.empty() ? "" : ", ") + printable(link);
  return text;
}

std::string files_text(const std::vector<std::string>& files) {
  constexpr std::size_t kMost = 5;
  std::vector<std::string> first(files.begin(),
                                 files.begin() + static_cast<std::ptrdiff_t>(std::min(files.size(), kMost)));
  std::string more = files.size() > kMost ? fmt::format(" and {} more", files.size() - kMost) : "";
  return printable(join(first, ", ")) + more;
}

std::string head_text(const ItemDetail& detail, const Style& style) {
  const Item& item = detail.tracked.item;
  const Standing& standing = detail.tracked.standing;
  std::string paths;
  for (const std::string& path : item.paths) paths += (paths.empty() ? "" : ", ") + printable(path);
  std::string text =
      style.bold(printable(item.id)) + (item.title.empty() ? "" : "  " + printable(item.title)) + "\n";
  text += line("state", state_text(standing, style) + once_text(detail));
  text += line("parts", parts_text(standing.parts));
  text += line("allowlist", allowlist_text(standing.parts));
  text += line("mark", mark_text(item));
  text += line("note", printable(item.note));
  text += line("list", list_text(item));
  text += line("area", by_hand(item.area, item.listed_area));
  text += line("owner", by_hand(item.owner, item.listed_owner));
  text += line("paths", paths);
  text += line("classes", printable(join(item.classes, ", ")));
  text += line("not found", files_text(standing.absent));
  if (standing.files != item.paths) text += line("files now", files_text(standing.files));
  text += line("url", printable(item.url));
  text += line("links", links_text(item));
  return text;
}

std::string class_text(const ScopedClass& scoped) {
  const ClassMeasure& cls = scoped.measure;
  std::string text = fmt::format("  {}::{}  {} ({}), {}", printable(scoped.path), printable(cls.name),
                                 printable(cls.category()), cls.declared.empty() ? "no label" : "labelled",
                                 count(cls.tests, "test", "tests"));
  if (cls.mixed) text += ", mixed";
  if (cls.uses > 0) text += ", " + count(cls.uses, "hard-coded use", "hard-coded uses");
  if (cls.findings > 0) text += ", " + count(cls.findings, "finding", "findings");
  return text + "\n";
}

Json class_json(const ScopedClass& scoped) {
  const ClassMeasure& cls = scoped.measure;
  Json json;
  json["path"] = scoped.path;
  json["name"] = cls.name;
  json["line"] = cls.line;
  json["category"] = cls.category();
  json["declared"] = cls.declared.empty() ? Json(nullptr) : Json(cls.declared);
  json["inferred"] = cls.inferred;
  json["mixed"] = cls.mixed;
  json["tests"] = cls.tests;
  json["uses"] = cls.uses;
  return json;
}

Json change_json(const StateChange& change, const Commit& commit) {
  Json json;
  json["commit"] = commit.hash;
  json["date"] = commit.date;
  json["author"] = commit.author;
  json["subject"] = commit.subject;
  json["before"] = word(change.before);
  json["state"] = word(change.state);
  return json;
}

}  // namespace

std::string item_detail_text(const ItemDetail& detail, const Style& style) {
  std::string text = head_text(detail, style);
  if (!detail.history.classes.empty()) text += "\n" + style.bold("Classes in scope") + "\n";
  for (const ScopedClass& scoped : detail.history.classes) text += class_text(scoped);
  if (!detail.history.changes.empty()) text += "\n" + style.bold("What changed its state") + "\n";
  for (std::size_t i = 0; i < detail.commits.size(); ++i) {
    const StateChange& change = detail.history.changes[i];
    text += fmt::format("  {} -> {}  {}\n", word(change.before), word(change.state),
                        commit_text(detail.commits[i]));
  }
  return text;
}

std::string item_detail_json(const ItemDetail& detail) {
  Json item = item_json(detail.tracked);
  item["in_scope"] = Json::array();
  for (const ScopedClass& scoped : detail.history.classes) item["in_scope"].push_back(class_json(scoped));
  item["history"] = Json::array();
  for (std::size_t i = 0; i < detail.commits.size(); ++i)
    item["history"].push_back(change_json(detail.history.changes[i], detail.commits[i]));
  Json document;
  document["schema"] = "hwsift.items/1";
  document["items"] = Json::array({item});
  return dump_json(document, 2) + "\n";
}

}  // namespace hwsift::report
