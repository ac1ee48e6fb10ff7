// What a run had from the cache of facts, for --stats: by file and by content, so that neither the number of
// threads nor how often they ask shows in it.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/hash.h"

namespace hwsift::store {

// Hashes are as good as random.
struct FirstBytes {
  std::size_t operator()(const Hash& hash) const;
};

struct CacheCounts {
  std::size_t files = 0;      // that were looked at; each is one of the next three
  std::size_t unchanged = 0;  // as an earlier run found them
  std::size_t known = 0;      // of a content that an earlier run, or another file of this run, had
  std::size_t analysed = 0;
  std::size_t kept = 0;  // contents whose facts are there for the next run, but were not for this one
  bool read_only = false;
};

// Safe to tell from many threads.
class CacheTally {
 public:
  // Whether this content was not told of before.
  bool analysed(const Hash& content);
  // Of a file that is told of twice the first time counts. `unchanged`: as an earlier run found it.
  void seen(const std::string& file, const Hash& content, bool unchanged);
  CacheCounts counts() const;

 private:
  struct File {
    Hash content;
    bool unchanged;
  };
  mutable std::mutex mutex_;
  std::unordered_map<std::string, File> files_;
  std::unordered_set<Hash, FirstBytes> analysed_;
};

}  // namespace hwsift::store
