#include "store/items.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "tests/temporary_folder.h"

namespace hwsift::store {
namespace {

using history::Item;
using history::Mark;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Item full_item() {
  return {"#12",
          "A \"title\"\n",
          {"test/test_a.py", "test/ü"},
          {"TestA"},
          "core",
          "hand",
          "https://example.org/12",
          {"#13"},
          true,
          Mark::blocked,
          "waits for #13",
          "a note",
          std::nullopt,
          "list",
          "graph"};
}

Item plain_item(const std::string& id) {
  Item item;
  item.id = id;
  return item;
}

class ItemsTest : public TemporaryFolder {
 protected:
  Store open() const {
    Result<Store> store = Store::open(join_path(folder_, "hwsift.sqlite"));
    EXPECT_TRUE(store.ok());
    return std::move(*store);
  }
  void execute(Store& store, const std::string& sql) const {
    ASSERT_EQ(sqlite3_exec(store.handle(), sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
  }
};

// These are all the items from now on.
Status keep(Store& store, const std::vector<history::Item>& items) {
  return change_items(store, [&](std::vector<history::Item>& all) {
    all = items;
    return Status();
  });
}

TEST_F(ItemsTest, ComeBackAsTheyWereSortedById) {
  EXPECT_THAT(*read_items(*std::make_unique<Store>(open())), IsEmpty());
  {
    Store store = open();
    ASSERT_TRUE(keep(store, {full_item(), plain_item("#9")}).ok());
  }
  Store store = open();
  EXPECT_THAT(*read_items(store), ElementsAre(plain_item("#9"), full_item()));
  ASSERT_TRUE(keep(store, {plain_item("1")}).ok());
  EXPECT_THAT(*read_items(store), ElementsAre(plain_item("1")));
}

TEST_F(ItemsTest, WhatCannotBeKeptChangesNothing) {
  Store store = open();
  ASSERT_TRUE(keep(store, {plain_item("1")}).ok());
  Status written = keep(store, {plain_item("2"), plain_item("2")});
  ASSERT_FALSE(written.ok());
  EXPECT_THAT(written.error().what, HasSubstr("cannot keep the items"));
  EXPECT_THAT(*read_items(store), ElementsAre(plain_item("1")));
}

TEST_F(ItemsTest, ABrokenRowIsNamed) {
  for (const char* change : {"paths = '[1]'", "links = '{'", "classes = ''", "mark = 'done'"}) {
    Store store = open();
    ASSERT_TRUE(keep(store, {full_item()}).ok());
    execute(store, std::string("UPDATE item SET ") + change);
    Result<std::vector<Item>> read = read_items(store);
    ASSERT_FALSE(read.ok()) << change;
    EXPECT_THAT(to_string(read.error()), AllOf(HasSubstr("hwsift.sqlite"), HasSubstr("'#12'"))) << change;
    EXPECT_FALSE(keep(store, {}).ok()) << "what cannot be read is not written over";
    execute(store, "DELETE FROM item");
  }
}

}  // namespace
}  // namespace hwsift::store
