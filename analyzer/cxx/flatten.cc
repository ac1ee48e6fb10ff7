#include "analyzer/cxx/flatten.h"

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/text.h"

namespace hwsift::analyzer::cxx {
namespace {

struct Place {
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct RawToken {
  clang::Token token;
  Place place;
};

// An option of its own since LLVM 18; before it comes with C++11.
template <class Options>
void read_raw_strings(Options& options) {
  if constexpr (requires { options.RawStrings; }) options.RawStrings = true;
}

// Lexes without a preprocessor: every token of every branch.
class RawLexer {
 public:
  explicit RawLexer(std::string_view text) : begin_(text.data()) {
    options_.CPlusPlus = options_.CPlusPlus11 = options_.CPlusPlus14 = options_.CPlusPlus17 =
        options_.CPlusPlus20 = options_.LineComment = true;
    read_raw_strings(options_);
    lexer_.emplace(clang::SourceLocation(), options_, begin_, begin_, begin_ + text.size());
    lexer_->SetCommentRetentionState(true);
  }

  bool next(RawToken& out) {
    lexer_->LexFromRawLexer(out.token);
    out.place.end = static_cast<std::size_t>(lexer_->getBufferLocation() - begin_);
    out.place.begin = out.place.end - out.token.getLength();
    return !out.token.is(clang::tok::eof);
  }

 private:
  const char* begin_;
  clang::LangOptions options_;
  std::optional<clang::Lexer> lexer_;
};

// "USE_CUDA" of "defined(USE_CUDA)" and "defined USE_CUDA"; anything else stays.
std::string macro_of(std::string_view text) {
  std::string_view rest = trim(text);
  if (!rest.starts_with("defined")) return std::string(rest);
  rest = trim(rest.substr(7));
  if (rest.starts_with("(") && rest.ends_with(")")) rest = trim(rest.substr(1, rest.size() - 2));
  bool name = !rest.empty() && std::all_of(rest.begin(), rest.end(), is_word_char);
  return std::string(name ? rest : trim(text));
}

// Macros of compilers and systems on which no accelerator test of PyTorch is built here.
bool is_other_system(const Condition& condition) {
  static const std::set<std::string> kNames = {"_WIN32",    "WIN32",       "_MSC_VER",
                                               "__APPLE__", "__ANDROID__", "0"};
  return !condition.negated && kNames.count(condition.text) > 0;
}

class Flattener {
 public:
  explicit Flattener(std::string_view text) : text_(text), out_{std::string(text), {}, {}, {}, {}, {}} {}

  FlatFile run() {
    RawLexer lexer(text_);
    RawToken token;
    bool more = lexer.next(token);
    while (more) {
      if (token.token.is(clang::tok::hash) && token.token.isAtStartOfLine()) {
        more = read_directive(lexer, token);
        continue;
      }
      read_token(token);
      more = lexer.next(token);
    }
    while (!chains_.empty()) end_chain(text_.size());
    return std::move(out_);
  }

 private:
  // #if to #endif.
  struct Chain {
    int outer = -1;  // the condition around it
    int line = 0;
    struct Branch {
      Place place;
      int braces = 0;  // opened less closed
    };
    std::vector<Branch> branches;
    std::set<std::string> defined;  // by the branches that ended
    std::set<std::string> defined_here;
  };

  void read_token(const RawToken& token) {
    count_lines(token.place.begin);
    if (token.token.is(clang::tok::comment)) {
      bool own_line = token.token.isAtStartOfLine();
      out_.comments.push_back({std::string(slice(token.place)), line_, column(token.place.begin), own_line});
    }
    int step = token.token.is(clang::tok::l_brace) ? 1 : token.token.is(clang::tok::r_brace) ? -1 : 0;
    if (step != 0 && !chains_.empty()) chains_.back().branches.back().braces += step;
  }

  // Reads to the end of its line; `token` is then what follows.
  bool read_directive(RawLexer& lexer, RawToken& token) {
    Place place = token.place;
    count_lines(place.begin);
    int line = line_;
    std::vector<Place> words;
    bool more = lexer.next(token);
    for (; more && !token.token.isAtStartOfLine(); more = lexer.next(token)) {
      if (token.token.is(clang::tok::comment))
        read_token(token);
      else
        words.push_back(token.place);
      place.end = token.place.end;
    }
    if (words.empty()) return blank(place), more;
    std::string name(slice(words.front()));
    std::string rest;
    if (words.size() > 1) rest = std::string(slice({words[1].begin, words.back().end}));
    directive(name, rest, words, place, line);
    return more;
  }

  void directive(const std::string& name, const std::string& rest, const std::vector<Place>& words,
                 Place place, int line) {
    if (name == "define") return define(std::string(words.size() > 1 ? slice(words[1]) : ""), place);
    if (name == "undef") return;
    if (name == "include") add_include(rest, line);
    blank(place);
    if (name == "if" || name == "ifdef" || name == "ifndef") {
      begin_chain(name, rest, place, line);
    } else if (name == "elifndef" && !chains_.empty()) {
      next_branch("!defined(" + rest + ")", place, line);
    } else if ((name == "elif" || name == "elifdef" || name == "else") && !chains_.empty()) {
      next_branch(name == "else" ? "" : rest, place, line);
    } else if (name == "endif" && !chains_.empty()) {
      end_chain(place.begin);
      set_condition(place.end, innermost_);
    }
  }

  // <path> or "path"; one that a macro names is none that can be told.
  void add_include(std::string_view rest, int line) {
    rest = trim(rest);
    bool quoted = rest.size() > 2 && (rest.front() == '<' || rest.front() == '"');
    if (quoted) out_.includes.push_back({std::string(rest.substr(1, rest.size() - 2)), line, innermost_});
  }

  void define(const std::string& name, Place place) {
    if (chains_.empty()) return;
    Chain& chain = chains_.back();
    bool other_system =
        innermost_ >= 0 && is_other_system(out_.conditions[static_cast<std::size_t>(innermost_)]);
    if (other_system || chain.defined.count(name) > 0) return blank(place);
    chain.defined_here.insert(name);
  }

  void begin_chain(const std::string& name, const std::string& rest, Place place, int line) {
    chains_.push_back({innermost_, line, {}, {}, {}});
    Condition condition{macro_of(rest), name == "ifndef", line, innermost_};
    if (name == "if" && condition.text.starts_with("!")) {
      std::string positive = macro_of(std::string_view(condition.text).substr(1));
      bool one_name = std::all_of(positive.begin(), positive.end(), is_word_char);
      if (one_name) condition = {positive, true, line, innermost_};
    }
    begin_branch(condition, place);
  }

  void begin_branch(const Condition& condition, Place place) {
    innermost_ = static_cast<int>(out_.conditions.size());
    out_.conditions.push_back(condition);
    set_condition(place.end, innermost_);
    chains_.back().branches.push_back({{place.end, place.end}, 0});
  }

  void next_branch(const std::string& rest, Place place, int line) {
    end_branch(place.begin);
    Condition before = out_.conditions[static_cast<std::size_t>(innermost_)];
    Condition negated = {before.text, !before.negated, line, before.parent};
    if (rest.empty()) return begin_branch(negated, place);
    int parent = static_cast<int>(out_.conditions.size());
    out_.conditions.push_back(negated);
    begin_branch({macro_of(rest), false, line, parent}, place);
  }

  void end_branch(std::size_t end) {
    Chain& chain = chains_.back();
    chain.branches.back().place.end = end;
    chain.defined.insert(chain.defined_here.begin(), chain.defined_here.end());
    chain.defined_here.clear();
  }

  void end_chain(std::size_t end) {
    end_branch(end);
    Chain chain = std::move(chains_.back());
    chains_.pop_back();
    bool balanced = std::all_of(chain.branches.begin(), chain.branches.end(),
                                [](const Chain::Branch& branch) { return branch.braces == 0; });
    int braces = 0;
    bool left_out = false;
    for (const Chain::Branch& branch : chain.branches) {
      bool first = &branch == &chain.branches.front();
      if (first || balanced) {
        braces += branch.braces;
      } else {
        blank(branch.place);
        left_out = true;
      }
    }
    if (!chains_.empty()) chains_.back().branches.back().braces += braces;
    if (left_out)
      out_.notes.push_back("line " + std::to_string(chain.line) +
                           ": the branches of this condition open different braces; only the first is read");
    innermost_ = chain.outer;
  }

  void set_condition(std::size_t offset, int condition) { out_.changes.push_back({offset, condition}); }

  void blank(Place place) {
    for (std::size_t i = place.begin; i < place.end; ++i)
      if (out_.text[i] != '\n' && out_.text[i] != '\r') out_.text[i] = ' ';
  }

  std::string_view slice(Place place) const { return text_.substr(place.begin, place.end - place.begin); }

  void count_lines(std::size_t offset) {
    for (; counted_ < offset; ++counted_) {
      if (text_[counted_] != '\n') continue;
      ++line_;
      line_begin_ = counted_ + 1;
    }
  }
  int column(std::size_t offset) const { return static_cast<int>(offset - line_begin_) + 1; }

  std::string_view text_;
  FlatFile out_;
  std::vector<Chain> chains_;
  int innermost_ = -1;
  int line_ = 1;
  std::size_t counted_ = 0;
  std::size_t line_begin_ = 0;
};

}  // namespace

int FlatFile::condition_at(std::size_t offset) const {
  auto after = std::upper_bound(changes.begin(), changes.end(), offset,
                                [](std::size_t at, const Change& change) { return at < change.offset; });
  return after == changes.begin() ? -1 : std::prev(after)->condition;
}

FlatFile flatten(std::string_view text) { return Flattener(text).run(); }

}  // namespace hwsift::analyzer::cxx
