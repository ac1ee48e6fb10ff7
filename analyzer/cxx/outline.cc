#include "analyzer/cxx/outline.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "analyzer/cxx/brackets.h"

namespace hwsift::analyzer::cxx {
namespace {

bool one_of(const Token& token, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), token.text) != words.end();
}

class Outliner {
 public:
  Outliner(const LexedFile& file, const std::vector<TestMacro>& macros)
      : tokens_(file.tokens), brackets_(file.tokens) {
    for (const TestMacro& macro : macros) macros_.emplace(macro.name, macro);
  }

  Outline run() {
    for (std::size_t i : brackets_.unmatched())
      out_.errors.push_back({tokens_[i].line, tokens_[i].col, "'" + tokens_[i].text + "' has no partner"});
    read_scope({0, tokens_.size()}, "");
    for (SuiteInstance& instance : out_.instances)
      if (auto types = type_lists_.find(instance.type_list); types != type_lists_.end())
        instance.types = types->second;
    return std::move(out_);
  }

 private:
  bool is(std::size_t at, const char* text) const { return at < tokens_.size() && tokens_[at].is(text); }

  std::size_t after(std::size_t at) const { return brackets_.behind(at); }

  void read_scope(TokenRange range, const std::string& class_name) {
    constexpr int kDeepest = 100;  // of classes in classes
    if (depth_ == kDeepest) return;
    ++depth_;
    for (std::size_t i = range.begin; i < range.end;) i = std::max(read_item(i, range, class_name), i + 1);
    --depth_;
  }

  // One item of a namespace or a class; returns the place behind it.
  std::size_t read_item(std::size_t i, TokenRange range, const std::string& class_name) {
    const Token& token = tokens_[i];
    if (token.is("namespace")) return behind_namespace(i, range.end);
    if (token.is("{")) return is_linkage(i, range.begin) ? i + 1 : after(i);
    if (token.is("template") && is(i + 1, "<")) return behind_angles(i + 1, range.end);
    if (token.is("using") || token.is("typedef")) return read_alias(i, range.end);
    if (one_of(token, {"class", "struct", "union"})) return read_class(i, range.end);
    if (token.is("enum")) return behind_enum(i, range.end);
    if (token.is("=")) return behind_initializer(i, range.end);
    if (token.is_name() && is(i + 1, "(")) return read_call_or_function(i, range.end, class_name);
    return i + 1;
  }

  // Into the braces of a namespace, which may have attributes; behind the word alone of any other.
  std::size_t behind_namespace(std::size_t i, std::size_t end) const {
    constexpr int kMostWords = 32;
    std::size_t at = i + 1;
    for (int left = kMostWords; left > 0 && at < end && !tokens_[at].is("{"); --left) {
      bool group = one_of(tokens_[at], {"[", "("});
      if (!group && !tokens_[at].is_name() && !tokens_[at].is("::")) return i + 1;
      at = after(at);
    }
    return at < end && tokens_[at].is("{") ? at + 1 : i + 1;
  }

  // The brace of extern "C".
  bool is_linkage(std::size_t brace, std::size_t begin) const {
    return brace >= begin + 2 && tokens_[brace - 1].kind == TokenKind::text &&
           tokens_[brace - 2].is("extern");
  }

  std::size_t behind_angles(std::size_t at, std::size_t end) const {
    int depth = 0;
    for (std::size_t i = at; i < end; ++i) {
      if (tokens_[i].is("<")) ++depth;
      if (tokens_[i].is(">")) --depth;
      if (tokens_[i].is(">>")) depth -= 2;
      if (tokens_[i].is("(")) i = after(i) - 1;
      if (depth <= 0) return i + 1;
      if (one_of(tokens_[i], {"{", ";"})) return i;
    }
    return end;
  }

  std::size_t behind_enum(std::size_t i, std::size_t end) const {
    for (; i < end; ++i) {
      if (tokens_[i].is("{")) return after(i);
      if (tokens_[i].is(";")) return i + 1;
    }
    return end;
  }

  std::size_t behind_initializer(std::size_t i, std::size_t end) const {
    for (++i; i < end; ++i) {
      if (opens(tokens_[i]))
        i = after(i) - 1;
      else if (one_of(tokens_[i], {";", ","}))
        return i + 1;
    }
    return end;
  }

  // using Types = ::testing::Types<A, B>; and the same as a typedef: how many types a typed suite has.
  std::size_t read_alias(std::size_t i, std::size_t end) {
    std::size_t stop = i;
    while (stop < end && !tokens_[stop].is(";")) stop = opens(tokens_[stop]) ? after(stop) : stop + 1;
    stop = std::min(stop, end);
    for (std::size_t at = i; at + 1 < stop; ++at) {
      if (!tokens_[at].is("Types") || !is(at + 1, "<")) continue;
      std::string name = tokens_[i].is("using") ? tokens_[i + 1].text : tokens_[stop - 1].text;
      type_lists_[name] = count_types(at + 1, stop);
    }
    return stop + 1;
  }

  int count_types(std::size_t at, std::size_t stop) const {
    int depth = 0;
    int types = 1;
    for (std::size_t i = at; i < stop; ++i) {
      if (tokens_[i].is("<")) ++depth;
      if (tokens_[i].is(">")) --depth;
      if (tokens_[i].is(">>")) depth -= 2;
      if (tokens_[i].is("(")) i = after(i) - 1;
      if (depth == 1 && tokens_[i].is(",")) ++types;
    }
    return types;
  }

  std::size_t read_class(std::size_t i, std::size_t end) {
    OutlinedClass cls;
    cls.line = tokens_[i].line;
    cls.col = tokens_[i].col;
    std::size_t at = i + 1;
    for (; at < end && !one_of(tokens_[at], {"{", ";", ":", "=", ")", ">", ","}); ++at) {
      if (tokens_[at].is("(") || tokens_[at].is("["))
        at = after(at) - 1;
      else if (tokens_[at].is("<"))
        at = behind_angles(at, end) - 1;
      else if (tokens_[at].is_name() && !tokens_[at].is("final"))
        cls.name = tokens_[at].text;
    }
    if (at < end && tokens_[at].is(":")) at = read_bases(at + 1, end, cls);
    if (at >= end || !tokens_[at].is("{")) return at;
    std::size_t close = brackets_.partner(at);
    if (close == at) return at + 1;
    cls.end_line = tokens_[close].line;
    read_scope({at + 1, close}, cls.name);
    out_.classes.push_back(std::move(cls));
    return close + 1;
  }

  std::size_t read_bases(std::size_t at, std::size_t end, OutlinedClass& cls) const {
    std::string base;
    for (; at < end && !one_of(tokens_[at], {"{", ";"}); ++at) {
      if (tokens_[at].is("<")) {
        at = behind_angles(at, end) - 1;
      } else if (tokens_[at].is(",")) {
        cls.bases.push_back(std::exchange(base, ""));
      } else if (!one_of(tokens_[at], {"public", "private", "protected", "virtual"})) {
        if (!(base.empty() && tokens_[at].is("::"))) base += tokens_[at].text;
      }
    }
    if (!base.empty()) cls.bases.push_back(base);
    return at;
  }

  // NAME(...): a test, a macro, a declaration, or a function with its body.
  std::size_t read_call_or_function(std::size_t i, std::size_t end, const std::string& class_name) {
    std::size_t close = brackets_.partner(i + 1);
    if (close == i + 1) return i + 2;
    auto macro = macros_.find(tokens_[i].text);
    bool typed =
        i > 0 && tokens_[i - 1].is_name() && tokens_[i - 1].line == tokens_[i].line;  // bool TEST(...) {
    std::size_t brace = close + (is(close + 1, "try") ? 2 : 1);
    if (macro != macros_.end() && !typed && is(brace, "{")) return read_test(i, close, brace, macro->second);
    if (std::optional<std::size_t> behind = read_instance(i, close)) return *behind;
    brace = find_body(close + 1, end);
    if (brace >= end || !brackets_.matched(brace)) return close + 1;
    OutlinedFunction function;
    function.name = tokens_[i].text;
    function.class_name = i >= 2 && tokens_[i - 1].is("::") ? tokens_[i - 2].text : class_name;
    function.line = tokens_[i].line;
    function.condition = tokens_[i].condition;
    function.end_line = tokens_[brackets_.partner(brace)].line;
    function.parameters = {i + 2, close};
    function.body = {brace + 1, brackets_.partner(brace)};
    out_.functions.push_back(std::move(function));
    return brackets_.partner(brace) + 1;
  }

  // The brace of a function's body behind its parameters; `end` where it has none: MACRO(x) TEST(A, B) {}.
  std::size_t find_body(std::size_t at, std::size_t end) const {
    int left = kMostWordsToBody;
    for (; at < end && left > 0; ++at, --left) {
      const Token& token = tokens_[at];
      if (token.is("{")) return at;
      if (macros_.count(token.text) > 0 && is(at + 1, "(")) return end;
      if (token.is(":")) return find_body_behind_initializers(at + 1, end);
      if (opens(token)) {
        at = after(at) - 1;
      } else if (token.is("<")) {
        at = behind_angles(at, end) - 1;
      } else if (!token.is_name() && !one_of(token, {"->", "::", "&", "&&", "*", ">"})) {
        return end;
      }
    }
    return end;
  }

  // Between the parameters of a function and its body: const, noexcept(...), -> a::b<c>.
  static constexpr int kMostWordsToBody = 64;

  // a(1), b{2} {
  std::size_t find_body_behind_initializers(std::size_t at, std::size_t end) const {
    while (at < end) {
      while (at < end && !one_of(tokens_[at], {"(", "{", ";"})) ++at;
      if (at >= end || tokens_[at].is(";")) return end;
      at = after(at);
      if (is(at, "...")) ++at;
      if (is(at, "{")) return at;
      if (!is(at, ",")) return end;
      ++at;
    }
    return end;
  }

  std::vector<std::string> arguments(std::size_t open, std::size_t close) const {
    std::vector<std::string> all = {""};
    for (std::size_t i = open + 1; i < close; ++i) {
      if (tokens_[i].is(",")) {
        all.emplace_back();
        continue;
      }
      std::size_t behind = opens(tokens_[i]) ? after(i) : i + 1;
      for (; i < std::min(behind, close); ++i) all.back() += tokens_[i].text;
      --i;
    }
    return all;
  }

  std::size_t read_test(std::size_t i, std::size_t close, std::size_t brace, const TestMacro& macro) {
    std::vector<std::string> given = arguments(i + 1, close);
    if (!brackets_.matched(brace)) return brace + 1;
    OutlinedTest test;
    test.macro = macro;
    bool named = macro.kind == TestMacro::Kind::named;
    test.name = named ? given[0] : given.size() > 1 ? given[1] : "";
    test.suite = named ? "" : given[0];
    test.line = tokens_[i].line;
    test.col = tokens_[i].col;
    test.end_line = tokens_[brackets_.partner(brace)].line;
    test.condition = tokens_[i].condition;
    test.body = {brace + 1, brackets_.partner(brace)};
    if (!test.name.empty()) out_.tests.push_back(std::move(test));
    return brackets_.partner(brace) + 1;
  }

  std::optional<std::size_t> read_instance(std::size_t i, std::size_t close) {
    const Token& token = tokens_[i];
    bool typed = one_of(token, {"TYPED_TEST_SUITE", "TYPED_TEST_CASE"});
    bool with_values = one_of(token, {"INSTANTIATE_TEST_SUITE_P", "INSTANTIATE_TEST_CASE_P"});
    if (!typed && !with_values) return std::nullopt;
    std::vector<std::string> given = arguments(i + 1, close);
    if (given.size() < 2) return close + 1;
    SuiteInstance instance{given[1], given[0], "", -1, token.line};
    if (typed) instance = {given[0], "", given[1], -1, token.line};
    if (typed && given[1].find("Types<") != std::string::npos)
      instance.types = static_cast<int>(given.size()) - 1;
    out_.instances.push_back(std::move(instance));
    return close + 1;
  }

  const std::vector<Token>& tokens_;
  std::map<std::string, TestMacro> macros_;
  Brackets brackets_;
  std::map<std::string, int> type_lists_;  // by the name of the list
  int depth_ = 0;
  Outline out_;
};

}  // namespace

Outline outline(const LexedFile& file, const std::vector<TestMacro>& macros) {
  return Outliner(file, macros).run();
}

}  // namespace hwsift::analyzer::cxx
