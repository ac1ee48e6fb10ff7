// Markdown without its spans of code and its escaped signs: what is left can act where it is rendered.
#pragma once

#include <cstddef>
#include <string>

namespace hwsift::report {

inline std::string plain_markdown(const std::string& md) {
  std::string plain;
  for (std::size_t at = 0; at < md.size(); ++at) {
    if (md[at] == '\\') {
      ++at;
      continue;
    }
    if (md[at] != '`') {
      plain += md[at];
      continue;
    }
    std::string fence(md, at, md.find_first_not_of('`', at) - at);
    std::size_t end = md.find(fence, at + fence.size());
    while (end != std::string::npos && md.compare(end, fence.size() + 1, fence + '`') == 0)
      end = md.find(fence, md.find_first_not_of('`', end));
    if (end == std::string::npos || md.find('\n', at) < end) return plain + md.substr(at);  // an open span
    at = end + fence.size() - 1;
  }
  return plain;
}

}  // namespace hwsift::report
