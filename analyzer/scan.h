// Facts of many files, in parallel and in the order of the paths.
#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/discover.h"
#include "analyzer/facts.h"
#include "analyzer/facts_cache.h"
#include "analyzer/lexicon.h"
#include "base/disk.h"
#include "base/meter.h"

namespace hwsift::analyzer {

inline constexpr std::size_t kDefaultMaxFileBytes = 16u << 20;

struct ScanOptions {
  int jobs = 1;
  std::size_t max_file_bytes = kDefaultMaxFileBytes;  // a larger file is reported, not read
  Meter* meter = nullptr;                             // of the parts in analyze.h; nullptr for none
  FactsCache* cache = nullptr;                        // of facts that this lexicon brought; nullptr for none
};

// One FileFacts a path, in the same order. A file that cannot be read has parse.read == false and one error.
std::vector<FileFacts> scan(Disk& disk, const std::vector<SourcePath>& files, const Lexicon& lexicon,
                            const ScanOptions& options);

// One file with its text, for those that show or mend it.
struct ScannedFile {
  FileFacts facts;
  std::string bytes;      // as on disk; "" where it could not be read
  std::string text;       // decoded; the spans of facts are places in it
  bool editable = false;  // its bytes from text_begin on are the text
  std::size_t text_begin = 0;
};

ScannedFile scan_with_text(Disk& disk, const SourcePath& file, const Lexicon& lexicon,
                           const ScanOptions& options);
// The same of bytes that stand on no disk.
ScannedFile scan_text(const std::string& path, std::string bytes, const Lexicon& lexicon);

}  // namespace hwsift::analyzer
