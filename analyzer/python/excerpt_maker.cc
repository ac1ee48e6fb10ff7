// Which statements of a file are in its excerpt, and how they are written.
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "analyzer/python/excerpt.h"
#include "analyzer/python/line_judge.h"
#include "analyzer/python/lines.h"
#include "analyzer/python/plain_statements.h"
#include "base/text.h"

namespace hwsift::analyzer {
namespace {

using Level = LineJudge::Level;

bool is_clause(Kind kind) {
  return kind == Kind::kw_elif || kind == Kind::kw_else || kind == Kind::kw_except ||
         kind == Kind::kw_finally;
}

bool has_clauses(Kind kind) {
  return kind == Kind::kw_if || kind == Kind::kw_for || kind == Kind::kw_while || kind == Kind::kw_try;
}

// A bracket after it calls or asks for an item.
bool ends_operand(Kind kind) {
  return kind == Kind::name || kind == Kind::string || kind == Kind::fstring_end || closes(kind);
}

bool has_decorator_in_excerpt(const PlainFunction& function) {
  return std::any_of(function.decorators.begin(), function.decorators.end(),
                     [](const PlainDecorator& decorator) { return decorator.in_excerpt; });
}

class Maker {
 public:
  Maker(const std::string& text, const Tokens& tokens, const Words& words)
      : text_(text), tokens_(tokens.list), lines_(logical_lines(tokens)) {
    excerpt_.imports = read_plain_imports(text, tokens_, lines_);
    judge_.emplace(text, tokens_, lines_, excerpt_.imports, words);
  }

  Excerpt make() {
    if (!lines_.empty()) block(0, static_cast<std::uint32_t>(lines_.size()), {});
    excerpt_.definitions = judge_->definitions();
    return std::move(excerpt_);
  }

 private:
  // Whose block it is.
  struct Place {
    Level level = Level::module;
    bool is_local = false;   // of a function, or of a class in one
    bool may_leave = false;  // whether its last statement leaves the scope says something
    bool joins = true;       // its statements may stand in the line of its header
    bool cases = false;      // it is that of a `match`
    int depth = 0;
  };
  // What is not in the excerpt of what was read of a block.
  struct Gap {
    std::uint32_t begin = 0;      // place in the file
    const Token* last = nullptr;  // first token of the last statement, where that one is not in
    bool acts = false;            // more than a stub does
  };

  const Token& token(std::uint32_t at) const { return tokens_[at]; }
  std::string_view word(const Token& of) const {
    return std::string_view(text_).substr(of.begin, of.end - of.begin);
  }
  const Token& first_token(std::uint32_t line) const { return tokens_[lines_[line].first]; }
  bool opens_block(std::uint32_t line) const { return lines_[line].next > line + 1; }
  std::uint32_t end_of(std::uint32_t line) const { return tokens_[lines_[line].last - 1].end; }
  Kind kind_of(std::uint32_t line) const;  // what its keyword says that it is
  bool is_definition(std::uint32_t line) const;
  bool does_nothing(std::uint32_t line) const;
  bool stands_apart(std::uint32_t line) const;
  std::uint32_t definition_of(std::uint32_t line) const;
  std::uint32_t group_end(std::uint32_t line, std::uint32_t end) const;
  Place inside(std::uint32_t line, Need need, const Place& place) const;

  Need block(std::uint32_t line, std::uint32_t end, const Place& place, bool* acts = nullptr);
  Need group(std::uint32_t line, std::uint32_t end, const Place& place);
  Need statement(std::uint32_t line, const Place& place, bool alone = false);
  Need compound(std::uint32_t line, const Place& place);
  Need definition(std::uint32_t line, std::uint32_t def, const Place& place);
  Need class_block(std::uint32_t line, const Place& place);
  Need definition_with_owner(std::uint32_t line, std::uint32_t def, const Place& place);
  Need record_function(std::uint32_t line, std::uint32_t def, const Place& place, PlainFunction& function,
                       std::size_t& record);
  bool is_stub(std::uint32_t def) const;
  void put_function(std::uint32_t line, std::uint32_t def, PlainFunction function, int depth);
  void fill(const Gap& gap, std::uint32_t end, const Place& place);

  void write(std::uint32_t line, int depth);
  void write_header(std::uint32_t line, Need need, int depth);
  bool mentions_main(const Line& line) const;
  bool is_display_of_names(TokenRange range) const;
  std::uint32_t in_of(const Line& line) const;
  void write_value(std::uint32_t line, int depth);
  void write_pruned(std::uint32_t line, int depth);
  void write_expression(std::uint32_t first, std::uint32_t last);
  bool is_prunable(std::uint32_t open) const;
  std::uint32_t end_of_targets(const Line& line) const;
  std::uint32_t end_of_item(std::uint32_t at, std::uint32_t end) const;
  void write_arguments(TokenRange list);
  bool may_be_compared(TokenRange item) const;
  void write_items(TokenRange list);
  std::uint32_t end_of_brackets(std::uint32_t open) const { return after_brackets(tokens_, open); }
  void write_tokens(std::uint32_t first, std::uint32_t last);
  std::uint32_t end_of_literal(std::uint32_t at) const { return after_literal(tokens_, at); }

  const std::string& text_;
  const std::vector<Token>& tokens_;
  std::vector<Line> lines_;
  std::optional<LineJudge> judge_;
  Excerpt excerpt_;
  std::size_t run_end_ = 0;        // of the excerpt, where a number that stands for functions ends
  std::uint32_t targets_end_ = 0;  // token: of the statement that is written, the `=` after its last target
  std::size_t apart_ = 0;          // of the excerpt: after here is nothing that needs a line of its own
};

// ---- what a line is

Kind Maker::kind_of(std::uint32_t line) const { return token(keyword_of(tokens_, lines_[line])).kind; }

bool Maker::is_definition(std::uint32_t line) const {
  return kind_of(line) == Kind::kw_def || kind_of(line) == Kind::kw_class;
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
    part = end_of_literal(part);
  }
  return true;
}

// It can be in no row of statements with semicolons between.
bool Maker::stands_apart(std::uint32_t line) const {
  switch (kind_of(line)) {
    case Kind::at:
    case Kind::kw_class:
    case Kind::kw_def:
    case Kind::kw_for:
    case Kind::kw_if:
    case Kind::kw_try:
    case Kind::kw_while:
    case Kind::kw_with:
      return true;
    default:
      return is_clause(kind_of(line)) || token(lines_[line].last - 1).kind == Kind::semicolon;
  }
}

// The line with `def` or `class` below decorators; the line itself where it is none.
std::uint32_t Maker::definition_of(std::uint32_t line) const {
  while (first_token(line).kind == Kind::at) ++line;
  return line;
}

// The line after a statement with all of its decorators, clauses and blocks.
std::uint32_t Maker::group_end(std::uint32_t line, std::uint32_t end) const {
  line = definition_of(line);
  Kind keyword = kind_of(line);
  line = lines_[line].next;
  if (!has_clauses(keyword)) return line;
  while (line < end && is_clause(first_token(line).kind)) line = lines_[line].next;
  return line;
}

Maker::Place Maker::inside(std::uint32_t line, Need need, const Place& place) const {
  Place inner = place;
  Kind keyword = kind_of(line);
  inner.is_local = place.is_local || keyword == Kind::kw_def;
  inner.may_leave = need == Need::whole && (keyword == Kind::kw_if || keyword == Kind::kw_elif);
  // tree-sitter takes `-> int: x` for one type, and `match x: y` for an annotation.
  inner.joins = keyword != Kind::kw_def && keyword != Kind::name;
  inner.cases = keyword == Kind::name && word(first_token(line)) == "match";
  if (keyword == Kind::kw_def) inner.level = Level::function;
  if (keyword == Kind::kw_class) inner.level = Level::class_;
  ++inner.depth;
  return inner;
}

// ---- what is in the excerpt. Each of these writes what it reads, as if it were needed, and tells how much
// of it is.

Need Maker::block(std::uint32_t line, std::uint32_t end, const Place& place, bool* acts) {
  std::size_t begin = excerpt_.text().size();
  Gap gap{first_token(line).begin};
  Need most = Need::nothing;
  run_end_ = 0;
  for (std::uint32_t next = line; line < end; line = next) {
    next = group_end(line, end);
    Excerpt::Mark before = excerpt_.mark();
    std::size_t apart = apart_;
    Need need = group(line, next, place);
    most = std::max(most, need);
    gap.last = need == Need::nothing ? &first_token(line) : nullptr;
    if (need != Need::nothing) continue;
    excerpt_.take_back(before);
    apart_ = apart;
    gap.acts = gap.acts || !does_nothing(line);
  }
  bool empty = excerpt_.text().size() == begin;
  if (place.depth > 0 && (empty || (place.may_leave && gap.last != nullptr))) fill(gap, end, place);
  if (acts != nullptr) *acts = gap.acts;
  if (place.depth > 0 && place.joins && apart_ < begin) excerpt_.join_lines(begin - 1);
  apart_ = excerpt_.text().size();
  run_end_ = 0;
  return most;
}

Need Maker::group(std::uint32_t line, std::uint32_t end, const Place& place) {
  std::uint32_t def = definition_of(line);
  if (is_definition(def)) return definition_with_owner(line, def, place);
  bool alone = end == line + 1;
  Need need = Need::nothing;
  for (; line < end; line = lines_[line].next)
    need = std::max(need, opens_block(line) ? compound(line, place) : statement(line, place, alone));
  return need;
}

// `alone`: nothing that may be needed rests on it.
Need Maker::statement(std::uint32_t line, const Place& place, bool alone) {
  Need need = judge_->need(line, place.level, place.is_local);
  if (stands_apart(line)) apart_ = excerpt_.text().size();
  if (need == Need::value)
    write_value(line, place.depth);
  else if (need == Need::whole && place.level == Level::function)
    write_pruned(line, place.depth);
  else if (need == Need::whole || !alone)
    write(line, place.depth);
  return need;
}

Need Maker::compound(std::uint32_t line, const Place& place) {
  Need need = judge_->need(line, place.level, place.is_local);
  write_header(line, need, place.depth);
  return std::max(need, block(line + 1, lines_[line].next, inside(line, need, place)));
}

// A function of a function makes no fact by being there, every other definition does.
Need Maker::definition(std::uint32_t line, std::uint32_t def, const Place& place) {
  Need need = Need::nothing;
  for (; line < def; ++line) need = std::max(need, statement(line, place));
  if (opens_block(def) && kind_of(def) == Kind::kw_class) return class_block(def, place);
  need = std::max(need, opens_block(def) ? compound(def, place) : statement(def, place));
  bool is_fact = kind_of(def) == Kind::kw_class || place.level != Level::function;
  return is_fact ? Need::whole : need;
}

// Where its bases are known already, they are not in its definition.
Need Maker::class_block(std::uint32_t line, const Place& place) {
  PlainClass cls = read_plain_class(tokens_, lines_, line);
  bool has_bases = cls.has_bases;
  Need need = judge_->need(line, place.level, place.is_local);
  excerpt_.indent(place.depth);
  excerpt_.open_class(std::move(cls));
  write_tokens(lines_[line].first, has_bases ? lines_[line].first + 2 : lines_[line].last);
  if (has_bases) excerpt_.pad(":");
  excerpt_.end_line();
  block(line + 1, lines_[line].next, inside(line, need, place));
  return Need::whole;
}

// What code reads that is in no function yet, its own function or class reads.
Need Maker::definition_with_owner(std::uint32_t line, std::uint32_t def, const Place& place) {
  bool is_record = kind_of(def) == Kind::kw_def && opens_block(def) && place.level != Level::function;
  PlainFunction function;
  if (is_record) {
    std::optional<PlainFunction> header = read_plain_function(text_, tokens_, lines_, line, def, *judge_);
    if (header) function = std::move(*header);
    function.span = {first_token(def).begin, end_of(lines_[def].next - 1)};
  }
  Excerpt::Mark before = excerpt_.mark();
  std::size_t run_end = run_end_;
  std::size_t apart = apart_;
  if (!place.is_local) judge_->enter(def, place.level);
  std::size_t record = 0;
  Need need = is_record ? record_function(line, def, place, function, record) : definition(line, def, place);
  if (!place.is_local) {
    LineJudge::Read read = judge_->leave();
    function.reads_device = read.device;
    function.self_reads = std::move(read.members);
    function.names_read = std::move(read.definitions);
  }
  if (!is_record) return need;
  if (function.has_header && need == Need::nothing && !has_decorator_in_excerpt(function)) {
    excerpt_.take_back(before);
    run_end_ = run_end;
    apart_ = apart;
    put_function(line, def, std::move(function), place.depth);
  } else {
    excerpt_.settle_function(record, std::move(function));
  }
  return Need::whole;
}

// A function that is a fact. Where its header is known already, `class f:` stands for it, which has no
// brackets.
Need Maker::record_function(std::uint32_t line, std::uint32_t def, const Place& place,
                            PlainFunction& function, std::size_t& record) {
  bool has_header = function.has_header;
  for (std::uint32_t at = line; at < def; ++at)
    if (!has_header || function.decorators[at - line].in_excerpt) statement(at, place);
  Need need = judge_->need(def, place.level, place.is_local);
  excerpt_.indent(place.depth);
  record = excerpt_.open_function();
  if (has_header)
    excerpt_.put("class f:", first_token(def).begin, end_of(def));
  else
    write_tokens(lines_[def].first, lines_[def].last);
  excerpt_.end_line();
  Place inner = inside(def, need, place);
  inner.joins = has_header;
  return std::max(need, block(def + 1, lines_[def].next, inner, &function.acts));
}

bool Maker::is_stub(std::uint32_t def) const {
  for (std::uint32_t line = def + 1; line < lines_[def].next; line = lines_[line].next)
    if (!does_nothing(line)) return false;
  return true;
}

void Maker::put_function(std::uint32_t line, std::uint32_t def, PlainFunction function, int depth) {
  function.is_stub = is_stub(def);
  if (run_end_ > 0 && excerpt_.text().size() == run_end_) return excerpt_.add_function(std::move(function));
  excerpt_.indent(depth);
  excerpt_.put_function(std::move(function), first_token(line).begin);
  excerpt_.end_line();
  run_end_ = excerpt_.text().size();
}

// Stands for the statements of a block, or for those at its end, which may leave it.
void Maker::fill(const Gap& gap, std::uint32_t end, const Place& place) {
  Kind last = gap.last != nullptr ? gap.last->kind : Kind::end;
  const char* statement = gap.acts ? "0" : "pass";
  if (place.cases) statement = "case 0: 0";
  if (place.may_leave && last == Kind::kw_return) statement = "return";
  if (place.may_leave && last == Kind::kw_raise) statement = "raise";
  excerpt_.indent(place.depth);
  excerpt_.put(statement, gap.begin, end_of(end - 1));
  excerpt_.end_line();
}

// ---- how it is written

void Maker::write(std::uint32_t line, int depth) {
  excerpt_.indent(depth);
  write_tokens(lines_[line].first, lines_[line].last);
  excerpt_.end_line();
}

// What a header asks is 0 where that says nothing. A loop over names stays, since they may be those of
// classes that are instantiated, and `with` a bracket, since the name in it may be that of a mode.
void Maker::write_header(std::uint32_t line, Need need, int depth) {
  const Line& at = lines_[line];
  Kind keyword = token(at.first).kind;
  std::uint32_t said = at.first;  // the last token that stays
  if (keyword == Kind::kw_for) said = in_of(at);
  bool slim = keyword == Kind::kw_if || keyword == Kind::kw_elif || keyword == Kind::kw_while ||
              keyword == Kind::kw_with || keyword == Kind::kw_for;
  bool open = keyword == Kind::kw_for    ? is_display_of_names({said + 1, at.last - 1})
              : keyword == Kind::kw_with ? opens(token(said + 1).kind)
                                         : mentions_main(at);
  if (!slim || need != Need::nothing || open) return write(line, depth);
  excerpt_.indent(depth);
  write_tokens(at.first, said + 1);
  excerpt_.pad(" ");
  excerpt_.put("0", token(said + 1).begin, token(at.last - 1).begin);
  excerpt_.pad(":");
  excerpt_.end_line();
}

bool Maker::is_display_of_names(TokenRange range) const {
  if (!opens(token(range.first).kind)) return false;
  return std::all_of(tokens_.begin() + range.first, tokens_.begin() + range.last, [](const Token& part) {
    return part.kind == Kind::name || part.kind == Kind::comma || opens(part.kind) || closes(part.kind);
  });
}

// The `in` of a loop's header.
std::uint32_t Maker::in_of(const Line& line) const {
  std::uint32_t at = line.first;
  while (token(at).kind != Kind::kw_in) at = after_part(tokens_, at);
  return at;
}

// if __name__ == "__main__": told by the text, as the reader of conditions tells it.
bool Maker::mentions_main(const Line& line) const {
  std::uint32_t begin = token(line.first).begin;
  return has_text(std::string_view(text_).substr(begin, token(line.last - 1).end - begin), "__name__");
}

// name = 0
void Maker::write_value(std::uint32_t line, int depth) {
  const Line& at = lines_[line];
  excerpt_.indent(depth);
  write_tokens(at.first, at.first + 2);
  excerpt_.pad(" ");
  excerpt_.put("0", token(at.first + 2).begin, end_of(line));
  excerpt_.end_line();
}

// What says nothing is left out of calls, and is 0 in brackets of other kinds.
void Maker::write_pruned(std::uint32_t line, int depth) {
  const Line& at = lines_[line];
  bool is_header =
      is_definition(line) || token(at.first).kind == Kind::at;  // bases and parameters are no arguments
  if (is_header || !judge_->may_be_pruned({at.first, at.last})) return write(line, depth);
  excerpt_.indent(depth);
  targets_end_ = end_of_targets(at);
  write_expression(at.first, at.last);
  excerpt_.end_line();
}

// The last `=` of an assignment; the line's first token where it is none.
std::uint32_t Maker::end_of_targets(const Line& line) const {
  std::uint32_t end = line.first;
  for (std::uint32_t at = line.first; at < line.last; at = after_part(tokens_, at))
    if (token(at).kind == Kind::equal) end = at;
  return end;
}

void Maker::write_expression(std::uint32_t first, std::uint32_t last) {
  std::uint32_t done = first;
  for (std::uint32_t at = first; at < last;) {
    Kind kind = token(at).kind;
    if (kind == Kind::fstring_start) {
      at = end_of_literal(at);
    } else if ((kind == Kind::lparen || kind == Kind::lbracket) && is_prunable(at)) {
      write_tokens(done, at + 1);
      std::uint32_t close = end_of_brackets(at) - 1;
      bool is_call = kind == Kind::lparen && at > first && ends_operand(token(at - 1).kind);
      if (is_call)
        write_arguments({at + 1, close});
      else
        write_items({at + 1, close});
      done = close;
      at = close;
    } else {
      ++at;
    }
  }
  write_tokens(done, last);
}

// `torch.device("cuda", 0)` is asked how many arguments it has; commas of a loop or a lambda part no items;
// 0 is no target; and what members are asked of may be known with them.
bool Maker::is_prunable(std::uint32_t open) const {
  bool is_display = open == 0 || !ends_operand(token(open - 1).kind);
  if (is_display && (open < targets_end_ || token(end_of_brackets(open)).kind == Kind::dot)) return false;
  if (open > 0 && judge_->is_device(open - 1)) return false;
  for (std::uint32_t at = open + 1; !closes(token(at).kind);) {
    Kind kind = token(at).kind;
    if (kind == Kind::kw_for || kind == Kind::kw_lambda) return false;
    at = after_part(tokens_, at);
  }
  return true;
}

// The comma after an item, or the end of the list.
std::uint32_t Maker::end_of_item(std::uint32_t at, std::uint32_t end) const {
  while (at < end && token(at).kind != Kind::comma) at = after_part(tokens_, at);
  return at;
}

// The first argument keeps its place where others follow.
void Maker::write_arguments(TokenRange list) {
  bool any = false;
  for (std::uint32_t at = list.first; at < list.last;) {
    std::uint32_t end = end_of_item(at, list.last);
    bool silent = judge_->is_silent({at, end});
    if (!silent) {
      bool by_name = token(list.first + 1).kind == Kind::equal && token(at + 1).kind == Kind::equal;
      if (!any && at > list.first && !by_name) excerpt_.pad("0");
      if (at > list.first && excerpt_.text().back() != '(') excerpt_.pad(",");
      write_expression(at, end);
      any = true;
    }
    at = end + 1;
  }
}

// What a device may be compared with: texts, displays of them, devices.
bool Maker::may_be_compared(TokenRange item) const {
  bool texts = true;
  for (std::uint32_t at = item.first; at < item.last; ++at) {
    Kind kind = token(at).kind;
    if (kind == Kind::name && judge_->is_device(at)) return true;
    texts = texts && (is_part_of_text(kind) || kind == Kind::comma || opens(kind) || closes(kind));
  }
  return texts;
}

// Of a display, a subscript or a part of an expression: what stands alone stays as it is.
void Maker::write_items(TokenRange list) {
  constexpr std::uint32_t kShort = 2;  // tokens
  for (std::uint32_t at = list.first; at < list.last;) {
    std::uint32_t end = end_of_item(at, list.last);
    bool stays = end - at <= kShort || token(at).kind == Kind::string || may_be_compared({at, end}) ||
                 !judge_->is_silent({at, end});
    if (stays)
      write_expression(at, end);
    else
      excerpt_.put("0", token(at).begin, token(end - 1).end);
    if (end < list.last) excerpt_.pad(", ");
    at = end + 1;
  }
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
    at = end_of_literal(at);
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
