// The areas of a progress report: what their items name, each class once.
#include "history/progress.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hwsift::history {
namespace {

ClassMeasure cls(const std::string& name, int tests, int uses = 0, int findings = 0) {
  ClassMeasure measure;
  measure.name = name;
  measure.tests = tests;
  measure.inferred = "GENERIC";
  measure.uses = uses;
  measure.findings = findings;
  return measure;
}

// test_a.py has three classes, a use outside of them, and a finding that is about none; test_b.py has one.
Timeline tree() {
  FileMeasure a;
  a.classes = {cls("TestA", 1, 2, 1), cls("TestB", 10, 3), cls("TestC", 100)};
  a.outside_uses = 5;
  a.findings["missing_label"] = 2;
  FileMeasure b;
  b.classes = {cls("TestA", 1000)};
  Timeline timeline;
  timeline.commits.emplace_back();
  timeline.versions.push_back({0, "test/test_a.py", std::make_shared<const FileMeasure>(a), ""});
  timeline.versions.push_back({0, "test/test_b.py", std::make_shared<const FileMeasure>(b), ""});
  timeline.allowlist.push_back({0, "test/test_a.py", "test/test_a.py", true, true});
  return timeline;
}

Item item(const std::string& area, const std::vector<std::string>& paths,
          const std::vector<std::string>& classes = {}) {
  Item item;
  item.area = area;
  item.paths = paths;
  item.classes = classes;
  return item;
}

// The group of that name; an empty one where there is none.
Group area(const std::string& name, std::vector<Item> items) {
  for (std::size_t i = 0; i < items.size(); ++i) items[i].id = std::to_string(i);
  Timeline timeline = tree();
  Progress progress = make_progress({timeline, items, {"GENERIC"}});
  auto found = std::find_if(progress.areas.begin(), progress.areas.end(),
                            [&](const Group& group) { return group.name == name; });
  return found == progress.areas.end() ? Group{} : *found;
}

TEST(ProgressAreas, ItemsThatNameClassesCountThoseAlone) {
  Group core = area("core", {item("core", {"test/test_a.py"}, {"test/test_a.py::TestA"}),
                             item("core", {}, {"test/test_a.py::TestC"})});
  EXPECT_EQ(
      core.tally,
      (Tally{.files = 1, .classes = 2, .tests = 101, .declared = 0, .mixed = 0, .uses = 2, .findings = 1}));
  EXPECT_EQ(core.allowlisted, 1);
}

TEST(ProgressAreas, AFileThatOneItemNamesIsWhole) {
  Group core = area("core", {item("core", {}, {"test/test_a.py::TestA"}), item("core", {"test/test_a.py"})});
  EXPECT_EQ(
      core.tally,
      (Tally{.files = 1, .classes = 3, .tests = 111, .declared = 0, .mixed = 0, .uses = 10, .findings = 2}));
}

TEST(ProgressAreas, NoClassCountsTwice) {
  Group core = area("core", {item("core", {}, {"test/test_a.py::TestA"}),
                             item("core", {"test/test_a.py"}, {"TestA"}), item("core", {"test/test_b.py"})});
  EXPECT_EQ(core.tally.classes, 2);
  EXPECT_EQ(core.tally.tests, 1001);
  EXPECT_EQ(core.tally.files, 2);
}

TEST(ProgressAreas, AFileCanBeSharedByAreas) {
  std::vector<Item> items = {item("core", {}, {"test/test_a.py::TestA"}),
                             item("graph", {}, {"test/test_a.py::TestB"}), item("graph", {"test/test_b.py"})};
  EXPECT_EQ(area("core", items).tally.tests, 1);
  EXPECT_EQ(area("graph", items).tally.tests, 1010);
  EXPECT_EQ(
      area("", items).tally,
      (Tally{.files = 1, .classes = 1, .tests = 100, .declared = 0, .mixed = 0, .uses = 5, .findings = 1}))
      << "what no item names, outside of classes too";
}

TEST(ProgressAreas, ItemsWithoutAnAreaAndClassesThatAreGoneCountNothing) {
  std::vector<Item> items = {item("", {"test/test_a.py"}), item("core", {}, {"test/test_a.py::TestGone"})};
  EXPECT_EQ(area("core", items).tally, Tally{});
  EXPECT_EQ(area("", items).tally.tests, 1111);
}

}  // namespace
}  // namespace hwsift::history
