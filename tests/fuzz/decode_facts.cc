// Any bytes as the facts of a file: refused, or facts that hold together and come back the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "analyzer/facts_codec.h"

namespace {

using namespace hwsift::analyzer;

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::optional<FileFacts> facts = decode_facts(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!facts) return 0;
  for (const Use& use : facts->uses) require(!scope_of(*facts, use).empty() || use.class_index >= 0);
  for (const Class& cls : facts->classes) {
    InheritedLabel inherited = inherited_label(*facts, cls);
    require((inherited.from == nullptr) == (inherited.label == nullptr));
  }
  require(decode_facts(encode_facts(*facts)) == facts);
  return 0;
}
