// Whether Python accepts a source, told from tree-sitter's tree and our own token checks.
//
// tree-sitter-python 0.25 is a grammar for editors: it gives error nodes on some valid code, and none on some
// code that Python refuses. parse_python() knows both kinds: valid code that the grammar does not know is
// parsed again with the offending bytes blanked (same length, same lines), and what only Python refuses is
// found by a token pass.
#pragma once

#include <tree_sitter/api.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/facts.h"
#include "analyzer/python/excerpt.h"
#include "base/meter.h"

namespace hwsift::analyzer {

struct TreeDeleter {
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};
using Tree = std::unique_ptr<TSTree, TreeDeleter>;

struct ParsedSource {
  Tree tree;                       // always there; may hold error nodes
  std::optional<Excerpt> excerpt;  // that the tree is of; of the text itself where there is none
  std::vector<Span> comments;      // where any of them speaks to hwsift
  std::vector<ParseError> errors;  // in source order; empty when Python accepts the source
};

// `text` is valid UTF-8 without a BOM. With `words`, what Python accepts is parsed by an excerpt.
ParsedSource parse_python(const std::string& text, const Words* words = nullptr, Meter* meter = nullptr);

}  // namespace hwsift::analyzer
