// Effects of commits, and that they add up.
#include "history/changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "history/progress.h"

namespace hwsift::history {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ClassMeasure cls(const std::string& name, const std::string& declared, int uses = 0) {
  ClassMeasure measure;
  measure.name = name;
  measure.tests = 1;
  measure.declared = declared;
  measure.inferred = "GENERIC";
  measure.uses = uses;
  return measure;
}

SharedMeasure file_of(const std::vector<ClassMeasure>& classes, int outside_uses = 0) {
  FileMeasure file;
  file.classes = classes;
  file.outside_uses = outside_uses;
  return std::make_shared<const FileMeasure>(file);
}

// What the commits did: each call adds to the last commit.
struct History {
  Timeline timeline;
  History& commit(bool new_ruler = false) {
    Commit commit;
    commit.point = true;
    commit.new_ruler = new_ruler;
    timeline.commits.push_back(commit);
    return *this;
  }
  History& put(const std::string& path, const SharedMeasure& measure, const std::string& moved_from = "") {
    timeline.versions.push_back({timeline.commits.size() - 1, path, measure, moved_from});
    return *this;
  }
  History& list(const std::string& entry, bool added) {
    timeline.allowlist.push_back({timeline.commits.size() - 1, entry, entry, true, added});
    return *this;
  }
};

std::vector<std::string> told(const Timeline& timeline, std::size_t commit) {
  std::vector<std::string> told;
  std::vector<CommitEffect> effects = effects_of(timeline);
  for (const Change& change : effects[commit].changes)
    told.push_back(
        std::string(word(change.what)) + " " + change.path + (change.cls.empty() ? "" : " " + change.cls) +
        (change.amount == 1 ? "" : " " + std::to_string(change.amount)) + (change.back ? " back" : ""));
  return told;
}

TEST(Changes, LabelsComeAndGo) {
  Timeline timeline =
      History()
          .commit()
          .put("a", file_of({cls("A", ""), cls("B", "CUDA"), cls("C", "")}))
          .commit()
          .put("a", file_of({cls("A", "GENERIC"), cls("B", ""), cls("D", ""), cls("E", "CPU")}))
          .timeline;
  EXPECT_THAT(told(timeline, 0), IsEmpty()) << "nothing was before";
  EXPECT_THAT(told(timeline, 1),
              ElementsAre("labelled a A", "label_lost a B back", "new_unlabelled a D", "deleted a C"));
}

TEST(Changes, AClassThatMovesIsTheSameClass) {
  Timeline timeline = History()
                          .commit()
                          .put("a", file_of({cls("A", "", 3)}))
                          .put("b", file_of({cls("B", "CUDA")}))
                          .commit()
                          .put("a", nullptr)
                          .put("b", file_of({}))
                          .put("c", file_of({cls("A", "GENERIC", 1), cls("B", "")}))
                          .timeline;
  EXPECT_THAT(told(timeline, 1), ElementsAre("labelled c A", "uses_removed c A 2", "label_lost c B back"));
}

TEST(Changes, ClassesOfOneNameInAFile) {
  Timeline timeline = History()
                          .commit()
                          .put("a", file_of({cls("A", ""), cls("A", "GENERIC")}))
                          .commit()
                          .put("a", file_of({cls("A", "")}))
                          .commit()
                          .put("a", file_of({cls("A", ""), cls("A", "")}))
                          .timeline;
  EXPECT_THAT(told(timeline, 1), IsEmpty()) << "the one that went had a label";
  EXPECT_THAT(told(timeline, 2), ElementsAre("new_unlabelled a A"));
}

TEST(Changes, UsesOfClassesAndOutside) {
  Timeline timeline = History()
                          .commit()
                          .put("a", file_of({cls("A", "GENERIC", 0), cls("B", "", 0)}, 2))
                          .commit()
                          .put("a", file_of({cls("A", "GENERIC", 2), cls("B", "", 1)}, 0))
                          .timeline;
  EXPECT_THAT(told(timeline, 1), ElementsAre("uses_added a A 2 back", "uses_added a B", "uses_removed a 2"));
}

TEST(Changes, EntriesOfTheAllowlist) {
  Timeline timeline = History()
                          .commit()
                          .list("a", true)
                          .list("b", true)
                          .commit()
                          .list("a", false)
                          .commit()
                          .list("a", true)
                          .list("c", true)
                          .timeline;
  EXPECT_THAT(told(timeline, 1), ElementsAre("unlisted a"));
  EXPECT_THAT(told(timeline, 2), ElementsAre("listed a back", "listed c"));
}

TEST(Changes, ARenamedFileKeepsItsUsesAndItsEntry) {
  Timeline timeline = History()
                          .commit()
                          .put("a", file_of({cls("A", "CUDA")}, 3))
                          .put("b", file_of({}, 1))
                          .list("a", true)
                          .commit()
                          .put("a", nullptr)
                          .put("c", file_of({cls("A", "CUDA")}, 3), "a")
                          .list("a", false)
                          .list("c", true)
                          .commit()
                          .put("b", file_of({}, 4), "c")
                          .put("c", file_of({}, 2))
                          .list("c", false)
                          .timeline;
  EXPECT_THAT(told(timeline, 1), IsEmpty());
  EXPECT_THAT(told(timeline, 2), ElementsAre("uses_added c 2", "unlisted c"))
      << "b had one and gets three, of which it has four; c is another file";
}

TEST(Changes, AreToldByPath) {
  Timeline timeline = History()
                          .commit()
                          .put("a", file_of({cls("A", "")}))
                          .put("b", file_of({cls("B", "")}))
                          .commit()
                          .put("a", nullptr)
                          .put("b", file_of({cls("B", "CPU")}))
                          .put("c", file_of({cls("C", "")}))
                          .timeline;
  EXPECT_THAT(told(timeline, 1), ElementsAre("deleted a A", "labelled b B", "new_unlabelled c C"));
}

TEST(Changes, OtherRulersNumbersAreNotCompared) {
  Timeline timeline = History()
                          .commit()
                          .put("a", file_of({cls("A", "")}))
                          .commit(true)
                          .put("a", file_of({cls("A", "CPU")}))
                          .commit()
                          .put("a", file_of({cls("A", "")}))
                          .timeline;
  EXPECT_THAT(told(timeline, 1), IsEmpty());
  EXPECT_THAT(told(timeline, 2), ElementsAre("label_lost a A back"));
  EXPECT_EQ(effects_of(timeline)[1].tally.declared, 1);
}

// --- what a report makes of them ---

Progress progress_of(Timeline timeline) {
  for (std::size_t i = 0; i < timeline.commits.size(); ++i) {
    timeline.commits[i].date = "2026-01-0" + std::to_string(i + 1) + "T00:00:00Z";
    if (timeline.commits[i].author.empty()) timeline.commits[i].author = "Author " + std::to_string(i);
  }
  std::vector<Item> items;
  return make_progress({timeline, items, {"GENERIC", "CUDA"}});
}

TEST(CameBack, WhatWasMendedSinceDidNot) {
  Progress progress =
      progress_of(History()
                      .commit()
                      .put("a", file_of({cls("A", "CUDA"), cls("B", "CUDA"), cls("C", "CUDA")}))
                      .list("a", true)
                      .list("b", true)
                      .commit()
                      .put("a", file_of({cls("A", ""), cls("B", ""), cls("C", "CUDA", 2)}))
                      .list("a", false)
                      .list("b", false)
                      .commit()
                      .put("a", file_of({cls("A", "CUDA"), cls("B", ""), cls("C", "CUDA")}))
                      .list("a", true)
                      .list("b", true)
                      .commit()
                      .list("b", false)
                      .timeline);
  std::vector<std::string> back;
  for (const Change& change : progress.came_back)
    back.push_back(std::string(word(change.what)) + " " + change.path + change.cls);
  EXPECT_THAT(back, ElementsAre("listed a", "label_lost aB"));
}

TEST(Gaps, NobodyIsNamedForWhatHappenedInOne) {
  Timeline timeline = History()
                          .commit()
                          .put("a", file_of({cls("A", "CUDA"), cls("B", "")}))
                          .commit()
                          .put("a", file_of({cls("A", ""), cls("B", "")}))
                          .commit()
                          .put("a", file_of({cls("A", ""), cls("B", "CPU")}))
                          .timeline;
  timeline.commits[1].gap_before = true;
  Progress progress = progress_of(timeline);
  ASSERT_EQ(progress.burn_downs[0].actors.size(), 1u);
  EXPECT_EQ(progress.burn_downs[0].actors[0].author, "Author 2");
  EXPECT_EQ(progress.commits[1].author, "unknown (gap)");
  EXPECT_EQ(progress.burn_downs[0].changes.size(), 2u) << "that it happened is told";
}

// --- any history ---

class AnyHistory : public testing::TestWithParam<unsigned> {
 protected:
  AnyHistory() : random_(GetParam()) {}
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  SharedMeasure some_file() {
    constexpr const char* kLabels[] = {"", "", "GENERIC", "CUDA"};
    std::vector<ClassMeasure> classes;
    for (int i = below(4); i > 0; --i)
      classes.push_back(cls(std::string(1, "ABC"[below(3)]), kLabels[below(4)], below(3)));
    return file_of(classes, below(3));
  }

  // One file has another's name now, whose old name is free or was taken by another one.
  std::map<std::string, std::string> some_rename(const std::map<std::string, SharedMeasure>& files,
                                                 std::map<std::string, SharedMeasure>& changed) {
    std::string from(1, "abcd"[below(4)]);
    std::string to(1, "abcd"[below(4)]);
    if (below(2) == 0 || from == to || files.count(from) == 0) return {};
    changed[to] = below(2) == 0 ? files.at(from) : some_file();
    changed.emplace(from, below(2) == 0 ? nullptr : some_file());
    return {{to, from}};
  }

  Timeline some_history() {
    History history;
    std::map<std::string, SharedMeasure> files;
    std::set<std::string> entries;
    for (int i = 0; i < 60; ++i) {
      history.commit();
      history.timeline.commits.back().point = i == 0 || below(3) == 0;
      history.timeline.commits.back().author = std::string(1, "xyz"[below(3)]);
      std::map<std::string, SharedMeasure> changed;
      for (int edits = below(4); edits > 0; --edits) {
        std::string path(1, "abcd"[below(4)]);
        changed[path] = below(3) == 0 ? nullptr : some_file();
        if (changed[path] == nullptr && files.count(path) == 0) changed.erase(path);
      }
      std::map<std::string, std::string> moved_from = some_rename(files, changed);
      for (const auto& [path, measure] : changed) {
        history.put(path, measure, moved_from[path]);
        if (measure == nullptr)
          files.erase(path);
        else
          files[path] = measure;
      }
      std::string entry(1, "abcd"[below(4)]);
      bool adds = entries.insert(entry).second;
      if (!adds) entries.erase(entry);
      history.list(entry, adds);
      history.timeline.commits.back().allowlisted = static_cast<long long>(entries.size());
    }
    return history.timeline;
  }

 private:
  std::mt19937 random_;
};

TEST_P(AnyHistory, ChangesAddUpFromPointToPoint) {
  Timeline timeline = some_history();
  std::vector<Item> items;
  Progress progress = make_progress({timeline, items, {"GENERIC", "CUDA"}});
  ASSERT_GT(progress.points.size(), 5u);
  for (const BurnDown& down : progress.burn_downs) {
    for (std::size_t i = 1; i < progress.points.size(); ++i)
      ASSERT_EQ(*down.values[i] - *down.values[i - 1], down.added[i] - down.removed[i])
          << down.id << " at point " << i;
    long long added = 0;
    long long removed = 0;
    for (const Actor& actor : down.actors) {
      added += actor.added;
      removed += actor.removed;
    }
    EXPECT_EQ(down.now - *down.values[0], added - removed) << down.id << ": by who did it";
    long long changes = 0;
    for (const Change& change : down.changes) changes += adds(change.what) ? change.amount : -change.amount;
    if (down.left_out == 0) {
      EXPECT_EQ(changes, added - removed) << down.id << ": by what was done";
    }
  }
}

TEST_P(AnyHistory, TheLastTallyIsThatOfTheFiles) {
  Timeline timeline = some_history();
  Tally sum;
  for (const auto& [path, measure] : timeline.files()) add(*measure, sum);
  EXPECT_EQ(effects_of(timeline).back().tally, sum);
  Progress progress = make_progress({timeline, {}, {"GENERIC", "CUDA"}});
  EXPECT_EQ(progress.total, sum);
  long long classes = 0;
  long long tests = 0;
  long long declared = 0;
  for (const CategoryCount& count : progress.categories) {
    classes += count.classes;
    tests += count.tests;
    declared += count.declared;
  }
  EXPECT_EQ(classes, sum.classes);
  EXPECT_EQ(tests, sum.tests);
  EXPECT_EQ(declared, sum.declared);
  EXPECT_EQ(progress.classes.size(), static_cast<std::size_t>(sum.classes));
  Tally directories;
  for (const Group& group : progress.directories) {
    directories.classes += group.tally.classes;
    directories.uses += group.tally.uses;
  }
  EXPECT_EQ(directories.classes, sum.classes);
  EXPECT_EQ(directories.uses, sum.uses);
}

TEST_P(AnyHistory, CutAtACommitItIsTheHistoryUntilThen) {
  Timeline whole = some_history();
  std::vector<CommitEffect> effects = effects_of(whole);
  for (std::size_t at : {std::size_t{0}, std::size_t{17}, std::size_t{59}, std::size_t{99}}) {
    Timeline part = whole;
    cut_after(part, at);
    std::size_t last = std::min(at, whole.commits.size() - 1);
    ASSERT_EQ(part.commits.size(), last + 1);
    EXPECT_EQ(effects_of(part).back().tally, effects[last].tally);
    EXPECT_EQ(static_cast<long long>(part.listed().size()), *part.commits.back().allowlisted);
  }
}

TEST_P(AnyHistory, TheWorkTreeIsACommitWhereItDiffers) {
  Timeline timeline = some_history();
  Timeline same = timeline;
  add_work_tree(same, timeline.files(), timeline.listed(), "2026-01-01T00:00:00Z");
  EXPECT_EQ(same.commits.size(), timeline.commits.size());
  Timeline other = some_history();
  std::map<std::string, SharedMeasure> files = other.files();
  files["only_here"] = some_file();
  add_work_tree(timeline, files, other.listed(), "2026-01-01T00:00:00Z");
  ASSERT_EQ(timeline.commits.back().hash, "");
  Tally sum;
  for (const auto& [path, measure] : files) add(*measure, sum);
  EXPECT_EQ(effects_of(timeline).back().tally, sum);
  EXPECT_EQ(timeline.listed().size(), other.listed().size());
}

INSTANTIATE_TEST_SUITE_P(Changes, AnyHistory, testing::Range(0u, 20u));

}  // namespace
}  // namespace hwsift::history
