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

// Where the suppression in a comment ends: at the next one, or with the comment, whose node has the carriage
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
int column_of(const Source& source, TSNode comment, std::size_t begin, const Suppression* previous) {
  std::string_view text = source.text();
  if (previous != nullptr && previous->line == source.line(comment))
    return previous->col +
           static_cast<int>(code_points(text.substr(previous->span.begin, begin - previous->span.begin)));
  std::size_t start = ts_node_start_byte(comment);
  return source.col(comment) + static_cast<int>(code_points(text.substr(start, begin - start)));
}

// The line that one alone on its line is about. One below another with no code between is about the same
// line.
int line_below(std::string_view text, Span comment, int line, const Suppression* previous) {
  bool same = previous != nullptr && previous->own_line && previous->target_line > line;
  return same ? previous->target_line : line + lines_to_code(text, comment.end);
}

Suppression suppression_of(const Source& source, TSNode comment, std::size_t at,
                           const Suppression* previous) {
  std::string_view text = source.text();
  Span span = Source::span(comment);
  std::size_t end = suppression_end(text, at, span.end);
  Suppression suppression = read_suppression(text.substr(at, end - at));
  std::size_t begin = text.rfind('#', at);
  suppression.span = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  suppression.line = suppression.target_line = source.line(comment);
  suppression.col = column_of(source, comment, begin, previous);
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

void read_comment(const Source& source, TSNode comment, std::vector<Suppression>& suppressions) {
  Span span = Source::span(comment);
  std::string_view text = source.text().substr(0, span.end);  // so that a search ends with the comment
  for (std::size_t at = text.find(kSuppressionMarker, span.begin); at != std::string_view::npos;
       at = text.find(kSuppressionMarker, at + 1)) {
    if (!follows_hash(text, span, at)) continue;
    const Suppression* previous = suppressions.empty() ? nullptr : &suppressions.back();
    suppressions.push_back(suppression_of(source, comment, at, previous));
  }
}

// The first child, else the next node after this one and all below it; false at the end of the tree.
bool to_next_node(TSTreeCursor& cursor) {
  if (ts_tree_cursor_goto_first_child(&cursor)) return true;
  while (!ts_tree_cursor_goto_next_sibling(&cursor))
    if (!ts_tree_cursor_goto_parent(&cursor)) return false;
  return true;
}

}  // namespace

std::vector<Suppression> read_suppressions(const Source& source, TSNode root) {
  std::vector<Suppression> suppressions;
  if (source.text().find(kSuppressionMarker) == std::string_view::npos) return suppressions;
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  do {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    if (is(node, grammar().comment)) read_comment(source, node, suppressions);
  } while (to_next_node(cursor));
  ts_tree_cursor_delete(&cursor);
  return suppressions;
}

}  // namespace hwsift::analyzer
