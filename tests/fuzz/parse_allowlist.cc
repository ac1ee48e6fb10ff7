// Any bytes as an allowlist, in both forms: a list that reads back as it was written, or an error with a
// place and a text; merged with itself it stays.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "lint/allowlist.h"
#include "lint/allowlist_merge.h"

namespace {

void read_write_read(const std::string& bytes, const std::string& file) {
  hwsift::Result<hwsift::lint::Allowlist> list = hwsift::lint::parse_allowlist(bytes, file);
  if (!list.ok()) {
    if (list.error().what.empty() || list.error().where.empty()) std::abort();
    return;
  }
  std::string text = to_text(*list);
  hwsift::Result<hwsift::lint::Allowlist> again = hwsift::lint::parse_allowlist(text, file);
  if (!again.ok() || to_text(*again) != text) std::abort();
  hwsift::Result<std::string> merged =
      hwsift::lint::merge_allowlists({text, "o"}, {text, "a"}, {text, "b"}, file);
  if (!merged.ok() || *merged != text) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  read_write_read(bytes, "a.json");
  read_write_read(bytes, "a.yaml");
  return 0;
}
