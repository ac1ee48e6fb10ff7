#include "analyzer/memory_cache.h"

#include <utility>

#include "analyzer/facts_codec.h"

namespace hwsift::analyzer {
namespace {

bool is_same(const FileInfo& a, const FileInfo& b) {
  return a.size == b.size && a.inode == b.inode && a.device == b.device && a.modified == b.modified &&
         a.changed == b.changed;
}

}  // namespace

std::optional<FileFacts> MemoryCache::find_unchanged(const SourcePath& file, const FileInfo& info) {
  Hash content;
  {
    std::lock_guard lock(mutex_);
    auto seen = files_.find(file.absolute);
    if (seen == files_.end() || !is_same(seen->second.info, info)) return std::nullopt;
    content = seen->second.content;
  }
  return find(content);
}

std::optional<FileFacts> MemoryCache::find(const Hash& content) {
  std::string encoded;
  {
    std::lock_guard lock(mutex_);
    auto found = facts_.find(content);
    if (found == facts_.end()) return std::nullopt;
    encoded = found->second;
  }
  return decode_facts(encoded);
}

void MemoryCache::keep(const Hash& content, const FileFacts& facts) {
  std::string encoded = encode_facts(facts);
  std::lock_guard lock(mutex_);
  facts_.emplace(content, std::move(encoded));
}

void MemoryCache::remember(const SourcePath& file, const FileInfo& info, const Hash& content) {
  std::lock_guard lock(mutex_);
  files_[file.absolute] = {info, content};
}

}  // namespace hwsift::analyzer
