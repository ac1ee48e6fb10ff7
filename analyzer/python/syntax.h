// Whether Python accepts a source, told from tree-sitter's tree and our own token checks.
//
// tree-sitter-python 0.25 is a grammar for editors: it gives error nodes on some valid code, and none on some
// code that Python refuses. parse_python() knows both kinds: valid code that the grammar does not know is
// parsed again with the offending bytes blanked (same length, same lines), and what only Python refuses is
// found by a token pass.
#pragma once

#include <tree_sitter/api.h>

#include <memory>
#include <string>
#include <vector>

#include "analyzer/facts.h"

namespace hwsift::analyzer {

struct TreeDeleter {
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};
using Tree = std::unique_ptr<TSTree, TreeDeleter>;

struct ParsedSource {
  Tree tree;                       // always there; may hold error nodes
  std::vector<ParseError> errors;  // in source order; empty when Python accepts the source
};

// `text` is valid UTF-8 without a BOM. Byte offsets of the tree are offsets into it.
ParsedSource parse_python(const std::string& text);

}  // namespace hwsift::analyzer
