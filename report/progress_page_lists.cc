// What there is to do: the tracked items, the edits that would give a device the most tests, and each class.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/progress_figures.h"
#include "report/progress_page.h"

namespace hwsift::report::page {
namespace {

using history::Progress;
using history::State;
using history::TrackedItem;
using html::Cell;
using html::Column;
using html::Markup;
using html::raw;
using html::text;

constexpr Column::Kind kNumber = Column::Kind::number;
// Of a page below 4 MB, whatever there is.
constexpr std::size_t kMostItemBytes = 1'600'000;
constexpr std::size_t kMostClassBytes = 800'000;
constexpr Column::Kind kText = Column::Kind::text;

const char* meaning(State state) {
  switch (state) {
    case State::missing:
      return "names what is not in the tree, and no work is left in what is";
    case State::untouched:
      return "no class of it has a label";
    case State::labelled:
      return "some classes have a label; others, or findings of the lint, are left";
    case State::mixed_left:
      return "labelled, and a class is mixed";
    case State::uses_left:
      return "labelled, and hard-coded uses are left";
    case State::clean:
      return "every class has a label, none is mixed, no use and no finding is left";
    case State::graduated:
      return "clean, and its files have left the allowlist";
    case State::regressed:
      return "was clean or graduated once, and is not now";
  }
  return "";
}

const char* tone(State state) {
  if (is_done(state)) return "good";
  if (state == State::regressed || state == State::missing) return "bad";
  return state == State::untouched ? "" : "warn";
}

// Where a state stands in the order of the work: what states sort by.
std::string rank(State state) {
  return std::to_string(std::find(std::begin(history::kStates), std::end(history::kStates), state) -
                        std::begin(history::kStates));
}

Markup states_table(const Progress& progress) {
  html::Table table{"states", "Items by state", {{"State"}, {"Items", kNumber, "items"}, {"Meaning"}}};
  table.section = "state";
  table.sortable = false;
  for (const auto& [state, count] : progress.states)
    table.rows.push_back(
        {word(state),
         {{html::chip(word(state), tone(state))}, html::cell(count), html::cell(meaning(state))}});
  return html::table(table);
}

std::string first_of(const std::vector<std::string>& all) {
  if (all.empty()) return "";
  return all.size() == 1 ? all.front() : fmt::format("{} and {} more", all.front(), all.size() - 1);
}

Markup small(const Markup& inner, const char* cls = "") {
  if (inner.empty()) return {};
  return html::element("small", inner, *cls == '\0' ? "" : html::attribute("class", cls));
}

// A figure among others in a cell; its row has the rest of its key.
Markup part(const char* name, long long value) {
  return html::element("span", html::number(value), html::attribute("data-part", name));
}

// Id, title, what it is about, and its links.
Cell item_cell(const TrackedItem& tracked) {
  const history::Item& item = tracked.item;
  const history::Parts& parts = tracked.standing.parts;
  Markup content = html::link(item.url, text(item.id)) + raw(" ") + text(item.title);
  content +=
      small(html::element("code", html::path(first_of(item.classes.empty() ? item.paths : item.classes))));
  content += small(raw("files ") + part("files", parts.files) + raw(", tests ") + part("tests", parts.tests));
  Markup links;
  for (const std::string& url : item.links)
    links += (links.empty() ? Markup() : raw(" · ")) + html::link(url, text(url));
  return {content + small(links), item.id};
}

// Files that an allowlist still takes out, and those that left it.
Cell listed_cell(const TrackedItem& tracked) {
  const history::Parts& parts = tracked.standing.parts;
  Markup left = parts.left == 0 ? Markup() : small(part("left_allowlist", parts.left) + raw(" left"));
  return {part("allowlisted", parts.allowlisted) + left, std::to_string(parts.allowlisted)};
}

Cell area_cell(const TrackedItem& tracked) {
  return {text(tracked.item.area) + small(text(tracked.item.owner)), tracked.item.area};
}

Cell state_cell(const TrackedItem& tracked) {
  const history::Standing& standing = tracked.standing;
  Markup content = html::chip(word(standing.state), tone(standing.state));
  if (standing.without_regression != standing.state)
    content += small(text(fmt::format("now {}", word(standing.without_regression))));
  if (standing.before) content += small(text(fmt::format("before: {}", word(*standing.before))));
  return {content, rank(standing.state), word(standing.state)};
}

// Which commit brought the state.
Cell since_cell(const TrackedItem& tracked) {
  if (tracked.changed_date.empty()) return {};
  return {html::day(tracked.changed_date) + small(html::code(short_hash(tracked.changed_commit))) +
              small(text(tracked.changed_author)),
          day_of(tracked.changed_date)};
}

// What people said of it: never a part of the state.
Cell hand_cell(const TrackedItem& tracked) {
  const history::Item& item = tracked.item;
  Markup content;
  if (item.mark != history::Mark::none)
    content +=
        html::chip(word(item.mark), "") + (item.reason.empty() ? Markup() : raw(" ") + text(item.reason));
  if (item.done_by_hand)
    content +=
        small(text(is_done(tracked.standing.state) ? "called done in the list"
                                                   : "called done in the list; the sources say otherwise"));
  content += small(text(item.note));
  return {content};
}

html::Row item_row(const TrackedItem& tracked) {
  const history::Item& item = tracked.item;
  html::Row row{item.id,
                {item_cell(tracked), state_cell(tracked), area_cell(tracked)},
                {{"mark", word(item.mark)}, {"owner", item.owner}, {"area", item.area}}};
  const history::Parts& parts = tracked.standing.parts;
  for (long long value : {parts.classes, parts.declared, parts.mixed, parts.uses, parts.findings})
    row.cells.push_back(html::cell(value));
  for (const Cell& cell : {listed_cell(tracked), hand_cell(tracked), since_cell(tracked)})
    row.cells.push_back(cell);
  return row;
}

html::Choice states_choice(const Progress& progress) {
  html::Choice choice{"State"};
  for (const auto& [state, count] : progress.states)
    if (count > 0) choice.options.emplace_back(word(state), fmt::format("{} ({})", word(state), count));
  return choice;
}

html::Table items_table(const Progress& progress) {
  html::Table table{"items-table",
                    "Tracked items",
                    {{"Item", kText, "", "12.6rem"},
                     {"State", kText, "", "6.2rem"},
                     {"Area, owner", kText, "", "6.1rem"},
                     {"Classes", kNumber, "classes", "4.4rem"},
                     {"Labelled", kNumber, "declared", "4.8rem"},
                     {"Mixed", kNumber, "mixed", "3.9rem"},
                     {"Uses", kNumber, "uses", "3.6rem"},
                     {"Findings", kNumber, "findings", "4.8rem"},
                     {"Allowlist", kNumber, "", "4.9rem"},
                     {"Set by hand", kText, "", "5.9rem"},
                     {"State since", kText, "", "5.9rem"}}};
  table.section = "item";
  table.compact = true;
  table.most_bytes = kMostItemBytes;
  table.long_on_paper = true;
  for (const TrackedItem& tracked : progress.items) table.rows.push_back(item_row(tracked));
  table.filter = html::Filter{
      "Filter items",
      "items",
      {states_choice(progress), html::choice_of("Mark", "mark", table.rows),
       html::choice_of("Owner", "owner", table.rows), html::choice_of("Area", "area", table.rows)}};
  return table;
}

// The places of an edit; many of them can be opened.
Markup places(const history::Unlock& unlock) {
  constexpr std::size_t kOpen = 3;
  std::string list;
  for (const history::EditPlace& place : unlock.places)
    list += html::element("li", text(fmt::format("line {}: {}", place.line, place.text))).html;
  Markup all{"<ul class=plain>" + list + "</ul>"};
  if (unlock.places.size() <= kOpen) return all;
  return html::fold(text(html::counted(unlock.places.size(), "place", "places")), all);
}

html::Row unlock_row(const Progress& progress, std::size_t i) {
  const history::Unlock& unlock = progress.unlocks[i];
  double per_edit = unlock.places.empty() ? 0 : unlock.per_edit();
  return {unlock_name(progress, i),
          {{text(unlock.device), "", unlock.device},
           html::cell(unlock.tests),
           html::cell(static_cast<long long>(unlock.places.size())),
           {text(fmt::format("{:.1f}", per_edit))},
           {html::element("code", html::path(unlock.path)) + small(html::code(unlock.cls))},
           {places(unlock)}}};
}

html::Filter by_device(const Progress& progress) {
  html::Choice devices{"Device"};
  std::set<std::string> seen;
  for (const history::Unlock& unlock : progress.unlocks)
    if (seen.insert(unlock.device).second) devices.options.emplace_back(unlock.device, unlock.device);
  return {"Filter edits", "edits", {devices}};
}

html::Row class_row(const history::ClassRow& row, const std::string& name) {
  const history::ClassMeasure& measure = row.measure;
  bool labelled = !measure.declared.empty();
  bool plain = name == row.path + "::" + measure.name;
  return {plain ? "" : name,
          {{html::path(row.path)},
           {text(measure.name)},
           html::cell(static_cast<long long>(measure.line)),
           {text(measure.category())},
           {text(labelled ? "yes" : "no"), "", labelled ? "" : "no label"},
           {measure.mixed ? text("mixed") : Markup(), "", measure.mixed ? "mixed" : ""},
           html::cell(static_cast<long long>(measure.tests)),
           {html::number(measure.uses), "", measure.uses > 0 ? "uses" : ""},
           {row.allowlisted ? text("listed") : Markup(), "", row.allowlisted ? "listed" : ""}}};
}

}  // namespace

html::Section items(const Progress& progress) {
  html::Section section{"items", "Items", {}};
  if (progress.items.empty()) {
    section.body = missing("No items are tracked.", kImport);
    return section;
  }
  section.body =
      html::paragraph(text("States are computed from the sources. What is set by hand is shown as such and "
                           "changes no state.")) +
      states_table(progress) + html::table(items_table(progress)) +
      html::paragraph(
          text("Printed without the commits that brought the states, and their authors; -o csv and "
               "-o json have them."),
          "paper");
  return section;
}

html::Section unlocks(const Progress& progress) {
  html::Section section{"next-edits", "Next best edits", {}};
  if (progress.unlocks.empty()) {
    section.body = html::paragraph(text("No edit was found that would give a device more tests."));
    return section;
  }
  html::Table table{"unlocks",
                    "Next best edits",
                    {{"Device", kText, "", "6rem"},
                     {"Tests gained", kNumber, "tests", "6rem"},
                     {"Edits", kNumber, "edits", "5rem"},
                     {"Per edit", kNumber, "", "5.5rem"},
                     {"Where", kText, "", "18rem"},
                     {"What to do", kText, "", "24rem"}}};
  table.section = "unlock";
  table.filter = by_device(progress);
  for (std::size_t i = 0; i < progress.unlocks.size(); ++i) table.rows.push_back(unlock_row(progress, i));
  section.body =
      html::paragraph(text("Which places keep the most tests from running on a device: all edits of a row "
                           "are needed for its tests.")) +
      html::table(table);
  return section;
}

html::Section classes(const Progress& progress) {
  html::Section section{"classes", "Classes", {}};
  if (progress.classes.empty()) {
    section.body = html::paragraph(text("No test class was found."));
    return section;
  }
  html::Table table{"classes-table",
                    "Test classes",
                    {{"Path", kText, "", "16rem"},
                     {"Class", kText, "", "13rem"},
                     {"Line", kNumber, "line", "3.8rem"},
                     {"Category", kText, "", "9rem"},
                     {"Label", kText, "", "4rem"},
                     {"Mixed", kText, "", "4.2rem"},
                     {"Tests", kNumber, "tests", "4rem"},
                     {"Uses", kNumber, "uses", "3.8rem"},
                     {"Allowlist", kText, "", "5rem"}}};
  table.section = "class";
  table.most_bytes = kMostClassBytes;
  table.compact = true;
  table.named_by = 2;
  table.filter = html::Filter{"Filter classes",
                              "classes",
                              {{"Show",
                                {{"no label", "without a label"},
                                 {"mixed", "mixed"},
                                 {"uses", "with hard-coded uses"},
                                 {"listed", "on the allowlist"}}}}};
  std::vector<std::string> names = class_names(progress);
  for (std::size_t i = 0; i < names.size(); ++i)
    table.rows.push_back(class_row(progress.classes[i], names[i]));
  section.body = html::table(table);
  return section;
}

}  // namespace hwsift::report::page
