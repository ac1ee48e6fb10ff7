// Which statements of a file are in its excerpt, and how they are written.
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "analyzer/python/excerpt.h"
#include "analyzer/python/line_judge.h"
#include "analyzer/python/lines.h"
#include "analyzer/python/plain_statements.h"

namespace hwsift::analyzer {
namespace {

using Level = LineJudge::Level;
using Reads = std::vector<TokenRange>;

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
      : text_(text), tokens_(tokens.list), lines_(logical_lines(tokens)) {
    excerpt_.imports = read_plain_imports(text, tokens_, lines_);
    judge_.emplace(text, tokens_, lines_, excerpt_.imports, words);
  }

  Excerpt make() {
    Reads reads;
    block(0, static_cast<std::uint32_t>(lines_.size()), {}, reads);
    excerpt_.definitions = judge_->definitions();
    return std::move(excerpt_);
  }

 private:
  // Whose block it is.
  struct Place {
    Level level = Level::module;
    bool is_local = false;       // of a function, or of a class in one
    bool function_body = false;  // itself, and not a block of a statement in it
    bool class_body = false;     // itself
    int depth = 0;
  };
  // Statements at the end of what was read of a block, none of which is in the excerpt.
  struct Gap {
    std::uint32_t begin = 0;  // place in the file
    std::uint32_t last = 0;   // first line of the last one
    bool open = false;
  };
  // What was read of a block so far does.
  struct Deeds {
    bool kept = false;  // something, by what is in the excerpt
    bool left = false;  // something, by what is not
  };

  const Token& token(std::uint32_t at) const { return tokens_[at]; }
  const Token& first_token(std::uint32_t line) const { return tokens_[lines_[line].first]; }
  bool opens_block(std::uint32_t line) const { return lines_[line].next > line + 1; }
  std::uint32_t end_of(std::uint32_t line) const { return tokens_[lines_[line].last - 1].end; }
  Kind keyword_of(std::uint32_t line) const;
  bool is_definition(std::uint32_t line) const;
  bool does_nothing(std::uint32_t line) const;
  bool does_something(std::uint32_t line) const;
  std::uint32_t definition_of(std::uint32_t line) const;
  std::uint32_t group_end(std::uint32_t line, std::uint32_t end) const;
  Place inside(std::uint32_t line, const Place& place) const;

  Need block(std::uint32_t line, std::uint32_t end, const Place& place, Reads& reads,
             bool* is_stub = nullptr);
  Need group(std::uint32_t line, std::uint32_t end, const Place& place, Reads& reads);
  Need statement(std::uint32_t line, const Place& place, Reads& reads);
  Need definition(std::uint32_t line, std::uint32_t def, const Place& place, Reads& reads);
  Need compound(std::uint32_t line, const Place& place, Reads& reads, bool* is_stub = nullptr);
  void hold_place(std::uint32_t line, std::uint32_t next, const Place& place);
  void fill(const Gap& gap, std::uint32_t end, const Deeds& deeds, const Place& place);

  void write(std::uint32_t line, int depth);
  void write_header(std::uint32_t line, Need need, const Reads& reads, int depth);
  void write_reads(std::uint32_t line, std::uint32_t end, const Reads& reads, int depth);
  void write_value(std::uint32_t line, int depth);
  void write_list(const Reads& reads);
  void write_tokens(std::uint32_t first, std::uint32_t last);
  std::uint32_t end_of_literal(std::uint32_t at) const;

  const std::string& text_;
  const std::vector<Token>& tokens_;
  std::vector<Line> lines_;
  std::optional<LineJudge> judge_;
  Excerpt excerpt_;
};

// ---- what a line is

// `async` may stand before it.
Kind Maker::keyword_of(std::uint32_t line) const {
  const Token* first = &first_token(line);
  return first->kind == Kind::kw_async ? first[1].kind : first->kind;
}

bool Maker::is_definition(std::uint32_t line) const {
  return keyword_of(line) == Kind::kw_def || keyword_of(line) == Kind::kw_class;
}

// pass, `...`, a bare return, raise and a text: what a stub is made of.
bool Maker::does_nothing(std::uint32_t line) const {
  const Line& at = lines_[line];
  Kind kind = token(at.first).kind;
  bool alone = at.last - at.first == 1;
  if (kind == Kind::kw_raise) return true;
  if (kind == Kind::kw_pass || kind == Kind::kw_return || kind == Kind::ellipsis) return alone;
  for (std::uint32_t part = at.first; part < at.last;) {
    if (token(part).kind != Kind::string && token(part).kind != Kind::fstring_start) return false;
    part = token(part).kind == Kind::string ? part + 1 : end_of_literal(part);
  }
  return true;
}

// Of a line that is in: whether no stub can have it.
bool Maker::does_something(std::uint32_t line) const {
  Kind kind = keyword_of(line);
  return opens_block(line) || kind == Kind::kw_assert || kind == Kind::kw_import || kind == Kind::kw_from;
}

// The line with `def` or `class` below decorators; the line itself where it is none.
std::uint32_t Maker::definition_of(std::uint32_t line) const {
  while (first_token(line).kind == Kind::at) ++line;
  return line;
}

// The line after a statement with all of its decorators, clauses and blocks.
std::uint32_t Maker::group_end(std::uint32_t line, std::uint32_t end) const {
  line = definition_of(line);
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
  inner.class_body = keyword == Kind::kw_class;
  inner.is_local = place.is_local || inner.function_body;
  if (inner.function_body) inner.level = Level::function;
  if (inner.class_body) inner.level = Level::class_;
  ++inner.depth;
  return inner;
}

// ---- what is in the excerpt. Each of these writes what it reads, as if all of it were needed, and tells how
// much is; names that are read go to `reads` where that is all.

Need Maker::block(std::uint32_t line, std::uint32_t end, const Place& place, Reads& reads, bool* is_stub) {
  Gap gap;
  Deeds deeds;
  Need most = Need::nothing;
  std::uint32_t first = line;
  bool nothing_done = true;
  for (std::uint32_t next = line; line < end; line = next) {
    next = group_end(line, end);
    nothing_done = nothing_done && does_nothing(line);
    Excerpt::Mark before = excerpt_.mark();
    std::size_t reads_before = reads.size();
    Need need = group(line, next, place, reads);
    most = std::max(most, need);
    if (need < Need::value) excerpt_.take_back(before);
    if (need < Need::value && place.class_body && line == first) hold_place(line, next, place);
    if (need == Need::nothing) {
      deeds.left = deeds.left || !does_nothing(line);
      gap = {gap.open ? gap.begin : first_token(line).begin, line, true};
      continue;
    }
    gap.open = false;
    deeds.kept = deeds.kept || does_something(line) || need == Need::reads;
    if (need == Need::reads)
      write_reads(line, end_of(next - 1),
                  {reads.begin() + static_cast<std::ptrdiff_t>(reads_before), reads.end()}, place.depth);
  }
  bool looks_like_stub = deeds.left && !deeds.kept && place.function_body;
  if (place.depth > 0 && (gap.open || looks_like_stub)) fill(gap, end, deeds, place);
  if (is_stub != nullptr) *is_stub = nothing_done;
  return most;
}

Need Maker::group(std::uint32_t line, std::uint32_t end, const Place& place, Reads& reads) {
  std::uint32_t def = definition_of(line);
  if (is_definition(def)) return definition(line, def, place, reads);
  Need need = Need::nothing;
  for (; line < end; line = lines_[line].next)
    need = std::max(need, opens_block(line) ? compound(line, place, reads) : statement(line, place, reads));
  return need;
}

Need Maker::statement(std::uint32_t line, const Place& place, Reads& reads) {
  Need need = judge_->need(line, place.level, place.is_local);
  reads.insert(reads.end(), judge_->reads().begin(), judge_->reads().end());
  if (need == Need::value)
    write_value(line, place.depth);
  else
    write(line, place.depth);
  return need;
}

Need Maker::compound(std::uint32_t line, const Place& place, Reads& reads, bool* is_stub) {
  Need need = judge_->need(line, place.level, place.is_local);
  write_header(line, need, judge_->reads(), place.depth);
  reads.insert(reads.end(), judge_->reads().begin(), judge_->reads().end());
  return std::max(need, block(line + 1, lines_[line].next, inside(line, place), reads, is_stub));
}

// A function of a function makes no fact by being there, every other definition does.
Need Maker::definition(std::uint32_t line, std::uint32_t def, const Place& place, Reads& reads) {
  bool is_function = keyword_of(def) == Kind::kw_def;
  bool is_fact = !is_function || place.level != Level::function;
  Excerpt::Mark before = excerpt_.mark();
  std::optional<PlainFunction> plain;
  if (is_function && is_fact) plain = read_plain_function(text_, tokens_, lines_, line, def, *judge_);
  Need need = Need::nothing;
  for (std::uint32_t at = line; at < def; ++at) need = std::max(need, statement(at, place, reads));
  LineJudge::Read read;
  Reads inner;
  bool is_stub = false;
  if (!place.is_local) judge_->enter(def, place.level);
  Need body = opens_block(def) ? compound(def, place, place.is_local ? reads : inner, &is_stub)
                               : statement(def, place, place.is_local ? reads : inner);
  if (!place.is_local) read = judge_->leave();
  if (!is_fact) return std::max(need, body);
  if (!plain || !opens_block(def) || body > (place.is_local ? Need::nothing : Need::reads))
    return Need::whole;
  excerpt_.take_back(before);
  plain->is_stub = is_stub;
  plain->reads_device = read.device;
  plain->self_reads = std::move(read.members);
  plain->names_read = std::move(read.definitions);
  excerpt_.indent(place.depth);
  excerpt_.put_function(std::move(*plain), first_token(line).begin);
  excerpt_.pad("\n");
  return Need::whole;
}

// The body of a class begins with its first statement, and a text there is its docstring.
void Maker::hold_place(std::uint32_t line, std::uint32_t next, const Place& place) {
  if (next == line + 1) return write(line, place.depth);
  excerpt_.indent(place.depth);
  excerpt_.put("0", first_token(line).begin, end_of(next - 1));
  excerpt_.pad("\n");
}

// Stands for the statements at the end of a block that are not in; the last of them may leave the block, and
// a function that does something must not look like a stub.
void Maker::fill(const Gap& gap, std::uint32_t end, const Deeds& deeds, const Place& place) {
  std::uint32_t begin = gap.open ? gap.begin : end_of(end - 1);
  Kind last = gap.open ? first_token(gap.last).kind : Kind::end;
  bool leaves = last == Kind::kw_return || last == Kind::kw_raise;
  if (!leaves || (deeds.left && place.function_body)) {
    excerpt_.indent(place.depth);
    excerpt_.put(deeds.left ? "0" : "pass", begin, leaves ? begin : end_of(end - 1));
    excerpt_.pad("\n");
  }
  if (!leaves) return;
  excerpt_.indent(place.depth);
  excerpt_.copy(text_, first_token(gap.last).begin, first_token(gap.last).end);
  if (const Line& line = lines_[gap.last]; line.last > line.first + 1) {
    excerpt_.pad(" ");
    excerpt_.put("0", token(line.first + 1).begin, end_of(gap.last));
  }
  excerpt_.pad("\n");
}

// ---- how it is written

void Maker::write(std::uint32_t line, int depth) {
  excerpt_.indent(depth);
  write_tokens(lines_[line].first, lines_[line].last);
  excerpt_.pad("\n");
}

// Conditions that say nothing are 0. The loop variable stays, since a loop over classes may instantiate them.
void Maker::write_header(std::uint32_t line, Need need, const Reads& reads, int depth) {
  const Line& at = lines_[line];
  Kind keyword = token(at.first).kind;
  bool condition = keyword == Kind::kw_if || keyword == Kind::kw_elif || keyword == Kind::kw_while;
  bool is_main_guard =
      std::any_of(tokens_.begin() + at.first, tokens_.begin() + at.last, [&](const Token& part) {
        return part.kind == Kind::name &&
               std::string_view(text_).substr(part.begin, part.end - part.begin) == "__name__";
      });
  if (!condition || need > Need::reads || is_main_guard) return write(line, depth);
  excerpt_.indent(depth);
  excerpt_.copy(text_, token(at.first).begin, token(at.first).end);
  excerpt_.pad(" (");
  write_list(reads);
  excerpt_.put("0", token(at.first + 1).begin, token(at.last - 1).begin);
  excerpt_.pad("):\n");
}

// What a statement reads, up to the place where it ends; return and raise leave their block still.
void Maker::write_reads(std::uint32_t line, std::uint32_t end, const Reads& reads, int depth) {
  const Token& first = first_token(line);
  excerpt_.indent(depth);
  if (first.kind == Kind::kw_return || first.kind == Kind::kw_raise) {
    excerpt_.copy(text_, first.begin, first.end);
    excerpt_.pad(" ");
  }
  write_list(reads);
  excerpt_.put("0", end, end);
  excerpt_.pad("\n");
}

// name = 0
void Maker::write_value(std::uint32_t line, int depth) {
  const Line& at = lines_[line];
  excerpt_.indent(depth);
  write_tokens(at.first, at.first + 2);
  excerpt_.pad(" ");
  excerpt_.put("0", token(at.first + 2).begin, end_of(line));
  excerpt_.pad("\n");
}

void Maker::write_list(const Reads& reads) {
  for (const TokenRange& read : reads) {
    write_tokens(read.first, read.last);
    excerpt_.pad(", ");
  }
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
      if ((part.begin != end || after_text) && at > first) excerpt_.pad(" ");
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
