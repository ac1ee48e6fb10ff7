#include "history/changes.h"

#include <algorithm>
#include <set>
#include <utility>

namespace hwsift::history {
namespace {

using What = Change::What;

// A class of a file, by its name and how many of that name stand before it.
using ClassKey = std::pair<std::string, int>;
using Classes = std::map<ClassKey, const ClassMeasure*>;

Classes classes_of(const SharedMeasure& file) {
  Classes classes;
  if (file == nullptr) return classes;
  std::map<std::string, int> seen;
  for (const ClassMeasure& cls : file->classes) classes[{cls.name, seen[cls.name]++}] = &cls;
  return classes;
}

// A class that one file lost or gained.
struct Loose {
  std::string path;
  const ClassMeasure* cls = nullptr;
};

// What became of a file that was renamed, and what it had outside of classes until then.
struct Renamed {
  std::string path;
  int outside_uses = 0;
};

// Tells the effects of one commit after the other.
class Effects {
 public:
  explicit Effects(const Timeline& timeline) : timeline_(timeline) {}

  std::vector<CommitEffect> all() {
    std::vector<CommitEffect> effects;
    std::size_t version = 0;
    std::size_t step = 0;
    for (commit_ = 0; commit_ < timeline_.commits.size(); ++commit_) {
      std::size_t begin = version;
      while (version < timeline_.versions.size() && timeline_.versions[version].commit == commit_) ++version;
      std::size_t first = step;
      while (step < timeline_.allowlist.size() && timeline_.allowlist[step].commit == commit_) ++step;
      std::vector<Change> changes = files(begin, version);
      entries(first, step, changes);
      if (!is_comparable()) changes.clear();
      std::stable_sort(changes.begin(), changes.end(),
                       [](const Change& a, const Change& b) { return a.path < b.path; });
      effects.push_back({tally_, std::move(changes)});
    }
    return effects;
  }

 private:
  // The first commit has nothing before it, and neither has one whose numbers another ruler gave.
  bool is_comparable() const { return commit_ > 0 && !timeline_.commits[commit_].new_ruler; }

  void say(What what, const std::string& path, const std::string& cls, long long amount, bool back,
           std::vector<Change>& changes) const {
    changes.push_back({what, commit_, path, cls, amount, back});
  }

  std::vector<Change> files(std::size_t begin, std::size_t end) {
    std::vector<Change> changes;
    std::map<std::string, std::vector<Loose>> gone;  // by name of the class
    std::vector<Loose> came;
    std::vector<SharedMeasure> old;  // keeps what `gone` points to
    renamed_.clear();
    for (std::size_t i = begin; i < end; ++i) note_rename(timeline_.versions[i]);
    for (std::size_t i = begin; i < end; ++i) {
      const Version& version = timeline_.versions[i];
      SharedMeasure before = exchange(version);
      old.push_back(before);
      compare(version, before, changes, gone, came);
    }
    settle(gone, came, changes);
    return changes;
  }

  void note_rename(const Version& version) {
    if (version.moved_from.empty()) return;
    auto old = files_.find(version.moved_from);
    renamed_[version.moved_from] = {version.path, old == files_.end() ? 0 : old->second->outside_uses};
  }

  SharedMeasure exchange(const Version& version) {
    SharedMeasure before;
    auto known = files_.find(version.path);
    if (known != files_.end()) before = known->second;
    if (before != nullptr) add(*before, tally_, -1);
    if (version.measure != nullptr) add(*version.measure, tally_);
    if (version.measure == nullptr)
      files_.erase(version.path);
    else
      files_[version.path] = version.measure;
    return before;
  }

  // Uses outside of classes go with a file that is renamed, away from its old name and to its new one,
  // whichever file had that before.
  int outside_before(const Version& version, const SharedMeasure& before) const {
    bool moved_away = renamed_.count(version.path) != 0;
    int own = before == nullptr || moved_away ? 0 : before->outside_uses;
    auto renamed = renamed_.find(version.moved_from);
    return own + (renamed == renamed_.end() ? 0 : renamed->second.outside_uses);
  }

  void compare(const Version& version, const SharedMeasure& before, std::vector<Change>& changes,
               std::map<std::string, std::vector<Loose>>& gone, std::vector<Loose>& came) const {
    const std::string& path = version.path;
    Classes old = classes_of(before);
    Classes now = classes_of(version.measure);
    for (const auto& [key, cls] : now) {
      auto same = old.find(key);
      if (same == old.end())
        came.push_back({path, cls});
      else
        compare_class(path, *same->second, *cls, changes);
    }
    for (const auto& [key, cls] : old)
      if (now.count(key) == 0) gone[key.first].push_back({path, cls});
    int outside = version.measure == nullptr ? 0 : version.measure->outside_uses;
    count_uses(path, "", outside_before(version, before), outside, false, changes);
  }

  void compare_class(const std::string& path, const ClassMeasure& before, const ClassMeasure& after,
                     std::vector<Change>& changes) const {
    if (before.declared.empty() && !after.declared.empty())
      say(What::labelled, path, after.name, 1, false, changes);
    if (!before.declared.empty() && after.declared.empty())
      say(What::label_lost, path, after.name, 1, true, changes);
    count_uses(path, after.name, before.uses, after.uses, !before.declared.empty(), changes);
  }

  void count_uses(const std::string& path, const std::string& cls, int before, int after, bool labelled,
                  std::vector<Change>& changes) const {
    if (after > before) say(What::uses_added, path, cls, after - before, labelled && before == 0, changes);
    if (after < before) say(What::uses_removed, path, cls, before - after, false, changes);
  }

  // What one file lost and another gained under the same name has moved; the rest came or went.
  void settle(std::map<std::string, std::vector<Loose>>& gone, const std::vector<Loose>& came,
              std::vector<Change>& changes) const {
    for (const Loose& loose : came) {
      std::vector<Loose>& candidates = gone[loose.cls->name];
      if (!candidates.empty()) {
        compare_class(loose.path, *candidates.back().cls, *loose.cls, changes);
        candidates.pop_back();
        continue;
      }
      if (loose.cls->declared.empty())
        say(What::new_unlabelled, loose.path, loose.cls->name, 1, false, changes);
      count_uses(loose.path, loose.cls->name, 0, loose.cls->uses, false, changes);
    }
    for (const auto& [name, left] : gone) {
      for (const Loose& loose : left) {
        if (loose.cls->declared.empty()) say(What::deleted, loose.path, name, 1, false, changes);
        count_uses(loose.path, name, loose.cls->uses, 0, false, changes);
      }
    }
  }

  // An entry that gave way to one for the new name of its file has neither left nor come.
  bool follows_rename(const AllowlistStep& step, std::size_t begin, std::size_t end) const {
    if (renamed_.empty()) return false;
    for (std::size_t i = begin; i < end; ++i) {
      const AllowlistStep& other = timeline_.allowlist[i];
      if (other.added == step.added || !other.whole_file || !step.whole_file) continue;
      const AllowlistStep& gone = step.added ? other : step;
      const AllowlistStep& came = step.added ? step : other;
      auto renamed = renamed_.find(gone.path);
      if (renamed != renamed_.end() && renamed->second.path == came.path) return true;
    }
    return false;
  }

  void entries(std::size_t begin, std::size_t end, std::vector<Change>& changes) {
    for (std::size_t i = begin; i < end; ++i) {
      const AllowlistStep& step = timeline_.allowlist[i];
      if (follows_rename(step, begin, end)) continue;
      if (!step.added) left_.insert(step.entry);
      bool back = step.added && left_.count(step.entry) != 0;
      say(step.added ? What::listed : What::unlisted, step.path, "", 1, back, changes);
    }
  }

  const Timeline& timeline_;
  std::size_t commit_ = 0;
  Tally tally_;
  std::map<std::string, SharedMeasure> files_;
  std::map<std::string, Renamed> renamed_;  // by old path: in this commit
  std::set<std::string> left_;              // entries that left the allowlist once
};

}  // namespace

const char* word(Change::What what) {
  switch (what) {
    case What::labelled:
      return "labelled";
    case What::label_lost:
      return "label_lost";
    case What::new_unlabelled:
      return "new_unlabelled";
    case What::deleted:
      return "deleted";
    case What::listed:
      return "listed";
    case What::unlisted:
      return "unlisted";
    case What::uses_added:
      return "uses_added";
    case What::uses_removed:
      break;
  }
  return "uses_removed";
}

bool adds(What what) {
  return what == What::label_lost || what == What::new_unlabelled || what == What::listed ||
         what == What::uses_added;
}

std::vector<CommitEffect> effects_of(const Timeline& timeline) { return Effects(timeline).all(); }

}  // namespace hwsift::history
