// What changed over time: the burn-downs with their causes, and what came back.
#include <fmt/format.h>

#include <algorithm>

#include "report/html_chart.h"
#include "report/progress_figures.h"
#include "report/progress_page.h"

namespace hwsift::report::page {
namespace {

using history::BurnDown;
using history::Change;
using history::Commit;
using history::Point;
using history::Progress;
using html::Column;
using html::Markup;
using html::raw;
using html::text;

constexpr Column::Kind kNumber = Column::Kind::number;

html::Cell commit_cell(const Commit* one) { return one == nullptr ? html::Cell{} : html::Cell{commit(*one)}; }

html::Row change_row(const Progress& progress, const Change& change, std::string name) {
  const Commit* one = commit_at(progress, change.commit);
  Markup what = html::element("span", text(sentence(change.what)),
                              adds(change.what) ? " class=added" : " class=removed");
  return {std::move(name),
          {{html::day(one == nullptr ? "" : one->date)},
           {what},
           {html::element("code", html::path(change.path))},
           {html::code(change.cls)},
           html::cell(change.amount),
           commit_cell(one),
           html::cell(one == nullptr ? "" : one->author)}};
}

html::TimeChart chart_of(const Progress& progress, const BurnDown& burn) {
  html::TimeChart chart;
  chart.id = "chart-" + burn.id;
  chart.title = burn.title + " over time";
  chart.name = burn.title;
  for (const Point& point : progress.points) {
    chart.dates.push_back(point.commit.date);
    chart.gap_before.push_back(point.commit.gap_before);
  }
  chart.values = burn.values;
  chart.added = burn.added;
  chart.removed = burn.removed;
  std::size_t count = progress.points.size();
  chart.values.resize(count);
  // Nothing stands before the first point that it could differ from.
  chart.added.resize(count < 2 ? 0 : count);
  chart.removed.resize(chart.added.size());
  if (burn.forecast.possible) chart.forecast = html::Range{burn.forecast.earliest, burn.forecast.latest};
  return chart;
}

// What somebody who does not see the chart must know of it.
std::string description(const Progress& progress, const BurnDown& burn) {
  const Point& first = progress.points.front();
  std::string from = burn.values.empty() || !burn.values.front() ? "an unknown number"
                                                                 : std::to_string(*burn.values.front());
  return fmt::format("{} at {} points, from {} on {} to {} on {}. The table below holds every value.",
                     burn.title, progress.points.size(), from, day_of(first.commit.date), burn.now,
                     day_of(progress.points.back().commit.date));
}

Markup forecast(const BurnDown& burn) {
  if (burn.now == 0 && !burn.forecast.possible) return html::paragraph(text("Nothing is left here."));
  std::string answer = burn.forecast.possible ? "None would be left " + forecast_text(burn.forecast) + "."
                                              : "No date can be given:";
  return html::paragraph(raw("<strong>Forecast.</strong> ") + text(answer) + raw(" <span class=muted>") +
                         text(burn.forecast.method) + raw("</span>"));
}

Markup points_table(const Progress& progress, const BurnDown& burn) {
  html::Table table{"points-" + burn.id,
                    burn.title + " at each point",
                    {{"Date"},
                     {"Commit"},
                     {burn.title, kNumber, "value"},
                     {"Added", kNumber, "added"},
                     {"Removed", kNumber, "removed"},
                     {"Gap"}}};
  table.section = "burn_down";
  table.compact = true;
  for (std::size_t i = std::min(progress.points.size(), burn.values.size()); i-- > 0;) {
    const Point& point = progress.points[i];
    table.rows.push_back({point_name(burn, point),
                          {{html::day(point.commit.date)},
                           {commit(point.commit)},
                           html::cell(burn.values[i]),
                           html::cell(burn.added[i]),
                           html::cell(burn.removed[i]),
                           html::cell(point.commit.gap_before ? "older commits are not known" : "")}});
  }
  return html::fold(text("All values as a table"), html::table(table));
}

Markup actors(const BurnDown& burn) {
  if (burn.actors.empty()) return {};
  html::Table table{"actors-" + burn.id,
                    "By author",
                    {{"Author"}, {"Removed", kNumber, "removed"}, {"Added", kNumber, "added"}}};
  table.section = "author";
  table.compact = true;
  for (const history::Actor& actor : burn.actors)
    table.rows.push_back({author_name(burn, actor),
                          {html::cell(actor.author), html::cell(actor.removed), html::cell(actor.added)}});
  return html::fold(text(fmt::format("By author ({})", burn.actors.size())), html::table(table));
}

html::Table changes_table(std::string id, std::string caption) {
  return {std::move(id),
          std::move(caption),
          {{"Date", Column::Kind::text, "", "6.5rem"},
           {"What", Column::Kind::text, "", "9rem"},
           {"Path", Column::Kind::text, "", "16rem"},
           {"Class", Column::Kind::text, "", "11rem"},
           {"Number", kNumber, "amount", "5.5rem"},
           {"Commit", Column::Kind::text, "", "7.5rem"},
           {"Author", Column::Kind::text, "", "9rem"}}};
}

Markup changes_of(const Progress& progress, const BurnDown& burn) {
  if (burn.changes.empty()) return {};
  html::Table table = changes_table("changes-" + burn.id, burn.title + ": what changed it");
  table.section = "change";
  table.compact = true;
  for (std::size_t i = 0; i < burn.changes.size(); ++i)
    table.rows.push_back(change_row(progress, burn.changes[i], change_name(burn, i)));
  Markup inner = html::table(table);
  auto left_out = static_cast<long long>(burn.left_out);
  if (left_out > 0)
    inner += html::paragraph(html::figure(html::figure_key("change", burn.id, "left_out"), left_out) +
                                 text(" older changes are not listed."),
                             "muted");
  return html::fold(text(fmt::format("What changed it ({})", burn.changes.size() + burn.left_out)), inner);
}

Markup gap_note(const Progress& progress) {
  bool gap = std::any_of(progress.points.begin(), progress.points.end(),
                         [](const Point& point) { return point.commit.gap_before; });
  if (!gap) return {};
  return html::paragraph(text("The line is broken where the commits between two points are not known."),
                         "muted");
}

Markup burn_down(const Progress& progress, const BurnDown& burn) {
  html::TimeChart chart = chart_of(progress, burn);
  chart.desc = description(progress, burn);
  Markup now = html::element("b", html::figure(html::figure_key("burn_down", burn.id, "now"), burn.now));
  return html::element("h3", text(burn.title + ": ") + now) + html::time_chart(chart) + gap_note(progress) +
         forecast(burn) + changes_of(progress, burn) + actors(burn) + points_table(progress, burn);
}

// The last value of each, where no chart can be drawn.
Markup values_alone(const Progress& progress) {
  std::string list;
  for (const BurnDown& burn : progress.burn_downs)
    list += html::element("li", text(burn.title + ": ") +
                                    html::figure(html::figure_key("burn_down", burn.id, "now"), burn.now))
                .html;
  return list.empty() ? Markup() : Markup{"<ul>" + list + "</ul>"};
}

Markup history_table(const Progress& progress) {
  html::Table table{"points", "The tree at each point", {{"Date"}, {"Commit"}}};
  for (const auto& [name, value] : tally_figures({})) table.columns.push_back({name, kNumber, name});
  table.columns.push_back({"allowlisted", kNumber, "allowlisted"});
  table.columns.push_back({"Author"});
  table.section = "history";
  table.compact = true;
  for (std::size_t i = progress.points.size(); i-- > 0;) {
    const Point& point = progress.points[i];
    html::Row row{commit_name(point.commit), {{html::day(point.commit.date)}, {commit(point.commit)}}};
    for (const auto& [name, value] : tally_figures(point.tally)) row.cells.push_back(html::cell(value));
    row.cells.push_back(html::cell(point.allowlisted));
    row.cells.push_back(html::cell(point.commit.author));
    table.rows.push_back(row);
  }
  return html::fold(text(fmt::format("All numbers at each point ({})", progress.points.size())),
                    html::table(table));
}

}  // namespace

Markup missing(std::string_view why, std::string_view command) {
  return html::paragraph(text(why) + raw(" Run ") + html::code(command) + raw("."), "empty");
}

Markup commit(const Commit& commit) {
  std::string title = commit.subject.empty() ? "" : html::attribute("title", commit.subject);
  return html::element("code", text(short_hash(commit.hash)), title + " class=c");
}

html::Section burn_downs(const Progress& progress) {
  html::Section section{"burn-down", "Burn-down", {}};
  if (progress.points.empty()) {
    section.body = missing("No past of this tree has been measured.", kBackfill) + values_alone(progress);
    return section;
  }
  if (progress.points.size() == 1)
    section.body += missing("Only one point is known, so no pace can be seen.", kBackfill);
  for (const BurnDown& burn : progress.burn_downs) section.body += burn_down(progress, burn);
  section.body += history_table(progress);
  return section;
}

html::Section came_back(const Progress& progress) {
  html::Section section{"came-back", "What came back", {}};
  Markup count = html::figure("came_back.changes", static_cast<long long>(progress.came_back.size()));
  section.body = html::paragraph(
      count +
      text(fmt::format(" in the last {} days: labels that were lost, files that came to the allowlist again, "
                       "hard-coded uses where there were none.",
                       progress.window_days)));
  if (progress.points.empty())
    section.body =
        missing("No past of this tree has been measured, so nothing can be seen to come back.", kBackfill) +
        html::paragraph(count + text(" known"), "muted");
  if (progress.came_back.empty()) return section;
  html::Table table = changes_table("came-back-table", "What came back");
  table.section = "came_back";
  for (std::size_t i = 0; i < progress.came_back.size(); ++i)
    table.rows.push_back(change_row(progress, progress.came_back[i], std::to_string(i + 1)));
  section.body += html::table(table);
  return section;
}

}  // namespace hwsift::report::page
