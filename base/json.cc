#include "base/json.h"

#include <algorithm>
#include <cstddef>

namespace hwsift {
namespace {

std::string place_of(const std::string& bytes, std::size_t at, const std::string& file) {
  at = std::min(at, bytes.size());
  auto start = bytes.begin();
  auto here = start + static_cast<std::ptrdiff_t>(at);
  auto line = std::count(start, here, '\n') + 1;
  std::size_t last = at == 0 ? std::string::npos : bytes.rfind('\n', at - 1);
  std::size_t col = last == std::string::npos ? at + 1 : at - last;
  return file + ":" + std::to_string(line) + ":" + std::to_string(col);
}

template <class Document>
Result<Document> parse(const std::string& bytes, const std::string& file) {
  try {
    return Document::parse(bytes);
  } catch (const nlohmann::json::parse_error& e) {
    std::size_t at = e.byte > 0 ? e.byte - 1 : 0;
    return Error{place_of(bytes, at, file), "not valid JSON", "repair or regenerate the file"};
  } catch (const nlohmann::json::exception& e) {
    return Error{file, std::string("JSON that cannot be used: ") + e.what(), "repair or regenerate the file"};
  }
}

}  // namespace

Result<Json> parse_json(const std::string& bytes, const std::string& file) {
  return parse<Json>(bytes, file);
}

Result<SortedJson> parse_sorted_json(const std::string& bytes, const std::string& file) {
  return parse<SortedJson>(bytes, file);
}

std::string dump_json(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace hwsift
