// What the body of a C++ function says about hardware, statement by statement, without types.
#pragma once

#include <string>
#include <vector>

#include "analyzer/cxx/brackets.h"
#include "analyzer/cxx/lexed_file.h"
#include "analyzer/cxx/outline.h"
#include "analyzer/facts.h"
#include "analyzer/lexicon.h"

namespace hwsift::analyzer::cxx {

struct BodyFacts {
  std::vector<Use> uses;                // in source order, without the index of class, method or function
  std::vector<std::string> names_read;  // last words of what it calls, each once
};

// `body` holds no braces of its own. Symbols are written with dots: "at.cuda.is_available". Conditions are
// read with their polarity; what stands in a branch that a hardware condition opens is `optional`. The callee
// of a use is the nearest call around it that does more than describe a device or a tensor.
BodyFacts read_body(const LexedFile& file, const Brackets& brackets, TokenRange body, const Lexicon& lexicon);

}  // namespace hwsift::analyzer::cxx
