// What the body of a C++ function says about hardware, statement by statement, without types.
#pragma once

#include <string>
#include <vector>

#include "analyzer/cxx/brackets.h"
#include "analyzer/cxx/lexed_file.h"
#include "analyzer/cxx/lexicon.h"
#include "analyzer/cxx/outline.h"
#include "analyzer/facts.h"

namespace hwsift::analyzer::cxx {

// A call in a condition that ends the function: if (skipTest()) return;
struct GuardCall {
  std::string name;      // last word
  std::string leaves;    // "return", "GTEST_SKIP", "throw"
  bool negated = false;  // if (!ready()) return;
  int line = 0;
  int col = 0;
};

struct BodyFacts {
  std::vector<Use> uses;  // in source order, without the index of class, method or function
  std::vector<std::string>
      names_read;  // last words of what it calls or makes, each once; without what is optional
  std::vector<GuardCall> guard_calls;  // of conditions that name no hardware themselves
};

// The tokens of a function: `parameters` without their parentheses, `body` without its braces. `condition` is
// the one around all of it, as in LexedFile.
struct BodyPlace {
  TokenRange parameters;
  TokenRange body;
  int condition = -1;
};

// Symbols are written with dots: "at.cuda.is_available". What the fields of a use mean here:
//   role      device_argument: of a callable that works on a device (CxxLexicon::uses_device); argument: of
//   any
//             other call; assigned: a variable gets it, and is a device_variable from then on; condition and
//             guard with their polarity, of a guard that of the rest of the function
//   callee    the call whose argument it is; of a guard how it leaves: "return", "return true", "GTEST_SKIP",
//             "throw", "ASSERT_TRUE"
//   optional  stands in a branch that a hardware condition opens, at run time or of the preprocessor
// A parameter that hands the function its device is a device_variable without devices.
BodyFacts read_body(const LexedFile& file, const Brackets& brackets, const BodyPlace& place,
                    const CxxLexicon& lexicon);

}  // namespace hwsift::analyzer::cxx
