#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/items_report.h"
#include "report/progress_figures.h"
#include "report/progress_report.h"

namespace hwsift::report {
namespace {

using history::BurnDown;
using history::Change;
using history::Commit;
using history::Progress;
using history::TrackedItem;

constexpr std::size_t kMostRows = 10;  // of what came back, of edits and of items
constexpr std::size_t kPoints = 6;

// How the report looks. Lines are cut at `width` columns.
struct Page {
  std::size_t width = 0;
  Style style;

  std::string head(const std::string& title) const { return "\n" + style.bold(title) + "\n"; }
  std::string line(const std::string& text) const { return cut_to("  " + text, width) + "\n"; }
  std::string more(std::size_t count) const {
    return count <= kMostRows ? "" : line(style.dim(fmt::format("and {} more", count - kMostRows)));
  }
};

// Columns as wide as their widest cell; a number stands at the right of its column. The first row is the
// head.
class Grid {
 public:
  explicit Grid(std::vector<std::string> head) { add(std::move(head)); }
  void add(std::vector<std::string> cells) {
    widths_.resize(std::max(widths_.size(), cells.size()));
    for (std::size_t i = 0; i < cells.size(); ++i) widths_[i] = std::max(widths_[i], code_points(cells[i]));
    rows_.push_back(std::move(cells));
  }

  // The first `left` columns hold text.
  std::string text(const Page& page, std::size_t left = 1) const {
    std::string all;
    for (const std::vector<std::string>& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i) {
        std::string space(widths_[i] - code_points(row[i]), ' ');
        line += (i > 0 ? "  " : "") + (i < left ? row[i] + space : space + row[i]);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      all += page.line(&row == &rows_.front() ? page.style.dim(line) : line);
    }
    return all;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> widths_;
};

std::string number(long long value) { return value == 0 ? "-" : std::to_string(value); }
std::string number(const std::optional<long long>& value) { return value ? std::to_string(*value) : "?"; }

std::string headline(const Progress& progress, const Page& page) {
  const history::Tally& tally = progress.total;
  std::string text = "No test class was found";
  if (tally.classes > 0)
    text = fmt::format("{} of {} test classes have a label ({})", tally.declared, tally.classes,
                       percent_text(tally.declared, tally.classes));
  std::string about = progress.commit.empty()
                          ? "a tree outside of git"
                          : fmt::format("commit {} of {}", printable(short_hash(progress.commit)),
                                        printable(day_of(progress.commit_date)));
  if (progress.changed_tree) about += ", and a work tree that differs";
  return page.style.bold(cut_to(text, page.width)) + "\n" +
         page.style.dim(
             cut_to(fmt::format("{}; profile {}", about, printable(progress.profile)), page.width)) +
         "\n";
}

std::string totals(const Progress& progress, const Page& page) {
  const history::Tally& tally = progress.total;
  Grid grid({"tests", "classes", "no label", "mixed", "uses", "findings", "allowlist"});
  grid.add({std::to_string(tally.tests), std::to_string(tally.classes), std::to_string(tally.undeclared()),
            std::to_string(tally.mixed), std::to_string(tally.uses), std::to_string(tally.findings),
            progress.allowlisted ? std::to_string(*progress.allowlisted) : "none"});
  return page.head("Totals") + grid.text(page, 0);
}

std::string categories(const Progress& progress, const Page& page) {
  if (progress.categories.empty()) return "";
  Grid grid({"category", "classes", "labelled so", "tests"});
  for (const history::CategoryCount& count : progress.categories)
    grid.add({printable(count.category), number(count.classes), number(count.declared), number(count.tests)});
  return page.head("Categories") + grid.text(page);
}

std::string change_text(const BurnDown& burn, std::size_t i) {
  long long added = i < burn.added.size() ? burn.added[i] : 0;
  long long removed = i < burn.removed.size() ? burn.removed[i] : 0;
  return (added == 0 ? "" : fmt::format("+{} ", added)) + (removed == 0 ? "" : fmt::format("-{}", removed));
}

std::string burn_downs(const Progress& progress, const Page& page) {
  std::string text = page.head("Burn-down");
  if (progress.points.empty())
    return text + page.line(fmt::format("no past has been measured: {}", kBackfill));
  std::vector<std::string> head = {"date", "commit"};
  for (const BurnDown& burn : progress.burn_downs) head.insert(head.end(), {printable(burn.id), "change"});
  Grid grid(head);
  std::size_t count = progress.points.size();
  for (std::size_t i = count - std::min(count, kPoints); i < count; ++i) {
    const Commit& commit = progress.points[i].commit;
    std::vector<std::string> row = {printable(day_of(commit.date)), printable(short_hash(commit.hash))};
    for (const BurnDown& burn : progress.burn_downs) {
      row.push_back(number(i < burn.values.size() ? burn.values[i] : std::nullopt));
      row.push_back(change_text(burn, i));
    }
    grid.add(row);
  }
  return text + grid.text(page, 2);
}

// `text` in lines of at most `width` columns, each after the same blanks.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
  std::string all, line;
  std::size_t room = width > indent + 20 ? width - indent : 20;
  for (const std::string& one : split(text, ' ')) {
    if (!line.empty() && code_points(line) + 1 + code_points(one) > room) {
      all += std::string(indent, ' ') + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + one;
  }
  return line.empty() ? all : all + std::string(indent, ' ') + line + "\n";
}

// Who did most for the numbers that are to go down, and where most is left.
std::string actors(const Progress& progress, const Page& page) {
  constexpr std::size_t kActors = 5;
  std::string text;
  for (const BurnDown& burn : progress.burn_downs) {
    if (burn.actors.empty()) continue;
    Grid grid({"author", "removed", "added"});
    for (std::size_t i = 0; i < std::min(burn.actors.size(), kActors); ++i)
      grid.add(
          {printable(burn.actors[i].author), number(burn.actors[i].removed), number(burn.actors[i].added)});
    text += page.head(printable(burn.title) + ": who") + grid.text(page);
  }
  return text;
}

std::string directories(const Progress& progress, const Page& page) {
  if (progress.directories.size() < 2) return "";
  Grid grid({"directory", "classes", "no label", "mixed", "uses"});
  for (std::size_t i = 0; i < std::min(progress.directories.size(), kMostRows); ++i) {
    const history::Tally& tally = progress.directories[i].tally;
    grid.add({printable(progress.directories[i].name), number(tally.classes), number(tally.undeclared()),
              number(tally.mixed), number(tally.uses)});
  }
  return page.head("Directories") + grid.text(page) + page.more(progress.directories.size());
}

std::string forecasts(const Progress& progress, const Page& page) {
  if (progress.points.empty() || progress.burn_downs.empty()) return "";
  std::string text = page.head("Forecast");
  for (const BurnDown& burn : progress.burn_downs) {
    text += page.line(fmt::format("{}: {}", printable(burn.title), forecast_text(burn.forecast)));
    for (const std::string& line : split(wrapped(printable(burn.forecast.method), 4, page.width), '\n'))
      text += line.empty() ? "" : page.style.dim(line) + "\n";
  }
  return text;
}

// What people said of an item.
std::string hand_text(const history::Item& item) {
  std::string mark = item.mark == history::Mark::none ? "" : fmt::format(" [{}]", word(item.mark));
  return item.done_by_hand ? mark + " [called done]" : mark;
}

std::string item_line(const TrackedItem& tracked, std::size_t id_width, const Page& page) {
  constexpr std::size_t kStateWidth = 10;
  std::string state = padded(word(tracked.standing.state), kStateWidth);
  return page.line(fmt::format("{}  {}{} {}", padded(printable(tracked.item.id), id_width),
                               coloured(tracked.standing.state, state, page.style), hand_text(tracked.item),
                               printable(tracked.item.title)));
}

std::string items(const Progress& progress, const Page& page) {
  std::string text = page.head("Items");
  if (progress.items.empty()) return text + page.line(fmt::format("no items are tracked: {}", kImport));
  text += wrapped(states_text(progress.states), 2, page.width);
  std::vector<const TrackedItem*> attention;
  for (const TrackedItem& tracked : progress.items)
    if (needs_attention(tracked)) attention.push_back(&tracked);
  std::size_t shown = std::min(attention.size(), kMostRows), id_width = 0;
  for (std::size_t i = 0; i < shown; ++i)
    id_width = std::max(id_width, code_points(printable(attention[i]->item.id)));
  for (std::size_t i = 0; i < shown; ++i) text += item_line(*attention[i], id_width, page);
  return text + page.more(attention.size());
}

std::string came_back(const Progress& progress, const Page& page) {
  std::string text = page.head(fmt::format("Came back in the last {} days", progress.window_days));
  if (progress.points.empty()) return "";
  if (progress.came_back.empty()) return text + page.line("nothing");
  for (std::size_t i = 0; i < std::min(progress.came_back.size(), kMostRows); ++i) {
    const Change& change = progress.came_back[i];
    const Commit* commit = commit_at(progress, change.commit);
    std::string when = commit == nullptr ? "" : day_of(commit->date) + " " + short_hash(commit->hash) + "  ";
    std::string what = change.cls.empty() ? change.path : change.path + "::" + change.cls;
    text += page.line(page.style.dim(printable(when)) + printable(what) + " " +
                      page.style.red(sentence(change.what)));
  }
  return text + page.more(progress.came_back.size());
}

std::string edits(const Progress& progress, const Page& page) {
  if (progress.unlocks.empty()) return "";
  std::string text = page.head("Next best edits");
  for (std::size_t i = 0; i < std::min(progress.unlocks.size(), kMostRows); ++i) {
    const history::Unlock& unlock = progress.unlocks[i];
    std::string first = unlock.places.empty()
                            ? ""
                            : fmt::format(":{}: {}", unlock.places.front().line, unlock.places.front().text);
    std::string rest =
        unlock.places.size() < 2 ? "" : fmt::format(" (and {} more)", unlock.places.size() - 1);
    text += page.line(fmt::format("{} {} {}{}", printable(unlock.device),
                                  page.style.green(fmt::format("+{}", unlock.tests)),
                                  printable(unlock.path + first), rest));
  }
  return text + page.more(progress.unlocks.size());
}

std::string notes(const Progress& progress, const Page& page) {
  if (progress.notes.empty()) return "";
  std::string text = page.head("Notes");
  for (const std::string& note : progress.notes) text += wrapped(printable(note), 2, page.width);
  return text;
}

}  // namespace

std::string progress_text(const Progress& progress, std::size_t width, const Style& style) {
  Page page{width, style};
  return headline(progress, page) + totals(progress, page) + categories(progress, page) +
         burn_downs(progress, page) + actors(progress, page) + forecasts(progress, page) +
         directories(progress, page) + items(progress, page) + came_back(progress, page) +
         edits(progress, page) + notes(progress, page) + "\n" +
         wrapped("Next: " + next_step(progress) + ".", 0, width);
}

}  // namespace hwsift::report
