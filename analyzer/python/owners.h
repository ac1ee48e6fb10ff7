// Who owns a test file: the comment `# Owner(s): ["module: nn"]`, as PyTorch's own linter reads it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hwsift::analyzer {

// The labels of the first such line; [] where there is none or it is no list of texts.
std::vector<std::string> read_owners(std::string_view text);

}  // namespace hwsift::analyzer
