// Whether tokens make a Python file: CPython 3.14's grammar, read by recursive descent. It builds nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/python/tokens.h"

namespace hwsift::analyzer {

struct SyntaxFault {
  std::uint32_t offset = 0;
  std::string message;
  bool final = false;  // CPython looks no further: an unexpected indent
};

// Bytes of valid code that tree-sitter-python 0.25 does not know, and what stands for them in what it is
// given: `fill` once, then spaces. Line ends stay. A doubtful one is needed only where the tree has errors
// or is too deep without it.
struct Rewrite {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string fill;
  bool doubtful = false;
};

struct GrammarVerdict {
  std::vector<SyntaxFault> faults;  // in source order; a statement gives one at most
  std::vector<Rewrite> rewrites;    // to be applied in this order
};

GrammarVerdict check_grammar(const std::string& text, const Tokens& tokens);

}  // namespace hwsift::analyzer
