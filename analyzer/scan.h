// Facts of many files, in parallel and in the order of the paths.
#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/discover.h"
#include "analyzer/facts.h"
#include "analyzer/lexicon.h"
#include "base/disk.h"

namespace hwsift::analyzer {

inline constexpr std::size_t kDefaultMaxFileBytes = 16u << 20;

struct ScanOptions {
  int jobs = 1;
  std::size_t max_file_bytes = kDefaultMaxFileBytes;  // a larger file is reported, not read
};

// One FileFacts a path, in the same order. A file that cannot be read has parse.read == false and one error.
std::vector<FileFacts> scan(Disk& disk, const std::vector<SourcePath>& files, const Lexicon& lexicon,
                            const ScanOptions& options);

}  // namespace hwsift::analyzer
