// hwsift.progress/1. Long lists are written entry by entry, a line each, so that the tree of values of a
// whole document is never held at once and a diff of two documents can be read.
#include <cmath>
#include <string_view>

#include "base/json.h"
#include "report/items_report.h"
#include "report/progress_figures.h"
#include "report/progress_report.h"
#include "report/unlock_report.h"

namespace hwsift::report {
namespace {

using history::BurnDown;
using history::Change;
using history::Commit;
using history::Progress;

Json nullable(const std::optional<long long>& value) { return value ? Json(*value) : Json(nullptr); }
Json nullable(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

void add_tally(const history::Tally& tally, Json& json) {
  for (const auto& [name, value] : tally_figures(tally)) json[name] = value;
}

Json totals_json(const Progress& progress) {
  Json json = Json::object();
  add_tally(progress.total, json);
  return json;
}

Json categories_json(const Progress& progress) {
  Json json = Json::object();
  for (const history::CategoryCount& count : progress.categories)
    json[count.category] = {{"classes", count.classes}, {"tests", count.tests}, {"declared", count.declared}};
  return json;
}

Json states_json(const Progress& progress) {
  Json json = Json::object();
  for (const auto& [state, count] : progress.states) json[word(state)] = count;
  return json;
}

Json findings_json(const Progress& progress) {
  Json json = Json::object();
  for (const auto& [rule, count] : progress.findings) json[rule] = count;
  return json;
}

Json point_json(const history::Point& point) {
  Json json;
  json["commit"] = nullable(point.commit.hash);
  json["date"] = point.commit.date;
  json["author"] = point.commit.author;
  json["subject"] = point.commit.subject;
  add_tally(point.tally, json);
  json["allowlisted"] = nullable(point.allowlisted);
  json["gap_before"] = point.commit.gap_before;
  return json;
}

Json change_json(const Progress& progress, const Change& change) {
  const Commit* commit = commit_at(progress, change.commit);
  Json json;
  json["what"] = word(change.what);
  json["commit"] = commit == nullptr ? Json(nullptr) : nullable(commit->hash);
  json["date"] = commit == nullptr ? "" : commit->date;
  json["author"] = commit == nullptr ? "" : commit->author;
  json["path"] = change.path;
  json["class"] = nullable(change.cls);
  json["amount"] = change.amount;
  return json;
}

Json forecast_json(const history::Forecast& forecast) {
  return {{"possible", forecast.possible},
          {"earliest", nullable(forecast.earliest)},
          {"latest", nullable(forecast.latest)},
          {"method", forecast.method}};
}

Json actor_json(const history::Actor& actor) {
  return {{"author", actor.author}, {"added", actor.added}, {"removed", actor.removed}};
}

Json burn_down_json(const Progress& progress, const BurnDown& burn) {
  Json json;
  json["id"] = burn.id;
  json["title"] = burn.title;
  json["now"] = burn.now;
  json["values"] = Json::array();
  for (const std::optional<long long>& value : burn.values) json["values"].push_back(nullable(value));
  json["added"] = burn.added;
  json["removed"] = burn.removed;
  json["changes"] = Json::array();
  for (const Change& change : burn.changes) json["changes"].push_back(change_json(progress, change));
  json["changes_left_out"] = burn.left_out;
  json["actors"] = Json::array();
  for (const history::Actor& actor : burn.actors) json["actors"].push_back(actor_json(actor));
  json["forecast"] = forecast_json(burn.forecast);
  return json;
}

Json group_json(const history::Group& group) {
  Json json;
  json["name"] = group.name;
  add_tally(group.tally, json);
  json["allowlisted"] = group.allowlisted;
  return json;
}

Json class_json(const history::ClassRow& row) {
  Json json;
  json["path"] = row.path;
  json["name"] = row.measure.name;
  json["line"] = row.measure.line;
  json["category"] = row.measure.category();
  json["declared"] = nullable(row.measure.declared);
  json["inferred"] = row.measure.inferred;
  json["mixed"] = row.measure.mixed;
  json["tests"] = row.measure.tests;
  json["uses"] = row.measure.uses;
  json["allowlisted"] = row.allowlisted;
  return json;
}

std::string member(std::string_view name, const Json& value) {
  return ",\n\"" + std::string(name) + "\": " + dump_json(value, -1);
}

template <class Entry, class ToJson>
std::string members(std::string_view name, const std::vector<Entry>& entries, ToJson to_json) {
  std::string text = ",\n\"" + std::string(name) + "\": [";
  for (std::size_t i = 0; i < entries.size(); ++i)
    text += (i > 0 ? ",\n" : "\n") + dump_json(to_json(entries[i]), -1);
  return text + (entries.empty() ? "]" : "\n]");
}

std::string facts(const Progress& progress) {
  return "{\"schema\": \"hwsift.progress/1\"" + member("commit", nullable(progress.commit)) +
         member("commit_date", nullable(progress.commit_date)) +
         member("changed_tree", progress.changed_tree) + member("made", progress.made) +
         member("version", progress.version) + member("profile", progress.profile);
}

std::string totals(const Progress& progress) {
  return member("totals", totals_json(progress)) + member("allowlisted", nullable(progress.allowlisted)) +
         member("categories", categories_json(progress)) + member("states", states_json(progress)) +
         member("findings", findings_json(progress));
}

}  // namespace

std::string progress_json(const Progress& progress) {
  auto change = [&](const Change& one) { return change_json(progress, one); };
  auto burn_down = [&](const BurnDown& one) { return burn_down_json(progress, one); };
  std::string text = facts(progress) + totals(progress);
  text += members("history", progress.points, point_json);
  text += members("burn_down", progress.burn_downs, burn_down);
  text += members("directories", progress.directories, group_json);
  text += members("areas", progress.areas, group_json);
  text += members("owners", progress.owners, group_json);
  text += members("items", progress.items, item_json);
  text += members("came_back", progress.came_back, change);
  text += member("window_days", progress.window_days);
  text += members("classes", progress.classes, class_json);
  text += members("unlock", progress.unlocks, unlock_json);
  text += members("notes", progress.notes, [](const std::string& note) { return Json(note); });
  return text + "\n}\n";
}

}  // namespace hwsift::report
