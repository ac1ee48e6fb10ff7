#include "history/progress.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/text.h"

namespace hwsift::history {
namespace {

using What = Change::What;

// --- groups ---

// "test/inductor" of "test/inductor/test_a.py"; "test" of what lies in it.
std::string directory_of(const std::string& path) {
  std::vector<std::string> parts = split(path, '/');
  return parts.size() > 2 ? parts[0] + "/" + parts[1] : parts[0];
}

class Groups {
 public:
  void add_file(const std::string& name, const FileMeasure& measure, bool listed) {
    Group& group = groups_[name];
    group.name = name;
    add(measure, group.tally);
    group.allowlisted += listed ? 1 : 0;
  }
  // Most left to do first.
  std::vector<Group> sorted() const {
    std::vector<Group> list;
    for (const auto& [name, group] : groups_) list.push_back(group);
    std::stable_sort(list.begin(), list.end(), [](const Group& a, const Group& b) {
      return std::pair(a.tally.undeclared(), a.tally.uses) > std::pair(b.tally.undeclared(), b.tally.uses);
    });
    return list;
  }

 private:
  std::map<std::string, Group> groups_;
};

// What the items of an area name of a file: all of it, or some of its classes.
struct AreaShare {
  bool whole = false;
  std::set<std::size_t> classes;  // of FileMeasure::classes
};
using AreaShares = std::map<std::string, AreaShare>;  // by area

// The areas of items, by file.
std::map<std::string, AreaShares> areas_of(const std::vector<TrackedItem>& items) {
  std::map<std::string, AreaShares> areas;
  for (const TrackedItem& tracked : items) {
    if (tracked.item.area.empty()) continue;
    for (const std::string& path : tracked.standing.files) {
      AreaShare& share = areas[path][tracked.item.area];
      auto narrowed = tracked.standing.narrowed.find(path);
      share.whole = share.whole || narrowed == tracked.standing.narrowed.end();
      if (!share.whole) share.classes.insert(narrowed->second.begin(), narrowed->second.end());
    }
  }
  return areas;
}

// A file as if it had these classes alone, with their uses and findings.
FileMeasure narrowed_to(const FileMeasure& file, const std::set<std::size_t>& classes) {
  FileMeasure part;
  int findings = 0;
  for (std::size_t i : classes) {
    part.classes.push_back(file.classes[i]);
    findings += file.classes[i].findings;
  }
  part.findings[""] = findings;
  return part;
}

// What these classes leave of it.
FileMeasure without(const FileMeasure& file, const std::set<std::size_t>& classes) {
  FileMeasure rest;
  int findings = file.count_findings();
  for (std::size_t i = 0; i < file.classes.size(); ++i) {
    if (classes.count(i) == 0)
      rest.classes.push_back(file.classes[i]);
    else
      findings -= file.classes[i].findings;
  }
  rest.outside_uses = file.outside_uses;
  rest.findings[""] = findings;
  return rest;
}

bool is_empty(const FileMeasure& file) {
  return file.classes.empty() && file.count_uses() == 0 && file.count_findings() == 0;
}

// Each area gets what its items name of the file; what none names has no area.
void add_to_areas(const FileMeasure& file, const AreaShares& shares, bool is_listed, Groups& areas) {
  std::set<std::size_t> named;
  bool whole = false;
  for (const auto& [area, share] : shares) {
    whole = whole || share.whole;
    named.insert(share.classes.begin(), share.classes.end());
    if (share.whole)
      areas.add_file(area, file, is_listed);
    else if (!share.classes.empty())
      areas.add_file(area, narrowed_to(file, share.classes), is_listed);
  }
  if (whole) return;
  FileMeasure rest = without(file, named);
  if (named.empty() || !is_empty(rest)) areas.add_file("", rest, is_listed);
}

std::set<std::string> listed_files(const Timeline& timeline) {
  std::set<std::string> files;
  for (const auto& [name, entry] : timeline.listed())
    if (entry.whole_file) files.insert(entry.path);
  return files;
}

// --- now ---

void count_categories(const FileMeasure& file, std::vector<CategoryCount>& categories) {
  for (const ClassMeasure& cls : file.classes) {
    auto same = std::find_if(categories.begin(), categories.end(),
                             [&](const CategoryCount& count) { return count.category == cls.category(); });
    if (same == categories.end()) same = categories.insert(same, CategoryCount{cls.category()});
    ++same->classes;
    same->tests += cls.tests;
    same->declared += cls.declared.empty() ? 0 : 1;
  }
}

void count_files(const ProgressInput& input, Progress& progress) {
  std::map<std::string, AreaShares> areas = areas_of(progress.items);
  std::set<std::string> listed = listed_files(input.timeline);
  std::map<std::string, long long> findings;
  Groups directories, by_area, owners;
  std::size_t unread = 0;
  for (const std::string& category : input.categories) progress.categories.push_back({category});
  for (const auto& [path, measure] : input.timeline.files()) {
    bool is_listed = listed.count(path) != 0;
    add(*measure, progress.total);
    unread += measure->read ? 0 : 1;
    count_categories(*measure, progress.categories);
    for (const auto& [rule, count] : measure->findings) findings[rule] += count;
    for (const ClassMeasure& cls : measure->classes) progress.classes.push_back({path, cls, is_listed});
    directories.add_file(directory_of(path), *measure, is_listed);
    for (const std::string& owner : measure->owners) owners.add_file(owner, *measure, is_listed);
    if (measure->owners.empty()) owners.add_file("", *measure, is_listed);
    if (!input.items.empty()) add_to_areas(*measure, areas[path], is_listed, by_area);
  }
  progress.directories = directories.sorted();
  progress.areas = by_area.sorted();
  progress.owners = owners.sorted();
  progress.findings.assign(findings.begin(), findings.end());
  std::stable_sort(progress.findings.begin(), progress.findings.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  if (unread > 0)
    progress.notes.push_back(std::to_string(unread) +
                             " files could not be read and count as empty: 'hwsift scan' names them");
}

// --- the past ---

BurnDown burn_down(const std::string& id, const std::string& title) {
  BurnDown down;
  down.id = id;
  down.title = title;
  return down;
}

constexpr std::size_t kUndeclared = 0;
constexpr std::size_t kAllowlisted = 1;
constexpr std::size_t kUses = 2;

// Which number a change is about.
std::size_t number_of(What what) {
  if (what == What::listed || what == What::unlisted) return kAllowlisted;
  return what == What::uses_added || what == What::uses_removed ? kUses : kUndeclared;
}

// Adds up what commits did, by number, until the next point.
struct Since {
  long long added = 0;
  long long removed = 0;
};

void add_point(const Commit& commit, const Tally& tally, std::vector<Since>& since, Progress& progress) {
  progress.points.push_back({commit, tally, commit.allowlisted});
  std::optional<long long> values[] = {tally.undeclared(), commit.allowlisted, tally.uses};
  for (std::size_t i = 0; i < progress.burn_downs.size(); ++i) {
    BurnDown& down = progress.burn_downs[i];
    down.values.push_back(values[i]);
    down.added.push_back(since[i].added);
    down.removed.push_back(since[i].removed);
    since[i] = {};
  }
}

void add_actor(const Change& change, const Commit& commit, std::map<std::string, Actor>& actors) {
  Actor& actor = actors[commit.author];
  actor.author = commit.author;
  (adds(change.what) ? actor.added : actor.removed) += change.amount;
}

std::vector<Actor> sorted(const std::map<std::string, Actor>& actors) {
  std::vector<Actor> list;
  for (const auto& [author, actor] : actors) list.push_back(actor);
  std::stable_sort(list.begin(), list.end(), [](const Actor& a, const Actor& b) {
    return std::pair(a.removed, a.added) > std::pair(b.removed, b.added);
  });
  return list;
}

// Newest first, by path within a commit; no more than a report shows.
void keep_newest(BurnDown& down) {
  std::stable_sort(down.changes.begin(), down.changes.end(),
                   [](const Change& a, const Change& b) { return a.commit > b.commit; });
  if (down.changes.size() <= kMostChanges) return;
  down.left_out = down.changes.size() - kMostChanges;
  down.changes.resize(kMostChanges);
}

void forecast_all(Progress& progress) {
  for (BurnDown& down : progress.burn_downs) {
    std::vector<DatedValue> values;
    for (std::size_t i = 0; i < progress.points.size(); ++i)
      if (down.values[i] && !progress.points[i].commit.other_ruler)
        values.push_back({progress.points[i].commit.date, *down.values[i]});
    down.forecast = forecast(values, down.now);
  }
}

bool had_allowlist(const Progress& progress) {
  return std::any_of(progress.points.begin(), progress.points.end(),
                     [](const Point& point) { return point.allowlisted.has_value(); });
}

void read_past(const Timeline& timeline, const std::vector<CommitEffect>& effects, Progress& progress) {
  progress.burn_downs = {burn_down("undeclared", "Classes without a label"),
                         burn_down("allowlisted", "Entries of the allowlist"),
                         burn_down("uses", "Hard-coded uses")};
  std::vector<Since> since(progress.burn_downs.size());
  std::vector<std::map<std::string, Actor>> actors(progress.burn_downs.size());
  for (std::size_t i = 0; i < effects.size(); ++i) {
    for (const Change& change : effects[i].changes) {
      std::size_t number = number_of(change.what);
      (adds(change.what) ? since[number].added : since[number].removed) += change.amount;
      progress.burn_downs[number].changes.push_back(change);
      // Who did what in a gap is not known.
      if (!timeline.commits[i].gap_before) add_actor(change, timeline.commits[i], actors[number]);
    }
    if (timeline.commits[i].point) add_point(timeline.commits[i], effects[i].tally, since, progress);
  }
  progress.burn_downs[kUndeclared].now = progress.total.undeclared();
  progress.burn_downs[kAllowlisted].now = progress.allowlisted.value_or(0);
  progress.burn_downs[kUses].now = progress.total.uses;
  for (std::size_t i = 0; i < actors.size(); ++i) {
    progress.burn_downs[i].actors = sorted(actors[i]);
    keep_newest(progress.burn_downs[i]);
  }
  forecast_all(progress);
  if (!progress.allowlisted && !had_allowlist(progress))
    progress.burn_downs.erase(progress.burn_downs.begin() + kAllowlisted);
}

// Whether what a change brought back is still so at the end.
class Present {
 public:
  explicit Present(const Timeline& timeline) : files_(timeline.files()) {
    for (const auto& [name, entry] : timeline.listed()) listed_.insert(entry.path);
  }

  bool still_holds(const Change& change) const {
    if (change.what == What::listed) return listed_.count(change.path) != 0;
    auto file = files_.find(change.path);
    if (file == files_.end()) return false;
    return std::any_of(file->second->classes.begin(), file->second->classes.end(),
                       [&](const ClassMeasure& cls) {
                         if (cls.name != change.cls) return false;
                         return change.what == What::label_lost ? cls.declared.empty() : cls.uses > 0;
                       });
  }

 private:
  std::map<std::string, SharedMeasure> files_;
  std::set<std::string> listed_;
};

void find_what_came_back(const Timeline& timeline, const std::vector<CommitEffect>& effects,
                         Progress& progress) {
  if (timeline.commits.size() < 2) return;
  Present present(timeline);
  std::string since = date_of(day_of(timeline.commits.back().date) - progress.window_days);
  for (std::size_t i = effects.size(); i-- > 0;) {
    if (timeline.commits[i].date < since) continue;  // dates of commits may run backwards
    for (const Change& change : effects[i].changes)
      if (change.back && present.still_holds(change)) progress.came_back.push_back(change);
  }
}

void note_limits(const Timeline& timeline, Progress& progress) {
  if (timeline.commits.empty()) return;
  if (!timeline.begins.empty()) progress.notes.push_back("History: " + timeline.begins + ".");
  auto gaps = std::count_if(timeline.commits.begin(), timeline.commits.end(),
                            [](const Commit& commit) { return commit.gap_before; });
  if (gaps > 0)
    progress.notes.push_back("Gaps in the history, where a shallow clone did not have the commits between: " +
                             std::to_string(gaps) + ".");
  auto others = std::count_if(timeline.commits.begin(), timeline.commits.end(),
                              [](const Commit& commit) { return commit.other_ruler; });
  if (others > 0)
    progress.notes.push_back(
        std::to_string(others) +
        " commits were measured by another hwsift or with other rules and are not comparable: "
        "'hwsift history backfill' measures them again.");
}

// --- items ---

void track(const ProgressInput& input, Progress& progress) {
  std::vector<Standing> found = standings(input.items, input.timeline);
  std::map<State, long long> states;
  for (std::size_t i = 0; i < input.items.size(); ++i) {
    progress.items.push_back(tracked(input.items[i], found[i], input.timeline));
    ++states[found[i].state];
  }
  for (State state : kStates) progress.states.emplace_back(state, states[state]);
}

}  // namespace

TrackedItem tracked(const Item& item, const Standing& standing, const Timeline& timeline) {
  TrackedItem tracked{item, standing, "", "", ""};
  if (!standing.changed) return tracked;
  const Commit& commit = timeline.commits[*standing.changed];
  tracked.changed_commit = commit.hash;
  tracked.changed_date = commit.date;
  tracked.changed_author = author_of(commit);
  return tracked;
}

Progress make_progress(const ProgressInput& input) {
  const Timeline& timeline = input.timeline;
  Progress progress;
  progress.commits = timeline.commits;
  for (Commit& commit : progress.commits) commit.author = author_of(commit);
  if (!timeline.commits.empty()) progress.allowlisted = timeline.commits.back().allowlisted;
  track(input, progress);
  count_files(input, progress);
  std::vector<CommitEffect> effects = effects_of(timeline);
  read_past(timeline, effects, progress);
  find_what_came_back(timeline, effects, progress);
  note_limits(timeline, progress);
  return progress;
}

}  // namespace hwsift::history
