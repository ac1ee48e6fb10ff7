// Python source bytes to UTF-8, as Python itself decodes them: BOM, PEP 263 cookie, default UTF-8.
#pragma once

#include <string>

#include "base/result.h"

namespace hwsift::analyzer {

struct DecodedSource {
  std::string text;  // valid UTF-8, no BOM; lone carriage returns are line feeds; CRLF stays
  bool had_bom = false;
  std::string encoding = "utf-8";  // as Python would name it
};

struct DecodeFailure {
  int line = 0;  // 1-based
  int col = 0;
  std::string message;
};

// What could be decoded, and what could not: on failure text holds the file with every bad byte as U+FFFD
// where the encoding is known, and is empty where it is not or where the file is binary (holds a NUL byte).
struct Decoded {
  DecodedSource source;
  bool ok = true;
  DecodeFailure failure;
};

Decoded decode_python_source(const std::string& bytes);

}  // namespace hwsift::analyzer
