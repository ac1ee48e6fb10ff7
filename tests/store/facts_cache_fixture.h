// A cache in a folder of its own, with what is told of it, for the tests of the cache.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "store/facts_cache.h"
#include "store/statement.h"
#include "tests/temporary_folder.h"

namespace hwsift::store {

using analyzer::FileFacts;
using analyzer::SourcePath;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t kSecond = 1'000'000'000;

inline FileFacts facts_named(const std::string& name) {
  FileFacts facts;
  facts.owners = {name};
  return facts;
}

inline FileInfo info_of(std::uint64_t inode = 1) {
  FileInfo info;
  info.kind = FileInfo::Kind::file;
  info.size = 10;
  info.device = 5;
  info.inode = inode;
  info.modified = info.changed = 100 * kSecond;
  info.asked = 200 * kSecond;
  return info;
}

class FactsCacheTest : public TemporaryFolder {
 protected:
  std::unique_ptr<SqliteFactsCache> open(const CacheOptions& options = {}, const char* analysis = "one") {
    return std::make_unique<SqliteFactsCache>(
        place_, hash_of(analysis),
        [this](const Error& error) {
          std::lock_guard lock(mutex_);
          complaints_.push_back(to_string(error));
        },
        options);
  }
  void keep_one(const CacheOptions& options = {}, const char* analysis = "one") {
    std::unique_ptr<SqliteFactsCache> cache = open(options, analysis);
    EXPECT_FALSE(cache->find(hash_of("a")));
    cache->keep(hash_of("a"), facts_named("a"));
    cache->remember(file_, info_of(), hash_of("a"));
  }
  // As --stats counts it after a run of its own.
  CacheCounts count(const std::function<void(SqliteFactsCache&)>& run, const CacheOptions& options = {}) {
    std::unique_ptr<SqliteFactsCache> cache = open(options);
    run(*cache);
    cache->finish();
    return cache->counts();
  }
  bool finds(const char* content, const CacheOptions& options = {}) {
    return open(options)->find(hash_of(content)).has_value();
  }
  void execute_in_file(const std::string& sql) {
    Result<Handle> handle = connect_cache(place_.file);
    ASSERT_TRUE(handle.ok());
    ASSERT_TRUE(execute(handle->get(), sql)) << sqlite3_errmsg(handle->get());
  }
  void write_file(const std::string& bytes) const { std::ofstream(place_.file, std::ios::binary) << bytes; }
  std::string bytes_of_file() const {
    std::ifstream in(place_.file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  CachePlace place_{folder_ + "/below/facts.sqlite", true};
  const SourcePath file_{"test/test_a.py", "/tree/test/test_a.py", "test/test_a.py"};
  const SourcePath other_{"test/test_b.py", "/tree/test/test_b.py", "test/test_b.py"};
  std::mutex mutex_;
  std::vector<std::string> complaints_;
};

}  // namespace hwsift::store
