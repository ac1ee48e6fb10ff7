#include "analyzer/python/excerpt.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "analyzer/python/line_judge.h"
#include "analyzer/python/lines.h"

namespace hwsift::analyzer {

// ---- text and map

void Excerpt::copy(const std::string& file, std::uint32_t begin, std::uint32_t end) {
  std::uint32_t at = static_cast<std::uint32_t>(text_.size());
  text_.append(file, begin, end - begin);
  if (!pieces_.empty()) {
    Piece& last = pieces_.back();
    bool copied = last.end - last.begin == last.length;
    if (copied && begin - last.end == at - (last.at + last.length)) {
      last.length = at + (end - begin) - last.at;
      last.end = end;
      return;
    }
  }
  pieces_.push_back({at, end - begin, begin, end});
}

void Excerpt::put(std::string_view text, std::uint32_t begin, std::uint32_t end) {
  pieces_.push_back(
      {static_cast<std::uint32_t>(text_.size()), static_cast<std::uint32_t>(text.size()), begin, end});
  text_ += text;
}

Excerpt::Mark Excerpt::mark() const {
  return {text_.size(), pieces_.size(), pieces_.empty() ? 0 : pieces_.back().length};
}

void Excerpt::take_back(const Mark& mark) {
  text_.resize(mark.text);
  pieces_.resize(mark.pieces);
  if (pieces_.empty()) return;
  Piece& last = pieces_.back();
  if (last.length == mark.last_length) return;
  last.length = mark.last_length;
  last.end = last.begin + last.length;
}

const Excerpt::Piece& Excerpt::piece_at(std::uint32_t at) const {
  auto after = std::upper_bound(pieces_.begin(), pieces_.end(), at,
                                [](std::uint32_t place, const Piece& piece) { return place < piece.at; });
  return after == pieces_.begin() ? pieces_.front() : *(after - 1);
}

Span Excerpt::place(std::uint32_t begin, std::uint32_t end) const {
  if (pieces_.empty()) return {};
  const Piece& first = piece_at(begin);
  const Piece& last = end > begin ? piece_at(end - 1) : first;
  std::uint32_t from = std::min(first.begin + (begin - first.at), first.end);
  std::uint32_t to = std::min(last.begin + (end - last.at), last.end);
  if (end >= last.at + last.length) to = last.end;
  return {from, std::max(from, to)};
}

// ---- which lines are in it

namespace {

bool is_clause(Kind kind) {
  return kind == Kind::kw_elif || kind == Kind::kw_else || kind == Kind::kw_except ||
         kind == Kind::kw_finally;
}

bool has_clauses(Kind kind) {
  return kind == Kind::kw_if || kind == Kind::kw_for || kind == Kind::kw_while || kind == Kind::kw_try;
}

class Maker {
 public:
  Maker(const std::string& text, const Tokens& tokens, const Words& words)
      : text_(text),
        tokens_(tokens.list),
        lines_(logical_lines(tokens)),
        judge_(text, tokens_, lines_, words) {}

  Excerpt make() {
    block(0, static_cast<std::uint32_t>(lines_.size()), {});
    return std::move(excerpt_);
  }

 private:
  // Whose block it is.
  struct Place {
    LineJudge::Level level = LineJudge::Level::module;
    bool in_function = false;    // or in a class of that function
    bool function_body = false;  // itself, and not a block of a statement in it
    int depth = 0;
  };
  // Statements at the end of what was read of a block, none of which is in the excerpt.
  struct Gap {
    std::uint32_t begin = 0;  // place in the file
    std::uint32_t last = 0;   // first line of the last one
    bool open = false;
  };

  const Token& token(std::uint32_t at) const { return tokens_[at]; }
  const Token& first_token(std::uint32_t line) const { return tokens_[lines_[line].first]; }
  bool opens_block(std::uint32_t line) const { return lines_[line].next > line + 1; }
  std::uint32_t end_of(std::uint32_t line) const { return tokens_[lines_[line].last - 1].end; }
  Kind keyword_of(std::uint32_t line) const;
  bool does_nothing(std::uint32_t line) const;
  bool does_something(std::uint32_t line) const;
  std::uint32_t group_end(std::uint32_t line, std::uint32_t end) const;
  Place inside(std::uint32_t line, const Place& place) const;

  bool block(std::uint32_t line, std::uint32_t end, const Place& place);
  bool group(std::uint32_t line, std::uint32_t end, const Place& place);
  bool compound(std::uint32_t line, const Place& place);
  void fill(const Gap& gap, std::uint32_t end, bool something, const Place& place);
  void write(std::uint32_t line, int depth);
  void write_tokens(std::uint32_t first, std::uint32_t last);
  std::uint32_t end_of_literal(std::uint32_t at) const;

  const std::string& text_;
  const std::vector<Token>& tokens_;
  std::vector<Line> lines_;
  LineJudge judge_;
  Excerpt excerpt_;
};

// What a line is; `async` may stand before it.
Kind Maker::keyword_of(std::uint32_t line) const {
  const Token* first = &first_token(line);
  return first->kind == Kind::kw_async ? first[1].kind : first->kind;
}

// pass, `...`, a bare return, raise and a text: what a stub is made of.
bool Maker::does_nothing(std::uint32_t line) const {
  const Line& at = lines_[line];
  Kind kind = token(at.first).kind;
  bool alone = at.last - at.first == 1;
  if (kind == Kind::kw_raise) return true;
  if (kind == Kind::kw_pass || kind == Kind::kw_return || kind == Kind::ellipsis) return alone;
  return std::all_of(tokens_.begin() + at.first, tokens_.begin() + at.last,
                     [](const Token& part) { return part.kind == Kind::string; });
}

// Of a line that is in: whether no stub can have it.
bool Maker::does_something(std::uint32_t line) const {
  Kind kind = keyword_of(line);
  return opens_block(line) || kind == Kind::kw_assert || kind == Kind::kw_import || kind == Kind::kw_from;
}

// The line after a statement with all of its decorators, clauses and blocks.
std::uint32_t Maker::group_end(std::uint32_t line, std::uint32_t end) const {
  while (first_token(line).kind == Kind::at) ++line;
  Kind keyword = keyword_of(line);
  line = lines_[line].next;
  if (!has_clauses(keyword)) return line;
  while (line < end && is_clause(first_token(line).kind)) line = lines_[line].next;
  return line;
}

Maker::Place Maker::inside(std::uint32_t line, const Place& place) const {
  Place inner = place;
  Kind keyword = keyword_of(line);
  inner.function_body = keyword == Kind::kw_def;
  inner.in_function = place.in_function || inner.function_body;
  if (keyword == Kind::kw_def) inner.level = LineJudge::Level::function;
  if (keyword == Kind::kw_class) inner.level = LineJudge::Level::class_;
  ++inner.depth;
  return inner;
}

// These write what they read and tell whether anything of it must be there.
bool Maker::block(std::uint32_t line, std::uint32_t end, const Place& place) {
  Gap gap;
  bool matters = false;
  bool acts = false;       // something that is in does
  bool something = false;  // something that is not in does
  while (line < end) {
    std::uint32_t next = group_end(line, end);
    Excerpt::Mark before = excerpt_.mark();
    if (group(line, next, place)) {
      matters = true;
      acts = acts || does_something(line);
      gap.open = false;
    } else {
      excerpt_.take_back(before);
      something = something || !does_nothing(line);
      gap = {gap.open ? gap.begin : first_token(line).begin, line, true};
    }
    line = next;
  }
  bool looks_like_stub = something && !acts && place.function_body;
  if (place.depth > 0 && (gap.open || looks_like_stub)) fill(gap, end, something, place);
  return matters;
}

bool Maker::group(std::uint32_t line, std::uint32_t end, const Place& place) {
  bool matters = false;
  for (; line < end; line = lines_[line].next) {
    if (opens_block(line)) {
      matters |= compound(line, place);
    } else {
      matters |= judge_.matters(line, place.level);
      write(line, place.depth);
    }
  }
  return matters;
}

bool Maker::compound(std::uint32_t line, const Place& place) {
  Kind keyword = keyword_of(line);
  bool owns = !place.in_function && (keyword == Kind::kw_def || keyword == Kind::kw_class);
  bool matters = judge_.matters(line, place.level);
  write(line, place.depth);
  if (owns) judge_.enter(line, place.level);
  matters |= block(line + 1, lines_[line].next, inside(line, place));
  if (owns) judge_.leave();
  return matters;
}

// Stands for the statements at the end of a block that are not in; the last of them may leave the block, and
// a function that does something must not look like a stub.
void Maker::fill(const Gap& gap, std::uint32_t end, bool something, const Place& place) {
  std::uint32_t begin = gap.open ? gap.begin : end_of(end - 1);
  Kind last = gap.open ? first_token(gap.last).kind : Kind::end;
  bool leaves = last == Kind::kw_return || last == Kind::kw_raise;
  if (!leaves || (something && place.function_body)) {
    excerpt_.indent(place.depth);
    excerpt_.put(something ? "0" : "pass", begin, leaves ? begin : end_of(end - 1));
    excerpt_.space('\n');
  }
  if (!leaves) return;
  excerpt_.indent(place.depth);
  excerpt_.copy(text_, first_token(gap.last).begin, first_token(gap.last).end);
  if (const Line& line = lines_[gap.last]; line.last > line.first + 1) {
    excerpt_.space(' ');
    excerpt_.put("0", token(line.first + 1).begin, end_of(gap.last));
  }
  excerpt_.space('\n');
}

// ---- how a line is written

void Maker::write(std::uint32_t line, int depth) {
  excerpt_.indent(depth);
  write_tokens(lines_[line].first, lines_[line].last);
  excerpt_.space('\n');
}

// The token after an f-string, which is copied as it is.
std::uint32_t Maker::end_of_literal(std::uint32_t at) const {
  int open = 0;
  do {
    if (token(at).kind == Kind::fstring_start) ++open;
    if (token(at).kind == Kind::fstring_end) --open;
    ++at;
  } while (open > 0);
  return at;
}

void Maker::write_tokens(std::uint32_t first, std::uint32_t last) {
  std::uint32_t begin = token(first).begin;  // of what is to be copied as it stands
  std::uint32_t end = begin;
  bool after_text = false;
  for (std::uint32_t at = first; at < last;) {
    const Token& part = token(at);
    bool text = part.kind == Kind::string;
    bool blank = part.begin == end + 1 && text_[end] == ' ';
    if (text || after_text || (part.begin != end && !blank)) {
      if (end > begin) excerpt_.copy(text_, begin, end);
      if ((part.begin != end || after_text) && at > first) excerpt_.space(' ');
      begin = part.begin;
    }
    at = part.kind == Kind::fstring_start ? end_of_literal(at) : at + 1;
    end = token(at - 1).end;
    after_text = text;
    if (!text) continue;
    excerpt_.put("\"\"", part.begin, part.end);
    begin = end;
  }
  if (end > begin) excerpt_.copy(text_, begin, end);
}

}  // namespace

Excerpt make_excerpt(const std::string& text, const Tokens& tokens, const Words& words) {
  return Maker(text, tokens, words).make();
}

}  // namespace hwsift::analyzer
