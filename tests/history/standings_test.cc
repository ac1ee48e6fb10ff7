#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "history/items.h"

namespace hwsift::history {
namespace {

using testing::ElementsAre;

SharedMeasure file_of(const std::vector<ClassMeasure>& classes, int findings = 0, int outside_uses = 0) {
  FileMeasure file;
  file.classes = classes;
  file.outside_uses = outside_uses;
  if (findings > 0) file.findings["hw_classification"] = findings;
  return std::make_shared<const FileMeasure>(file);
}

ClassMeasure cls(const std::string& name, const std::string& declared, int uses = 0, bool mixed = false) {
  ClassMeasure measure;
  measure.name = name;
  measure.tests = 2;
  measure.declared = declared;
  measure.inferred = "GENERIC";
  measure.uses = uses;
  measure.mixed = mixed;
  return measure;
}

const SharedMeasure kBare = file_of({cls("TestA", "")}, 1);
const SharedMeasure kClean = file_of({cls("TestA", "GENERIC")});

// What the commits did: each call adds to the last commit.
struct Tree {
  Timeline timeline;
  Tree& commit() {
    timeline.commits.emplace_back();
    return *this;
  }
  Tree& put(const std::string& path, const SharedMeasure& measure, const std::string& moved_from = "") {
    timeline.versions.push_back({timeline.commits.size() - 1, path, measure, moved_from});
    return *this;
  }
  Tree& list(const std::string& path, bool added) {
    timeline.allowlist.push_back({timeline.commits.size() - 1, path, path, true, added});
    return *this;
  }
};

Item item_of(const std::vector<std::string>& paths, const std::vector<std::string>& classes = {}) {
  Item item;
  item.id = "1";
  item.paths = paths;
  item.classes = classes;
  return item;
}

Standing standing_of(const Item& item, const Timeline& timeline) {
  return standings({item}, timeline).front();
}

State state_with(const SharedMeasure& measure) {
  return standing_of(item_of({"test/test_a.py"}), Tree().commit().put("test/test_a.py", measure).timeline)
      .state;
}

TEST(Standings, StatesByTheirParts) {
  EXPECT_EQ(state_with(nullptr), State::missing);
  EXPECT_EQ(state_with(file_of({})), State::clean) << "there is no class to label";
  EXPECT_EQ(state_with(file_of({}, 0, 1)), State::untouched) << "there is no label, and something to do";
  EXPECT_EQ(state_with(file_of({}, 1)), State::untouched);
  EXPECT_EQ(state_with(kBare), State::untouched);
  EXPECT_EQ(state_with(file_of({cls("TestA", "", 3, true)})), State::untouched);
  EXPECT_EQ(state_with(file_of({cls("TestA", "GENERIC"), cls("TestB", "")})), State::labelled);
  EXPECT_EQ(state_with(file_of({cls("TestA", "GENERIC")}, 1)), State::labelled);
  EXPECT_EQ(state_with(file_of({cls("TestA", "GENERIC", 1, true)})), State::mixed_left);
  EXPECT_EQ(state_with(file_of({cls("TestA", "GENERIC", 1)})), State::uses_left);
  EXPECT_EQ(state_with(file_of({cls("TestA", "GENERIC")}, 0, 1)), State::uses_left);
  EXPECT_EQ(state_with(kClean), State::clean);
  EXPECT_EQ(standing_of(item_of({"test/test_gone.py"}), Tree().commit().timeline).state, State::missing);
}

// What an item names may have been renamed with all that is left to do in it.
TEST(Standings, WhatIsNamedAndNotFoundIsNeverDone) {
  Tree tree;
  tree.commit().put("test/test_a.py", file_of({cls("TestA", "GENERIC"), cls("TestB", "GENERIC")}));
  auto of = [&](std::vector<std::string> paths, std::vector<std::string> classes) {
    Item item = item_of(std::move(paths));
    item.classes = std::move(classes);
    return standing_of(item, tree.timeline);
  };
  EXPECT_EQ(of({}, {"TestA", "TestB"}).state, State::clean);
  EXPECT_EQ(of({"test/test_a.py"}, {"test/test_a.py::TestA"}).state, State::clean);
  EXPECT_EQ(of({"test"}, {"TestA"}).state, State::clean);
  Standing standing = of({"test/test_a.py"}, {"TestA", "TestGone"});
  EXPECT_EQ(standing.state, State::missing);
  EXPECT_EQ(standing.absent, std::vector<std::string>{"TestGone"});
  EXPECT_EQ(of({"test/test_a.py"}, {"test/test_a.py::TestA", "test/test_a.py::TestGone"}).state,
            State::missing);
  standing = of({"test/test_a.py", "test/test_gone.py", "test/no*.py"}, {});
  EXPECT_EQ(standing.state, State::missing);
  EXPECT_EQ(standing.absent, (std::vector<std::string>{"test/no*.py", "test/test_gone.py"}));
  tree.commit().put("test/test_a.py", file_of({cls("TestA", "GENERIC"), cls("TestNew", "", 2, true)}));
  EXPECT_EQ(of({}, {"TestA", "TestB"}).state, State::missing);
  EXPECT_EQ(of({"test/test_a.py", "test/test_gone.py"}, {}).state, State::mixed_left) << "there is work left";
  tree.commit().put("test/test_a.py", file_of({cls("TestA", "GENERIC"), cls("TestB", "GENERIC")}));
  EXPECT_EQ(of({}, {"TestA", "TestB"}).state, State::clean) << "it is back";
}

TEST(Standings, PartsAddUpOverFiles) {
  Tree tree;
  tree.commit().put("test/a/test_a.py",
                    file_of({cls("TestA", "GENERIC", 2), cls("TestB", "", 1, true)}, 2, 3));
  tree.put("test/a/test_b.py", kClean).put("test/test_c.py", kClean).list("test/a/test_a.py", true);
  Parts parts = standing_of(item_of({"test/a"}), tree.timeline).parts;
  EXPECT_EQ(parts, (Parts{.files = 2,
                          .classes = 3,
                          .tests = 6,
                          .declared = 2,
                          .mixed = 1,
                          .uses = 6,
                          .findings = 2,
                          .allowlisted = 1,
                          .left = 0}));
}

TEST(Standings, PathsThatOverlapCountOnce) {
  Tree tree;
  tree.commit().put("test/a/test_a.py", kClean);
  Item item = item_of({"test/a", "test/a/test_a.py", "test/**"});
  EXPECT_EQ(standing_of(item, tree.timeline).parts.classes, 1);
}

TEST(Standings, AFolderIsNoPrefixOfNames) {
  Tree tree;
  tree.commit().put("test/ab/test_a.py", kClean);
  EXPECT_EQ(standing_of(item_of({"test/a"}), tree.timeline).state, State::missing);
}

TEST(Standings, ClassesNarrowAnItem) {
  Tree tree;
  tree.commit().put("test/test_a.py", file_of({cls("TestA", "GENERIC"), cls("Outer.TestB", "", 4)}, 1, 5));
  tree.put("test/test_b.py", file_of({cls("TestA", "")}));
  auto parts = [&](const Item& item) { return standing_of(item, tree.timeline).parts; };
  EXPECT_EQ(parts(item_of({"test/test_a.py"}, {"TestA"})).classes, 1);
  EXPECT_EQ(standing_of(item_of({"test/test_a.py"}, {"TestA"}), tree.timeline).state, State::clean);
  EXPECT_EQ(parts(item_of({"test/test_a.py"}, {"TestB"})).uses, 4);
  EXPECT_EQ(parts(item_of({}, {"TestA"})).classes, 2);
  EXPECT_EQ(parts(item_of({}, {"test/test_a.py::TestA"})).files, 1);
  EXPECT_EQ(parts(item_of({"test/test_a.py", "test/test_b.py"}, {"test/test_a.py::TestB"})).classes, 2);
  EXPECT_EQ(standing_of(item_of({"test/test_b.py"}, {"TestB"}), tree.timeline).state, State::missing);
}

TEST(Standings, FindingsCountWhereTheyAreAbout) {
  ClassMeasure found = cls("TestA", "GENERIC");
  found.findings = 2;
  SharedMeasure file = file_of({found, cls("TestB", "GENERIC")}, 3);
  Timeline timeline = Tree().commit().put("test/test_a.py", file).timeline;
  auto findings = [&](const std::vector<std::string>& classes) {
    return standing_of(item_of({"test/test_a.py"}, classes), timeline).parts.findings;
  };
  EXPECT_EQ(findings({}), 3) << "one is about no class";
  EXPECT_EQ(findings({"TestA"}), 2);
  EXPECT_EQ(findings({"TestB"}), 0);
  EXPECT_EQ(standing_of(item_of({"test/test_a.py"}, {"TestA"}), timeline).state, State::labelled);
  EXPECT_EQ(standing_of(item_of({"test/test_a.py"}, {"TestB"}), timeline).state, State::clean);
}

TEST(Standings, SaysWhichCommitBroughtTheState) {
  Tree tree;
  tree.commit().put("test/test_a.py", kBare);
  tree.commit().put("test/test_b.py", kClean);
  tree.commit().put("test/test_a.py", kClean);
  tree.commit().put("test/test_b.py", kBare);
  Standing standing = standing_of(item_of({"test/test_a.py"}), tree.timeline);
  EXPECT_EQ(standing.state, State::clean);
  EXPECT_EQ(standing.changed, 2u);
  EXPECT_EQ(standing.before, State::untouched);
}

TEST(Standings, WhatIsAsOldAsTheTimelineHasNoCommit) {
  Tree tree;
  tree.commit().put("test/test_a.py", kClean).commit().put("test/test_a.py", file_of({cls("TestX", "CUDA")}));
  Standing standing = standing_of(item_of({"test/test_a.py"}), tree.timeline);
  EXPECT_EQ(standing.changed, std::nullopt);
  EXPECT_EQ(standing.before, std::nullopt);
}

TEST(Standings, GraduatesWithItsLastFileOffTheAllowlist) {
  Tree tree;
  tree.commit().put("test/a/test_a.py", kClean).put("test/a/test_b.py", kClean);
  tree.list("test/a/test_a.py", true).list("test/a/test_b.py", true);
  tree.commit().list("test/a/test_a.py", false);
  EXPECT_EQ(standing_of(item_of({"test/a"}), tree.timeline).state, State::clean);
  tree.commit().list("test/a/test_b.py", false);
  Standing standing = standing_of(item_of({"test/a"}), tree.timeline);
  EXPECT_EQ(standing.state, State::graduated);
  EXPECT_EQ(standing.changed, 2u);
  EXPECT_EQ(standing.before, State::clean);
  EXPECT_EQ(standing.parts.left, 2);
}

TEST(Standings, RegressesUntilItIsCleanAgain) {
  Tree tree;
  tree.commit().put("test/test_a.py", kBare);
  tree.commit().put("test/test_a.py", kClean);
  tree.commit().put("test/test_a.py", file_of({cls("TestA", "GENERIC"), cls("TestNew", "")}));
  Item item = item_of({"test/test_a.py"});
  Standing standing = standing_of(item, tree.timeline);
  EXPECT_EQ(standing.state, State::regressed);
  EXPECT_EQ(standing.without_regression, State::labelled);
  EXPECT_EQ(standing.changed, 2u);
  EXPECT_EQ(standing.before, State::clean);
  tree.commit().put("test/test_a.py", kBare);
  EXPECT_EQ(standing_of(item, tree.timeline).changed, 2u);
  tree.commit().put("test/test_a.py", kClean);
  EXPECT_EQ(standing_of(item, tree.timeline).state, State::clean);
  EXPECT_EQ(standing_of(item, tree.timeline).before, State::regressed);
  std::vector<StateChange> changes = history_of(item, tree.timeline).changes;
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_EQ(changes[1].commit, 2u);
  EXPECT_EQ(changes[1].state, State::regressed);
}

TEST(Standings, WhatWasCleanAndIsGoneIsMissing) {
  Tree tree;
  tree.commit().put("test/test_a.py", kClean).commit().put("test/test_a.py", nullptr);
  Standing standing = standing_of(item_of({"test/test_a.py"}), tree.timeline);
  EXPECT_EQ(standing.state, State::missing);
  EXPECT_EQ(standing.before, State::clean);
  tree.commit().put("test/test_a.py", kBare);
  EXPECT_EQ(standing_of(item_of({"test/test_a.py"}), tree.timeline).state, State::regressed);
}

TEST(Standings, FollowARenamedFileBothWays) {
  Tree tree;
  tree.commit().put("test/test_old.py", kClean);
  tree.commit().put("test/test_new.py", kBare, "test/test_old.py").put("test/test_old.py", nullptr);
  for (const char* path : {"test/test_old.py", "test/test_new.py"}) {
    Standing standing = standing_of(item_of({path}), tree.timeline);
    EXPECT_EQ(standing.state, State::regressed) << path;
    EXPECT_EQ(standing.changed, 1u) << path;
    EXPECT_EQ(standing.parts.files, 1) << path;
  }
  EXPECT_EQ(standing_of(item_of({"test/test_o*.py"}), tree.timeline).state, State::missing);
}

TEST(Standings, ANewFileAtAnOldNameIsAnotherOne) {
  Tree tree;
  tree.commit().put("test/test_a.py", kClean);
  tree.commit().put("test/test_a.py", nullptr).put("test/test_b.py", kClean, "test/test_a.py");
  tree.commit().put("test/test_a.py", kBare);
  EXPECT_EQ(standing_of(item_of({"test/test_a.py"}), tree.timeline).state, State::untouched);
  EXPECT_EQ(standing_of(item_of({"test/test_b.py"}), tree.timeline).state, State::clean);
}

TEST(Standings, NamesMayBeSwappedOrTakenOver) {
  Tree tree;
  tree.commit().put("test/test_a.py", kClean).put("test/test_b.py", kBare);
  tree.commit()
      .put("test/test_a.py", kBare, "test/test_b.py")
      .put("test/test_b.py", kClean, "test/test_a.py");
  EXPECT_EQ(standing_of(item_of({"test/test_a.py"}), tree.timeline).state, State::untouched);
  EXPECT_EQ(standing_of(item_of({"test"}), tree.timeline).parts.files, 2);
  tree.commit().put("test/test_a.py", kClean, "test/test_b.py").put("test/test_b.py", nullptr);
  EXPECT_EQ(standing_of(item_of({"test"}), tree.timeline).parts.files, 1);
  EXPECT_EQ(standing_of(item_of({"test/test_a.py"}), tree.timeline).state, State::clean);
}

TEST(Standings, TheAllowlistMayFollowARenameLater) {
  Tree tree;
  tree.commit().put("test/test_a.py", kClean).list("test/test_a.py", true);
  tree.commit().put("test/test_b.py", kClean, "test/test_a.py").put("test/test_a.py", nullptr);
  tree.commit().list("test/test_a.py", false).list("test/test_b.py", true);
  Standing standing = standing_of(item_of({"test/test_b.py"}), tree.timeline);
  EXPECT_EQ(standing.state, State::clean);
  EXPECT_EQ(standing.parts.allowlisted, 1);
}

TEST(Standings, ListsTheClassesInScope) {
  Tree tree;
  tree.commit().put("test/test_b.py", kClean).put("test/test_a.py", kBare);
  std::vector<ScopedClass> classes = history_of(item_of({"test"}), tree.timeline).classes;
  ASSERT_EQ(classes.size(), 2u);
  EXPECT_EQ(classes[0].path, "test/test_a.py");
  EXPECT_EQ(classes[1].measure.declared, "GENERIC");
}

TEST(Standings, AYearOfCommitsTakesNoTime) {
  std::vector<std::string> paths;
  Tree tree;
  tree.commit();
  std::vector<ClassMeasure> classes(10, cls("TestA", "GENERIC"));
  SharedMeasure full = file_of(classes);
  for (int i = 0; i < 1100; ++i)
    paths.push_back("test/d" + std::to_string(i % 20) + "/test_" + std::to_string(i) + ".py");
  for (const std::string& path : paths) tree.put(path, full);
  for (std::size_t i = 0; i < 30000; ++i)
    tree.commit().put(paths[i * 7919 % paths.size()], i % 2 ? full : file_of(classes, 1));
  std::vector<Item> items;
  for (std::size_t i = 0; i < 257; ++i) items.push_back(item_of({paths[i * 4]}));
  items.push_back(item_of({"test"}));
  items.push_back(item_of({"test/**/test_*1.py"}, {"TestA"}));
  auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(standings(items, tree.timeline).size(), 259u);
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), 5)
      << "a debug build with sanitizers on a busy machine; else it is well below a second";
}

}  // namespace
}  // namespace hwsift::history
