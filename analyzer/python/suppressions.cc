#include "analyzer/python/suppressions.h"

#include <algorithm>
#include <string_view>

#include "analyzer/suppression_text.h"
#include "base/text.h"

namespace hwsift::analyzer {
namespace {

// How many lines below the line that ends at `end` the next line with code is; 0 where none is.
int lines_to_code(std::string_view text, std::size_t end) {
  int lines = 0;
  for (std::size_t at = text.find('\n', end); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    ++lines;
    std::size_t next = text.find('\n', at + 1);
    std::string_view line = trim(text.substr(at + 1, next == std::string_view::npos ? next : next - at - 1));
    if (!line.empty() && line.front() != '#') return lines;
  }
  return 0;
}

// Where the suppression in a comment ends: at the next one, or with the comment, which has the carriage
// return too.
std::size_t suppression_end(std::string_view text, std::size_t at, std::size_t comment_end) {
  std::size_t next = text.find(kSuppressionMarker, at + 1);
  std::size_t end = next < comment_end ? text.rfind('#', next) : comment_end;
  if (end <= at) end = comment_end;
  while (is_ascii_space(text[end - 1])) --end;
  return end;
}

// The column of `begin` in a comment; on the line of the one before it is counted from there, so that a line
// of many costs no more than its length.
int column_of(const Source& source, Span comment, std::size_t begin, const Suppression* previous) {
  std::string_view text = source.text();
  if (previous != nullptr && previous->line == source.line(comment.begin))
    return previous->col +
           static_cast<int>(code_points(text.substr(previous->span.begin, begin - previous->span.begin)));
  return source.col(comment.begin) +
         static_cast<int>(code_points(text.substr(comment.begin, begin - comment.begin)));
}

// The line that one alone on its line is about. One below another with no code between is about the same
// line.
int line_below(std::string_view text, Span comment, int line, const Suppression* previous) {
  bool same = previous != nullptr && previous->own_line && previous->target_line > line;
  return same ? previous->target_line : line + lines_to_code(text, comment.end);
}

Suppression suppression_of(const Source& source, Span span, std::size_t at, const Suppression* previous) {
  std::string_view text = source.text();
  std::size_t end = suppression_end(text, at, span.end);
  Suppression suppression = read_suppression(text.substr(at, end - at));
  std::size_t begin = text.rfind('#', at);
  suppression.span = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  suppression.line = suppression.target_line = source.line(span.begin);
  suppression.col = column_of(source, span, begin, previous);
  std::size_t line_start = text.rfind('\n', span.begin == 0 ? 0 : span.begin - 1);
  line_start = span.begin == 0 || line_start == std::string_view::npos ? 0 : line_start + 1;
  suppression.own_line = trim(text.substr(line_start, span.begin - line_start)).empty();
  if (suppression.own_line) suppression.target_line = line_below(text, span, suppression.line, previous);
  return suppression;
}

// The word stands at the start of a comment, or of a further one within it: "# noqa  # hwsift: ...".
bool follows_hash(std::string_view text, Span comment, std::size_t at) {
  std::string_view before = trim(text.substr(comment.begin, at - comment.begin));
  return !before.empty() && before.back() == '#';
}

void read_comment(const Source& source, Span span, std::vector<Suppression>& suppressions) {
  std::string_view text = source.text().substr(0, span.end);  // so that a search ends with the comment
  for (std::size_t at = text.find(kSuppressionMarker, span.begin); at != std::string_view::npos;
       at = text.find(kSuppressionMarker, at + 1)) {
    if (!follows_hash(text, span, at)) continue;
    const Suppression* previous = suppressions.empty() ? nullptr : &suppressions.back();
    suppressions.push_back(suppression_of(source, span, at, previous));
  }
}

}  // namespace

std::vector<Span> comments_of(const std::string& text, const Tokens& tokens) {
  std::vector<Span> comments;
  std::uint32_t begin = 0;
  for (const Token& token : tokens.list) {
    std::string_view between = std::string_view(text).substr(0, std::max(begin, token.begin));
    for (std::size_t at = between.find('#', begin); at != std::string_view::npos;
         at = between.find('#', at)) {
      std::size_t end = std::min(text.find('\n', at), text.size());
      comments.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
      at = end;
    }
    begin = std::max(begin, token.end);
  }
  return comments;
}

std::vector<Suppression> read_suppressions(const Source& source, const std::vector<Span>& comments) {
  std::vector<Suppression> suppressions;
  for (Span comment : comments) read_comment(source, comment, suppressions);
  return suppressions;
}

}  // namespace hwsift::analyzer
