// The text of "hwsift: ignore[rule] reason", which is the same in comments of every language.
#pragma once

#include <string_view>

#include "analyzer/facts.h"

namespace hwsift::analyzer {

inline constexpr std::string_view kSuppressionMarker = "hwsift:";

// `text` begins with the marker and ends where the comment does. Rules and reason, without any place;
// malformed where there is no list of rules.
Suppression read_suppression(std::string_view text);

}  // namespace hwsift::analyzer
