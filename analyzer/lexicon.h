// The words the analyzer looks for. Data only: the classifier makes it from rules/ and knows what the words mean.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/facts.h"

namespace hwsift::analyzer {

struct LexiconEntry {
  UseKind kind = UseKind::api;
  std::vector<std::string> devices;
};

struct Lexicon {
  // Device types that make a literal a device literal: cpu, cuda, xpu, mps, meta, hpu ...
  std::vector<std::string> device_types;
  // Members that belong to a device whatever object they are asked of: "cuda", "cpu", "is_cuda".
  std::unordered_map<std::string, LexiconEntry> members;
  // Dotted names. A name below a prefix entry (torch.cuda.Stream below torch.cuda) matches it; the longest wins.
  std::unordered_map<std::string, LexiconEntry> names;
  std::unordered_map<std::string, LexiconEntry> prefixes;
  // Last components of `names`, for names that reach a file by star import or re-export.
  std::unordered_map<std::string, LexiconEntry> last_words;
};

}  // namespace hwsift::analyzer
