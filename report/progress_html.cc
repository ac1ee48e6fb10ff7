#include <fmt/format.h>

#include "report/html.h"
#include "report/html_chart.h"
#include "report/progress_figures.h"
#include "report/progress_page.h"
#include "report/progress_report.h"

namespace hwsift::report {
namespace {

using history::Group;
using history::Progress;
using history::Tally;
using html::Column;
using html::Markup;
using html::raw;
using html::text;

constexpr Column::Kind kNumber = Column::Kind::number;

Markup total(const char* name, long long value) {
  return html::figure(html::figure_key("total", "", name), value);
}

// How a number came to be what it is, from the points.
Markup trend(const Progress& progress, const char* what, long long Tally::*number) {
  std::vector<std::optional<long long>> values;
  for (const history::Point& point : progress.points) values.emplace_back(point.tally.*number);
  return html::sparkline(values, fmt::format("{} over {} points", what, values.size()));
}

Markup allowlist_trend(const Progress& progress) {
  std::vector<std::optional<long long>> values;
  for (const history::Point& point : progress.points) values.push_back(point.allowlisted);
  return html::sparkline(values, fmt::format("Allowlist entries over {} points", values.size()));
}

html::Tile allowlist_tile(const Progress& progress) {
  if (!progress.allowlisted) return {"Allowlist entries", raw("–"), text("no allowlist was looked for")};
  return {"Allowlist entries", total("allowlisted", *progress.allowlisted), text("may still break rules"),
          allowlist_trend(progress)};
}

Markup share_note(const Tally& tally) {
  return total("declared", tally.declared) + raw(" have one, ") + total("undeclared", tally.undeclared()) +
         raw(" do not");
}

html::Section overview(const Progress& progress) {
  const Tally& tally = progress.total;
  std::vector<html::Tile> tiles = {
      {"Test classes", total("classes", tally.classes),
       total("tests", tally.tests) + raw(" tests in ") + total("files", tally.files) + raw(" files"),
       trend(progress, "Test classes", &Tally::classes)},
      {"Labelled classes", text(tally.classes == 0 ? "–" : percent_text(tally.declared, tally.classes)),
       share_note(tally), trend(progress, "Classes with a label", &Tally::declared)},
      {"Mixed classes", total("mixed", tally.mixed), text("hold tests of several categories"),
       trend(progress, "Mixed classes", &Tally::mixed)},
      {"Hard-coded uses", total("uses", tally.uses),
       text("of one accelerator, in tests that are not about it"),
       trend(progress, "Hard-coded uses", &Tally::uses)},
      allowlist_tile(progress),
      {"Findings", total("findings", tally.findings), text("of the profile " + progress.profile),
       trend(progress, "Findings", &Tally::findings)}};
  Markup next = html::paragraph(raw("<strong>Next:</strong> ") + text(next_step(progress) + "."), "note");
  return {"overview", "Where it stands", html::tiles(tiles) + next};
}

html::Table categories_table(const Progress& progress) {
  html::Table table{"categories-table",
                    "Classes by category",
                    {{"Category"},
                     {"Classes", kNumber, "classes"},
                     {"Labelled so", kNumber, "declared"},
                     {"Tests", kNumber, "tests"}}};
  table.section = "category";
  for (const history::CategoryCount& count : progress.categories)
    table.rows.push_back({count.category,
                          {html::cell(count.category), html::cell(count.classes), html::cell(count.declared),
                           html::cell(count.tests)}});
  return table;
}

html::Section categories(const Progress& progress) {
  html::Section section{"categories", "Categories", {}};
  if (progress.categories.empty()) {
    section.body = html::paragraph(text("No category is known."));
    return section;
  }
  html::BarChart chart{
      "chart-categories", "Classes by category",
      "A bar a category, its dark part the classes whose label says so. The table below holds every value.",
      "labelled so", "by what their tests say"};
  for (const history::CategoryCount& count : progress.categories)
    chart.bars.push_back(
        {count.category, count.declared, count.classes,
         count.classes == 0 ? "none" : fmt::format("{} of {} labelled", count.declared, count.classes)});
  section.body =
      html::paragraph(
          text("A class counts for the category that its label says; without one, for what its tests say.")) +
      html::bar_chart(chart) +
      html::fold(text("The numbers as a table"), html::table(categories_table(progress)));
  return section;
}

const char* heading(std::string_view figure) {
  if (figure == "declared") return "Labelled";
  if (figure == "undeclared") return "Without label";
  if (figure == "files") return "Files";
  if (figure == "classes") return "Classes";
  if (figure == "tests") return "Tests";
  if (figure == "mixed") return "Mixed";
  return figure == "uses" ? "Uses" : "Findings";
}

html::Table groups_table(const std::vector<Group>& groups, const char* kind, const char* first,
                         const std::string& caption) {
  html::Table table{std::string(kind) + "-table", caption, {{first}}};
  for (const auto& [name, value] : tally_figures({})) table.columns.push_back({heading(name), kNumber, name});
  table.columns.push_back({"Allowlist", kNumber, "allowlisted"});
  table.columns.push_back({"Share", kNumber});
  table.section = kind;
  for (const Group& group : groups) {
    html::Row row{group_name(group), {html::cell(group_name(group))}};
    for (const auto& [name, value] : tally_figures(group.tally)) row.cells.push_back(html::cell(value));
    row.cells.push_back(html::cell(group.allowlisted));
    std::optional<int> share = percent(group.tally.declared, group.tally.classes);
    row.cells.push_back(
        {share ? text(fmt::format("{} %", *share)) : Markup(), share ? std::to_string(*share) : ""});
    table.rows.push_back(row);
  }
  return table;
}

html::Section groups(const std::vector<Group>& groups_of, const char* kind, const char* id, const char* title,
                     const char* first, const Markup& when_empty) {
  html::Section section{id, title, when_empty};
  if (!groups_of.empty()) section.body = html::table(groups_table(groups_of, kind, first, title));
  return section;
}

html::Section findings(const Progress& progress) {
  html::Section section{"findings", "Findings by rule", {}};
  if (progress.findings.empty()) {
    section.body = html::paragraph(text("The lint has no finding."));
    return section;
  }
  html::Table table{"findings-table", "Findings by rule", {{"Rule"}, {"Findings", kNumber, "findings"}}};
  table.section = "finding";
  for (const auto& [rule, count] : progress.findings)
    table.rows.push_back({rule, {{html::code(rule)}, html::cell(count)}});
  section.body = html::table(table);
  return section;
}

html::Section notes(const Progress& progress) {
  std::string list;
  for (const std::string& note : progress.notes) list += html::element("li", text(note)).html;
  Markup body =
      list.empty() ? html::paragraph(text("Everything was read.")) : Markup{"<ul>" + list + "</ul>"};
  return {"notes", "Notes", body};
}

Markup commit_line(const Progress& progress) {
  if (progress.commit.empty()) return text("a tree outside of git");
  Markup line = raw("commit ") + html::code(short_hash(progress.commit));
  if (!progress.commit_date.empty()) line += raw(" of ") + html::day(progress.commit_date);
  if (progress.changed_tree) line += raw(" <strong>and changes that are not committed</strong>");
  return line;
}

Markup lead(const Progress& progress) {
  Markup line = raw("For ") + commit_line(progress);
  if (!progress.made.empty()) line += raw(", made ") + html::day(progress.made);
  if (!progress.notes.empty())
    line += raw(". <a href=\"#notes\">") + text(html::counted(progress.notes.size(), "note", "notes")) +
            raw("</a> on what these numbers leave out");
  return html::paragraph(line + raw("."));
}

Markup footer(const Progress& progress) {
  Markup line = text(fmt::format("Made by hwsift {} on {} for ", progress.version, progress.made));
  return html::paragraph(line + commit_line(progress) +
                         text(fmt::format(". Findings are those of the profile {}.", progress.profile)));
}

}  // namespace

std::string progress_html(const Progress& progress) {
  Markup no_owner = html::paragraph(text("No file names an owner."));
  std::vector<html::Section> sections = {
      overview(progress),
      categories(progress),
      page::burn_downs(progress),
      page::came_back(progress),
      page::items(progress),
      page::unlocks(progress),
      groups(progress.directories, "directory", "directories", "Directories", "Directory",
             html::paragraph(text("No directory holds a test class."))),
      groups(progress.areas, "area", "areas", "Areas", "Area",
             page::missing("Areas come with the tracked items.", kImport)),
      groups(progress.owners, "owner", "owners", "Owners", "Owner", no_owner),
      findings(progress),
      page::classes(progress),
      notes(progress)};
  return html::page({"Progress of hw_classification", lead(progress), sections, footer(progress)});
}

}  // namespace hwsift::report
