// "# hwsift: ignore[rule] reason" in the comments of a file.
#pragma once

#include <vector>

#include "analyzer/facts.h"
#include "analyzer/python/node.h"

namespace hwsift::analyzer {

// In source order; those that are malformed too, and say so. Text that only looks like a comment is none.
std::vector<Suppression> read_suppressions(const Source& source, TSNode root);

}  // namespace hwsift::analyzer
