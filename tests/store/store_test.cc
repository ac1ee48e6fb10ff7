#include "store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/fake_disk.h"
#include "tests/temporary_folder.h"

namespace hwsift::store {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

runner::RunRecord record_of(const std::string& device, double seconds,
                            runner::Outcome outcome = runner::Outcome::passed) {
  runner::RunRecord record;
  record.device = device;
  record.started = "2026-03-14T15:09:26Z";
  record.environment = {{"torch", "2.6.0"}};
  for (const char* name : {"test_a", "test_b"}) {
    runner::TestResult result;
    result.path = "test/test_x.py";
    result.id = result.path + "::TestX::" + name;
    result.outcome = outcome;
    result.seconds = seconds;
    record.results.push_back(result);
  }
  return record;
}

class StoreTest : public TemporaryFolder {
 protected:
  std::string file() const { return join_path(folder_, "hwsift.sqlite"); }

  void execute(const std::string& sql) const {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(file().c_str(), &handle), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(handle);
    sqlite3_close(handle);
  }
};

TEST_F(StoreTest, ATableThatIsMissingIsNotTakenForAnEmptyOne) {
  ASSERT_TRUE(Store::open(file()).ok());
  execute("DROP TABLE class_measure");
  for (bool to_read : {true, false}) {
    Result<Store> store = to_read ? Store::open_to_read(file()) : Store::open(file());
    ASSERT_FALSE(store.ok());
    EXPECT_THAT(to_string(store.error()), testing::HasSubstr("'class_measure' is missing"));
  }
  EXPECT_FALSE(Store::check_file(file()).ok());
}

TEST_F(StoreTest, AVersionThatNobodyGives) {
  ASSERT_TRUE(Store::open(file()).ok());
  execute("PRAGMA user_version = -5");
  Result<Store> store = Store::open(file());
  ASSERT_FALSE(store.ok());
  EXPECT_THAT(to_string(store.error()), testing::HasSubstr("version"));
}

TEST_F(StoreTest, NamesThatSqliteTakesForMoreThanAFile) {
  std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  for (const char* name : {":memory:", "file:a?mode=memory"}) {
    ASSERT_TRUE(Store::open(name)->record_run(record_of("cpu", 1)).ok());
    EXPECT_EQ(Store::open_to_read(name)->contents()->runs, 1) << name;
    EXPECT_TRUE(std::filesystem::exists(join_path(folder_, name))) << name;
  }
  std::filesystem::current_path(before);
}

TEST_F(StoreTest, TimesOfRunsComeBackAsMeans) {
  {
    Result<Store> store = Store::open(file());
    ASSERT_TRUE(store.ok()) << to_string(store.error());
    for (double seconds : {1.0, 3.0}) ASSERT_TRUE(store->record_run(record_of("cpu", seconds)).ok());
    ASSERT_TRUE(store->record_run(record_of("cuda", 10)).ok());
  }
  Result<Store> store = Store::open(file());
  ASSERT_TRUE(store.ok()) << "a file that is there";
  EXPECT_EQ(store->contents()->runs, 3);
  EXPECT_EQ(store->contents()->points, 0);
  EXPECT_THAT(store->test_seconds("cpu").value(),
              ElementsAre(Pair("test/test_x.py::TestX::test_a", DoubleEq(2)),
                          Pair("test/test_x.py::TestX::test_b", DoubleEq(2))));
  EXPECT_THAT(store->file_seconds("cpu").value(), ElementsAre(Pair("test/test_x.py", DoubleEq(4))));
  EXPECT_THAT(store->file_seconds("cpu", 1).value(), ElementsAre(Pair("test/test_x.py", DoubleEq(6))))
      << "the last one only";
  EXPECT_THAT(store->file_seconds("xpu").value(), IsEmpty());
}

TEST_F(StoreTest, ATestThatDidNotComeToItsEndHasNoTime) {
  Result<Store> store = Store::open(file());
  ASSERT_TRUE(store.ok());
  ASSERT_TRUE(store->record_run(record_of("cpu", 1, runner::Outcome::crashed)).ok());
  EXPECT_THAT(store->test_seconds("cpu").value(), IsEmpty());
}

TEST_F(StoreTest, StrangeIdsAreText) {
  Result<Store> store = Store::open(file());
  ASSERT_TRUE(store.ok());
  runner::RunRecord record = record_of("cpu", 1);
  record.results[0].id = "test/test_x.py::test_a['; DROP TABLE run; --]";
  ASSERT_TRUE(store->record_run(record).ok());
  EXPECT_EQ(store->test_seconds("cpu").value().count(record.results[0].id), 1u);
}

TEST_F(StoreTest, ANewerFileIsRefused) {
  ASSERT_TRUE(Store::open(file()).ok());
  execute("PRAGMA user_version = 99");
  Result<Store> store = Store::open(file());
  ASSERT_FALSE(store.ok());
  EXPECT_THAT(to_string(store.error()), HasSubstr("newer hwsift (schema 99)"));
}

TEST_F(StoreTest, WhatIsNoDatabaseIsAnErrorAndStaysAsItIs) {
  std::ofstream(file()) << "something of someone else, long enough to be no empty file\n";
  Result<Store> store = Store::open(file());
  ASSERT_FALSE(store.ok());
  EXPECT_THAT(to_string(store.error()), HasSubstr("no database of hwsift"));
  EXPECT_EQ(std::filesystem::file_size(file()), 59u);
}

TEST_F(StoreTest, APlaceThatIsNotThereIsAnError) {
  EXPECT_FALSE(Store::open(join_path(folder_, "no/such/file")).ok());
  EXPECT_FALSE(Store::open(folder_).ok());
}

TEST_F(StoreTest, APipeIsNotWaitedFor) {
  ASSERT_EQ(mkfifo(file().c_str(), 0600), 0);
  Result<Store> store = Store::open(file());
  ASSERT_FALSE(store.ok());
  EXPECT_THAT(to_string(store.error()), HasSubstr("not a regular file"));
}

TEST_F(StoreTest, SeveralWriteAtATime) {
  Result<Store> one = Store::open(file());
  Result<Store> two = Store::open(file());
  ASSERT_TRUE(one.ok() && two.ok());
  EXPECT_TRUE(one->record_run(record_of("cpu", 1)).ok());
  EXPECT_TRUE(two->record_run(record_of("cpu", 1)).ok());
  EXPECT_EQ(one->contents()->runs, 2);
}

TEST(DefaultFile, ItsFolderKeepsItselfOutOfGit) {
  FakeDisk disk;
  EXPECT_EQ(default_file(disk, "/tree").value(), "/tree/.hwsift/hwsift.sqlite");
  EXPECT_EQ(disk.files.at("/tree/.hwsift/.gitignore"), "*\n");
  disk.files["/tree/.hwsift/.gitignore"] = "mine\n";
  ASSERT_TRUE(default_file(disk, "/tree").ok());
  EXPECT_EQ(disk.files.at("/tree/.hwsift/.gitignore"), "mine\n");
}

}  // namespace
}  // namespace hwsift::store
