// What lint may ask about the tree around a file.
#pragma once

#include "analyzer/tree_index.h"
#include "lint/tree_traits.h"

namespace hwsift::lint {

struct Surroundings {
  analyzer::TreeIndex* index = nullptr;  // nullptr: each file stands alone
  TreeTraits traits;
};

}  // namespace hwsift::lint
