// The cache of facts on disk: of contents by their hash, and of which file has which content. One file for
// all trees of a user; any number of processes may use it at once. What goes wrong with it is told once, and
// the work goes on without it.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "analyzer/facts_cache.h"
#include "analyzer/lexicon.h"
#include "base/hash.h"
#include "base/result.h"
#include "store/cache_tally.h"
#include "store/facts_cache_file.h"

namespace hwsift::store {

struct CacheOptions {
  long long most_bytes = kMostCacheBytes;  // of the file; what was used longest ago goes first
  long long most_files = 200000;
  // Facts wait to be written together, so many bytes or so long; what waits is lost where the run is killed.
  std::size_t batch_bytes = std::size_t{1} << 20;
  std::chrono::milliseconds batch_time{500};
  long long now = 0;  // seconds since 1970; 0: as the clock says
};

// Of this program and a lexicon: facts of another one are not the same.
Hash analysis_of(const analyzer::Lexicon& lexicon);

class SqliteFactsCache final : public analyzer::FactsCache {
 public:
  using Complain = std::function<void(const Error&)>;

  // Opens nothing yet: that waits for the first question.
  SqliteFactsCache(CachePlace place, Hash analysis, Complain complain, CacheOptions options = {});
  ~SqliteFactsCache() override;

  std::optional<analyzer::FileFacts> find_unchanged(const analyzer::SourcePath& file,
                                                    const FileInfo& info) override;
  std::optional<analyzer::FileFacts> find(const Hash& content) override;
  void keep(const Hash& content, const analyzer::FileFacts& facts) override;
  void remember(const analyzer::SourcePath& file, const FileInfo& info, const Hash& content) override;

  // Writes what waits, and closes the file; from then on nothing is found. A file that was found to be
  // damaged is replaced by what this run read. The destructor does it too.
  void finish();
  CacheCounts counts() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hwsift::store
