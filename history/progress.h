// The numbers of a progress report. Every printer shows these and computes none of its own, so that the page,
// the Markdown, the JSON and the CSV cannot disagree.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "history/changes.h"
#include "history/forecast.h"
#include "history/items.h"
#include "history/measure.h"
#include "history/timeline.h"
#include "history/unlock.h"

namespace hwsift::history {

struct CategoryCount {
  std::string category;   // GENERIC, DEVICE_GENERIC, CPU, CUDA ...; in the order of the vocabulary
  long long classes = 0;  // by what counts: the label where there is one
  long long tests = 0;
  long long declared = 0;  // classes whose label says so
};

struct Group {
  std::string name;  // a folder, an area, an owner; "" for files that have none
  Tally tally;
  long long allowlisted = 0;  // files
};

struct Point {
  Commit commit;
  Tally tally;
  std::optional<long long> allowlisted;  // entries; nullopt where the commit has no allowlist
};

struct Actor {
  std::string author;
  long long added = 0;
  long long removed = 0;
};

// What is to burn down: one value a point.
struct BurnDown {
  std::string id;                                // "undeclared", "allowlisted", "uses"
  std::string title;                             // "Classes without a label"
  std::vector<std::optional<long long>> values;  // parallel to Progress::points
  std::vector<long long> added;                  // since the point before; 0 at the first
  std::vector<long long> removed;
  long long now = 0;
  std::vector<Change> changes;  // newest first; at most kMostChanges, `left_out` tells of the others
  std::size_t left_out = 0;
  std::vector<Actor> actors;  // most removed first
  Forecast forecast;
};
inline constexpr std::size_t kMostChanges = 200;

struct TrackedItem {
  Item item;
  Standing standing;
  std::string changed_commit, changed_date, changed_author;  // "" where Standing::changed has none
};

TrackedItem tracked(const Item& item, const Standing& standing, const Timeline& timeline);

struct ClassRow {
  std::string path;
  ClassMeasure measure;
  bool allowlisted = false;
};

struct Progress {
  std::string commit;  // HEAD; "" outside of git
  std::string commit_date;
  bool changed_tree = false;  // test files of the work tree differ from that commit
  std::string made;           // UTC
  std::string version;        // of hwsift
  std::string profile;        // whose findings are counted

  Tally total;
  std::optional<long long> allowlisted;  // entries
  std::vector<CategoryCount> categories;
  std::vector<std::pair<State, long long>> states;          // of items, in the order of kStates
  std::vector<std::pair<std::string, long long>> findings;  // by rule, most first

  std::vector<Commit> commits;       // that changes and standings name, as the timeline has them
  std::vector<Point> points;         // oldest first
  std::vector<BurnDown> burn_downs;  // of the allowlist only where there is or was one
  std::vector<Group> directories;    // below test/, first level; then areas and owners, most undeclared first
  std::vector<Group> areas;
  std::vector<Group> owners;
  std::vector<TrackedItem> items;
  // In the `window_days` before the newest commit, newest first; what was mended since is left out.
  std::vector<Change> came_back;
  int window_days = 30;
  std::vector<ClassRow> classes;
  std::vector<Unlock> unlocks;     // the best edits for a device each, best first
  std::vector<std::string> notes;  // what a reader must know: where history begins, what could not be read
};

struct ProgressInput {
  const Timeline& timeline;
  const std::vector<Item>& items;
  std::vector<std::string> categories;  // in the order of reports
};
// The numbers. What only the surroundings know (commit, made, version, profile, unlocks) is left for the
// caller.
Progress make_progress(const ProgressInput& input);

}  // namespace hwsift::history
