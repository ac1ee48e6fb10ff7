#include "store/facts_cache.h"

#include <unistd.h>

#include <thread>

#include "analyzer/scan.h"
#include "tests/fake_disk.h"
#include "tests/store/facts_cache_fixture.h"

namespace hwsift::store {
namespace {

TEST_F(FactsCacheTest, OpensNothingBeforeTheFirstQuestion) {
  open();
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/below"));
}

TEST_F(FactsCacheTest, FindsWhatAnEarlierRunKept) {
  keep_one();
  std::unique_ptr<SqliteFactsCache> cache = open();
  EXPECT_TRUE(cache->find(hash_of("a")) == facts_named("a"));
  EXPECT_TRUE(cache->find_unchanged(file_, info_of()) == facts_named("a"));
  EXPECT_FALSE(cache->find(hash_of("b")));
  EXPECT_THAT(complaints_, IsEmpty());
}

// Asked for itself, for what others import from it, and by two threads at once.
TEST_F(FactsCacheTest, CountsAFileOnce) {
  auto analyse = [&](SqliteFactsCache& cache) {
    for (int i = 0; i < 2; ++i) {
      cache.keep(hash_of("a"), facts_named("a"));
      cache.remember(file_, info_of(), hash_of("a"));
    }
    cache.remember(other_, info_of(2), hash_of("a"));
  };
  CacheCounts cold = count(analyse);
  EXPECT_EQ(cold.files, 2U);
  EXPECT_EQ(cold.unchanged, 0U);
  EXPECT_EQ(cold.analysed, 1U);
  EXPECT_EQ(cold.known, 1U);
  EXPECT_EQ(cold.kept, 1U);
  CacheCounts warm = count([&](SqliteFactsCache& cache) {
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(cache.find_unchanged(file_, info_of()));
    EXPECT_TRUE(cache.find(hash_of("a")));
    cache.remember(other_, info_of(3), hash_of("a"));
  });
  EXPECT_EQ(warm.files, 2U);
  EXPECT_EQ(warm.unchanged, 1U);
  EXPECT_EQ(warm.analysed, 0U);
  EXPECT_EQ(warm.known, 1U);
  EXPECT_EQ(warm.kept, 0U);
}

TEST_F(FactsCacheTest, AFileThatIsReadForItsTextIsUnchangedToo) {
  keep_one();
  CacheCounts counts = count([&](SqliteFactsCache& cache) {
    EXPECT_TRUE(cache.find(hash_of("a")));
    cache.remember(file_, info_of(), hash_of("a"));
  });
  EXPECT_EQ(counts.unchanged, 1U);
  EXPECT_EQ(counts.known, 0U);
}

TEST_F(FactsCacheTest, AnUnchangedFileOfAnotherAnalysisIsAnalysed) {
  keep_one({}, "old");
  CacheCounts counts = count([&](SqliteFactsCache& cache) {
    EXPECT_FALSE(cache.find_unchanged(file_, info_of()));
    cache.keep(hash_of("a"), facts_named("a"));
    cache.remember(file_, info_of(), hash_of("a"));
  });
  EXPECT_EQ(counts.analysed, 1U);
  EXPECT_EQ(counts.unchanged, 0U);
}

TEST_F(FactsCacheTest, WhatARunHadTimeForIsThereWhereItIsKilled) {
  for (const CacheOptions& options : {CacheOptions{.batch_bytes = 1}, CacheOptions{.batch_time = {}}}) {
    std::unique_ptr<SqliteFactsCache> cache = open(options);
    cache->find(hash_of("a"));
    cache->keep(hash_of("a"), facts_named("a"));
    EXPECT_TRUE(finds("a"));
    cache.reset();
    std::filesystem::remove_all(folder_ + "/below");
  }
}

TEST_F(FactsCacheTest, LeavesNoLogBehind) {
  keep_one();
  EXPECT_FALSE(has_log(place_.file));
}

TEST_F(FactsCacheTest, FindsWhatThisRunKept) {
  for (std::size_t batch : {std::size_t{1}, std::size_t{1} << 20}) {
    std::unique_ptr<SqliteFactsCache> cache = open({.batch_bytes = batch});
    std::string name = std::to_string(batch);
    EXPECT_FALSE(cache->find(hash_of(name)));
    cache->keep(hash_of(name), facts_named(name));
    EXPECT_TRUE(cache->find(hash_of(name)) == facts_named(name));
    cache->finish();
    EXPECT_EQ(cache->counts().kept, 1U);
    EXPECT_FALSE(cache->find(hash_of(name)));
  }
}

TEST_F(FactsCacheTest, TakesAFileForChangedByAnyOfItsMarks) {
  keep_one();
  std::unique_ptr<SqliteFactsCache> cache = open();
  auto found = [&](const std::function<void(FileInfo&)>& change) {
    FileInfo info = info_of();
    change(info);
    return cache->find_unchanged(file_, info).has_value();
  };
  EXPECT_TRUE(found([](FileInfo& info) { info.asked += 9 * kSecond; }));
  EXPECT_FALSE(found([](FileInfo& info) { ++info.size; }));
  EXPECT_FALSE(found([](FileInfo& info) { ++info.inode; }));
  EXPECT_FALSE(found([](FileInfo& info) { ++info.device; }));
  EXPECT_FALSE(found([](FileInfo& info) { ++info.modified; }));
  EXPECT_FALSE(found([](FileInfo& info) { ++info.changed; }));
  EXPECT_FALSE(cache->find_unchanged({"b", "/tree/b", "b"}, info_of()));
}

// Were it written again within the same tick of its clock, nothing would show that.
TEST_F(FactsCacheTest, DoesNotTrustAFileThatWasJustWritten) {
  FileInfo modified = info_of(2);
  modified.modified = modified.asked - kSecond;
  FileInfo changed = info_of(3);
  changed.changed = changed.asked - kSecond;
  FileInfo from_tomorrow = info_of(4);
  from_tomorrow.modified = from_tomorrow.asked + 86400 * kSecond;
  {
    std::unique_ptr<SqliteFactsCache> cache = open();
    cache->find(hash_of("a"));
    cache->keep(hash_of("a"), facts_named("a"));
    for (const FileInfo& info : {modified, changed, from_tomorrow})
      cache->remember(file_, info, hash_of("a"));
  }
  std::unique_ptr<SqliteFactsCache> cache = open();
  for (const FileInfo& info : {modified, changed, from_tomorrow})
    EXPECT_FALSE(cache->find_unchanged(file_, info));
}

TEST_F(FactsCacheTest, KeepsTheFactsOfAnalysesApart) {
  keep_one();
  std::unique_ptr<SqliteFactsCache> cache = open({}, "two");
  EXPECT_FALSE(cache->find(hash_of("a")));
  EXPECT_FALSE(cache->find_unchanged(file_, info_of()));
  cache->keep(hash_of("a"), facts_named("other"));
  cache->finish();
  EXPECT_TRUE(open()->find(hash_of("a")) == facts_named("a"));
  EXPECT_TRUE(open({}, "two")->find(hash_of("a")) == facts_named("other"));
}

TEST_F(FactsCacheTest, AnalysesDifferWithTheLexicon) {
  analyzer::Lexicon one;
  EXPECT_EQ(analysis_of(one), analysis_of(analyzer::Lexicon()));
  analyzer::Lexicon two;
  two.device_types = {"npu"};
  analyzer::Lexicon three;
  three.last_words["npu"] = {analyzer::UseKind::flag, {"npu"}};
  analyzer::Lexicon four;
  four.names["npu"] = {analyzer::UseKind::flag, {"npu"}};
  EXPECT_NE(analysis_of(one), analysis_of(two));
  EXPECT_NE(analysis_of(one), analysis_of(three));
  EXPECT_NE(analysis_of(three), analysis_of(four));
}

TEST_F(FactsCacheTest, ForgetsFilesThatCameLongAgo) {
  {
    std::unique_ptr<SqliteFactsCache> cache = open({.most_files = 2});
    cache->find(hash_of("a"));
    cache->keep(hash_of("a"), facts_named("a"));
    for (std::uint64_t inode : {1, 2, 3}) cache->remember(file_, info_of(inode), hash_of("a"));
  }
  std::unique_ptr<SqliteFactsCache> cache = open();
  EXPECT_FALSE(cache->find_unchanged(file_, info_of(1)));
  EXPECT_TRUE(cache->find_unchanged(file_, info_of(2)));
  EXPECT_TRUE(cache->find_unchanged(file_, info_of(3)));
}

TEST_F(FactsCacheTest, ManyThreadsAndManyCachesShareAFile) {
  constexpr int kThreads = 4;
  constexpr int kContents = 200;
  std::vector<std::unique_ptr<SqliteFactsCache>> caches;
  for (int i = 0; i < 2; ++i) caches.push_back(open({.batch_bytes = 500}));
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      SqliteFactsCache& cache = *caches[static_cast<std::size_t>(t) % 2];
      for (int i = 0; i < kContents; ++i) {
        std::string name = std::to_string(i);
        std::optional<FileFacts> found = cache.find(hash_of(name));
        if (found && *found != facts_named(name)) ADD_FAILURE() << name;
        if (!found) cache.keep(hash_of(name), facts_named(name));
        cache.remember(file_, info_of(static_cast<std::uint64_t>(i)), hash_of(name));
      }
    });
  for (std::thread& thread : threads) thread.join();
  caches.clear();
  std::unique_ptr<SqliteFactsCache> cache = open();
  int found = 0;
  for (int i = 0; i < kContents; ++i) {
    std::optional<FileFacts> facts = cache->find_unchanged(file_, info_of(static_cast<std::uint64_t>(i)));
    EXPECT_TRUE(!facts || *facts == facts_named(std::to_string(i)));
    found += facts ? 1 : 0;
  }
  EXPECT_GT(found, 0);
  EXPECT_THAT(complaints_, IsEmpty());
}

TEST_F(FactsCacheTest, ShowsWhatItHolds) {
  EXPECT_FALSE(look_at_cache(place_, hash_of("one")).exists);
  keep_one();
  keep_one({}, "other");
  CacheState state = look_at_cache(place_, hash_of("one"));
  EXPECT_TRUE(state.exists);
  EXPECT_EQ(state.problem, "");
  EXPECT_EQ(state.contents, 2);
  EXPECT_EQ(state.usable, 1);
  EXPECT_GT(state.bytes, 1000);
  EXPECT_FALSE(state.read_only);
  write_file("x");
  EXPECT_THAT(look_at_cache(place_, {}).problem, HasSubstr("makes it anew"));
}

TEST_F(FactsCacheTest, ShowsWhyThereIsNone) {
  std::ofstream(folder_ + "/file") << "x";
  EXPECT_EQ(look_at_cache({folder_ + "/a/b/c", true}, {}).problem, "");
  EXPECT_THAT(look_at_cache({folder_ + "/file/b/c", true}, {}).problem, HasSubstr("/file is no folder"));
  EXPECT_THAT(look_at_cache({folder_ + "/gone/c", false}, {}).problem, HasSubstr("/gone"));
  EXPECT_EQ(look_at_cache({folder_ + "/c", false}, {}).problem, "");
}

// A run whose rows are older than the next one's.
class Pruning : public FactsCacheTest {
 protected:
  static constexpr long long kLimit = 1 << 20;
  static std::string name_of(int i) { return "content " + std::to_string(i); }
  // Facts of 10 kB each.
  void run(int from, int to, long long now) {
    count(
        [&](SqliteFactsCache& cache) {
          for (int i = from; i < to; ++i) {
            if (cache.find(hash_of(name_of(i)))) continue;
            cache.keep(hash_of(name_of(i)), facts_named(std::string(10000, 'x') + name_of(i)));
          }
        },
        {.most_bytes = kLimit, .batch_bytes = 50000, .now = now});
  }
  int found(int from, int to, long long now) {
    std::unique_ptr<SqliteFactsCache> cache = open({.now = now});
    int found = 0;
    for (int i = from; i < to; ++i) found += cache->find(hash_of(name_of(i))) ? 1 : 0;
    return found;
  }
  static constexpr long long kStart = 1000000;
  static constexpr long long kHours = 3600;
};

TEST_F(Pruning, WhatWasUsedLongestAgoGoesFirst) {
  run(0, 20, kStart);
  run(20, 40, kStart + kHours);
  run(0, 20, kStart + 2 * kHours);
  run(100, 125, kStart + 3 * kHours);
  EXPECT_EQ(found(0, 20, kStart + 3 * kHours), 20);
  EXPECT_LT(found(20, 40, kStart + 3 * kHours), 20);
  EXPECT_EQ(found(100, 125, kStart + 3 * kHours), 25);
}

TEST_F(Pruning, TheFileStaysNearItsLimit) {
  for (int round = 0; round < 20; ++round) {
    run(round * 30, round * 30 + 30, kStart + round * kHours);
    EXPECT_LE(std::filesystem::file_size(place_.file), static_cast<std::uintmax_t>(kLimit * 5 / 4));
  }
  EXPECT_EQ(found(19 * 30, 20 * 30, kStart), 30);
}

TEST_F(Pruning, TheFileShrinks) {
  count(
      [&](SqliteFactsCache& cache) {
        cache.find(hash_of("a"));
        for (int i = 0; i < 300; ++i) cache.keep(hash_of(name_of(i)), facts_named(std::string(10000, 'x')));
      },
      {.now = kStart});
  EXPECT_GT(std::filesystem::file_size(place_.file), static_cast<std::uintmax_t>(2 * kLimit));
  run(1000, 1001, kStart + kHours);
  EXPECT_LE(std::filesystem::file_size(place_.file), static_cast<std::uintmax_t>(kLimit));
}

TEST_F(Pruning, AUseWithinTheHourIsNotNotedAgain) {
  run(0, 5, kStart);
  auto used = [&] {
    Result<Handle> handle = connect_cache(place_.file);
    Statement statement(handle->get(), "SELECT max(used) FROM contents");
    return statement.row() ? statement.number(0) : 0;
  };
  run(0, 5, kStart + kHours - 1);
  EXPECT_EQ(used(), kStart);
  run(0, 5, kStart + kHours);
  EXPECT_EQ(used(), kStart + kHours);
}

// Root may write everywhere, so the folder is one that nobody can write to only where nobody is root.
TEST_F(FactsCacheTest, ReadsWhatItCannotWrite) {
  if (::geteuid() == 0) GTEST_SKIP() << "as root; tests/e2e/cache_test.py tries it as somebody else";
  keep_one();
  std::filesystem::permissions(place_.file, std::filesystem::perms(0444));
  EXPECT_TRUE(finds("a"));
  EXPECT_THAT(complaints_, IsEmpty());
}

// Files that were written long ago.
class OldDisk : public FakeDisk {
 public:
  int reads = 0;
  Result<FileInfo> info(const std::string& path) override {
    Result<FileInfo> info = FakeDisk::info(path);
    if (info.ok()) info->asked = 1000 * kSecond;
    return info;
  }
  Result<std::string> read(const std::string& path, std::size_t max_bytes) override {
    ++reads;
    return FakeDisk::read(path, max_bytes);
  }
};

class ScanWithCache : public FactsCacheTest {
 protected:
  analyzer::ScannedFile scan(bool with_text = false) {
    std::unique_ptr<SqliteFactsCache> cache = open();
    analyzer::ScanOptions options;
    options.cache = cache.get();
    options.max_file_bytes = 100;
    disk_.reads = 0;
    analyzer::ScannedFile scanned;
    if (with_text)
      scanned = analyzer::scan_with_text(disk_, file_, {}, options);
    else
      scanned.facts = analyzer::scan(disk_, {file_}, {}, options).front();
    cache->finish();
    counts_ = cache->counts();
    return scanned;
  }
  OldDisk disk_;
  CacheCounts counts_;
};

TEST_F(ScanWithCache, ReadsAFileOnce) {
  disk_.files[file_.absolute] = "class A: pass";
  FileFacts first = scan().facts;
  EXPECT_EQ(counts_.kept, 1U);
  EXPECT_EQ(disk_.reads, 1);
  FileFacts second = scan().facts;
  EXPECT_EQ(disk_.reads, 0);
  EXPECT_TRUE(first == second);
  EXPECT_EQ(second.path, file_.path);
  EXPECT_TRUE(second.test_file);
}

TEST_F(ScanWithCache, BringsTheTextWithTheFacts) {
  disk_.files[file_.absolute] = "class A: pass";
  analyzer::ScannedFile first = scan(true);
  analyzer::ScannedFile second = scan(true);
  EXPECT_EQ(counts_.unchanged, 1U);
  EXPECT_EQ(second.text, disk_.files[file_.absolute]);
  EXPECT_TRUE(second.editable);
  EXPECT_TRUE(first.facts == second.facts);
}

TEST_F(ScanWithCache, KnowsAContentElsewhere) {
  disk_.files[file_.absolute] = "class A: pass";
  scan();
  disk_.files.clear();
  disk_.files["/other/helper.py"] = "class A: pass";
  std::unique_ptr<SqliteFactsCache> cache = open();
  analyzer::ScanOptions options;
  options.cache = cache.get();
  FileFacts facts =
      analyzer::scan(disk_, {{"helper.py", "/other/helper.py", "helper.py"}}, {}, options).front();
  EXPECT_EQ(cache->counts().known, 1U);
  EXPECT_EQ(facts.path, "helper.py");
  EXPECT_FALSE(facts.test_file);
}

TEST_F(ScanWithCache, DoesNotKeepWhatCannotBeRead) {
  disk_.files[file_.absolute] = "class A: pass";
  scan();
  disk_.files[file_.absolute] = std::string(101, '#');
  EXPECT_FALSE(scan().facts.parse.read);
  EXPECT_EQ(counts_.kept, 0U);
}

}  // namespace
}  // namespace hwsift::store
