#include "runner/plan.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "runner/expectation.h"

namespace hwsift::runner {
namespace {

constexpr double kEvenEnough = 1.02;  // the slowest shard over the mean
constexpr std::size_t kNamed = 3;     // ids in an error

// Some tests with the time that they take; indices into Selection::tests.
struct Piece {
  std::vector<std::size_t> tests;
  Micros micros = 0;

  void add(const Piece& more) {
    tests.insert(tests.end(), more.tests.begin(), more.tests.end());
    micros += more.micros;
  }
};

struct Unit {
  const std::string* path = nullptr;
  int part = 1;
  int parts = 1;
  Piece piece;

  Micros cost() const { return piece.micros + (part > 1 ? micros(kStartSeconds) : 0); }
};

// Which shard has which unit, and how long the slowest takes.
struct Layout {
  std::vector<Unit> units;
  std::vector<int> shard_of;  // from 0, for each unit
  std::vector<Micros> loads;  // for each shard

  Micros slowest() const { return loads.empty() ? 0 : *std::max_element(loads.begin(), loads.end()); }
  Micros total() const {
    Micros sum = 0;
    for (Micros load : loads) sum += load;
    return sum;
  }
};

class Planner {
 public:
  Planner(const Selection& selection, const std::vector<Micros>& times)
      : selection_(selection), times_(times) {
    for (std::size_t i = 0; i < selection.tests.size(); ++i) add_test(i);
  }

  // Units of at most `limit`, where tests allow it.
  std::vector<Unit> cut(Micros limit) const {
    std::vector<Unit> units;
    for (const auto& [path, file] : files_) {
      std::vector<Piece> parts{file};
      if (file.micros > limit) parts = join_up_to(pieces(file, limit), limit);
      for (std::size_t i = 0; i < parts.size(); ++i)
        units.push_back(
            {&path, static_cast<int>(i) + 1, static_cast<int>(parts.size()), std::move(parts[i])});
    }
    return units;
  }

 private:
  void add_test(std::size_t index) { files_[selection_.tests[index].path].add({{index}, times_[index]}); }

  // The classes of a file in source order; of one above the limit its tests.
  std::vector<Piece> pieces(const Piece& file, Micros limit) const {
    std::vector<Piece> classes;
    std::unordered_map<std::string, std::size_t> index;
    for (std::size_t test : file.tests) {
      auto [at, fresh] = index.emplace(selection_.tests[test].run_class, classes.size());
      if (fresh) classes.emplace_back();
      classes[at->second].add({{test}, times_[test]});
    }
    std::vector<Piece> all;
    for (const Piece& cls : classes) {
      if (cls.micros <= limit) {
        all.push_back(cls);
        continue;
      }
      for (std::size_t test : cls.tests) all.push_back({{test}, times_[test]});
    }
    return all;
  }

  // Neighbours joined to parts that keep to the limit and are about as long as each other.
  static std::vector<Piece> join_up_to(const std::vector<Piece>& pieces, Micros limit) {
    Micros sum = 0;
    for (const Piece& piece : pieces) sum += piece.micros;
    Micros count = (sum + limit - 1) / limit;
    Micros fair = sum / count;
    std::vector<Piece> parts{{}};
    for (const Piece& piece : pieces) {
      const Piece& last = parts.back();
      bool full = last.micros >= fair || last.micros + piece.micros > limit;
      if (full && !last.tests.empty()) parts.emplace_back();
      parts.back().add(piece);
    }
    return parts;
  }

  const Selection& selection_;
  const std::vector<Micros>& times_;
  std::map<std::string, Piece> files_;
};

std::vector<std::size_t> longest_first(const std::vector<Unit>& units) {
  std::vector<std::size_t> order(units.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  // They come by path and part, which decides between equals.
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return units[a].cost() > units[b].cost(); });
  return order;
}

// A part that is in the shard of another part of its file needs no start of its own, but for one a shard.
void count_loads(Layout& layout) {
  std::set<std::pair<int, const std::string*>> begun;
  std::fill(layout.loads.begin(), layout.loads.end(), 0);
  for (std::size_t i = 0; i < layout.units.size(); ++i) {
    const Unit& unit = layout.units[i];
    bool starts = begun.insert({layout.shard_of[i], unit.path}).second && unit.part > 1;
    layout.loads[static_cast<std::size_t>(layout.shard_of[i])] +=
        unit.piece.micros + (starts ? micros(kStartSeconds) : 0);
  }
}

Layout spread(std::vector<Unit> units, int shards) {
  Layout layout{std::move(units), {}, {}};
  layout.shard_of.resize(layout.units.size());
  layout.loads.resize(static_cast<std::size_t>(shards));
  std::set<std::pair<Micros, int>> by_load;
  for (int i = 0; i < shards; ++i) by_load.emplace(0, i);
  for (std::size_t i : longest_first(layout.units)) {
    auto [load, shard] = *by_load.begin();
    by_load.erase(by_load.begin());
    layout.shard_of[i] = shard;
    by_load.emplace(load + layout.units[i].cost(), shard);
  }
  count_loads(layout);
  return layout;
}

bool even(const Layout& layout) {
  double mean = static_cast<double>(layout.total()) / static_cast<double>(layout.loads.size());
  return static_cast<double>(layout.slowest()) <= kEvenEnough * mean;
}

// Coarse units cost fewer starts: they get finer only as long as that is needed, for shards that are even or
// that keep to a target (above 0), and the slowest shard gains.
Layout lay_out(const Planner& planner, Micros limit, int shards, Micros target) {
  auto good = [&](const Layout& layout) { return target > 0 ? layout.slowest() <= target : even(layout); };
  Micros finest = std::min(limit, 2 * micros(kStartSeconds));
  Layout best = spread(planner.cut(limit), shards);
  while (!good(best) && limit > finest) {
    limit = std::max(limit / 2, finest);
    Layout finer = spread(planner.cut(limit), shards);
    if (finer.slowest() < best.slowest()) best = std::move(finer);
  }
  return best;
}

// At least a microsecond, since it divides.
Micros positive(double seconds) { return std::max<Micros>(1, micros(seconds)); }

std::string seconds_text(Micros micros) {
  Micros tenths = (micros + 99999) / 100000;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

Error out_of_reach(const Unit& longest, const Selection& selection, double target) {
  const std::string& first = selection.tests[longest.piece.tests.front()].id;
  std::string what = longest.piece.tests.size() == 1 ? first : *longest.path;
  return {"--target-time",
          "no number of shards takes at most " + seconds_text(micros(target)) + ": " + what +
              " alone takes " + seconds_text(longest.cost()),
          "the least is " + seconds_text(longest.cost())};
}

// Mostly the least number will do, or one of the next. Beyond those more shards are taken to be faster.
constexpr Micros kNextOnes = 8;

Result<Layout> fewest(Micros least, Micros target, const std::function<Layout(Micros)>& lay_out_over) {
  Micros next = least;
  for (; next <= std::min<Micros>(kMostShards, least + kNextOnes); ++next)
    if (Layout layout = lay_out_over(next); layout.slowest() <= target) return layout;
  std::optional<Layout> best;
  for (Micros most = kMostShards; next <= most;) {
    Micros shards = best ? next + (most - next) / 2 : most;
    Layout layout = lay_out_over(shards);
    bool fits = layout.slowest() <= target;
    if (!fits && !best) break;
    if (fits) best = std::move(layout);
    (fits ? most : next) = fits ? shards - 1 : shards + 1;
  }
  if (best) return std::move(*best);
  return Error{"--target-time", "more than " + std::to_string(kMostShards) + " shards would be needed",
               "allow more time"};
}

Result<Layout> keep_to_target(const Planner& planner, const Selection& selection,
                              const PlanOptions& options) {
  Micros target = positive(options.target_seconds);
  Micros room = std::max<Micros>(target - micros(kStartSeconds), 1);
  Micros limit = std::min(room, positive(options.unit_seconds));
  std::vector<Unit> units = planner.cut(limit);
  if (units.empty()) return spread({}, 1);
  const Unit& longest = units[longest_first(units).front()];
  if (longest.cost() > target) return out_of_reach(longest, selection, options.target_seconds);
  Micros total = 0;
  for (const Unit& unit : units) total += unit.piece.micros;
  Micros least = std::max<Micros>(1, (total + target - 1) / target);
  return fewest(least, target,
                [&](Micros shards) { return lay_out(planner, limit, static_cast<int>(shards), target); });
}

double seconds(Micros micros) { return static_cast<double>(micros) / 1e6; }

Plan written_out(const Layout& layout, const Selection& selection) {
  Plan plan;
  plan.device = selection.device;
  for (Micros load : layout.loads) plan.shards.push_back({seconds(load), {}});
  for (std::size_t i = 0; i < layout.units.size(); ++i) {
    const Unit& unit = layout.units[i];
    PlanUnit out{*unit.path, unit.part, unit.parts, seconds(unit.piece.micros), {}};
    for (std::size_t test : unit.piece.tests) out.tests.push_back(selection.tests[test].id);
    plan.shards[static_cast<std::size_t>(layout.shard_of[i])].units.push_back(std::move(out));
  }
  plan.fingerprint = fingerprint_of(plan);
  return plan;
}

std::string some_of(const std::vector<std::string>& ids) {
  std::vector<std::string> named(ids.begin(),
                                 ids.begin() + static_cast<std::ptrdiff_t>(std::min(kNamed, ids.size())));
  return join(named, ", ") + (ids.size() > kNamed ? ", ..." : "");
}

std::vector<std::string> only_in(const std::vector<std::string>& here,
                                 const std::vector<std::string>& there) {
  std::vector<std::string> only;
  std::set_difference(here.begin(), here.end(), there.begin(), there.end(), std::back_inserter(only));
  return only;
}

std::string difference(const std::vector<std::string>& only_plan, const std::vector<std::string>& only_tree) {
  std::vector<std::string> parts;
  if (!only_plan.empty())
    parts.push_back(std::to_string(only_plan.size()) + " only in the plan: " + some_of(only_plan));
  if (!only_tree.empty())
    parts.push_back(std::to_string(only_tree.size()) + " only in the tree: " + some_of(only_tree));
  return "the plan is for other tests than the tree has: " + join(parts, "; ");
}

// Who has what, for the cut of a selection.
struct Owners {
  std::unordered_map<std::string, int> tests;        // shard by id
  std::unordered_map<std::string, int> first_parts;  // shard by path
};

Owners owners_of(const Plan& plan) {
  Owners owners;
  for (std::size_t i = 0; i < plan.shards.size(); ++i) {
    for (const PlanUnit& unit : plan.shards[i].units) {
      int shard = static_cast<int>(i) + 1;
      if (unit.part == 1) owners.first_parts[unit.path] = shard;
      for (const std::string& id : unit.tests) owners.tests[id] = shard;
    }
  }
  return owners;
}

int owner(const std::unordered_map<std::string, int>& of, const std::string& key) {
  auto found = of.find(key);
  return found == of.end() ? 1 : found->second;
}

}  // namespace

std::string fingerprint_of(const Plan& plan) {
  Digest digest;
  digest.add(plan.device);
  digest.add(static_cast<long long>(plan.shards.size()));
  for (const PlanShard& shard : plan.shards) {
    digest.add(static_cast<long long>(shard.units.size()));
    for (const PlanUnit& unit : shard.units) {
      digest.add(unit.path);
      digest.add(unit.part);
      digest.add(unit.parts);
      digest.add(static_cast<long long>(unit.tests.size()));
      for (const std::string& id : unit.tests) digest.add(id);
    }
  }
  return digest.hex();
}

std::string fingerprint_of(const Selection& selection) {
  std::vector<std::string> ids;
  for (const SelectedTest& test : selection.tests) ids.push_back(test.id);
  std::sort(ids.begin(), ids.end());
  Digest digest;
  digest.add(selection.device);
  for (const std::string& id : ids) digest.add(id);
  return digest.hex();
}

std::vector<std::string> tests_of(const Plan& plan) {
  std::vector<std::string> ids;
  for (const PlanShard& shard : plan.shards)
    for (const PlanUnit& unit : shard.units) ids.insert(ids.end(), unit.tests.begin(), unit.tests.end());
  std::sort(ids.begin(), ids.end());
  return ids;
}

Result<Plan> make_plan(const Selection& selection, const KnownTimes& times, const PlanOptions& options) {
  Expectation expected = expect(selection, times);
  Planner planner(selection, expected.tests);
  Result<Layout> layout = options.shards > 0
                              ? lay_out(planner, positive(options.unit_seconds), options.shards, 0)
                              : keep_to_target(planner, selection, options);
  if (!layout.ok()) return layout.error();
  Plan plan = written_out(*layout, selection);
  plan.known = expected.known;
  return plan;
}

Status check_plan(const Plan& plan, const Selection& selection, const std::string& file) {
  if (plan.device != selection.device)
    return Error{file, "the plan is for " + plan.device + ", not for " + selection.device,
                 "leave --device out, or make a plan for it"};
  std::vector<std::string> here;
  for (const SelectedTest& test : selection.tests) here.push_back(test.id);
  std::sort(here.begin(), here.end());
  std::vector<std::string> planned = tests_of(plan);
  if (planned == here) return {};
  return Error{file, difference(only_in(planned, here), only_in(here, planned)),
               "check out the commit that it was made from, or make it again with 'hwsift plan'"};
}

Selection part_of(const Selection& selection, const Plan& plan, int index) {
  Owners owners = owners_of(plan);
  Selection part = selection;
  part.tests.clear(), part.files.clear(), part.not_selected.clear();
  for (const SelectedTest& test : selection.tests) {
    bool ours = owner(owners.tests, test.id) == index;
    (ours ? part.tests : part.elsewhere).push_back(test);
    if (ours && (part.files.empty() || part.files.back() != test.path)) part.files.push_back(test.path);
  }
  for (const std::string& path : part.files)
    if (owner(owners.first_parts, path) != index) part.found_elsewhere.insert(path);
  for (const auto& [reason, ids] : selection.not_selected) {
    for (const std::string& id : ids) {
      bool ours = owner(owners.first_parts, id.substr(0, id.find("::"))) == index;
      (ours ? part.not_selected : part.left_out_elsewhere)[reason].push_back(id);
    }
  }
  return part;
}

}  // namespace hwsift::runner
