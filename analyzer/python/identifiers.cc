#include "analyzer/python/identifiers.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace hwsift::analyzer {
namespace {

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

#include "analyzer/python/identifier_ranges.inc"

template <std::size_t N>
bool contains(const Range (&ranges)[N], char32_t c) {
  const Range* found = std::lower_bound(std::begin(ranges), std::end(ranges), c,
                                        [](const Range& range, char32_t code) { return range.last < code; });
  return found != std::end(ranges) && found->first <= c;
}

bool is_ascii_letter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace

bool starts_identifier(char32_t c) { return c < 0x80 ? is_ascii_letter(c) : contains(kStart, c); }

bool continues_identifier(char32_t c) {
  return c < 0x80 ? is_ascii_letter(c) || (c >= '0' && c <= '9') : contains(kContinue, c);
}

bool is_printable(char32_t c) { return c < 0x80 ? c >= ' ' && c < 0x7F : contains(kPrintable, c); }

}  // namespace hwsift::analyzer
