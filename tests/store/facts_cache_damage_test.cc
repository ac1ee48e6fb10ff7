// What is wrong with the file of the cache, or stands in its way.
#include <filesystem>

#include "tests/store/facts_cache_fixture.h"

namespace hwsift::store {
namespace {

TEST_F(FactsCacheTest, DoesNotBelieveARowThatWasChanged) {
  keep_one();
  execute_in_file("UPDATE contents SET hash = X'" + std::string(32, '0') + "'");
  execute_in_file("UPDATE files SET hash = X'" + std::string(32, '0') + "'");
  std::unique_ptr<SqliteFactsCache> cache = open();
  EXPECT_FALSE(cache->find_unchanged(file_, info_of()));
  EXPECT_FALSE(cache->find(Hash{}));
  EXPECT_FALSE(cache->find(hash_of("a")));
  cache->keep(Hash{}, facts_named("mended"));
  cache->finish();
  EXPECT_TRUE(open()->find(Hash{}) == facts_named("mended"));
}

TEST_F(FactsCacheTest, DoesNotBelieveAFileThatStandsForAnother) {
  keep_one();
  count([&](SqliteFactsCache& cache) {
    cache.keep(hash_of("b"), facts_named("b"));
    cache.remember(other_, info_of(2), hash_of("b"));
  });
  execute_in_file("UPDATE files SET hash = (SELECT hash FROM files WHERE id = 2)");
  EXPECT_FALSE(open()->find_unchanged(file_, info_of()));
  EXPECT_TRUE(open()->find_unchanged(other_, info_of(2)));
}

TEST_F(FactsCacheTest, MakesACacheOfAnotherVersionAnew) {
  for (const char* version : {"0", "1", "99", "-5"}) {
    keep_one();
    execute_in_file(std::string("PRAGMA user_version = ") + version);
    EXPECT_FALSE(finds("a"));
  }
  keep_one();
  execute_in_file("DROP TABLE files");
  EXPECT_FALSE(finds("a"));
  keep_one();
  EXPECT_TRUE(finds("a"));
  EXPECT_THAT(complaints_, IsEmpty());
}

// Whatever somebody did to the tables: the next run makes them anew, or the one that comes upon it.
TEST_F(FactsCacheTest, MendsTablesThatAreNotItsOwn) {
  for (const char* change :
       {"PRAGMA application_id = 7", "DROP TABLE contents; CREATE VIEW contents AS SELECT * FROM files",
        "CREATE TABLE \"a\"\"b\" (x); PRAGMA user_version = 1",
        "CREATE TRIGGER no BEFORE INSERT ON facts BEGIN SELECT RAISE(ABORT, 'no'); END",
        "ALTER TABLE files ADD COLUMN more NOT NULL DEFAULT 1; DROP TABLE facts",
        "DROP TABLE contents; "
        "CREATE TABLE contents (hash, analysis, id, used, size, more NOT NULL, PRIMARY KEY (hash))"}) {
    keep_one();
    execute_in_file(change);
    execute_in_file("DELETE FROM files");
    for (const char* content : {"a", "b"})
      count([&](SqliteFactsCache& cache) {
        if (!cache.find(hash_of(content))) cache.keep(hash_of(content), facts_named(content));
      });
    complaints_.clear();
    EXPECT_TRUE(finds("b")) << change;
    EXPECT_THAT(complaints_, IsEmpty()) << change;
    std::filesystem::remove_all(folder_ + "/below");
  }
}

TEST_F(FactsCacheTest, MendsEachByteOfItsHeader) {
  keep_one();
  std::string whole = bytes_of_file();
  for (std::size_t at = 0; at < 100; ++at)
    for (int change : {1, 0x80}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      write_file(damaged);
      for (const char* content : {"b", "c"})
        count([&](SqliteFactsCache& cache) {
          if (!cache.find(hash_of(content))) cache.keep(hash_of(content), facts_named(content));
        });
      complaints_.clear();
      EXPECT_TRUE(finds("c")) << at << " " << change;
      EXPECT_THAT(complaints_, IsEmpty()) << at << " " << change;
    }
}

// The header and the tables are sound, so that it shows while it is read.
TEST_F(FactsCacheTest, ReplacesAPartlyDamagedFileInTheSameRun) {
  count([&](SqliteFactsCache& cache) {
    cache.find(hash_of("a"));
    for (int i = 0; i < 50; ++i) {
      std::string name = std::to_string(i);
      cache.keep(hash_of(name), facts_named(std::string(9000, 'x') + name));
    }
  });
  std::string bytes = bytes_of_file();
  std::fill(bytes.begin() + 5 * 16384, bytes.end(), 'x');
  write_file(bytes);
  CacheCounts counts = count([&](SqliteFactsCache& cache) {
    for (int i = 0; i < 50; ++i) {
      std::string name = std::to_string(i);
      if (!cache.find(hash_of(name))) cache.keep(hash_of(name), facts_named(name));
    }
  });
  EXPECT_GT(counts.kept, 0U);
  ASSERT_THAT(complaints_, SizeIs(1));
  EXPECT_THAT(complaints_[0], HasSubstr("was damaged: it was taken away and is made anew"));
  EXPECT_TRUE(finds("49"));
  EXPECT_EQ(look_at_cache(place_, hash_of("one")).problem, "");
}

TEST_F(FactsCacheTest, KeepsAFileWhoseIdIsNotOursThatAUserNamed) {
  place_ = {folder_ + "/my.cache", false};
  keep_one();
  execute_in_file("PRAGMA application_id = 7");
  EXPECT_FALSE(finds("a"));
  ASSERT_THAT(complaints_, SizeIs(1));
  EXPECT_THAT(complaints_[0], HasSubstr("another program"));
  execute_in_file("PRAGMA application_id = 1752655459");
  EXPECT_TRUE(finds("a"));
}

TEST_F(FactsCacheTest, NamesWhatStandsInTheWayOfItsLog) {
  for (const char* beside : {"-wal", "-shm"}) {
    std::filesystem::create_directories(place_.file + beside);
    keep_one();
    ASSERT_THAT(complaints_, SizeIs(1));
    EXPECT_THAT(complaints_[0], HasSubstr(place_.file + beside + ": is no regular file (move it away"));
    complaints_.clear();
    std::filesystem::remove_all(folder_ + "/below");
  }
}

TEST_F(FactsCacheTest, TakesADamagedCacheOfOursAway) {
  std::filesystem::create_directories(folder_ + "/below");
  write_file(std::string(5000, 'x'));
  keep_one();
  ASSERT_THAT(complaints_, SizeIs(1));
  EXPECT_THAT(complaints_[0], HasSubstr("damaged"));
  EXPECT_TRUE(finds("a"));
  EXPECT_THAT(complaints_, SizeIs(1));
}

TEST_F(FactsCacheTest, LeavesAFileThatAUserNamed) {
  place_ = {folder_ + "/notes.cache", false};
  write_file(std::string(5000, 'x'));
  keep_one();
  ASSERT_THAT(complaints_, SizeIs(1));
  EXPECT_THAT(complaints_[0], HasSubstr("--no-cache"));
  EXPECT_EQ(bytes_of_file(), std::string(5000, 'x'));
}

TEST_F(FactsCacheTest, TakesADamagedCacheAwayThatAUserNamed) {
  place_ = {folder_ + "/my.cache", false};
  keep_one();
  std::string bytes = bytes_of_file();
  for (std::size_t i = 100; i < bytes.size(); ++i) bytes[i] = 'x';
  write_file(bytes);
  EXPECT_FALSE(finds("a"));
  EXPECT_THAT(complaints_, SizeIs(1));
  keep_one();
  EXPECT_TRUE(finds("a"));
}

TEST_F(FactsCacheTest, LeavesTheDatabaseOfAnotherProgram) {
  std::filesystem::create_directories(folder_ + "/below");
  sqlite3* raw = nullptr;
  ASSERT_EQ(sqlite3_open(place_.file.c_str(), &raw), SQLITE_OK);
  EXPECT_TRUE(execute(raw, "CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)"));
  sqlite3_close(raw);
  std::string before = bytes_of_file();
  keep_one();
  ASSERT_THAT(complaints_, SizeIs(1));
  EXPECT_THAT(complaints_[0], HasSubstr("another program"));
  EXPECT_EQ(bytes_of_file(), before);
}

TEST_F(FactsCacheTest, WorksWithoutWhereItCannot) {
  std::filesystem::create_directories(place_.file);  // a folder in its place
  keep_one();
  EXPECT_THAT(complaints_, SizeIs(1));
  EXPECT_TRUE(std::filesystem::is_directory(place_.file));
  place_.file = place_.file + "/a";
  std::ofstream(folder_ + "/file") << "x";
  place_.file = folder_ + "/file/facts.sqlite";  // no folder where one should be
  keep_one();
  EXPECT_THAT(complaints_, SizeIs(2));
}

TEST_F(FactsCacheTest, TellsWhoeverWaitsForNothing) {
  keep_one();
  Result<Handle> other = connect_cache(place_.file);
  ASSERT_TRUE(other.ok());
  Transaction transaction(other->get());
  ASSERT_TRUE(transaction.begun());
  std::unique_ptr<SqliteFactsCache> cache = open();
  EXPECT_TRUE(cache->find(hash_of("a")));
  cache->keep(hash_of("b"), facts_named("b"));
  cache->finish();
  EXPECT_EQ(cache->counts().kept, 0U);
  ASSERT_THAT(complaints_, SizeIs(1));
  EXPECT_THAT(complaints_[0], HasSubstr("another process holds it"));
}

TEST_F(FactsCacheTest, WritesAgainWhatItCouldNotWrite) {
  keep_one();
  std::unique_ptr<SqliteFactsCache> cache = open({.batch_bytes = 1});
  {
    Result<Handle> other = connect_cache(place_.file);
    ASSERT_TRUE(other.ok());
    Transaction transaction(other->get());
    EXPECT_TRUE(cache->find(hash_of("a")));
    cache->keep(hash_of("b"), facts_named("b"));
    cache->keep(hash_of("c"), facts_named("c"));
  }
  cache->finish();
  EXPECT_EQ(cache->counts().kept, 2U);
  EXPECT_TRUE(finds("b"));
  EXPECT_TRUE(finds("c"));
  EXPECT_THAT(complaints_, IsEmpty());
}

}  // namespace
}  // namespace hwsift::store
