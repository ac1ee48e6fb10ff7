#include "analyzer/python/plain_statements.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace hwsift::analyzer {
namespace {

std::string_view text_between(const std::string& text, const std::vector<Token>& tokens, TokenRange range) {
  if (range.first >= range.last) return {};
  std::uint32_t begin = tokens[range.first].begin;
  return std::string_view(text).substr(begin, tokens[range.last - 1].end - begin);
}

Span span_of(const std::vector<Token>& tokens, TokenRange range) {
  return {tokens[range.first].begin, tokens[range.last - 1].end};
}

// ---- imports

// The statement that the `import` at a token belongs to; its line may hold others.
TokenRange statement_around(const std::vector<Token>& tokens, const Line& line, std::uint32_t import_token) {
  auto ends = [&](std::uint32_t at) {
    return tokens[at].kind == Kind::semicolon || tokens[at].kind == Kind::colon;
  };
  TokenRange statement{import_token, import_token};
  while (statement.first > line.first && !ends(statement.first - 1)) --statement.first;
  while (statement.last < line.last && tokens[statement.last].kind != Kind::semicolon) ++statement.last;
  return statement;
}

// Items of [first, last), which commas part.
std::vector<TokenRange> items_of(const std::vector<Token>& tokens, TokenRange list) {
  std::vector<TokenRange> items;
  std::uint32_t first = list.first;
  for (std::uint32_t at = list.first; at <= list.last; ++at) {
    if (at < list.last && tokens[at].kind != Kind::comma) continue;
    if (at > first) items.push_back({first, at});
    first = at + 1;
  }
  return items;
}

// One item: a, a.b, a as b, *.
PlainImport import_of(const std::string& text, const std::vector<Token>& tokens, TokenRange item) {
  PlainImport import;
  bool aliased = item.last - item.first > 2 && tokens[item.last - 2].kind == Kind::kw_as;
  TokenRange name{item.first, aliased ? item.last - 2 : item.last};
  import.name = text_between(text, tokens, name);
  import.alias = aliased ? text_between(text, tokens, {item.last - 1, item.last}) : import.name;
  import.span = span_of(tokens, item);
  return import;
}

void read_statement(const std::string& text, const std::vector<Token>& tokens, TokenRange statement,
                    std::uint32_t import_token, bool top_level, std::vector<PlainImport>& imports) {
  std::string module(text_between(text, tokens, {statement.first + 1, import_token}));
  bool from = import_token > statement.first;
  if (module == "__future__") return;
  TokenRange list{import_token + 1, statement.last};
  if (tokens[list.first].kind == Kind::lparen) list = {list.first + 1, list.last - 1};
  for (TokenRange item : items_of(tokens, list)) {
    PlainImport import = import_of(text, tokens, item);
    import.top_level = top_level;
    import.statement = span_of(tokens, statement);
    if (from) {
      import.module = module;
      if (import.name == "*") import.alias.clear();
    } else {
      if (import.alias == import.name) import.alias = import.name.substr(0, import.name.find('.'));
      import.module = std::exchange(import.name, "");
    }
    imports.push_back(std::move(import));
  }
}

}  // namespace

std::vector<PlainImport> read_plain_imports(const std::string& text, const std::vector<Token>& tokens,
                                            const std::vector<Line>& lines) {
  std::vector<PlainImport> imports;
  std::uint32_t in_function = 0;  // up to this line
  for (std::uint32_t index = 0; index < lines.size(); ++index) {
    const Line& line = lines[index];
    if (tokens[keyword_of(tokens, line)].kind == Kind::kw_def) in_function = std::max(in_function, line.next);
    for (std::uint32_t at = line.first; at < line.last; ++at)
      if (tokens[at].kind == Kind::kw_import)
        read_statement(text, tokens, statement_around(tokens, line, at), at, index >= in_function, imports);
  }
  return imports;
}

// ---- functions

namespace {

class HeaderReader {
 public:
  HeaderReader(const std::string& text, const std::vector<Token>& tokens, LineJudge& judge)
      : text_(text), tokens_(tokens), judge_(judge) {}

  bool read_decorator(const Line& line);
  bool read_header(const Line& line);
  PlainFunction function;

 private:
  Kind kind(std::uint32_t at) const { return tokens_[at].kind; }
  std::uint32_t end_of_parameter(std::uint32_t at, std::uint32_t end) const;
  bool read_parameter(TokenRange range);

  const std::string& text_;
  const std::vector<Token>& tokens_;
  LineJudge& judge_;
  bool keyword_only_ = false;
};

// "@name", "@name.name(...)" whose arguments say nothing.
bool HeaderReader::read_decorator(const Line& line) {
  std::uint32_t first = line.first + 1;
  std::uint32_t end = first;
  while (end < line.last && (kind(end) == Kind::name || kind(end) == Kind::dot)) ++end;
  if (end == first) return false;
  bool called = end < line.last;
  if (called && (kind(end) != Kind::lparen || after_brackets(tokens_, end) != line.last)) return false;
  if (called && (judge_.may_tell_by_call({first, end}) || !judge_.is_silent({end, line.last}))) return false;
  function.decorators.push_back({false, span_of(tokens_, {line.first, line.last}),
                                 span_of(tokens_, {first, line.last}), span_of(tokens_, {first, end}),
                                 called});
  return true;
}

// [async] def name(...) [-> type]:
bool HeaderReader::read_header(const Line& line) {
  std::uint32_t at = line.first;
  function.has_header = true;
  function.async = kind(at) == Kind::kw_async;
  if (function.async) ++at;
  function.name = span_of(tokens_, {at + 1, at + 2});
  std::uint32_t open = at + 2;
  if (kind(open) != Kind::lparen) return false;  // type parameters
  std::uint32_t close = after_brackets(tokens_, open) - 1;
  function.param_list = {tokens_[open].end, tokens_[close].begin};
  for (std::uint32_t param = open + 1; param < close;) {
    std::uint32_t end = end_of_parameter(param, close);
    if (!read_parameter({param, end})) return false;
    param = end + 1;
  }
  return true;
}

// The comma after it, or the closing parenthesis.
std::uint32_t HeaderReader::end_of_parameter(std::uint32_t at, std::uint32_t end) const {
  int lambdas = 0;  // whose parameters have commas of their own
  while (at < end && (kind(at) != Kind::comma || lambdas > 0)) {
    if (kind(at) == Kind::kw_lambda) ++lambdas;
    if (kind(at) == Kind::colon && lambdas > 0) --lambdas;
    at = after_part(tokens_, at);
  }
  return at;
}

// As FileReader::parameters_of reads the nodes of the grammar. Annotations run nothing and are passed over.
bool HeaderReader::read_parameter(TokenRange range) {
  Parameter parameter;
  Kind star = kind(range.first);
  bool is_separator = range.last - range.first == 1 && (star == Kind::slash || star == Kind::star);
  if (is_separator && star == Kind::slash)
    for (Parameter& before : function.params) before.kind = Parameter::Kind::positional_only;
  if (is_separator) keyword_only_ = keyword_only_ || star == Kind::star;
  if (is_separator) return true;
  if (star == Kind::star) parameter.kind = Parameter::Kind::var_positional;
  if (star == Kind::double_star) parameter.kind = Parameter::Kind::var_keyword;
  bool starred = parameter.kind != Parameter::Kind::positional;
  if (keyword_only_ && !starred) parameter.kind = Parameter::Kind::keyword_only;
  keyword_only_ = keyword_only_ || star == Kind::star;
  std::uint32_t name = starred ? range.first + 1 : range.first;
  parameter.name = text_between(text_, tokens_, {name, name + 1});
  std::uint32_t equal = name + 1;
  while (equal < range.last && kind(equal) != Kind::equal) {
    if (kind(equal) == Kind::kw_lambda) return false;  // an annotation, with defaults of its own perhaps
    equal = after_part(tokens_, equal);
  }
  parameter.has_default = equal < range.last;
  function.params.push_back(std::move(parameter));
  return equal >= range.last || judge_.is_silent({equal + 1, range.last});
}

}  // namespace

std::optional<PlainFunction> read_plain_function(const std::string& text, const std::vector<Token>& tokens,
                                                 const std::vector<Line>& lines, std::uint32_t first,
                                                 std::uint32_t def, LineJudge& judge) {
  HeaderReader reader(text, tokens, judge);
  for (std::uint32_t line = first; line < def; ++line)
    if (!reader.read_decorator(lines[line])) reader.function.decorators.emplace_back().in_excerpt = true;
  if (!reader.read_header(lines[def])) return std::nullopt;
  return std::move(reader.function);
}

// ---- classes

namespace {

// A text alone, perhaps in parentheses; no code stands in it.
bool is_text(const std::vector<Token>& tokens, TokenRange line) {
  while (line.first < line.last && tokens[line.first].kind == Kind::lparen &&
         after_brackets(tokens, line.first) == line.last)
    line = {line.first + 1, line.last - 1};
  std::uint32_t at = line.first;
  while (at < line.last && is_part_of_text(tokens[at].kind)) ++at;
  return at == line.last && line.first < line.last;
}

bool is_dotted_name(const std::vector<Token>& tokens, TokenRange range) {
  for (std::uint32_t at = range.first; at < range.last; ++at)
    if (tokens[at].kind != ((at - range.first) % 2 == 0 ? Kind::name : Kind::dot)) return false;
  return (range.last - range.first) % 2 == 1;
}

// The bases between two parentheses; false where an argument is more than a dotted name, or a keyword with
// one.
bool read_bases(const std::vector<Token>& tokens, TokenRange list, std::vector<Span>& bases) {
  for (TokenRange item : items_of(tokens, list)) {
    bool keyword = item.last - item.first > 2 && tokens[item.first + 1].kind == Kind::equal;
    if (!is_dotted_name(tokens, keyword ? TokenRange{item.first + 2, item.last} : item)) return false;
    if (!keyword) bases.push_back(span_of(tokens, item));
  }
  return true;
}

}  // namespace

PlainClass read_plain_class(const std::vector<Token>& tokens, const std::vector<Line>& lines,
                            std::uint32_t index) {
  PlainClass cls;
  const Line& line = lines[index];
  const Line& first = lines[index + 1];
  cls.body = {tokens[first.first].begin, tokens[lines[line.next - 1].last - 1].end};
  cls.span = {tokens[line.first].begin, cls.body.end};
  TokenRange statement{first.first, first.first};
  while (statement.last < first.last && tokens[statement.last].kind != Kind::semicolon) ++statement.last;
  if (is_text(tokens, statement)) cls.docstring = span_of(tokens, statement);
  std::uint32_t open = line.first + 2;
  cls.has_bases = tokens[open].kind == Kind::colon;
  if (tokens[open].kind == Kind::lparen)
    cls.has_bases = read_bases(tokens, {open + 1, after_brackets(tokens, open) - 1}, cls.bases);
  return cls;
}

}  // namespace hwsift::analyzer
