#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/items_report.h"
#include "report/markdown.h"
#include "report/progress_figures.h"
#include "report/progress_report.h"

namespace hwsift::report {
namespace {

using history::BurnDown;
using history::Change;
using history::Commit;
using history::Progress;
using history::TrackedItem;

// Bytes of a section. With their headings all stay below 60,000, and characters are no more than bytes.
constexpr std::size_t kCategoryBytes = 2500;
constexpr std::size_t kBurnDownBytes = 5000;
constexpr std::size_t kForecastBytes = 4000;
constexpr std::size_t kAuthorBytes = 4000;
constexpr std::size_t kCameBackBytes = 6000;
constexpr std::size_t kItemBytes = 13000;
constexpr std::size_t kEditBytes = 8000;
constexpr std::size_t kDirectoryBytes = 5000;
constexpr std::size_t kGroupBytes = 2500;  // of areas, and of owners
constexpr std::size_t kRuleBytes = 1500;
constexpr std::size_t kNoteBytes = 4000;

constexpr std::size_t kNameBytes = 200;  // before they are escaped
constexpr std::size_t kTextBytes = 160;
constexpr std::size_t kPoints = 8;
constexpr std::size_t kAuthors = 10;  // of a burn-down
constexpr std::size_t kDirectories = 20;
constexpr std::size_t kGroups = 10;  // areas, owners and rules
constexpr std::size_t kEdits = 15;
constexpr std::size_t kPlaces = 3;
constexpr std::size_t kColumns = 6;  // burn-downs beside each other

std::string or_dash(const std::optional<long long>& value) { return value ? std::to_string(*value) : "-"; }

std::string headline(const Progress& progress) {
  const history::Tally& tally = progress.total;
  std::string text = fmt::format("## hw_classification: {} of {} test classes have a label ({})\n\n",
                                 tally.declared, tally.classes, percent_text(tally.declared, tally.classes));
  text += progress.commit.empty() ? "A tree outside of git"
                                  : "Commit " + markdown_code(short_hash(progress.commit), 20);
  if (!progress.commit_date.empty()) text += " of " + markdown_text(day_of(progress.commit_date), 10);
  if (progress.changed_tree) text += ", with changes that are not committed";
  text += fmt::format("; hwsift {}, profile {}.\n", markdown_text(progress.version, 40),
                      markdown_code(progress.profile, 40));
  return text;
}

std::string totals(const Progress& progress) {
  const history::Tally& tally = progress.total;
  return fmt::format(
      "\n| tests | classes | without a label | mixed | hard-coded uses | allowlist entries | findings |\n"
      "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n| {} | {} | {} | {} | {} | {} | {} |\n",
      tally.tests, tally.classes, tally.undeclared(), tally.mixed, tally.uses, or_dash(progress.allowlisted),
      tally.findings);
}

std::string categories(const Progress& progress) {
  MarkdownRows rows(
      "### Categories\n\n| category | classes | labelled so | tests |\n| --- | ---: | ---: | ---: |\n",
      kCategoryBytes);
  for (const history::CategoryCount& count : progress.categories)
    rows.add(fmt::format("| {} | {} | {} | {} |\n", markdown_cell_code(count.category, kNameBytes),
                         count.classes, count.declared, count.tests));
  return rows.text();
}

// "120 (+3 -12)".
std::string value_text(const BurnDown& burn, std::size_t i) {
  std::string value = or_dash(i < burn.values.size() ? burn.values[i] : std::nullopt);
  bool still =
      i >= burn.added.size() || i >= burn.removed.size() || (burn.added[i] == 0 && burn.removed[i] == 0);
  return still ? value : fmt::format("{} (+{} −{})", value, burn.added[i], burn.removed[i]);
}

std::size_t columns(const Progress& progress) { return std::min(progress.burn_downs.size(), kColumns); }

std::string burn_down_head(const Progress& progress) {
  std::string head = "### Burn-down\n\n| date | commit |", line = "| --- | --- |";
  for (std::size_t i = 0; i < columns(progress); ++i) {
    head += " " + markdown_text(progress.burn_downs[i].title, 60) + " |";
    line += " ---: |";
  }
  return head + "\n" + line + "\n";
}

std::string burn_down(const Progress& progress) {
  if (progress.points.empty())
    return fmt::format("\n### Burn-down\n\nNo past has been measured: `{}`\n", kBackfill);
  MarkdownRows rows(burn_down_head(progress), kBurnDownBytes);
  std::size_t count = progress.points.size(), shown = std::min(count, kPoints);
  for (std::size_t i = count; i-- > count - shown;) {
    const Commit& commit = progress.points[i].commit;
    std::string row = fmt::format("| {} | {} |", markdown_text(day_of(commit.date), 10),
                                  markdown_cell_code(short_hash(commit.hash), 20));
    for (std::size_t column = 0; column < columns(progress); ++column)
      row += " " + value_text(progress.burn_downs[column], i) + " |";
    rows.add(row + "\n");
  }
  rows.leave_out(count - shown);
  return rows.text();
}

// Who added and who removed what, most removed first.
std::string authors(const Progress& progress) {
  MarkdownRows rows("### Authors\n\n| what | author | removed | added |\n| --- | --- | ---: | ---: |\n",
                    kAuthorBytes);
  for (const BurnDown& burn : progress.burn_downs) {
    std::size_t shown = std::min(burn.actors.size(), kAuthors);
    for (std::size_t i = 0; i < shown; ++i)
      rows.add(fmt::format("| {} | {} | {} | {} |\n", markdown_text(burn.title, 60),
                           markdown_text(burn.actors[i].author, 60), burn.actors[i].removed,
                           burn.actors[i].added));
    rows.leave_out(burn.actors.size() - shown);
  }
  return rows.text();
}

std::string forecasts(const Progress& progress) {
  MarkdownRows rows("### Forecast\n\n", kForecastBytes);
  if (progress.points.empty()) return "";
  for (const BurnDown& burn : progress.burn_downs)
    rows.add(fmt::format("- {}: **{}**: {}\n", markdown_text(burn.title, 60),
                         markdown_text(forecast_text(burn.forecast), 120),
                         markdown_text(burn.forecast.method, 300)));
  return rows.text();
}

std::string item_row(const TrackedItem& tracked) {
  const history::Parts& parts = tracked.standing.parts;
  std::string hand = tracked.item.done_by_hand ? "called done" : "";
  if (tracked.item.mark != history::Mark::none)
    hand += (hand.empty() ? "" : "; ") + markdown_text(word(tracked.item.mark), 20) + " " +
            markdown_text(tracked.item.reason, 80);
  return fmt::format("| {} | {} | {} | {}/{} | {} | {} | {} |\n", markdown_cell_code(tracked.item.id, 60),
                     markdown_text(tracked.item.title, 100), markdown_text(word(tracked.standing.state), 20),
                     parts.declared, parts.classes, parts.mixed, parts.uses, hand);
}

std::string items(const Progress& progress) {
  if (progress.items.empty()) return fmt::format("\n### Items\n\nNo items are tracked: `{}`\n", kImport);
  MarkdownRows rows(
      "#### Items that need attention\n\n| item | title | state | labelled | mixed | uses | set by hand |\n"
      "| --- | --- | --- | ---: | ---: | ---: | --- |\n",
      kItemBytes);
  for (const TrackedItem& tracked : progress.items)
    if (needs_attention(tracked)) rows.add(item_row(tracked));
  return fmt::format("\n### Items\n\n{} in all: {}\n", progress.items.size(),
                     markdown_text(states_text(progress.states), 400)) +
         rows.text();
}

std::string came_back(const Progress& progress) {
  MarkdownRows rows(fmt::format("### What came back in the last {} days\n\n", progress.window_days),
                    kCameBackBytes);
  for (const Change& change : progress.came_back) {
    const Commit* commit = commit_at(progress, change.commit);
    std::string where = markdown_code(change.path, kNameBytes);
    if (!change.cls.empty()) where += " " + markdown_code(change.cls, kNameBytes);
    std::string when =
        commit == nullptr
            ? ""
            : fmt::format(" ({}, {}, {})", markdown_text(day_of(commit->date), 10),
                          markdown_code(short_hash(commit->hash), 20), markdown_text(commit->author, 60));
    rows.add(fmt::format("- {} {}{}{}\n", where, sentence(change.what),
                         change.amount == 1 ? "" : fmt::format(": {}", change.amount), when));
  }
  return rows.text();
}

std::string edit_row(const history::Unlock& unlock) {
  std::vector<std::string> places;
  for (std::size_t i = 0; i < std::min(unlock.places.size(), kPlaces); ++i)
    places.push_back(
        fmt::format("line {}: {}", unlock.places[i].line, markdown_text(unlock.places[i].text, kTextBytes)));
  if (unlock.places.size() > kPlaces)
    places.push_back(fmt::format("and {} more", unlock.places.size() - kPlaces));
  return fmt::format("| {} | {} | {} | {} {} | {} |\n", markdown_text(unlock.device, 20), unlock.tests,
                     unlock.places.size(), markdown_cell_code(unlock.path, kNameBytes),
                     markdown_cell_code(unlock.cls, kNameBytes), join(places, "<br>"));
}

std::string edits(const Progress& progress) {
  MarkdownRows rows(
      "### Next best edits\n\n| device | tests gained | edits | where | what |\n| --- | ---: | ---: | --- | "
      "--- |\n",
      kEditBytes);
  for (std::size_t i = 0; i < std::min(progress.unlocks.size(), kEdits); ++i)
    rows.add(edit_row(progress.unlocks[i]));
  rows.leave_out(progress.unlocks.size() - std::min(progress.unlocks.size(), kEdits));
  return rows.text();
}

std::string groups(const char* title, const char* name, const std::vector<history::Group>& all,
                   std::size_t most, std::size_t bytes) {
  if (all.empty()) return "";
  MarkdownRows rows(fmt::format("### {}\n\n| {} | classes | without a label | mixed | uses | allowlist |\n"
                                "| --- | ---: | ---: | ---: | ---: | ---: |\n",
                                title, name),
                    bytes);
  std::size_t shown = std::min(all.size(), most);
  for (std::size_t i = 0; i < shown; ++i) {
    const history::Group& group = all[i];
    rows.add(fmt::format("| {} | {} | {} | {} | {} | {} |\n",
                         markdown_cell_code(group_name(group), kNameBytes), group.tally.classes,
                         group.tally.undeclared(), group.tally.mixed, group.tally.uses, group.allowlisted));
  }
  rows.leave_out(all.size() - shown);
  return rows.text();
}

std::string rules(const Progress& progress) {
  if (progress.findings.empty()) return "";
  MarkdownRows rows("### Findings by rule\n\n| rule | findings |\n| --- | ---: |\n", kRuleBytes);
  std::size_t shown = std::min(progress.findings.size(), kGroups);
  for (std::size_t i = 0; i < shown; ++i)
    rows.add(fmt::format("| {} | {} |\n", markdown_cell_code(progress.findings[i].first, kNameBytes),
                         progress.findings[i].second));
  rows.leave_out(progress.findings.size() - shown);
  return rows.text();
}

std::string notes(const Progress& progress) {
  MarkdownRows rows("### Notes\n\n", kNoteBytes);
  for (const std::string& note : progress.notes) rows.add("- " + markdown_text(note, 400) + "\n");
  return rows.text();
}

}  // namespace

std::string progress_md(const Progress& progress) {
  return headline(progress) + totals(progress) + categories(progress) + burn_down(progress) +
         authors(progress) + forecasts(progress) + came_back(progress) + items(progress) + edits(progress) +
         groups("Directories", "directory", progress.directories, kDirectories, kDirectoryBytes) +
         groups("Areas", "area", progress.areas, kGroups, kGroupBytes) +
         groups("Owners", "owner", progress.owners, kGroups, kGroupBytes) + rules(progress) + notes(progress);
}

}  // namespace hwsift::report
