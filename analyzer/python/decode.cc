// STAND-IN: UTF-8 only.
#include "analyzer/python/decode.h"

namespace hwsift::analyzer {
Decoded decode_python_source(const std::string& bytes) {
  Decoded decoded;
  decoded.source.text = bytes.compare(0, 3, "\xEF\xBB\xBF") == 0 ? bytes.substr(3) : bytes;
  return decoded;
}
}  // namespace hwsift::analyzer
