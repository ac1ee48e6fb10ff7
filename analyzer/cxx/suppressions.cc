#include "analyzer/cxx/suppressions.h"

#include <algorithm>
#include <string_view>

#include "analyzer/suppression_text.h"
#include "base/text.h"

namespace hwsift::analyzer::cxx {
namespace {

// The text of a comment without what marks it as one.
std::string_view text_of(std::string_view comment) {
  comment.remove_prefix(std::min<std::size_t>(comment.size(), 2));
  if (comment.ends_with("*/")) comment.remove_suffix(2);
  while (comment.starts_with('/') || comment.starts_with('!') || comment.starts_with('*'))
    comment.remove_prefix(1);
  return trim(comment);
}

// The first line with code below; the comment's own where none is.
int code_below(const std::vector<int>& lines, int line) {
  auto next = std::upper_bound(lines.begin(), lines.end(), line);
  return next == lines.end() ? line : *next;
}

std::vector<int> lines_with_code(const LexedFile& file) {
  std::vector<int> lines;
  for (const Token& token : file.tokens) lines.push_back(token.line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace

std::vector<Suppression> read_suppressions(const LexedFile& file) {
  std::vector<Suppression> found;
  std::vector<int> lines;
  for (const Comment& comment : file.comments) {
    std::string_view text = text_of(comment.text);
    if (!text.starts_with(kSuppressionMarker)) continue;
    if (lines.empty()) lines = lines_with_code(file);
    Suppression suppression = read_suppression(text);
    suppression.line = suppression.target_line = comment.line;
    suppression.col = comment.col;
    // Code may stand behind a block comment.
    bool alone = comment.own_line && !std::binary_search(lines.begin(), lines.end(), comment.line);
    suppression.own_line = alone;
    if (alone) suppression.target_line = code_below(lines, comment.line);
    suppression.span = {0, static_cast<std::uint32_t>(comment.text.size())};
    found.push_back(std::move(suppression));
  }
  return found;
}

}  // namespace hwsift::analyzer::cxx
