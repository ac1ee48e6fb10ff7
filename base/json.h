// JSON through nlohmann-json; its exceptions end here.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/result.h"

namespace hwsift {

using Json = nlohmann::ordered_json;  // keys keep the order in which they were added

// Errors name file, line and column.
Result<Json> parse_json(const std::string& bytes, const std::string& file);

// The same where an object may hold thousands of keys, whose order then means nothing: Json looks for each
// key among all before it.
using SortedJson = nlohmann::json;
Result<SortedJson> parse_sorted_json(const std::string& bytes, const std::string& file);

// Text of a document; malformed UTF-8 in strings becomes U+FFFD. indent < 0 is one line.
std::string dump_json(const Json& value, int indent);

}  // namespace hwsift
