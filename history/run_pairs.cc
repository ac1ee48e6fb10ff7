#include "history/run_pairs.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>

#include "runner/owners.h"

namespace hwsift::history {
namespace {

using runner::RunRecord;
using runner::TestResult;

constexpr char kBetween = '\n';  // no id has it in a name
constexpr std::string_view kDevice = "\x01";
constexpr std::size_t kNoPlace = static_cast<std::size_t>(-1);

std::string key_of(std::initializer_list<std::string_view> parts) {
  std::string key;
  for (std::string_view part : parts) key.append(part) += kBetween;
  return key;
}

// One of the two runs, while its tests are paired.
struct Side {
  Side(const RunRecord& record, const classifier::Vocabulary& vocabulary)
      : entries(entries_of(record)), names(record.device, vocabulary), taken(entries.size()) {}

  // A class and a name without the device, where they are those of a variant. A template that did not run has
  // the class of the variant and its own name.
  struct Plain {
    std::string cls;
    std::string name;
    bool variant = false;
  };
  Plain plain(const RunEntry& entry) const {
    std::string_view cls = names.class_without(entry.parts.cls);
    std::string name = names.name_without(entry.parts.name);
    if (!cls.empty() && !name.empty()) return {std::string(cls), std::move(name), true};
    if (!cls.empty() && entry.result == nullptr)
      return {std::string(cls), std::string(entry.parts.name), true};
    return {std::string(entry.parts.cls), std::string(entry.parts.name), false};
  }

  std::vector<RunEntry> entries;
  DeviceNames names;
  std::vector<bool> taken;  // has its counterpart, or is ambiguous
};

using KeyOf = std::function<std::string(const Side&, const RunEntry&)>;  // "": not by this key

std::string by_identity(const Side& side, const RunEntry& entry) {
  Side::Plain plain = side.plain(entry);
  return key_of(
      {entry.parts.path, plain.cls, plain.name, entry.parts.parameters, plain.variant ? "variant" : ""});
}

std::string by_id(const Side&, const RunEntry& entry) { return *entry.id; }

std::string by_name(const Side& side, const RunEntry& entry) {
  std::string name = side.names.name_without(entry.parts.name, kDevice);
  return name.empty() ? "" : key_of({entry.parts.path, entry.parts.cls, name, entry.parts.parameters});
}

std::string by_method(const Side& side, const RunEntry& entry) {
  return key_of({entry.parts.path, side.plain(entry).name, entry.parts.parameters});
}

// Those of one key on both sides.
struct Candidates {
  std::vector<std::size_t> here;
  std::vector<std::size_t> there;
  bool on_both() const { return !here.empty() && !there.empty(); }
  bool one_each() const { return here.size() == 1 && there.size() == 1; }
};

// The classes of a rename that may be.
struct Renaming {
  std::string path, there, here;
  bool operator<(const Renaming& other) const {
    return std::tie(path, there, here) < std::tie(other.path, other.there, other.here);
  }
};

class Pairer {
 public:
  Pairer(const RunRecord& here, const RunRecord& there, const classifier::Vocabulary& vocabulary)
      : here_(here, vocabulary), there_(there, vocabulary) {}

  RunPairs pair() {
    pair_by(by_identity, Match::device);
    pair_by(by_id, Match::exact);
    pair_by(by_name, Match::name);
    result_.templates_there = pair_templates(here_, there_, false);
    result_.templates_here = pair_templates(there_, here_, true);
    pair_renamed();
    leave_the_rest();
    sort_pairs();
    result_.here = std::move(here_.entries);
    result_.there = std::move(there_.entries);
    return std::move(result_);
  }

 private:
  static void collect(const Side& side, const KeyOf& key, std::vector<std::size_t> Candidates::*list,
                      std::unordered_map<std::string, Candidates>& candidates) {
    for (std::size_t i = 0; i < side.entries.size(); ++i) {
      if (side.taken[i]) continue;
      if (std::string text = key(side, side.entries[i]); !text.empty()) (candidates[text].*list).push_back(i);
    }
  }

  std::unordered_map<std::string, Candidates> candidates_by(const KeyOf& key) const {
    std::unordered_map<std::string, Candidates> candidates;
    collect(here_, key, &Candidates::here, candidates);
    collect(there_, key, &Candidates::there, candidates);
    return candidates;
  }

  void pair_by(const KeyOf& key, Match match) {
    for (auto& [text, candidates] : candidates_by(key)) {
      if (!candidates.on_both()) continue;
      if (!candidates.one_each()) pair_equal_ids(candidates);
      if (candidates.one_each())
        take(candidates.here.front(), candidates.there.front(), match);
      else if (candidates.on_both())
        give_up(candidates);
    }
  }

  // Of several the ones with one id belong together, whatever else could.
  void pair_equal_ids(Candidates& candidates) {
    std::map<std::string_view, std::size_t> there;
    for (std::size_t i : candidates.there) there[*there_.entries[i].id] = i;
    std::erase_if(candidates.here, [&](std::size_t i) {
      auto found = there.find(*here_.entries[i].id);
      if (found == there.end()) return false;
      std::erase(candidates.there, found->second);
      take(i, found->second, Match::exact);
      return true;
    });
  }

  void take(std::size_t here, std::size_t there, Match match) {
    bool one_id = *here_.entries[here].id == *there_.entries[there].id;
    here_.taken[here] = there_.taken[there] = true;
    result_.pairs.push_back({here, there, one_id ? Match::exact : match, false});
  }

  void give_up(const Candidates& candidates) {
    for (std::size_t i : candidates.here) {
      here_.taken[i] = true;
      result_.pairs.push_back({i, std::nullopt, Match::none, true});
    }
    for (std::size_t i : candidates.there) {
      there_.taken[i] = true;
      result_.pairs.push_back({std::nullopt, i, Match::none, true});
    }
  }

  // Tests of `side` that templates of `other`, which did not run, stand for; how many of these there are.
  // Only what is left counts: a template that makes several tests is never a test itself.
  std::size_t pair_templates(Side& side, Side& other, bool swapped) {
    std::unordered_map<std::string, std::size_t> templates;
    for (std::size_t i = 0; i < other.entries.size(); ++i) {
      const RunEntry& entry = other.entries[i];
      if (other.taken[i] || entry.result != nullptr || !entry.parts.parameters.empty()) continue;
      Side::Plain plain = other.plain(entry);
      templates.emplace(key_of({entry.parts.path, entry.parts.cls, entry.parts.name}), i);
      templates.emplace(key_of({entry.parts.path, plain.cls, plain.name}), i);
    }
    std::set<std::size_t> used;
    for (std::size_t i = 0; i < side.entries.size() && !templates.empty(); ++i) {
      if (side.taken[i]) continue;
      std::optional<std::size_t> found = template_of(side, side.entries[i], templates);
      if (!found) continue;
      side.taken[i] = true;
      used.insert(*found);
      result_.pairs.push_back(swapped ? RunPair{*found, i, Match::template_name, false, true}
                                      : RunPair{i, *found, Match::template_name});
    }
    for (std::size_t one : used) other.taken[one] = true;
    return used.size();
  }

  static std::optional<std::size_t> template_of(
      const Side& side, const RunEntry& entry,
      const std::unordered_map<std::string, std::size_t>& templates) {
    Side::Plain plain = side.plain(entry);
    std::vector<std::string> names =
        runner::names_it_extends(std::string(entry.parts.name), side.names.device());
    names.insert(names.begin(), plain.name);
    for (const std::string& name : names) {
      for (std::string_view cls : {std::string_view(plain.cls), entry.parts.cls}) {
        auto found = templates.find(key_of({entry.parts.path, cls, name}));
        if (found != templates.end()) return found->second;
      }
    }
    return std::nullopt;
  }

  Renaming renaming(const Candidates& one) const {
    const RunEntry& here = here_.entries[one.here.front()];
    const RunEntry& there = there_.entries[one.there.front()];
    return {std::string(here.parts.path), there_.plain(there).cls, here_.plain(here).cls};
  }

  void pair_renamed() {
    std::map<Renaming, std::vector<Candidates>> renamings;
    for (auto& [text, candidates] : candidates_by(by_method)) {
      if (candidates.one_each())
        renamings[renaming(candidates)].push_back(candidates);
      else if (candidates.on_both())
        result_.same_method += candidates.here.size() + candidates.there.size();
    }
    std::map<std::pair<std::string, std::string>, std::size_t> here_has, there_has;
    for (const auto& [renamed, tests] : renamings) {
      ++here_has[{renamed.path, renamed.here}];
      ++there_has[{renamed.path, renamed.there}];
    }
    for (const auto& [renamed, tests] : renamings) {
      bool alone =
          here_has[{renamed.path, renamed.here}] == 1 && there_has[{renamed.path, renamed.there}] == 1;
      bool sure = related(renamed.here, renamed.there) || (alone && tests.size() > 1);
      (sure ? result_.renames : result_.possible_renames)
          .push_back({renamed.path, renamed.there, renamed.here, tests.size()});
      for (const Candidates& one : tests)
        if (sure) take(one.here.front(), one.there.front(), Match::rename);
    }
  }

  // "TestX" and "TestXDevice".
  static bool related(const std::string& a, const std::string& b) {
    return !a.empty() && !b.empty() && (a.starts_with(b) || b.starts_with(a));
  }

  void leave_the_rest() {
    for (std::size_t i = 0; i < here_.entries.size(); ++i)
      if (!here_.taken[i]) result_.pairs.push_back({i, std::nullopt, Match::none, false});
    for (std::size_t i = 0; i < there_.entries.size(); ++i)
      if (!there_.taken[i]) result_.pairs.push_back({std::nullopt, i, Match::none, false});
  }

  // Entries are in the order of their ids.
  void sort_pairs() {
    auto place = [](const RunPair& pair) {
      return std::pair(pair.here.value_or(kNoPlace), pair.there.value_or(kNoPlace));
    };
    std::sort(result_.pairs.begin(), result_.pairs.end(),
              [&](const RunPair& a, const RunPair& b) { return place(a) < place(b); });
  }

  Side here_;
  Side there_;
  RunPairs result_;
};

}  // namespace

std::vector<RunEntry> entries_of(const RunRecord& record) {
  std::vector<RunEntry> entries;
  for (const TestResult& result : record.results)
    entries.push_back({&result.id, parts_of(result.id), state_of(result.outcome), &result.message, &result});
  for (const auto& [reason, ids] : record.not_run)
    for (const std::string& id : ids)
      entries.push_back({&id, parts_of(id), TestState::not_run, &reason, nullptr});
  // What has a result comes first, and an id counts once.
  std::stable_sort(entries.begin(), entries.end(),
                   [](const RunEntry& a, const RunEntry& b) { return *a.id < *b.id; });
  auto same = [](const RunEntry& a, const RunEntry& b) { return *a.id == *b.id; };
  entries.erase(std::unique(entries.begin(), entries.end(), same), entries.end());
  return entries;
}

RunPairs pair_runs(const RunRecord& here, const RunRecord& there, const classifier::Vocabulary& vocabulary) {
  return Pairer(here, there, vocabulary).pair();
}

}  // namespace hwsift::history
