// Reads a C++ file with Clang's lexer and preprocessor, without headers.
#pragma once

#include <string>
#include <vector>

#include "analyzer/cxx/lexed_file.h"

namespace hwsift::analyzer::cxx {

struct LexOptions {
  std::vector<std::string> macros;  // of headers, as -D takes them: "C10_DEFINE_TEST(a, b)=TEST(a, b)"
};

// `text` is the whole file, any bytes. Never fails; what cannot be read is in LexedFile::errors.
LexedFile lex(const std::string& text, const LexOptions& options);

}  // namespace hwsift::analyzer::cxx
