#include "analyzer/lexicon.h"

#include <algorithm>

namespace hwsift::analyzer {
namespace {

using Entries = std::unordered_map<std::string, LexiconEntry>;

void add(const std::vector<std::string>& words, Digest& digest) {
  digest.add(static_cast<long long>(words.size()));
  for (const std::string& word : words) digest.add(word);
}

void add(const Entries& entries, Digest& digest) {
  std::vector<const Entries::value_type*> sorted;
  sorted.reserve(entries.size());
  for (const Entries::value_type& entry : entries) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->first < b->first; });
  digest.add(static_cast<long long>(sorted.size()));
  for (const Entries::value_type* entry : sorted) {
    const auto& [kind, devices] = entry->second;
    digest.add(entry->first);
    digest.add(static_cast<long long>(kind));
    add(devices, digest);
  }
}

}  // namespace

// Taken apart with a structured binding, so that a new member does not compile until it counts here too.
Hash fingerprint_of(const Lexicon& lexicon) {
  const auto& [device_types, members, names, prefixes, last_words, skip_if, skip_unless, device_callees,
               fake_modes, golden_callees, index] = lexicon;  // the index is all of these once more
  Digest digest;
  add(device_types, digest);
  for (const Entries* entries : {&members, &names, &prefixes, &last_words}) add(*entries, digest);
  for (const std::vector<std::string>* words :
       {&skip_if, &skip_unless, &device_callees, &fake_modes, &golden_callees})
    add(*words, digest);
  return digest.hash();
}

}  // namespace hwsift::analyzer
