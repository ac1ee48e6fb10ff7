#include "store/cache_tally.h"

#include <cstring>

namespace hwsift::store {

std::size_t FirstBytes::operator()(const Hash& hash) const {
  std::size_t value = 0;
  std::memcpy(&value, hash.data(), sizeof value);
  return value;
}

bool CacheTally::analysed(const Hash& content) {
  std::lock_guard lock(mutex_);
  return analysed_.insert(content).second;
}

void CacheTally::seen(const std::string& file, const Hash& content, bool unchanged) {
  std::lock_guard lock(mutex_);
  files_.emplace(file, File{content, unchanged});
}

// Of many files with one content that was analysed one counts as analysed, whichever it was. Where this run
// had to analyse what stands in an unchanged file, an earlier one knew the file, but not what it means.
CacheCounts CacheTally::counts() const {
  std::lock_guard lock(mutex_);
  CacheCounts counts;
  counts.files = files_.size();
  std::unordered_set<Hash, FirstBytes> contents;
  for (const auto& [name, file] : files_) {
    if (analysed_.count(file.content) != 0)
      contents.insert(file.content);
    else if (file.unchanged)
      ++counts.unchanged;
  }
  counts.analysed = contents.size();
  counts.known = counts.files - counts.unchanged - counts.analysed;
  return counts;
}

}  // namespace hwsift::store
