#include "report/progress_figures.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "base/text.h"

namespace hwsift::report {
namespace {

using history::BurnDown;
using history::Change;
using history::Commit;
using history::Group;
using history::Point;
using history::Progress;
using history::State;
using history::TrackedItem;

// Collects the figures of one section.
struct Section {
  std::vector<Figure>& all;
  std::string section;

  void add(const std::string& name, const std::string& figure, const std::string& value) {
    all.push_back({section, name, figure, value});
  }
  void add(const std::string& name, const std::string& figure, long long value) {
    add(name, figure, std::to_string(value));
  }
  void add(const std::string& name, const std::string& figure, const std::optional<long long>& value) {
    add(name, figure, value ? std::to_string(*value) : "");
  }
  void add(const std::string& name, const std::vector<std::pair<const char*, long long>>& numbers) {
    for (const auto& [figure, value] : numbers) add(name, figure, value);
  }
};

void add_totals(const Progress& progress, std::vector<Figure>& all) {
  Section total{all, "total"};
  total.add("", tally_figures(progress.total));
  total.add("", "allowlisted", progress.allowlisted);
  Section category{all, "category"};
  for (const history::CategoryCount& count : progress.categories)
    category.add(count.category,
                 {{"classes", count.classes}, {"tests", count.tests}, {"declared", count.declared}});
  Section state{all, "state"};
  for (const auto& [one, count] : progress.states) state.add(word(one), "items", count);
  Section finding{all, "finding"};
  for (const auto& [rule, count] : progress.findings) finding.add(rule, "findings", count);
}

void add_history(const Progress& progress, std::vector<Figure>& all) {
  Section section{all, "history"};
  for (const Point& point : progress.points) {
    std::string name = commit_name(point.commit);
    section.add(name, "date", point.commit.date);
    section.add(name, "author", point.commit.author);
    section.add(name, tally_figures(point.tally));
    section.add(name, "allowlisted", point.allowlisted);
  }
}

void add_forecast(const BurnDown& burn, Section& section) {
  section.add(burn.id, "forecast_possible", std::string(burn.forecast.possible ? "true" : "false"));
  section.add(burn.id, "forecast_earliest", burn.forecast.earliest);
  section.add(burn.id, "forecast_latest", burn.forecast.latest);
}

void add_burn_down(const Progress& progress, const BurnDown& burn, std::vector<Figure>& all) {
  Section section{all, "burn_down"};
  section.add(burn.id, "now", burn.now);
  for (std::size_t i = 0; i < std::min(progress.points.size(), burn.values.size()); ++i) {
    std::string name = point_name(burn, progress.points[i]);
    section.add(name, "date", progress.points[i].commit.date);
    section.add(name, "value", burn.values[i]);
    section.add(name, "added", burn.added[i]);
    section.add(name, "removed", burn.removed[i]);
  }
  add_forecast(burn, section);
}

void add_change(const Progress& progress, const Change& change, const std::string& name, Section& section) {
  const Commit* commit = commit_at(progress, change.commit);
  section.add(name, "what", std::string(word(change.what)));
  section.add(name, "path", change.path);
  section.add(name, "class", change.cls);
  section.add(name, "amount", change.amount);
  section.add(name, "commit", commit == nullptr ? "" : commit->hash);
  section.add(name, "date", commit == nullptr ? "" : commit->date);
  section.add(name, "author", commit == nullptr ? "" : commit->author);
}

// Who added and who removed what.
void add_causes(const Progress& progress, const BurnDown& burn, std::vector<Figure>& all) {
  Section author{all, "author"};
  for (const history::Actor& actor : burn.actors)
    author.add(author_name(burn, actor), {{"added", actor.added}, {"removed", actor.removed}});
  Section change{all, "change"};
  for (std::size_t i = 0; i < burn.changes.size(); ++i)
    add_change(progress, burn.changes[i], change_name(burn, i), change);
  change.add(burn.id, "left_out", static_cast<long long>(burn.left_out));
}

void add_groups(const char* kind, const std::vector<Group>& groups, std::vector<Figure>& all) {
  Section section{all, kind};
  for (const Group& group : groups) {
    section.add(group_name(group), tally_figures(group.tally));
    section.add(group_name(group), "allowlisted", group.allowlisted);
  }
}

void add_items(const Progress& progress, std::vector<Figure>& all) {
  Section section{all, "item"};
  for (const TrackedItem& tracked : progress.items) {
    const std::string& id = tracked.item.id;
    section.add(id, "title", tracked.item.title);
    section.add(id, "state", std::string(word(tracked.standing.state)));
    section.add(id, parts_figures(tracked.standing.parts));
    section.add(id, "area", tracked.item.area);
    section.add(id, "owner", tracked.item.owner);
    section.add(id, "mark", std::string(word(tracked.item.mark)));
    section.add(id, "reason", tracked.item.reason);
    section.add(id, "changed_date", tracked.changed_date);
    section.add(id, "changed_commit", tracked.changed_commit);
    section.add(id, "changed_author", tracked.changed_author);
  }
}

void add_came_back(const Progress& progress, std::vector<Figure>& all) {
  Section section{all, "came_back"};
  section.add("", "changes", static_cast<long long>(progress.came_back.size()));
  for (std::size_t i = 0; i < progress.came_back.size(); ++i)
    add_change(progress, progress.came_back[i], std::to_string(i + 1), section);
}

void add_classes(const Progress& progress, std::vector<Figure>& all) {
  Section section{all, "class"};
  std::vector<std::string> names = class_names(progress);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const history::ClassRow& row = progress.classes[i];
    section.add(names[i], "line", row.measure.line);
    section.add(names[i], "category", row.measure.category());
    section.add(names[i], "declared", row.measure.declared);
    section.add(names[i], "mixed", std::string(row.measure.mixed ? "true" : "false"));
    section.add(names[i], "tests", row.measure.tests);
    section.add(names[i], "uses", row.measure.uses);
    section.add(names[i], "allowlisted", std::string(row.allowlisted ? "true" : "false"));
  }
}

void add_unlocks(const Progress& progress, std::vector<Figure>& all) {
  Section section{all, "unlock"};
  for (std::size_t i = 0; i < progress.unlocks.size(); ++i) {
    const history::Unlock& unlock = progress.unlocks[i];
    std::string name = unlock_name(progress, i);
    section.add(name, "path", unlock.path);
    section.add(name, "class", unlock.cls);
    section.add(name, "tests", unlock.tests);
    section.add(name, "edits", static_cast<long long>(unlock.places.size()));
  }
}

}  // namespace

std::vector<Figure> figures(const Progress& progress) {
  std::vector<Figure> all;
  add_totals(progress, all);
  add_history(progress, all);
  for (const BurnDown& burn : progress.burn_downs) add_burn_down(progress, burn, all);
  for (const BurnDown& burn : progress.burn_downs) add_causes(progress, burn, all);
  add_groups("directory", progress.directories, all);
  add_groups("area", progress.areas, all);
  add_groups("owner", progress.owners, all);
  add_items(progress, all);
  add_came_back(progress, all);
  add_classes(progress, all);
  add_unlocks(progress, all);
  return all;
}

std::vector<std::pair<const char*, long long>> tally_figures(const history::Tally& tally) {
  return {{"files", tally.files},       {"classes", tally.classes},         {"tests", tally.tests},
          {"declared", tally.declared}, {"undeclared", tally.undeclared()}, {"mixed", tally.mixed},
          {"uses", tally.uses},         {"findings", tally.findings}};
}

std::vector<std::pair<const char*, long long>> parts_figures(const history::Parts& parts) {
  return {{"files", parts.files},        {"classes", parts.classes},
          {"tests", parts.tests},        {"declared", parts.declared},
          {"mixed", parts.mixed},        {"uses", parts.uses},
          {"findings", parts.findings},  {"allowlisted", parts.allowlisted},
          {"left_allowlist", parts.left}};
}

std::string group_name(const Group& group) { return group.name.empty() ? "(none)" : group.name; }
std::string commit_name(const Commit& commit) { return commit.hash.empty() ? "work tree" : commit.hash; }

std::vector<std::string> class_names(const Progress& progress) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const history::ClassRow& row : progress.classes) {
    std::string name = row.path + "::" + row.measure.name;
    bool first = seen.insert(name).second;
    names.push_back(first ? name : fmt::format("{}:{}", name, row.measure.line));
  }
  return names;
}

std::string unlock_name(const Progress& progress, std::size_t index) {
  std::size_t rank = 0;
  for (std::size_t i = 0; i <= index; ++i)
    rank += progress.unlocks[i].device == progress.unlocks[index].device ? 1 : 0;
  return fmt::format("{}.{}", progress.unlocks[index].device, rank);
}

std::string point_name(const BurnDown& burn, const Point& point) {
  return burn.id + "@" + commit_name(point.commit);
}

std::string author_name(const BurnDown& burn, const history::Actor& actor) {
  return burn.id + "@" + actor.author;
}

std::string change_name(const BurnDown& burn, std::size_t index) {
  return fmt::format("{}.{}", burn.id, index + 1);
}

std::optional<int> percent(long long part, long long whole) {
  if (whole <= 0) return std::nullopt;
  return static_cast<int>(part * 100 / whole);
}

std::string percent_text(long long part, long long whole) {
  std::optional<int> share = percent(part, whole);
  return share ? fmt::format("{} %", *share) : "-";
}

std::string short_hash(const std::string& hash) { return hash.empty() ? "work tree" : hash.substr(0, 10); }
std::string day_of(const std::string& utc) { return utc.substr(0, 10); }

std::string forecast_text(const history::Forecast& forecast) {
  if (!forecast.possible) return "no date can be given";
  if (forecast.latest.empty()) return forecast.earliest + " at the earliest; at the slow pace, never";
  if (forecast.latest == forecast.earliest) return forecast.earliest;
  return "between " + forecast.earliest + " and " + forecast.latest;
}

const Commit* commit_at(const Progress& progress, std::size_t index) {
  return index < progress.commits.size() ? &progress.commits[index] : nullptr;
}

const char* sentence(Change::What what) {
  switch (what) {
    case Change::What::labelled:
      return "got its label";
    case Change::What::label_lost:
      return "lost its label";
    case Change::What::new_unlabelled:
      return "came without a label";
    case Change::What::deleted:
      return "was deleted";
    case Change::What::listed:
      return "came to the allowlist";
    case Change::What::unlisted:
      return "left the allowlist";
    case Change::What::uses_added:
      return "gained hard-coded uses";
    case Change::What::uses_removed:
      return "lost hard-coded uses";
  }
  return "";
}

bool is_done(State state) { return state == State::clean || state == State::graduated; }

bool needs_attention(const TrackedItem& item) {
  State state = item.standing.state;
  bool contradicts = item.item.done_by_hand && !is_done(state);
  return state == State::regressed || state == State::missing || item.item.mark == history::Mark::blocked ||
         contradicts;
}

std::string next_step(const Progress& progress) {
  if (progress.total.classes == 0)
    return "no test class was found: name a tree that holds some with 'hwsift -C DIR'";
  if (!progress.came_back.empty())
    return "look at what came back first; 'hwsift lint --changed' keeps it out of the next change";
  if (progress.points.size() < 2)
    return fmt::format("'{}' measures the past, so that a pace can be seen", kBackfill);
  if (progress.items.empty())
    return fmt::format("'{}' ties the numbers to the work that is planned", kImport);
  if (progress.total.undeclared() > 0) return "'hwsift lint --fix' writes the labels that it is sure of";
  if (progress.total.mixed > 0) return "'hwsift classify --show mixed' says how mixed classes can be split";
  if (progress.total.uses > 0) return "'hwsift lint' names the hard-coded uses that are left";
  if (progress.allowlisted.value_or(0) > 0)
    return "'hwsift allowlist prune' drops the entries that nothing needs any more";
  return "nothing is left; keep 'hwsift lint' in the CI";
}

}  // namespace hwsift::report
