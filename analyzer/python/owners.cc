#include "analyzer/python/owners.h"

#include "base/json.h"

namespace hwsift::analyzer {
namespace {

// The first line with the mark, without it.
std::string_view owner_line(std::string_view text) {
  constexpr std::string_view kMark = "# Owner(s): ";  // at the start of a line, spelled exactly so
  std::size_t at = text.find(kMark);
  while (at != std::string_view::npos && at > 0 && text[at - 1] != '\n') at = text.find(kMark, at + 1);
  if (at == std::string_view::npos) return {};
  std::string_view rest = text.substr(at + kMark.size());
  return rest.substr(0, rest.find('\n'));
}

}  // namespace

std::vector<std::string> read_owners(std::string_view text) {
  constexpr std::size_t kMaxLine = 16u << 10;
  std::string_view line = owner_line(text);
  if (line.empty() || line.size() > kMaxLine) return {};
  Result<Json> list = parse_json(std::string(line), "");
  if (!list.ok() || !list->is_array()) return {};
  std::vector<std::string> owners;
  for (const Json& label : *list) {
    if (!label.is_string()) return {};
    owners.push_back(label.get<std::string>());
  }
  return owners;
}

}  // namespace hwsift::analyzer
