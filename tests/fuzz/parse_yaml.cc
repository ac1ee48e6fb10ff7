// Any bytes as YAML: a document or an error with a place and a text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/yaml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hwsift::Result<hwsift::Yaml> yaml =
      hwsift::parse_yaml(std::string(reinterpret_cast<const char*>(data), size), "hwsift.yaml");
  if (!yaml.ok() && (yaml.error().what.empty() || yaml.error().where.empty())) std::abort();
  return 0;
}
