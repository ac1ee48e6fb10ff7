#include "report/items_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/csv.h"
#include "base/text.h"
#include "report/progress_figures.h"

namespace hwsift::report {
namespace {

using history::Item;
using history::State;
using history::TrackedItem;

Json counts_json(const history::Parts& parts) {
  Json json = Json::object();
  for (const auto& [name, value] : parts_figures(parts)) json[name] = value;
  return json;
}

Json changed_json(const TrackedItem& tracked) {
  if (tracked.changed_date.empty() && tracked.changed_commit.empty()) return nullptr;
  Json json;
  json["commit"] = tracked.changed_commit;
  json["date"] = tracked.changed_date;
  json["author"] = tracked.changed_author;
  json["before"] = tracked.standing.before ? Json(word(*tracked.standing.before)) : Json(nullptr);
  return json;
}

// What stands between the counts and the title: the columns of the listing.
struct Line {
  std::string id, state, labelled, mixed, uses, findings, listed, list, mark, title;
};

std::string mark_text(const Item& item) {
  std::string text = word(item.mark);
  if (item.done_by_hand) text += text.empty() ? "ticked" : ", ticked";
  return text;
}

// What the list says, of the fields that were set by hand instead; an import of this document reads it back.
Json listed_json(const Item& item) {
  Json json = Json::object();
  if (item.listed_area) json["area"] = *item.listed_area;
  if (item.listed_owner) json["owner"] = *item.listed_owner;
  return json;
}

std::string dash(long long value) { return value == 0 ? "-" : std::to_string(value); }

Line line_of(const TrackedItem& tracked) {
  const history::Parts& parts = tracked.standing.parts;
  return {printable(tracked.item.id),
          word(tracked.standing.state),
          fmt::format("{}/{}", parts.declared, parts.classes),
          dash(parts.mixed),
          dash(parts.uses),
          dash(parts.findings),
          dash(parts.allowlisted),
          tracked.item.list.empty() ? "default list" : printable(tracked.item.list),
          mark_text(tracked.item),
          printable(tracked.item.title)};
}

struct Shown {
  std::string Line::*field;
  bool right;
};
constexpr Shown kShown[] = {{&Line::id, false},    {&Line::state, false}, {&Line::labelled, true},
                            {&Line::mixed, true},  {&Line::uses, true},   {&Line::findings, true},
                            {&Line::listed, true}, {&Line::list, false},  {&Line::mark, false}};

std::string aligned(const Line& line, const std::vector<std::size_t>& widths, State state,
                    const Style& style) {
  std::string text;
  for (std::size_t i = 0; i < std::size(kShown); ++i) {
    const std::string& cell = line.*kShown[i].field;
    std::string space(widths[i] - std::min(widths[i], code_points(cell)), ' ');
    std::string shown = kShown[i].field == &Line::state ? coloured(state, cell, style) : cell;
    text += kShown[i].right ? space + shown : shown + space;
    text += widths[i] == 0 ? "" : "  ";
  }
  return text + line.title;
}

std::vector<std::size_t> widths_of(const std::vector<Line>& lines) {
  std::vector<std::size_t> widths;
  for (const Shown& shown : kShown) {
    std::size_t width = 0;
    for (const Line& line : lines) width = std::max(width, code_points(line.*shown.field));
    widths.push_back(width);
  }
  return widths;
}

std::vector<std::pair<State, long long>> count_states(const std::vector<TrackedItem>& items) {
  std::vector<std::pair<State, long long>> states;
  for (State state : history::kStates)
    states.emplace_back(state, std::count_if(items.begin(), items.end(), [&](const TrackedItem& item) {
                          return item.standing.state == state;
                        }));
  return states;
}

}  // namespace

Json item_json(const TrackedItem& tracked) {
  const Item& item = tracked.item;
  Json json;
  json["id"] = item.id;
  json["title"] = item.title;
  json["paths"] = item.paths;
  json["classes"] = item.classes;
  json["area"] = item.area;
  json["owner"] = item.owner;
  json["url"] = item.url;
  json["links"] = item.links;
  json["state"] = word(tracked.standing.state);
  json["without_regression"] = word(tracked.standing.without_regression);
  json["counts"] = counts_json(tracked.standing.parts);
  json["not_found"] = tracked.standing.absent;
  json["changed"] = changed_json(tracked);
  json["done_by_hand"] = item.done_by_hand;
  json["mark"] = word(item.mark);
  json["reason"] = item.reason;
  json["note"] = item.note;
  json["listed"] = listed_json(item);
  json["list"] = item.list;
  return json;
}

std::string items_json(const std::vector<TrackedItem>& items) {
  std::string text = "{\"schema\": \"hwsift.items/1\",\n\"items\": [";
  for (std::size_t i = 0; i < items.size(); ++i)
    text += (i > 0 ? ",\n" : "\n") + dump_json(item_json(items[i]), -1);
  return text + (items.empty() ? "]}\n" : "\n]}\n");
}

std::string items_csv(const std::vector<TrackedItem>& items) {
  std::vector<std::string> names = {"id", "title", "state", "without_regression"};
  for (const auto& [name, value] : parts_figures({})) names.emplace_back(name);
  for (const char* name :
       {"area", "owner", "done_by_hand", "mark", "reason", "note", "changed_date", "changed_commit",
        "changed_author", "url", "links", "paths", "named_classes", "list", "listed_area", "listed_owner"})
    names.emplace_back(name);
  std::string text = csv_row(names);
  for (const TrackedItem& tracked : items) {
    const Item& item = tracked.item;
    std::vector<std::string> cells = {item.id, item.title, word(tracked.standing.state),
                                      word(tracked.standing.without_regression)};
    for (const auto& [name, value] : parts_figures(tracked.standing.parts))
      cells.push_back(std::to_string(value));
    cells.insert(cells.end(),
                 {item.area, item.owner, item.done_by_hand ? "true" : "false", word(item.mark), item.reason,
                  item.note, tracked.changed_date, tracked.changed_commit, tracked.changed_author, item.url,
                  join(item.links, ";"), join(item.paths, ";"), join(item.classes, ";"), item.list,
                  item.listed_area.value_or(item.area), item.listed_owner.value_or(item.owner)});
    text += csv_row(cells);
  }
  return text;
}

std::string coloured(State state, const std::string& text, const Style& style) {
  if (is_done(state)) return style.green(text);
  if (state == State::regressed || state == State::missing) return style.red(text);
  return state == State::untouched ? text : style.yellow(text);
}

std::string states_text(const std::vector<std::pair<State, long long>>& states) {
  std::vector<std::string> parts;
  for (const auto& [state, count] : states)
    if (count > 0) parts.push_back(fmt::format("{} {}", count, word(state)));
  return parts.empty() ? "no items" : join(parts, ", ");
}

std::string items_text(const std::vector<TrackedItem>& items, std::size_t width, const Style& style) {
  if (items.empty()) return fmt::format("No items are tracked. '{}' brings them.\n", kImport);
  std::vector<Line> lines = {
      {"id", "state", "labelled", "mixed", "uses", "findings", "listed", "list", "", "title"}};
  for (const TrackedItem& item : items) lines.push_back(line_of(item));
  bool has_lists =
      std::any_of(items.begin(), items.end(), [](const TrackedItem& t) { return !t.item.list.empty(); });
  if (!has_lists)
    for (Line& line : lines) line.list.clear();
  std::vector<std::size_t> widths = widths_of(lines);
  std::string text = style.bold(cut_to(aligned(lines[0], widths, State::untouched, {}), width)) + "\n";
  for (std::size_t i = 0; i < items.size(); ++i)
    text += cut_to(aligned(lines[i + 1], widths, items[i].standing.state, style), width) + "\n";
  return text + fmt::format("\n{} {}: {}\n", items.size(), items.size() == 1 ? "item" : "items",
                            states_text(count_states(items)));
}

}  // namespace hwsift::report
