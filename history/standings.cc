// Walks the commits once. Each file has at any time a name, a measure and a place on the allowlist or not;
// what a commit changes about a file is taken out of the parts of the items that name it, and put back as it
// is then. An item is judged anew only where one of its files changed.
#include <algorithm>
#include <map>
#include <set>

#include "history/items.h"
#include "history/lineage.h"
#include "history/path_glob.h"

namespace hwsift::history {
namespace {

// One path of an item, and the class there that it names; "" is the whole file.
struct Selector {
  std::size_t item = 0;
  std::string path;
  std::string cls;
  std::string class_name;  // the class as the item has it
};

constexpr std::string_view kClassMark = "::";

std::vector<Selector> selectors_of(const Item& item, std::size_t index) {
  std::vector<Selector> selectors;
  std::vector<std::string> bare;
  std::set<std::string> narrowed;
  for (const std::string& cls : item.classes) {
    std::size_t mark = cls.find(kClassMark);
    if (mark == std::string::npos) {
      bare.push_back(cls);
      continue;
    }
    selectors.push_back({index, cls.substr(0, mark), cls.substr(mark + kClassMark.size()), cls});
    narrowed.insert(cls.substr(0, mark));
  }
  std::vector<std::string> paths = item.paths;
  if (paths.empty() && !bare.empty()) paths.emplace_back("**");
  for (const std::string& path : paths) {
    if (narrowed.count(path) > 0) continue;
    if (bare.empty()) selectors.push_back({index, path, "", ""});
    for (const std::string& cls : bare) selectors.push_back({index, path, cls, cls});
  }
  return selectors;
}

using Indices = std::vector<std::size_t>;

// Which selectors are about a file, by what they name.
class Selection {
 public:
  Selection(const std::vector<Item>& items, const Lineage& lineage) {
    for (std::size_t i = 0; i < items.size(); ++i)
      for (Selector& selector : selectors_of(items[i], i)) selectors_.push_back(std::move(selector));
    for (std::size_t i = 0; i < selectors_.size(); ++i) {
      const std::string& path = selectors_[i].path;
      if (is_path_glob(path)) globs_.push_back(i);
      if (!is_path_glob(path)) folders_[path].push_back(i);
      auto file = lineage.last_named.find(path);
      if (file != lineage.last_named.end()) by_file_[file->second].push_back(i);
    }
  }

  const Selector& operator[](std::size_t index) const { return selectors_[index]; }

  // Those of one item stand together.
  Indices of(std::size_t file, const std::string& name) {
    Indices found = by_name(name);
    if (auto own = by_file_.find(file); own != by_file_.end())
      found.insert(found.end(), own->second.begin(), own->second.end());
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  const Indices& by_name(const std::string& name) {
    auto [place, is_new] = by_name_.emplace(name, Indices());
    Indices& found = place->second;
    if (!is_new) return found;
    for (std::size_t index : globs_)
      if (path_glob_matches(selectors_[index].path, name)) found.push_back(index);
    for (std::size_t slash = name.rfind('/'); slash != std::string::npos && slash > 0;
         slash = name.rfind('/', slash - 1))
      if (auto folder = folders_.find(name.substr(0, slash)); folder != folders_.end())
        found.insert(found.end(), folder->second.begin(), folder->second.end());
    return found;
  }

  std::vector<Selector> selectors_;
  Indices globs_;
  std::map<std::string, Indices> folders_;
  std::map<std::size_t, Indices> by_file_;
  std::map<std::string, Indices> by_name_;
};

struct File {
  std::string name;
  SharedMeasure measure;
  bool listed = false;      // on the allowlist
  bool was_listed = false;  // ever
};

bool is_named(const ClassMeasure& cls, const std::string& name) {
  return cls.name == name || cls.name.ends_with("." + name);
}

void add_class(const ClassMeasure& cls, Parts& parts) {
  parts.classes += 1;
  parts.tests += cls.tests;
  parts.declared += cls.declared.empty() ? 0 : 1;
  parts.mixed += cls.mixed ? 1 : 0;
  parts.uses += cls.uses;
  parts.findings += cls.findings;
}

// What an item names, path or class, and how often the tree has it.
using Names = std::map<std::string, long long>;

// The paths and classes of an item, none of which is found yet.
Names names_of(const Item& item) {
  Names names;
  for (const std::string& path : item.paths) names[path] = 0;
  for (const std::string& cls : item.classes) names[cls] = 0;
  return names;
}

// What a file adds to an item that names these classes of it; {""} is all of it.
struct Scope {
  std::size_t item = 0;
  std::set<std::string> classes;
  bool holds(const ClassMeasure& cls) const {
    return whole() || std::any_of(classes.begin(), classes.end(),
                                  [&](const std::string& name) { return is_named(cls, name); });
  }
  bool whole() const { return classes.count("") > 0; }
};

Parts parts_of(const File& file, const Scope& scope) {
  Parts parts;
  if (file.measure == nullptr) return parts;
  for (const ClassMeasure& cls : file.measure->classes)
    if (scope.holds(cls)) add_class(cls, parts);
  if (!scope.whole() && parts.classes == 0) return parts;
  parts.files = 1;
  parts.uses += scope.whole() ? file.measure->outside_uses : 0;
  if (scope.whole()) parts.findings = file.measure->count_findings();
  parts.allowlisted = file.listed ? 1 : 0;
  parts.left = file.was_listed && !file.listed ? 1 : 0;
  return parts;
}

void add_parts(const Parts& more, long long sign, Parts& parts) {
  parts.files += sign * more.files;
  parts.classes += sign * more.classes;
  parts.tests += sign * more.tests;
  parts.declared += sign * more.declared;
  parts.mixed += sign * more.mixed;
  parts.uses += sign * more.uses;
  parts.findings += sign * more.findings;
  parts.allowlisted += sign * more.allowlisted;
  parts.left += sign * more.left;
}

bool is_done(State state) { return state == State::clean || state == State::graduated; }

class Walk {
 public:
  Walk(const std::vector<Item>& items, const Timeline& timeline)
      : timeline_(timeline),
        lineage_(lineage_of(timeline)),
        selection_(items, lineage_),
        files_(lineage_.files),
        histories_(items.size()),
        was_done_(items.size(), false) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      names_.push_back(names_of(items[i]));
      histories_[i].standing.parts.absent = static_cast<long long>(names_.back().size());
    }
  }

  std::vector<ItemHistory> run() {
    for (std::size_t commit = 0; commit < timeline_.commits.size(); ++commit) step(commit);
    for (std::size_t i = 0; i < files_.size(); ++i) list_classes(i);
    for (std::size_t i = 0; i < histories_.size(); ++i) list_absent(i);
    for (ItemHistory& history : histories_) {
      std::sort(history.standing.files.begin(), history.standing.files.end());
      std::sort(history.classes.begin(), history.classes.end(),
                [](const ScopedClass& a, const ScopedClass& b) {
                  return a.path != b.path ? a.path < b.path : a.measure.line < b.measure.line;
                });
    }
    return std::move(histories_);
  }

 private:
  void step(std::size_t commit) {
    std::size_t versions_end = next_version_;
    while (versions_end < timeline_.versions.size() && timeline_.versions[versions_end].commit == commit)
      ++versions_end;
    std::size_t steps_end = next_step_;
    while (steps_end < timeline_.allowlist.size() && timeline_.allowlist[steps_end].commit == commit)
      ++steps_end;
    std::set<std::size_t> touched = touched_files(versions_end, steps_end);
    std::set<std::size_t> judged;
    for (std::size_t file : touched) count(file, -1, judged);
    release(versions_end);
    for (; next_version_ < versions_end; ++next_version_)
      apply(timeline_.versions[next_version_], lineage_.of_version[next_version_]);
    for (; next_step_ < steps_end; ++next_step_) apply(timeline_.allowlist[next_step_]);
    for (std::size_t file : touched) list(file);
    for (std::size_t file : touched) count(file, 1, judged);
    for (std::size_t item : judged) judge(item, commit);
  }

  // Those that get a name, those that had it until then, and those whose entry comes or goes.
  std::set<std::size_t> touched_files(std::size_t versions_end, std::size_t steps_end) const {
    std::set<std::size_t> touched;
    auto touch_name = [&](const std::string& name) {
      if (auto holder = holders_.find(name); holder != holders_.end()) touched.insert(holder->second);
    };
    for (std::size_t i = next_version_; i < versions_end; ++i) {
      if (lineage_.of_version[i] == kNoFile) continue;
      touched.insert(lineage_.of_version[i]);
      touch_name(timeline_.versions[i].path);
    }
    for (std::size_t i = next_step_; i < steps_end; ++i) touch_name(timeline_.allowlist[i].path);
    return touched;
  }

  // Names are given up before any is given: two files may swap theirs. One that gets none back is gone; where
  // only its entry of the allowlist changed, it stays as it is.
  void release(std::size_t versions_end) {
    for (std::size_t i = next_version_; i < versions_end; ++i) {
      std::size_t file = lineage_.of_version[i];
      if (file == kNoFile) continue;
      auto own = holders_.find(files_[file].name);
      if (own != holders_.end() && own->second == file) holders_.erase(own);
      auto holder = holders_.find(timeline_.versions[i].path);
      if (holder == holders_.end()) continue;
      files_[holder->second].measure = nullptr;
      holders_.erase(holder);
    }
  }

  void apply(const Version& version, std::size_t file) {
    if (file == kNoFile) return;
    files_[file].name = version.path;
    files_[file].measure = version.measure;
    holders_[version.path] = file;
  }

  void apply(const AllowlistStep& step) {
    if (!step.whole_file) return;
    if (step.added)
      listed_.insert(step.path);
    else
      listed_.erase(step.path);
  }

  void list(std::size_t file) {
    files_[file].listed = listed_.count(files_[file].name) > 0;
    files_[file].was_listed = files_[file].was_listed || files_[file].listed;
  }

  std::vector<Scope> scopes_of(std::size_t file) {
    std::vector<Scope> scopes;
    for (std::size_t index : selection_.of(file, files_[file].name)) {
      const Selector& selector = selection_[index];
      if (scopes.empty() || scopes.back().item != selector.item) scopes.push_back({selector.item, {}});
      scopes.back().classes.insert(selector.cls);
    }
    return scopes;
  }

  void count(std::size_t file, long long sign, std::set<std::size_t>& judged) {
    if (files_[file].measure == nullptr) return;
    for (const Scope& scope : scopes_of(file)) {
      add_parts(parts_of(files_[file], scope), sign, histories_[scope.item].standing.parts);
      judged.insert(scope.item);
    }
    for (std::size_t index : selection_.of(file, files_[file].name))
      note_found(selection_[index], *files_[file].measure, sign);
  }

  void note_found(const Selector& selector, const FileMeasure& file, long long sign) {
    note_found(selector.item, selector.path, sign);
    if (selector.cls.empty()) return;
    bool has = std::any_of(file.classes.begin(), file.classes.end(),
                           [&](const ClassMeasure& cls) { return is_named(cls, selector.cls); });
    if (has) note_found(selector.item, selector.class_name, sign);
  }

  void note_found(std::size_t item, const std::string& name, long long sign) {
    auto found = names_[item].find(name);
    if (found == names_[item].end()) return;
    bool was_there = found->second > 0;
    found->second += sign;
    bool is_there = found->second > 0;
    if (is_there != was_there) histories_[item].standing.parts.absent += is_there ? -1 : 1;
  }

  void list_absent(std::size_t item) {
    for (const auto& [name, found] : names_[item])
      if (found == 0) histories_[item].standing.absent.push_back(name);
  }

  void judge(std::size_t item, std::size_t commit) {
    ItemHistory& history = histories_[item];
    Standing& standing = history.standing;
    standing.without_regression = state_of(standing.parts);
    bool done = is_done(standing.without_regression);
    bool is_gone = standing.without_regression == State::missing;
    State state = was_done_[item] && !done && !is_gone ? State::regressed : standing.without_regression;
    was_done_[item] = was_done_[item] || done;
    if (state == standing.state) return;
    if (commit > 0) {
      history.changes.push_back({commit, standing.state, state});
      standing.changed = commit;
      standing.before = standing.state;
    }
    standing.state = state;
  }

  void list_classes(std::size_t file) {
    if (files_[file].measure == nullptr) return;
    for (const Scope& scope : scopes_of(file)) {
      Standing& standing = histories_[scope.item].standing;
      standing.files.push_back(files_[file].name);
      if (!scope.whole()) standing.narrowed[files_[file].name];  // also where it has none of these classes
      const std::vector<ClassMeasure>& classes = files_[file].measure->classes;
      for (std::size_t i = 0; i < classes.size(); ++i) {
        if (!scope.holds(classes[i])) continue;
        histories_[scope.item].classes.push_back({files_[file].name, classes[i]});
        if (!scope.whole()) standing.narrowed[files_[file].name].insert(i);
      }
    }
  }

  const Timeline& timeline_;
  Lineage lineage_;
  Selection selection_;
  std::vector<File> files_;
  std::map<std::string, std::size_t> holders_;  // files by their present name
  std::set<std::string> listed_;                // paths
  std::vector<ItemHistory> histories_;          // by item
  std::vector<Names> names_;                    // by item
  std::vector<bool> was_done_;                  // by item: clean or graduated at a commit so far
  std::size_t next_version_ = 0;
  std::size_t next_step_ = 0;
};

}  // namespace

State state_of(const Parts& parts) {
  if (parts.files == 0) return State::missing;
  // A file without test classes may have nothing to do; where it has, no label tells that somebody began.
  bool has_work = parts.classes > 0 || parts.uses > 0 || parts.findings > 0;
  if (has_work && parts.declared == 0) return State::untouched;
  if (parts.mixed > 0) return State::mixed_left;
  if (parts.uses > 0) return State::uses_left;
  if (parts.declared < parts.classes || parts.findings > 0) return State::labelled;
  // What it names and is not there may have been renamed, with all that is left to do.
  if (parts.absent > 0) return State::missing;
  return parts.left > 0 && parts.allowlisted == 0 ? State::graduated : State::clean;
}

std::vector<Standing> standings(const std::vector<Item>& items, const Timeline& timeline) {
  std::vector<Standing> standings;
  for (ItemHistory& history : Walk(items, timeline).run()) standings.push_back(history.standing);
  return standings;
}

ItemHistory history_of(const Item& item, const Timeline& timeline) {
  return std::move(Walk({item}, timeline).run().front());
}

}  // namespace hwsift::history
