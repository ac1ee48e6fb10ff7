// Facts of an earlier run, so that a file is analysed once for all checkouts and branches that have it.
//
// Facts depend on the content of a file, the lexicon and this program alone. A cache is of one lexicon and
// one program; what the facts say is the same with and without it.
#pragma once

#include <optional>

#include "analyzer/discover.h"
#include "analyzer/facts.h"
#include "base/disk.h"
#include "base/hash.h"

namespace hwsift::analyzer {

// Safe to ask from many threads. The facts it gives have no path: who asks knows where the content stands.
class FactsCache {
 public:
  virtual ~FactsCache() = default;

  // Of a file that is still the one that `remember` was told of, as its place, size and times say.
  virtual std::optional<FileFacts> find_unchanged(const SourcePath& file, const FileInfo& info) = 0;
  // Of a content, wherever it was seen.
  virtual std::optional<FileFacts> find(const Hash& content) = 0;
  virtual void keep(const Hash& content, const FileFacts& facts) = 0;
  // The file was found to have this content after `info` was asked.
  virtual void remember(const SourcePath& file, const FileInfo& info, const Hash& content) = 0;
};

}  // namespace hwsift::analyzer
