#include "history/line.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/clock.h"

namespace hwsift::history {
namespace {

// Weeks since the Monday before 1970.
long long week_of(std::int64_t time) {
  long long since_monday = day_of(utc_text(time)) + 3;  // 1970-01-01 was a Thursday
  return since_monday >= 0 ? since_monday / 7 : (since_monday - 6) / 7;
}

}  // namespace

const char* word(Every every) { return every == Every::week ? "week" : "commit"; }

std::optional<Every> every_of(std::string_view text) {
  if (text == "week") return Every::week;
  if (text == "commit") return Every::commit;
  return std::nullopt;
}

std::vector<LineCommit> with_points(const std::vector<CommitFacts>& newest_first, Every every) {
  std::vector<LineCommit> line;
  std::set<long long> weeks;  // that have a point: clocks may run backwards, or be far off for one commit
  for (const CommitFacts& facts : newest_first) {
    long long week = week_of(facts.time);
    bool begins = weeks.insert(week).second;
    line.push_back({facts, begins || every == Every::commit});
  }
  if (!line.empty()) {
    line.back().as_oldest = !line.back().point;
    line.back().point = true;
  }
  std::reverse(line.begin(), line.end());
  return line;
}

namespace {

// No commit in common. In a shallow clone the two may well be one line, of which the middle is missing.
LinePlan plan_apart(const std::vector<StoredCommit>& stored, std::vector<LineCommit> line,
                    bool reaches_back) {
  LinePlan plan;
  plan.gap = !reaches_back && utc_text(line.front().facts.time) >= stored.back().date;
  plan.start = plan.gap && stored.back().current ? LinePlan::Start::append : LinePlan::Start::rebuild;
  plan.keep = stored.back().position;
  plan.joint = plan.gap ? stored.back().position + 1 : 0;
  plan.todo = std::move(line);
  return plan;
}

}  // namespace

LinePlan plan_line(const std::vector<StoredCommit>& stored, std::vector<LineCommit> line, bool reaches_back,
                   bool same_choice) {
  LinePlan plan;
  if (line.empty()) return plan;
  if (stored.empty()) {
    plan.todo = std::move(line);
    return plan;
  }
  std::map<std::string, std::size_t> place;  // in the line
  for (std::size_t i = 0; i < line.size(); ++i) place[line[i].facts.hash] = i;
  auto is_here = [&](const StoredCommit& commit) { return place.count(commit.hash) != 0; };
  auto common = std::find_if(stored.rbegin(), stored.rend(), is_here);
  if (common == stored.rend()) return plan_apart(stored, std::move(line), reaches_back);
  auto first = std::find_if(stored.begin(), stored.end(), is_here);
  // What is older than the line cannot be measured again, or is not asked for.
  bool current = std::all_of(first, common.base(), [](const StoredCommit& commit) { return commit.current; });
  bool starts_earlier = first == stored.begin() && place[first->hash] > 0;
  if (!current || !same_choice || starts_earlier) {
    plan.start = LinePlan::Start::rebuild;
    plan.joint = first == stored.begin() ? 0 : first->position;
    plan.todo = std::move(line);
    return plan;
  }
  const LineCommit& kept = line[place[common->hash]];
  plan.start = LinePlan::Start::append;
  plan.keep = common->position;
  plan.dropped = static_cast<std::size_t>(common - stored.rbegin());
  plan.keep_is_point = (kept.point && !kept.as_oldest) || common->position == stored.front().position;
  auto begin = line.begin() + static_cast<std::ptrdiff_t>(place[common->hash]) + 1;
  plan.todo.assign(begin, line.end());
  return plan;
}

}  // namespace hwsift::history
