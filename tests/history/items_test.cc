#include "history/items.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hwsift::history {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Item item_of(const std::string& id, const std::string& path = "test/test_a.py") {
  Item item;
  item.id = id;
  item.paths = {path};
  return item;
}

TEST(Items, IdsAreOrderedByTheNumbersInThem) {
  EXPECT_TRUE(id_before("#9", "#10"));
  EXPECT_FALSE(id_before("#10", "#9"));
  EXPECT_TRUE(id_before("a", "b"));
  EXPECT_TRUE(id_before("a", "a1"));
  EXPECT_TRUE(id_before("a07b1", "a7b2"));
  EXPECT_NE(id_before("07", "7"), id_before("7", "07"));
  EXPECT_FALSE(id_before("7", "7"));
  EXPECT_TRUE(id_before("99999999999999999999998", "99999999999999999999999"));
}

TEST(Items, AnImportAddsUpdatesAndLeavesWhatIsAbsent) {
  Item changed = item_of("2");
  changed.title = "new";
  Imported imported = merge_items({item_of("1"), item_of("2"), item_of("30"), item_of("4")},
                                  {item_of("5"), changed, item_of("1")});
  EXPECT_EQ(imported.added, 1u);
  EXPECT_EQ(imported.updated, 1u);
  EXPECT_EQ(imported.unchanged, 1u);
  EXPECT_THAT(imported.absent, ElementsAre("4", "30"));
  ASSERT_EQ(imported.items.size(), 5u);
  EXPECT_EQ(imported.items[1].title, "new");
  EXPECT_EQ(imported.items[4].id, "30");
}

TEST(Items, WhatWasSetByHandStays) {
  Item kept = item_of("1");
  kept.mark = Mark::blocked;
  kept.reason = "waits";
  kept.note = "note";
  kept.owner = "hand";
  kept.listed_owner = "list";
  Item read = item_of("1");
  read.owner = "other";
  read.area = "core";
  Imported imported = merge_items({kept}, {read});
  EXPECT_EQ(imported.updated, 1u);
  Item now = imported.items.front();
  EXPECT_EQ(now.mark, Mark::blocked);
  EXPECT_EQ(now.reason, "waits");
  EXPECT_EQ(now.note, "note");
  EXPECT_EQ(now.owner, "hand");
  EXPECT_EQ(now.listed_owner, "other");
  EXPECT_EQ(now.area, "core");
  EXPECT_EQ(now.listed_area, std::nullopt);
  EXPECT_EQ(merge_items({now}, {read}).unchanged, 1u);
  EXPECT_EQ(merge_items({now}, {now}).unchanged, 1u);
}

TEST(Items, AMarkThatMovesToOtherFilesIsNoted) {
  Item kept = item_of("1");
  kept.mark = Mark::wont_do;
  EXPECT_THAT(merge_items({kept}, {item_of("1", "test/test_b.py")}).notes,
              ElementsAre(HasSubstr("item 1 names other files")));
  EXPECT_THAT(merge_items({item_of("1")}, {item_of("1", "test/test_b.py")}).notes, IsEmpty());
}

Item of_list(Item item, const std::string& list) {
  item.list = list;
  return item;
}

TEST(Items, OnlyTheListThatIsReadHasAbsentItems) {
  std::vector<Item> kept = {item_of("1"), of_list(item_of("2"), "graph"), of_list(item_of("3"), "graph")};
  Imported imported = merge_items(kept, {of_list(item_of("3"), "graph")});
  EXPECT_THAT(imported.lists, ElementsAre("graph"));
  EXPECT_THAT(imported.absent, ElementsAre("2"));
  EXPECT_EQ(imported.unchanged, 1u);
  EXPECT_THAT(merge_items(kept, {item_of("4")}).absent, ElementsAre("1"));
  EXPECT_THAT(merge_items(kept, {item_of("4"), of_list(item_of("3"), "graph")}).absent,
              ElementsAre("1", "2"));
}

TEST(Items, AnItemMovesToTheListThatNamesItLast) {
  Item kept = of_list(item_of("1"), "graph");
  kept.note = "note";
  Item read = item_of("1");
  read.title = "new";
  Imported imported = merge_items({kept}, {read});
  EXPECT_EQ(imported.moved, 1u);
  EXPECT_EQ(imported.updated + imported.unchanged + imported.renamed, 0u);
  EXPECT_EQ(imported.items.front().list, "");
  EXPECT_EQ(imported.items.front().title, "new");
  EXPECT_EQ(imported.items.front().note, "note");
}

Item marked(Item item) {
  item.mark = Mark::blocked;
  item.reason = "waits";
  return item;
}

TEST(Items, AnIdThatComesLaterIsTheItemsNewOne) {
  Item named = item_of("#12");
  named.paths = {"test/test_b.py", "test/test_a.py"};
  Item kept = marked(item_of("test/test_a.py"));
  kept.paths = {"test/test_a.py", "test/test_b.py"};
  Imported imported = merge_items({kept, item_of("9", "test/test_c.py")}, {named});
  EXPECT_EQ(imported.renamed, 1u);
  EXPECT_EQ(imported.added + imported.updated + imported.unchanged, 0u);
  EXPECT_THAT(imported.absent, ElementsAre("9"));
  ASSERT_EQ(imported.items.size(), 2u);
  EXPECT_EQ(imported.items[0].id, "#12");
  EXPECT_EQ(imported.items[0].mark, Mark::blocked);
  Item of_class = item_of("test/test_a.py::TestA");
  of_class.classes = {"TestA"};
  Item named_class = of_class;
  named_class.id = "#13";
  EXPECT_EQ(merge_items({of_class}, {named_class}).renamed, 1u);
}

TEST(Items, WhereMoreThanOneFitsNoneIsRenamed) {
  Item kept = item_of("test/test_a.py");
  EXPECT_EQ(merge_items({kept}, {item_of("#1"), item_of("#2")}).renamed, 0u) << "two ids";
  EXPECT_EQ(merge_items({kept}, {item_of("#1"), kept}).renamed, 0u) << "the old id is still there";
  EXPECT_EQ(merge_items({kept}, {item_of("#1", "test/test_b.py")}).renamed, 0u) << "other paths";
  EXPECT_EQ(merge_items({kept}, {of_list(item_of("#1"), "graph")}).renamed, 0u) << "another list";
  EXPECT_EQ(merge_items({item_of("#3")}, {item_of("#1")}).renamed, 0u) << "the old id was given";
  EXPECT_EQ(merge_items({kept, item_of("#1")}, {item_of("#1")}).renamed, 0u) << "the id was there";
  Item twin = item_of("test/test_a.py::TestA");
  EXPECT_EQ(merge_items({kept, twin}, {item_of("#1")}).renamed, 0u) << "two items";
  Item narrowed = item_of("#1");
  narrowed.classes = {"TestA"};
  EXPECT_EQ(merge_items({kept}, {narrowed}).renamed, 0u) << "other classes";
}

TEST(Items, IdsThatTheListDidNotGive) {
  EXPECT_TRUE(has_derived_id(item_of("test/test_a.py")));
  EXPECT_TRUE(has_derived_id(item_of("test/test_a.py::TestA")));
  EXPECT_FALSE(has_derived_id(item_of("test/test_a.pyx")));
  EXPECT_FALSE(has_derived_id(item_of("#1")));
  Item item;
  item.id = "TestA";
  EXPECT_FALSE(has_derived_id(item));
  item.classes = {"TestA"};
  EXPECT_TRUE(has_derived_id(item));
  item.url = item.id = "https://example.org/1";
  EXPECT_TRUE(has_derived_id(item));
}

TEST(Items, Words) {
  for (Mark mark : {Mark::none, Mark::blocked, Mark::wont_do}) EXPECT_EQ(mark_of(word(mark)), mark);
  EXPECT_EQ(mark_of("done"), std::nullopt);
  EXPECT_STREQ(word(State::mixed_left), "mixed_left");
  EXPECT_STREQ(word(State::regressed), "regressed");
}

}  // namespace
}  // namespace hwsift::history
