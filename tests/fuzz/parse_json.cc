// Any bytes as JSON: a document that survives being written and read again, or an error with a place and a
// text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hwsift::Result<hwsift::Json> json =
      hwsift::parse_json(std::string(reinterpret_cast<const char*>(data), size), "run.json");
  if (!json.ok()) {
    if (json.error().what.empty() || json.error().where.empty()) std::abort();
    return 0;
  }
  std::string text = hwsift::dump_json(*json, -1);
  hwsift::Result<hwsift::Json> again = hwsift::parse_json(text, "run.json");
  if (!again.ok() || hwsift::dump_json(*again, -1) != text) std::abort();
  return 0;
}
