// Facts for the time of one run: a file that is read for itself and for what another one imports from it is
// analysed once.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <unordered_map>

#include "analyzer/facts_cache.h"

namespace hwsift::analyzer {

// Holds them encoded, in a fraction of the memory that they take otherwise.
class MemoryCache : public FactsCache {
 public:
  std::optional<FileFacts> find_unchanged(const SourcePath& file, const FileInfo& info) override;
  std::optional<FileFacts> find(const Hash& content) override;
  void keep(const Hash& content, const FileFacts& facts) override;
  void remember(const SourcePath& file, const FileInfo& info, const Hash& content) override;

 private:
  struct Seen {
    FileInfo info;
    Hash content;
  };
  std::mutex mutex_;
  std::map<Hash, std::string> facts_;            // encoded, by content
  std::unordered_map<std::string, Seen> files_;  // by absolute path
};

}  // namespace hwsift::analyzer
