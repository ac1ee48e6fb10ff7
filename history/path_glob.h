// Patterns over paths: `*` is any text without '/', `?` one such character, `**` any text with '/' too, and
// `**/` also nothing: "test/**/test_a.py" is test/test_a.py as well. All else stands for itself.
#pragma once

#include <string_view>

namespace hwsift::history {

// Whether the pattern matches the whole path; never more than |pattern| * |path| steps.
bool path_glob_matches(std::string_view pattern, std::string_view path);
bool is_path_glob(std::string_view pattern);

}  // namespace hwsift::history
