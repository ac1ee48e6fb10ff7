#include "tests/report/sample_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace hwsift::report {
namespace {

using namespace hwsift::history;

constexpr const char* kFolders[] = {"distributed", "inductor", "nn", "dynamo", "export", "quantization"};
constexpr const char* kAuthors[] = {"Ada Lovelace", "Grace Hopper", "Karen Spärck Jones", "Edsger Dijkstra"};
constexpr const char* kCategories[] = {"GENERIC", "DEVICE_GENERIC", "CPU", "CUDA", "XPU", "MPS"};

std::string path_of(std::size_t i) {
  return fmt::format("test/{}/test_{}_operations.py", kFolders[i % std::size(kFolders)], i / 3);
}

// A week a point, from the beginning of 2025 on.
std::string date_of(std::size_t i) {
  std::chrono::sys_days day =
      std::chrono::sys_days(std::chrono::year(2025) / 1 / 6) + std::chrono::days(7 * i);
  std::chrono::year_month_day date(day);
  return fmt::format("{:04}-{:02}-{:02}T09:30:00Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

Commit commit_of(std::size_t i, std::size_t count) {
  return {fmt::format("{0:016x}{0:016x}{1:08x}", 0x9e3779b97f4a7c15ULL * (i + 1), i),
          date_of(i),
          kAuthors[i % std::size(kAuthors)],
          fmt::format("Label the tests of {}", kFolders[i % std::size(kFolders)]),
          true,
          count > 10 && i == count / 3};
}

void add_classes(const SampleSize& size, Progress& progress) {
  for (std::size_t i = 0; i < size.classes; ++i) {
    ClassRow row{path_of(i), {}, i % 7 == 0};
    row.measure.name = fmt::format("Test{}Case{}", kFolders[i % std::size(kFolders)], i);
    row.measure.line = static_cast<int>(20 + i % 900);
    row.measure.tests = static_cast<int>(1 + i * 7 % 60);
    row.measure.inferred = kCategories[i * i % std::size(kCategories)];
    if (i % 5 < 2) row.measure.declared = row.measure.inferred;
    row.measure.mixed = i % 11 == 3;
    row.measure.uses = i % 9 == 4 ? static_cast<int>(i % 13) : 0;
    progress.classes.push_back(row);
  }
}

void add_class(const ClassRow& row, Tally& tally) {
  ++tally.classes;
  tally.tests += row.measure.tests;
  tally.declared += row.measure.declared.empty() ? 0 : 1;
  tally.mixed += row.measure.mixed ? 1 : 0;
  tally.uses += row.measure.uses;
  tally.findings += row.measure.declared.empty() ? 1 : 0;
}

void add_totals(Progress& progress) {
  for (const char* category : kCategories) progress.categories.push_back({category, 0, 0, 0});
  for (const ClassRow& row : progress.classes) {
    add_class(row, progress.total);
    for (CategoryCount& count : progress.categories) {
      if (count.category != row.measure.category()) continue;
      ++count.classes;
      count.tests += row.measure.tests;
      count.declared += row.measure.declared.empty() ? 0 : 1;
    }
  }
  progress.total.files = static_cast<long long>((progress.classes.size() + 2) / 3);
  progress.allowlisted = static_cast<long long>(progress.classes.size() / 7);
  progress.findings = {{"missing_label", progress.total.undeclared()}};
}

// The same each time, and without a pattern to the eye.
std::size_t noise(std::size_t i, std::size_t below) {
  std::size_t x = (i + 1) * 2654435761U;
  return (x ^ x >> 13 ^ x >> 27) % below;
}

// The way of a number from the first point to the last, where it is `now`: steep and level in turn.
long long on_the_way(std::size_t i, std::size_t count, long long now, double more, std::size_t seed) {
  double left = 1 - static_cast<double>(i + 1) / static_cast<double>(count);
  double slow = left * left * (3 - 2 * left);
  auto jitter = i + 1 == count ? 0 : static_cast<long long>(noise(i + seed, 5));
  return now + static_cast<long long>(slow * more) + jitter;
}

Point point_of(const Progress& progress, std::size_t i, std::size_t count) {
  Point point{commit_of(i, count), progress.total, progress.allowlisted};
  double all = static_cast<double>(progress.total.classes);
  point.tally.classes -=
      static_cast<long long>(all * 0.2 * static_cast<double>(count - 1 - i) / static_cast<double>(count));
  long long undeclared = on_the_way(i, count, progress.total.undeclared(), all * 0.18, 0);
  point.tally.declared = std::max(0LL, point.tally.classes - undeclared);
  point.tally.mixed = on_the_way(i, count, progress.total.mixed, all * 0.02, 7);
  point.tally.uses = on_the_way(i, count, progress.total.uses, all * 0.1, 3);
  *point.allowlisted = on_the_way(i, count, *progress.allowlisted, all * 0.12, 5);
  if (i == 0 && count > 2) point.allowlisted = std::nullopt;
  return point;
}

BurnDown burn_down_of(const Progress& progress, const char* id, const char* title,
                      std::optional<long long> (*value)(const Point&)) {
  BurnDown burn;
  burn.id = id;
  burn.title = title;
  for (std::size_t i = 0; i < progress.points.size(); ++i) {
    burn.values.push_back(value(progress.points[i]));
    long long before = i == 0 ? 0 : burn.values[i - 1].value_or(0);
    long long up = burn.values[i].value_or(0) - before;
    long long added =
        i == 0 || !burn.values[i - 1] ? 0 : std::max(0LL, up) + static_cast<long long>(noise(i, 3));
    burn.added.push_back(added);
    burn.removed.push_back(added - up < 0 || before == 0 ? 0 : added - up);
  }
  burn.now = burn.values.empty() ? progress.total.undeclared() : burn.values.back().value_or(0);
  return burn;
}

void add_causes(const Progress& progress, BurnDown& burn) {
  std::size_t count = progress.commits.size();
  for (std::size_t i = 0; count > 0 && i < std::min<std::size_t>(kMostChanges, count * 6); ++i)
    burn.changes.push_back({i % 4 == 0 ? Change::What::new_unlabelled : Change::What::labelled,
                            count - 1 - i * count / (count * 6), path_of(i * 3), fmt::format("TestCase{}", i),
                            1});
  burn.left_out = count > 30 ? 1234 : 0;
  for (const char* author : kAuthors) burn.actors.push_back({author, 3, 40});
  if (count < 2) {
    burn.forecast.method = "A pace needs two points or more.";
    return;
  }
  std::string from = date_of(count - 1);
  burn.forecast = {
      true, date_of(count + count / 4).substr(0, 10), date_of(count + count).substr(0, 10),
      fmt::format("From {} points since 2025-01-06: the fast pace is the upper quarter of weekly changes, "
                  "the slow one the lower quarter.",
                  count)};
}

void add_history(const SampleSize& size, Progress& progress) {
  for (std::size_t i = 0; i < size.points; ++i) {
    progress.points.push_back(point_of(progress, i, size.points));
    progress.commits.push_back(progress.points.back().commit);
  }
  progress.burn_downs = {
      burn_down_of(progress, "undeclared", "Classes without a label",
                   [](const Point& point) -> std::optional<long long> { return point.tally.undeclared(); }),
      burn_down_of(progress, "allowlisted", "Allowlist entries",
                   [](const Point& point) { return point.allowlisted; }),
      burn_down_of(progress, "uses", "Hard-coded uses",
                   [](const Point& point) -> std::optional<long long> { return point.tally.uses; })};
  for (BurnDown& burn : progress.burn_downs) add_causes(progress, burn);
  if (size.points > 2)
    progress.came_back = {{Change::What::label_lost, size.points - 1, path_of(2), "TestnnCase2", 1},
                          {Change::What::uses_added, size.points - 2, path_of(4), "TestexportCase4", 3},
                          {Change::What::listed, size.points - 2, path_of(5), "", 1}};
}

TrackedItem item_of(const Progress& progress, std::size_t i) {
  TrackedItem tracked;
  tracked.item.id = std::to_string(i + 1);
  tracked.item.title = fmt::format("Sort the tests of {}", path_of(i));
  tracked.item.paths = {path_of(i)};
  tracked.item.area = i % 3 == 0 ? "core" : i % 3 == 1 ? "graph" : "distributed";
  tracked.item.owner = i % 4 == 0 ? "" : kAuthors[i % std::size(kAuthors)];
  tracked.item.url = fmt::format("https://example.org/board/{}", i + 1);
  tracked.item.done_by_hand = i % 10 == 1;
  Standing& standing = tracked.standing;
  standing.state = kStates[i * 3 % std::size(kStates)];
  standing.without_regression = standing.state == State::regressed ? State::uses_left : standing.state;
  auto number = static_cast<long long>(i);
  standing.parts = {1,          number % 9 + 1, number * 13 % 120, number % 5, number % 3,
                    number % 4, number % 6,     number % 2,        number % 3};
  if (i % 6 == 5) {
    tracked.item.mark = i % 12 == 5 ? Mark::blocked : Mark::wont_do;
    tracked.item.reason = "needs a machine with two devices";
  }
  if (!progress.commits.empty() && i % 3 != 0) {
    const Commit& commit = progress.commits[i % progress.commits.size()];
    standing.changed = i % progress.commits.size();
    standing.before = State::labelled;
    tracked.changed_commit = commit.hash, tracked.changed_date = commit.date,
    tracked.changed_author = commit.author;
  }
  return tracked;
}

void add_items(const SampleSize& size, Progress& progress) {
  for (std::size_t i = 0; i < size.items; ++i) progress.items.push_back(item_of(progress, i));
  for (State state : kStates)
    progress.states.emplace_back(
        state, std::count_if(progress.items.begin(), progress.items.end(),
                             [&](const TrackedItem& item) { return item.standing.state == state; }));
}

void add_groups(Progress& progress) {
  for (const char* folder : kFolders) {
    Group group{fmt::format("test/{}", folder), {}, 2};
    for (const ClassRow& row : progress.classes)
      if (row.path.starts_with(group.name + "/")) add_class(row, group.tally);
    group.tally.files = group.tally.classes / 3;
    progress.directories.push_back(group);
  }
  progress.areas = {{"core", progress.total, 3}, {"", Tally{}, 0}};
  progress.owners = {{"module: nn", progress.total, 3}, {"", Tally{}, 0}};
}

void add_unlocks(Progress& progress) {
  for (std::size_t i = 0; i < std::min<std::size_t>(progress.classes.size(), 40); ++i) {
    Unlock unlock{i % 2 == 0 ? "XPU" : "MPS",
                  path_of(i),
                  progress.classes[i].measure.name,
                  static_cast<long long>(400 - i * 9),
                  {}};
    for (std::size_t place = 0; place <= i % 6; ++place)
      unlock.places.push_back({static_cast<int>(10 + place * 40),
                               place % 2 == 0 ? "allow_xpu=True in this call"
                                              : "torch.cuda.synchronize: use torch.accelerator.synchronize"});
    progress.unlocks.push_back(unlock);
  }
}

void poison(std::string& text) { text = kNasty + text; }

}  // namespace

const char* const kNasty =
    "=1+1<script>alert(\"1\")</script><img src=x onerror='y'>]]>|`a`\n\r@someone #1 **b** [x](javascript:y) "
    "\xE2\x80\xAE\xFF\x1b[31m&amp;";

Progress sample_progress(const SampleSize& size) {
  Progress progress;
  progress.commit = commit_of(std::max<std::size_t>(size.points, 1) - 1, size.points).hash;
  progress.commit_date = date_of(std::max<std::size_t>(size.points, 1) - 1);
  progress.made = "2026-11-30T12:00:00Z";
  progress.version = "0.1.0";
  progress.profile = "default";
  add_classes(size, progress);
  add_totals(progress);
  add_history(size, progress);
  add_items(size, progress);
  add_groups(progress);
  add_unlocks(progress);
  progress.notes = {"History begins with 1f2e3d4c5b of 2025-01-06: the clone is shallow."};
  return progress;
}

Progress nasty_progress() {
  Progress progress = sample_progress({});
  progress.changed_tree = true;
  for (std::string* text : {&progress.commit, &progress.commit_date, &progress.version, &progress.profile})
    poison(*text);
  for (Commit& commit : progress.commits) poison(commit.author), poison(commit.subject), poison(commit.hash);
  for (Point& point : progress.points) poison(point.commit.author), poison(point.commit.subject);
  for (BurnDown& burn : progress.burn_downs) {
    for (Change& change : burn.changes) poison(change.path), poison(change.cls);
    for (Actor& actor : burn.actors) poison(actor.author);
    poison(burn.forecast.method);
  }
  for (Change& change : progress.came_back) poison(change.path), poison(change.cls);
  for (std::vector<Group>* groups : {&progress.directories, &progress.areas, &progress.owners})
    for (Group& group : *groups) poison(group.name);
  for (TrackedItem& tracked : progress.items) {
    Item& item = tracked.item;
    for (std::string* text : {&item.id, &item.title, &item.area, &item.owner, &item.reason, &item.note,
                              &tracked.changed_author, &tracked.changed_commit})
      poison(*text);
    item.url = "javascript:alert(1)";
    item.links = {"data:text/html,<b>", "https://example.org/\"onclick=x"};
    item.paths = {kNasty};
    item.mark = Mark::blocked;
  }
  for (ClassRow& row : progress.classes) poison(row.path), poison(row.measure.name);
  for (Unlock& unlock : progress.unlocks) {
    poison(unlock.path), poison(unlock.cls), poison(unlock.device);
    for (EditPlace& place : unlock.places) poison(place.text);
  }
  for (auto& [rule, count] : progress.findings) poison(rule);
  for (std::string& note : progress.notes) poison(note);
  return progress;
}

}  // namespace hwsift::report
