#include "analyzer/memory_cache.h"

#include <gtest/gtest.h>

namespace hwsift::analyzer {
namespace {

const SourcePath kFile{"test/test_a.py", "/tree/test/test_a.py", "/tree/test/test_a.py"};

FileInfo info_of(std::uint64_t size) {
  FileInfo info;
  info.kind = FileInfo::Kind::file;
  info.size = size;
  return info;
}

TEST(MemoryCache, GivesWhatItWasGiven) {
  MemoryCache cache;
  Hash content = hash_of("x = 1\n");
  EXPECT_FALSE(cache.find(content));
  FileFacts facts;
  facts.owners = {"module: nn"};
  cache.keep(content, facts);
  EXPECT_EQ(cache.find(content)->owners, facts.owners);
  EXPECT_FALSE(cache.find(hash_of("x = 2\n")));
}

TEST(MemoryCache, KnowsAFileUntilItChanges) {
  MemoryCache cache;
  Hash content = hash_of("x = 1\n");
  cache.keep(content, {});
  EXPECT_FALSE(cache.find_unchanged(kFile, info_of(6)));
  cache.remember(kFile, info_of(6), content);
  EXPECT_TRUE(cache.find_unchanged(kFile, info_of(6)));
  EXPECT_FALSE(cache.find_unchanged(kFile, info_of(7)));
}

}  // namespace
}  // namespace hwsift::analyzer
