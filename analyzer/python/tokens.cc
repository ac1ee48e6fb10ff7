#include "analyzer/python/tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "analyzer/python/identifiers.h"

namespace hwsift::analyzer {
namespace {

// CPython's limits: MAXINDENT, MAXLEVEL, MAXFSTRINGLEVEL, MAX_EXPR_NESTING,
// sys.int_info.default_max_str_digits.
constexpr std::size_t kMaxIndents = 100;
constexpr std::size_t kMaxBrackets = 200;
constexpr std::size_t kMaxLiterals = 150;
constexpr int kMaxFields = 3;
constexpr std::uint32_t kMaxDigits = 4300;
constexpr int kTabWidth = 8;
constexpr std::size_t kMaxErrors = 20;

enum Class : std::uint8_t { kOther = 0, kLetter = 1, kDigit = 2, kHigh = 4 };

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = kLetter;
  for (int c = 'A'; c <= 'Z'; ++c) classes[c] = kLetter;
  for (int c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  for (int c = 0x80; c <= 0xFF; ++c) classes[c] = kHigh;
  classes['_'] = kLetter;
  return classes;
}
constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

std::uint8_t class_of(char c) { return kClasses[static_cast<unsigned char>(c)]; }
bool is_name_start(char c) { return (class_of(c) & (kLetter | kHigh)) != 0; }
bool is_name_char(char c) { return class_of(c) != kOther; }
bool is_digit(char c) { return class_of(c) == kDigit; }
char lower(char c) { return static_cast<char>(c | 0x20); }
bool is_hex_digit(char c) { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f'); }

struct Keyword {
  std::string_view word;
  Kind kind;
};

// By first letter, so that a name is compared with three words at most.
constexpr Keyword kKeywords[] = {
    {"False", Kind::kw_false},
    {"None", Kind::kw_none},
    {"True", Kind::kw_true},
    {"and", Kind::kw_and},
    {"as", Kind::kw_as},
    {"assert", Kind::kw_assert},
    {"async", Kind::kw_async},
    {"await", Kind::kw_await},
    {"break", Kind::kw_break},
    {"class", Kind::kw_class},
    {"continue", Kind::kw_continue},
    {"def", Kind::kw_def},
    {"del", Kind::kw_del},
    {"elif", Kind::kw_elif},
    {"else", Kind::kw_else},
    {"except", Kind::kw_except},
    {"finally", Kind::kw_finally},
    {"for", Kind::kw_for},
    {"from", Kind::kw_from},
    {"global", Kind::kw_global},
    {"if", Kind::kw_if},
    {"import", Kind::kw_import},
    {"in", Kind::kw_in},
    {"is", Kind::kw_is},
    {"lambda", Kind::kw_lambda},
    {"nonlocal", Kind::kw_nonlocal},
    {"not", Kind::kw_not},
    {"or", Kind::kw_or},
    {"pass", Kind::kw_pass},
    {"raise", Kind::kw_raise},
    {"return", Kind::kw_return},
    {"try", Kind::kw_try},
    {"while", Kind::kw_while},
    {"with", Kind::kw_with},
    {"yield", Kind::kw_yield},
};

struct Slice {
  std::uint8_t first = 0;
  std::uint8_t last = 0;
};

constexpr std::array<Slice, 128> make_keyword_index() {
  std::array<Slice, 128> index{};
  std::uint8_t at = 0;
  for (const Keyword& keyword : kKeywords) {
    Slice& slice = index[static_cast<unsigned char>(keyword.word[0])];
    if (slice.last == 0) slice.first = at;
    slice.last = ++at;
  }
  return index;
}
constexpr std::array<Slice, 128> kKeywordIndex = make_keyword_index();

Kind kind_of_word(std::string_view word) {
  if (word.size() < 2 || word.size() > 8 || static_cast<unsigned char>(word[0]) >= 128) return Kind::name;
  Slice slice = kKeywordIndex[static_cast<unsigned char>(word[0])];
  for (std::uint8_t i = slice.first; i < slice.last; ++i)
    if (kKeywords[i].word == word) return kKeywords[i].kind;
  return Kind::name;
}

char32_t decode(const char* at, const char* end, int& length) {
  unsigned char lead = static_cast<unsigned char>(*at);
  length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (lead < 0xC0 || end - at < length) {
    length = 1;
    return 0xFFFD;
  }
  char32_t code = lead & (0xFF >> (length + 1));
  for (int i = 1; i < length; ++i) code = (code << 6) | (static_cast<unsigned char>(at[i]) & 0x3F);
  return code;
}

std::string utf8(const char* at, int length) { return std::string(at, static_cast<std::size_t>(length)); }

struct Indent {
  int column;       // a tab goes to the next multiple of eight
  int alternative;  // a tab counts one: both must agree
  bool silent;      // made after an error: no token was given for it
};

struct Bracket {
  char open;
  std::uint32_t offset;
};

// An f- or t-string that is being read. Depths are counted as CPython counts them.
struct Literal {
  char quote = 0;
  int quotes = 1;  // 1 or 3
  bool is_raw = false;
  bool is_template = false;
  std::uint32_t start = 0;
  std::size_t brackets = 0;  // open before the literal
  int depth = 0;             // brackets that are open within the literal
  int field = -1;            // depth at which the field starts that is being read; -1 outside of fields
  bool in_text = true;       // reading text, not a field
  bool in_format = false;
};

class Tokenizer {
 public:
  explicit Tokenizer(const std::string& text)
      : begin_(text.data()), end_(text.data() + text.size()), at_(begin_) {
    tokens_.list.reserve(text.size() / 4 + 16);
    indents_.push_back({0, 0, false});
  }

  Tokens run() {
    while (!done_) {
      if (!literals_.empty() && literals_.back().in_text)
        literal_text();
      else
        regular();
    }
    return std::move(tokens_);
  }

 private:
  void regular();
  void start_line();
  void set_indent(int column, int alternative);
  void close_indents(int column);
  void finish();
  void name();
  void number();
  void decimal_rest(const char* start);
  void based_number(int base, const char* word);
  bool digits();
  bool exponent();
  void end_number(const char* start, const char* word, std::uint8_t flags = 0);
  bool is_keyword_after_number() const;
  void string(const char* start, std::uint8_t flags);
  void unterminated_string(const char* start, int quotes, bool escaped_quote);
  void start_literal(const char* start, std::uint8_t flags);
  void literal_text();
  void literal_brace(Literal& literal, const char* start, std::uint8_t flags);
  void unterminated_literal();
  void leave_literal();
  void operators();
  void open_bracket(char c);
  void close_bracket(char c, Kind kind);
  bool continue_line();
  bool check_name(const char* start);

  std::uint32_t offset(const char* p) const { return static_cast<std::uint32_t>(p - begin_); }
  char peek(std::ptrdiff_t n = 0) const { return end_ - at_ > n ? at_[n] : '\0'; }
  bool at_end() const { return at_ >= end_; }
  bool in_field() const { return !literals_.empty() && literals_.back().field >= 0; }
  const char* kind_of_literal() const { return literals_.back().is_template ? "t-string" : "f-string"; }
  // Counting costs: not for errors beyond those that are told.
  std::size_t line_of(std::uint32_t at) const {
    if (tokens_.errors.size() >= kMaxErrors) return 0;
    return 1 + static_cast<std::size_t>(std::count(begin_, begin_ + at, '\n'));
  }

  void emit(Kind kind, const char* start, std::uint8_t flags = 0) {
    tokens_.list.push_back({offset(start), offset(at_), kind, flags});
  }
  void take(Kind kind, int length) {
    const char* start = at_;
    at_ += length;
    emit(kind, start);
  }
  void error(const char* place, std::string message, bool weak = false) {
    if (weak && tokens_.errors.empty() && !brackets_.empty()) tokens_.unclosed = brackets_.back().offset;
    if (tokens_.errors.size() < kMaxErrors)
      tokens_.errors.push_back({offset(place), std::move(message), weak});
    emit(Kind::error, std::min(place, at_));
  }
  void weak_error(const char* place, std::string message) { error(place, std::move(message), true); }

  // An error after which the rest of the file cannot be told.
  void give_up(const char* place, std::string message, bool weak = false) {
    at_ = end_;
    brackets_.clear();
    literals_.clear();
    error(place, std::move(message), weak);
  }

  const char* begin_;
  const char* end_;
  const char* at_;
  bool done_ = false;
  bool line_start_ = true;
  Tokens tokens_;
  std::vector<Indent> indents_;
  std::vector<Bracket> brackets_;
  std::vector<Literal> literals_;
};

// ---- lines and indentation

bool Tokenizer::continue_line() {  // at_ is at the backslash
  const char* backslash = at_;
  ++at_;
  if (peek() == '\r' && peek(1) == '\n') ++at_;
  if (!at_end() && *at_ != '\n') {
    weak_error(backslash, "unexpected character after line continuation character");
    return false;
  }
  if (!at_end()) ++at_;
  if (at_end()) {
    weak_error(backslash, "unexpected EOF while parsing");
    return false;
  }
  return true;
}

void Tokenizer::start_line() {
  line_start_ = false;
  int column = 0;
  int alternative = 0;
  int continued = 0;
  while (!at_end()) {
    char c = *at_;
    if (c == ' ') {
      ++column;
      ++alternative;
    } else if (c == '\t') {
      column = (column / kTabWidth + 1) * kTabWidth;
      ++alternative;
    } else if (c == '\f') {
      column = alternative = 0;
    } else if (c == '\\') {
      if (continued == 0) continued = column;  // the first backslash says how deep the line is
      if (!continue_line()) return;
      continue;
    } else if (c == '\n' || (c == '\r' && peek(1) == '\n') || c == '#') {
      const char* newline =
          static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
      at_ = newline != nullptr ? newline + 1 : end_;
      column = alternative = continued = 0;
      continue;
    } else {
      break;
    }
    ++at_;
  }
  if (at_end()) return;
  set_indent(continued != 0 ? continued : column, continued != 0 ? continued : alternative);
}

void Tokenizer::set_indent(int column, int alternative) {
  constexpr const char* kInconsistent = "inconsistent use of tabs and spaces in indentation";
  Indent& top = indents_.back();
  if (column == top.column) {
    if (alternative != top.alternative) weak_error(at_, kInconsistent);
    top.alternative = alternative;
  } else if (column > top.column) {
    bool deep = indents_.size() >= kMaxIndents;
    bool inconsistent = alternative <= top.alternative;
    if (deep) return give_up(at_, "too many levels of indentation", true);
    indents_.push_back({column, alternative, false});
    emit(Kind::indent, at_);
    if (inconsistent) weak_error(at_, kInconsistent);
  } else {
    close_indents(column);
    if (column != indents_.back().column) {
      weak_error(at_, "unindent does not match any outer indentation level");
      indents_.push_back({column, alternative, true});
    } else if (alternative != indents_.back().alternative) {
      weak_error(at_, kInconsistent);
      indents_.back().alternative = alternative;
    }
  }
}

void Tokenizer::close_indents(int column) {
  while (indents_.size() > 1 && column < indents_.back().column) {
    if (!indents_.back().silent) emit(Kind::dedent, at_);
    indents_.pop_back();
  }
}

void Tokenizer::finish() {
  done_ = true;
  if (!brackets_.empty()) {
    if (tokens_.errors.empty()) tokens_.unclosed = brackets_.back().offset;
    emit(Kind::error, at_);
  }
  Kind last = tokens_.list.empty() ? Kind::newline : tokens_.list.back().kind;
  if (last != Kind::newline && last != Kind::dedent && last != Kind::indent) emit(Kind::newline, at_);
  close_indents(0);
  emit(Kind::end, at_);
}

// NOLINTNEXTLINE(readability-function-cognitive-complexity): one branch a kind of token
void Tokenizer::regular() {
  if (line_start_ && brackets_.empty()) start_line();
  while (true) {
    while (!at_end() && (*at_ == ' ' || *at_ == '\t' || *at_ == '\f')) ++at_;
    if (at_end()) return finish();
    char c = *at_;
    if (is_name_start(c)) return name();
    if (c == '\n' || (c == '\r' && peek(1) == '\n')) {
      const char* start = at_;
      at_ += c == '\n' ? 1 : 2;
      if (!brackets_.empty()) continue;
      emit(Kind::newline, start);
      line_start_ = true;
      return;
    }
    if (c == '#') {
      const char* newline =
          static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
      at_ = newline != nullptr ? newline : end_;
      continue;
    }
    if (c == '\\') {
      if (!continue_line()) return;
      continue;
    }
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (c == '"' || c == '\'') return string(at_, 0);
    return operators();
  }
}

// ---- names

// Letters before a quote that make a prefix; 0 flags for "u". Empty where the word is no prefix.
struct Prefix {
  bool valid = false;
  bool formatted = false;
  std::uint8_t flags = 0;
  const char* clash = nullptr;
};

// NOLINTNEXTLINE(readability-function-cognitive-complexity): one branch a prefix
Prefix read_prefix(std::string_view word) {
  Prefix prefix;
  if (word.size() > 5) return prefix;
  bool b = false, r = false, u = false, f = false, t = false;
  for (char c : word) {
    char letter = lower(c);
    bool* saw = letter == 'b'   ? &b
                : letter == 'r' ? &r
                : letter == 'u' ? &u
                : letter == 'f' ? &f
                : letter == 't' ? &t
                                : nullptr;
    if (saw == nullptr || *saw) return prefix;
    *saw = true;
  }
  prefix.valid = true;
  prefix.formatted = f || t;
  prefix.flags =
      static_cast<std::uint8_t>((b ? Token::bytes : 0) | (r ? Token::raw : 0) | (t ? Token::template_ : 0));
  if (u && b)
    prefix.clash = "'u' and 'b' prefixes are incompatible";
  else if (u && r)
    prefix.clash = "'u' and 'r' prefixes are incompatible";
  else if (u && f)
    prefix.clash = "'u' and 'f' prefixes are incompatible";
  else if (u && t)
    prefix.clash = "'u' and 't' prefixes are incompatible";
  else if (b && f)
    prefix.clash = "'b' and 'f' prefixes are incompatible";
  else if (b && t)
    prefix.clash = "'b' and 't' prefixes are incompatible";
  else if (f && t)
    prefix.clash = "'f' and 't' prefixes are incompatible";
  return prefix;
}

void Tokenizer::name() {
  const char* start = at_;
  std::uint8_t seen = 0;
  while (at_ < end_ && is_name_char(*at_)) seen |= class_of(*at_++);
  if ((seen & kHigh) != 0) {
    if (check_name(start)) emit(Kind::name, start);
    return;
  }
  std::string_view word(start, static_cast<std::size_t>(at_ - start));
  char next = peek();
  if (next == '"' || next == '\'') {
    Prefix prefix = read_prefix(word);
    if (prefix.valid) {
      if (prefix.clash != nullptr) error(start, prefix.clash);
      if (prefix.formatted) return start_literal(start, prefix.flags);
      return string(start, prefix.flags);
    }
  }
  emit(kind_of_word(word), start);
}

bool Tokenizer::check_name(const char* start) {
  for (const char* p = start; p < at_;) {
    int length = 1;
    char32_t c = static_cast<unsigned char>(*p);
    if (c >= 0x80) c = decode(p, end_, length);
    if (p == start ? !starts_identifier(c) : !continues_identifier(c)) {
      const char* after = p + length;
      at_ = p == start ? after : p;  // what stands before is dropped with the error
      error(p,
            is_printable(c)
                ? fmt::format("invalid character '{}' (U+{:04X})", utf8(p, length), static_cast<unsigned>(c))
                : fmt::format("invalid non-printable character U+{:04X}", static_cast<unsigned>(c)));
      at_ = after;
      return false;
    }
    p += length;
  }
  return true;
}

// ---- numbers

bool Tokenizer::digits() {  // digits with single underscores between them
  while (true) {
    while (is_digit(peek())) ++at_;
    if (peek() != '_') return true;
    ++at_;
    if (!is_digit(peek())) return false;
  }
}

bool Tokenizer::is_keyword_after_number() const {
  auto word = [&](std::string_view text) {
    return static_cast<std::size_t>(end_ - at_) >= text.size() &&
           std::string_view(at_, text.size()) == text &&
           !is_name_char(peek(static_cast<std::ptrdiff_t>(text.size())));
  };
  if (peek() == 'i') return peek(1) == 'f' || peek(1) == 'n' || peek(1) == 's';
  return word("and") || word("else") || word("for") || word("or") || word("not");
}

void Tokenizer::end_number(const char* start, const char* kind, std::uint8_t flags) {
  bool glued = (class_of(peek()) & (kLetter | kDigit)) != 0 && !is_keyword_after_number();
  if (!glued) return emit(Kind::number, start, flags);
  const char* place = at_;
  while (is_name_char(peek())) ++at_;
  error(place - 1, fmt::format("invalid {} literal", kind));
}

void Tokenizer::based_number(int base, const char* kind) {
  const char* start = at_;
  auto fits = [&](char c) { return base == 16 ? is_hex_digit(c) : c >= '0' && c < '0' + base; };
  auto fail = [&](std::string message) {
    const char* place = at_;
    while (is_name_char(peek())) ++at_;
    error(place, std::move(message));
  };
  at_ += 2;
  do {
    if (peek() == '_') ++at_;
    if (!fits(peek())) {
      if (is_digit(peek())) return fail(fmt::format("invalid digit '{}' in {} literal", peek(), kind));
      return fail(fmt::format("invalid {} literal", kind));
    }
    while (fits(peek())) ++at_;
  } while (peek() == '_');
  if (is_digit(peek())) return fail(fmt::format("invalid digit '{}' in {} literal", peek(), kind));
  end_number(start, kind);
}

bool Tokenizer::exponent() {  // false: an error was given
  if (lower(peek()) != 'e') return true;
  bool is_signed = peek(1) == '+' || peek(1) == '-';
  if (!is_digit(peek(is_signed ? 2 : 1))) {
    if (!is_signed) return true;  // not an exponent: "1else"; end_number() looks at it
    at_ += 2;
    error(at_ - 1, "invalid decimal literal");
    return false;
  }
  at_ += is_signed ? 2 : 1;
  if (digits()) return true;
  error(at_ - 1, "invalid decimal literal");
  return false;
}

void Tokenizer::decimal_rest(const char* start) {  // after the digits before the point
  std::uint8_t flags = 0;
  bool whole = true;
  if (peek() == '.') {
    whole = false;
    ++at_;
    if (is_digit(peek()) && !digits()) return error(at_ - 1, "invalid decimal literal");
  }
  const char* before = at_;
  if (!exponent()) return;
  whole = whole && at_ == before;
  if (lower(peek()) == 'j') {
    ++at_;
    return end_number(start, "imaginary");
  }
  if (whole && static_cast<std::uint32_t>(at_ - start) > kMaxDigits) flags = Token::long_number;
  end_number(start, "decimal", flags);
}

void Tokenizer::number() {
  const char* start = at_;
  if (*at_ != '0') {
    if (*at_ != '.' && !digits()) return error(at_ - 1, "invalid decimal literal");
    return decimal_rest(start);
  }
  char second = lower(peek(1));
  if (second == 'x') return based_number(16, "hexadecimal");
  if (second == 'o') return based_number(8, "octal");
  if (second == 'b') return based_number(2, "binary");
  bool zeros = true;
  if (!digits()) return error(at_ - 1, "invalid decimal literal");
  for (const char* p = start; p < at_; ++p) zeros = zeros && (*p == '0' || *p == '_');
  bool real = peek() == '.' || lower(peek()) == 'e' || lower(peek()) == 'j';
  if (zeros || real) return decimal_rest(start);
  error(start,
        "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers");
}

// ---- strings

void Tokenizer::string(const char* start, std::uint8_t flags) {
  char quote = *at_;
  int quotes = peek(1) == quote && peek(2) == quote ? 3 : 1;
  at_ += quotes;
  bool escaped_quote = false;
  std::uint8_t seen = 0;
  for (; at_ < end_; ++at_) {
    char c = *at_;
    if (c == quote && (quotes == 1 || (peek(1) == quote && peek(2) == quote))) {
      at_ += quotes;
      if ((seen & kHigh) != 0) flags |= Token::non_ascii;
      return emit(Kind::string, start, flags);
    }
    if (c == '\n' && quotes == 1) break;
    seen |= class_of(c);
    if (c != '\\') continue;
    if ((flags & Token::raw) == 0) flags |= Token::escapes;
    if (at_ + 1 >= end_) continue;
    ++at_;
    if (*at_ == quote) escaped_quote = true;
    if (*at_ == '\r' && peek(1) == '\n') ++at_;
    seen |= class_of(*at_);
  }
  unterminated_string(start, quotes, escaped_quote);
}

void Tokenizer::unterminated_string(const char* start, int quotes, bool escaped_quote) {
  const char* quote = start;
  while (*quote != '"' && *quote != '\'') ++quote;
  if (!literals_.empty() && literals_.back().quote == *quote && literals_.back().quotes == quotes) {
    at_ = quote + quotes;  // this quote was to end the literal around it
    error(start, fmt::format("{}: expecting '}}'", kind_of_literal()));
    return leave_literal();
  }
  std::size_t line = line_of(offset(at_ < end_ ? at_ : end_ > begin_ ? end_ - 1 : end_));
  if (quotes == 3)
    return error(start, fmt::format("unterminated triple-quoted string literal (detected at line {})", line));
  const char* hint = escaped_quote ? "; perhaps you escaped the end quote?" : "";
  error(start, fmt::format("unterminated string literal (detected at line {}){}", line, hint));
}

// ---- f-strings and t-strings

void Tokenizer::start_literal(const char* start, std::uint8_t flags) {
  Literal literal;
  literal.quote = *at_;
  literal.quotes = peek(1) == *at_ && peek(2) == *at_ ? 3 : 1;
  literal.is_raw = (flags & Token::raw) != 0;
  literal.is_template = (flags & Token::template_) != 0;
  literal.start = offset(start);
  literal.brackets = brackets_.size();
  at_ += literal.quotes;
  if (literals_.size() + 1 >= kMaxLiterals) return give_up(start, "too many nested f-strings or t-strings");
  literals_.push_back(literal);
  emit(Kind::fstring_start, start, flags);
}

void Tokenizer::leave_literal() {
  brackets_.resize(std::min(brackets_.size(), literals_.back().brackets));
  literals_.pop_back();
}

void Tokenizer::unterminated_literal() {
  const Literal& literal = literals_.back();
  const char* word = literal.is_template ? "t" : "f";
  std::size_t line = line_of(offset(at_ < end_ ? at_ : end_ - 1));
  error(begin_ + literal.start, fmt::format("unterminated {}{}-string literal (detected at line {})",
                                            literal.quotes == 3 ? "triple-quoted " : "", word, line));
  leave_literal();
}

// NOLINTNEXTLINE(readability-function-cognitive-complexity): one branch a character that means something
void Tokenizer::literal_text() {
  Literal& literal = literals_.back();
  const char* start = at_;
  std::uint8_t flags = literal.is_template ? Token::template_ : 0;
  bool named_escape = false;
  for (; at_ < end_; ++at_) {
    char c = *at_;
    if (c == literal.quote && (literal.quotes == 1 || (peek(1) == c && peek(2) == c))) {
      if (at_ > start) emit(Kind::fstring_middle, start, flags);
      const char* quotes = at_;
      at_ += literal.quotes;
      emit(Kind::fstring_end, quotes, flags);
      return leave_literal();
    }
    bool in_format = literal.in_format && literal.field >= 0;
    if (c == '\n' && literal.quotes == 1) {
      if (!in_format) break;
      error(at_, fmt::format("{}: newlines are not allowed in format specifiers for single quoted {}s",
                             kind_of_literal(), kind_of_literal()));
      return leave_literal();
    }
    if (named_escape && (c == '{' || c == '}')) {
      named_escape = c == '{';
      continue;
    }
    bool brace_text = !in_format && peek(1) == c && (c == '{' || (c == '}' && literal.depth == 0));
    if (brace_text) {
      ++at_;
    } else if (c == '{' || c == '}') {
      return literal_brace(literal, start, flags);
    } else if (c == '\\') {
      if (!literal.is_raw) flags |= Token::escapes;
      char next = peek(1);
      if (next == '{' || next == '}' || next == '\0') continue;
      ++at_;
      if (next == '\r' && peek(1) == '\n') ++at_;
      if (!literal.is_raw && next == 'N' && peek(1) == '{') named_escape = true;
    }
  }
  unterminated_literal();
}

// A brace that opens or closes a field: what follows is Python.
void Tokenizer::literal_brace(Literal& literal, const char* start, std::uint8_t flags) {
  if (at_ > start) emit(Kind::fstring_middle, start, flags);
  literal.in_text = false;
  literal.in_format = false;
  if (*at_ == '{' && ++literal.field >= kMaxFields)
    give_up(at_, fmt::format("{}: expressions nested too deeply", kind_of_literal()));
}

// ---- operators and brackets

void Tokenizer::open_bracket(char c) {
  if (brackets_.size() >= kMaxBrackets) return give_up(at_, "too many nested parentheses");
  brackets_.push_back({c, offset(at_)});
  if (!literals_.empty()) ++literals_.back().depth;
  take(c == '(' ? Kind::lparen : c == '[' ? Kind::lbracket : Kind::lbrace, 1);
}

void Tokenizer::close_bracket(char c, Kind kind) {
  const char* place = at_;
  Literal* literal = literals_.empty() ? nullptr : &literals_.back();
  auto complain = [&](std::string message) {
    ++at_;
    error(place, std::move(message));
  };
  if (literal != nullptr && literal->depth == 0 && c == '}') {
    complain(fmt::format("{}: single '}}' is not allowed", kind_of_literal()));
    literal->in_text = true;
    return;
  }
  if (brackets_.empty()) return complain(fmt::format("unmatched '{}'", c));
  Bracket open = brackets_.back();
  char wanted = open.open == '(' ? ')' : open.open == '[' ? ']' : '}';
  if (c != wanted) {
    if (literal != nullptr && open.open == '{' && literal->depth - 1 == literal->field)
      return complain(fmt::format("{}: unmatched '{}'", kind_of_literal(), c));
    std::size_t line = line_of(open.offset);
    std::string where = line != line_of(offset(at_)) ? fmt::format(" on line {}", line) : "";
    complain(fmt::format("closing parenthesis '{}' does not match opening parenthesis '{}'{}", c, open.open,
                         where));
    brackets_.pop_back();
    if (literal != nullptr) --literal->depth;
    return;
  }
  brackets_.pop_back();
  if (literal != nullptr) --literal->depth;
  take(kind, 1);
  if (literal == nullptr || c != '}' || literal->depth != literal->field) return;
  --literal->field;
  literal->in_text = true;
  literal->in_format = false;
}

// NOLINTNEXTLINE(readability-function-size): one case an operator
void Tokenizer::operators() {
  char c = *at_;
  char next = peek(1);
  auto simple = [&](Kind plain, Kind with_equal = Kind::augmented) {
    return next == '=' ? take(with_equal, 2) : take(plain, 1);
  };
  auto doubled = [&](Kind plain, Kind twice) {
    if (next != c) return simple(plain);
    return peek(2) == '=' ? take(Kind::augmented, 3) : take(twice, 2);
  };
  switch (c) {
    case '(':
    case '[':
    case '{':
      return open_bracket(c);
    case ')':
      return close_bracket(c, Kind::rparen);
    case ']':
      return close_bracket(c, Kind::rbracket);
    case '}':
      return close_bracket(c, Kind::rbrace);
    case ',':
      return take(Kind::comma, 1);
    case ';':
      return take(Kind::semicolon, 1);
    case '.':
      return next == '.' && peek(2) == '.' ? take(Kind::ellipsis, 3) : take(Kind::dot, 1);
    case '=':
      return simple(Kind::equal, Kind::equal_equal);
    case '+':
      return simple(Kind::plus);
    case '-':
      return next == '>' ? take(Kind::arrow, 2) : simple(Kind::minus);
    case '*':
      return doubled(Kind::star, Kind::double_star);
    case '/':
      return doubled(Kind::slash, Kind::double_slash);
    case '%':
      return simple(Kind::percent);
    case '@':
      return simple(Kind::at);
    case '|':
      return simple(Kind::pipe);
    case '^':
      return simple(Kind::caret);
    case '&':
      return simple(Kind::ampersand);
    case '~':
      return take(Kind::tilde, 1);
    case '<':
      if (next == '>') return take(Kind::old_not_equal, 2);
      return next == '<' ? doubled(Kind::less, Kind::left_shift) : simple(Kind::less, Kind::less_equal);
    case '>':
      return next == '>' ? doubled(Kind::greater, Kind::right_shift)
                         : simple(Kind::greater, Kind::greater_equal);
    case '!':
      return simple(Kind::exclamation, Kind::not_equal);
    case ':':
      if (in_field() && literals_.back().depth - 1 == literals_.back().field) {
        take(Kind::colon, 1);
        literals_.back().in_text = true;
        literals_.back().in_format = true;
        return;
      }
      return simple(Kind::colon, Kind::walrus);
    case '$':
    case '?':
    case '`':
      return take(Kind::unknown, 1);
    default:
      break;
  }
  const char* place = at_++;
  error(place, fmt::format("invalid non-printable character U+{:04X}", static_cast<unsigned char>(c)));
}

}  // namespace

Tokens tokenize(const std::string& text) { return Tokenizer(text).run(); }

}  // namespace hwsift::analyzer
