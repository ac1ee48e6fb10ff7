// Patterns over names: `*` is any text, '/' too, and `?` one character. All else stands for itself, brackets
// too, since test ids hold them.
#pragma once

#include <string_view>

namespace hwsift::runner {

// Whether the pattern matches the whole text; never more than |pattern| * |text| steps.
bool glob_matches(std::string_view pattern, std::string_view text);
bool is_glob(std::string_view pattern);

}  // namespace hwsift::runner
