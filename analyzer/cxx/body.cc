#include "analyzer/cxx/body.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace hwsift::analyzer::cxx {
namespace {

bool one_of(const Token& token, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), token.text) != words.end();
}

std::string last_component(const std::string& dotted) { return dotted.substr(dotted.rfind('.') + 1); }

bool only_compares(std::string_view callee) {
  return callee.starts_with("EXPECT_") || callee.starts_with("ASSERT_") || callee.starts_with("REQUIRE") ||
         callee.starts_with("CHECK");
}

// "cuda" and "cuda:0" of a literal; nothing of any other text.
std::optional<std::string> device_of_text(const std::string& literal, const CxxLexicon& lexicon) {
  std::size_t quote = literal.find('"');
  if (quote == std::string::npos || literal.size() < quote + 2) return std::nullopt;
  std::string text = literal.substr(quote + 1, literal.size() - quote - 2);
  std::string type = text.substr(0, text.find(':'));
  bool index =
      text.size() == type.size() ||
      (text.size() > type.size() + 1 &&
       std::all_of(text.begin() + static_cast<std::ptrdiff_t>(type.size()) + 1, text.end(), is_ascii_digit));
  if (!index || lexicon.device_types.count(type) == 0) return std::nullopt;
  return text;
}

// Real code nests a few dozen deep; what is made up must not fill the stack.
constexpr int kDeepest = 200;

// Where a statement or expression stands.
struct Place {
  int depth = 0;
  bool optional = false;   // in a branch that a hardware condition opens
  bool top_level = true;   // a `return` here ends the function
  bool condition = false;  // between the parentheses of an `if`
  bool chosen = false;     // one side of a ? b : c
  bool returned = false;   // of a return statement
  bool inverted = false;   // a flag that says the contrary of what it was made of
  std::string target;      // the variable that gets the value
  std::size_t target_at = 0;
};

// A variable that was set from a use.
struct Variable {
  UseKind kind = UseKind::device_variable;
  std::vector<std::string> devices = {};
  bool has_alternative = false;  // it may as well hold no such device
  bool inverted = false;         // of a flag: true where the device is missing
};

class BodyReader {
 public:
  BodyReader(const LexedFile& file, const Brackets& brackets, const CxxLexicon& lexicon)
      : file_(file), tokens_(file.tokens), brackets_(brackets), lexicon_(lexicon) {}

  BodyFacts run(const BodyPlace& place) {
    condition_ = place.condition;
    read_parameters(place.parameters);
    statements(place.body, Place());
    turn_whole_branch_into_guard();
    return std::move(out_);
  }

 private:
  // A dotted name in the tokens: [begin, end).
  struct Name {
    std::string text;     // "at.cuda.is_available"
    std::string symbol;   // what it refers to, where the compiler told; else as it is written
    std::size_t end = 0;  // behind its last word
    bool member = false;  // of an object: x.cuda, x->is_cuda
    bool called = false;
    Origin origin = Origin::fast;  // of its symbol
  };

  // const torch::Device& device, at::DeviceType type = kCPU
  void read_parameters(TokenRange range) {
    bool of_device = false;
    for (std::size_t i = range.begin; i < range.end; i = brackets_.behind(i)) {
      const Token& token = tokens_[i];
      if (token.is(",")) of_device = false;
      if (!token.is_name()) continue;
      bool last = i + 1 == range.end || one_of(tokens_[i + 1], {",", "="});
      if (of_device && last) variables_[token.text] = {};
      if (last && i > range.begin && tokens_[i - 1].is("bool")) switches_.insert(token.text);
      of_device = of_device || lexicon_.device_parameters.count(token.text) > 0;
    }
  }

  bool is(std::size_t at, const char* text) const { return at < tokens_.size() && tokens_[at].is(text); }

  void statements(TokenRange range, const Place& place) {
    Place here = place;
    for (std::size_t i = range.begin; i < range.end;) {
      bool of_function = place.depth == 0;
      if (of_function) ++statements_, last_branch_ = {};
      i = std::max(statement(i, range.end, here), i + 1);
      // What follows in the block runs only where the device is there.
      here.optional = here.optional || std::exchange(left_without_device_, false);
    }
  }

  // if (hasCUDA()) { ... } as all that a function does, or all but one statement before it: the same as
  // leaving where there is none.
  void turn_whole_branch_into_guard() {
    if (statements_ <= 2) turn_into_guard(last_branch_.begin, last_branch_.condition_end);
  }

  void turn_into_guard(std::size_t begin, std::size_t end) {
    for (std::size_t u = begin; u < end; ++u) {
      Use& use = out_.uses[u];
      bool asks = use.role == Role::condition && use.polarity == Polarity::requires_;
      if (asks) use.role = Role::guard, use.callee = "return";
    }
  }

  // Returns the place behind it.
  std::size_t statement(std::size_t i, std::size_t end, const Place& around) {
    if (i >= end || around.depth >= kDeepest) return end;
    Place place = around;
    ++place.depth;
    const Token& token = tokens_[i];
    if (token.is("{")) {
      statements({i + 1, std::min(brackets_.partner(i), end)}, place);
      return brackets_.behind(i);
    }
    if (token.is("if")) return if_statement(i, end, place);
    if (one_of(token, {"for", "while", "switch", "catch"}) && is(i + 1, "(")) {
      Place inside = place;
      inside.top_level = false;
      expression({i + 2, brackets_.partner(i + 1)}, inside, {});
      std::size_t behind = statement(brackets_.behind(i + 1), end, inside);
      left_without_device_ = false;  // of one turn alone
      return behind;
    }
    if (one_of(token, {"do", "else", "try"})) return statement(i + 1, end, place);
    std::size_t stop = end_of_statement(i, end);
    simple_statement({i, stop}, place);
    return stop + 1;
  }

  std::size_t end_of_statement(std::size_t i, std::size_t end) const {
    while (i < end && !tokens_[i].is(";")) i = opens(tokens_[i]) ? brackets_.behind(i) : i + 1;
    return std::min(i, end);
  }

  // Declarations give a variable its value: Device d(kCUDA); auto d = kCUDA; bool has = hasCUDA();
  void simple_statement(TokenRange range, const Place& place) {
    Place inside = place;
    assigned_here_ = false;
    inside.returned = range.begin < range.end && tokens_[range.begin].is("return");
    for (std::size_t i = range.begin + 1; i < range.end; ++i) {
      bool named = tokens_[i - 1].is_name();
      bool assigns = tokens_[i].is("=") && named;
      if (!assigns && !opens(tokens_[i])) continue;
      if (assigns || declares(range.begin, i)) inside.target = tokens_[i - 1].text, inside.target_at = i - 1;
      bool made = !assigns && !inside.target.empty() && !place.optional;
      if (made && tokens_[i - 2].is_name()) read(tokens_[i - 2].text);  // its constructor
      break;
    }
    expression(range, inside, {});
  }

  // Type name(...) or Type name{...}, by the tokens before the bracket.
  bool declares(std::size_t begin, std::size_t bracket) const {
    return bracket >= begin + 2 && tokens_[bracket - 1].is_name() && !tokens_[bracket].is("[") &&
           (tokens_[bracket - 2].is_name() || one_of(tokens_[bracket - 2], {">", "&", "*"})) &&
           !tokens_[bracket - 2].is("return");
  }

  std::size_t if_statement(std::size_t i, std::size_t end, const Place& place) {
    std::size_t open = i + 1;
    while (open < end && !tokens_[open].is("(")) ++open;
    if (open >= end || !brackets_.matched(open)) return i + 1;
    TokenRange condition = behind_init({open + 1, brackets_.partner(open)}, place);
    std::size_t first = out_.uses.size();
    Place asking = place;
    asking.condition = true;
    expression(condition, asking, {});
    std::size_t asked = out_.uses.size();
    std::size_t branch = behind_attributes(brackets_.behind(open), end);
    std::string leaves = how_it_leaves(branch, end);
    bool by_caller = asks_switch(condition);
    bool there = says(first, Polarity::requires_);
    bool missing = says(first, Polarity::excludes);
    bool settles = place.top_level && !leaves.empty() && all_ask("&&", first, condition);
    rule_on_condition(first, condition, settles ? leaves : "");
    if (settles && first == asked) add_guard_calls(condition, leaves);

    Place then = place;
    then.optional = place.optional || there || by_caller;
    std::size_t behind = statement(branch, end, then);
    bool has_else = behind < end && is(behind, "else");
    if (place.depth == 1 && leaves.empty() && !by_caller && !has_else && all_ask("||", first, condition))
      last_branch_ = {first, asked};
    if (has_else) {
      Place otherwise = place;
      otherwise.optional = place.optional || missing || by_caller;
      bool guards = place.top_level && there && !how_it_leaves(behind + 1, end).empty();
      if (guards && all_ask("||", first, condition)) turn_into_guard(first, asked);
      behind = statement(behind + 1, end, otherwise);
    }
    left_without_device_ = missing && !settles && leaves_block(branch, end);
    return behind;
  }

  // if (auto n = device_count(); n < 1): what stands before the condition is a statement.
  TokenRange behind_init(TokenRange range, const Place& place) {
    std::size_t stop = end_of_statement(range.begin, range.end);
    if (stop >= range.end) return range;
    simple_statement({range.begin, stop}, place);
    return {stop + 1, range.end};
  }

  // [[unlikely]]
  std::size_t behind_attributes(std::size_t at, std::size_t end) const {
    while (at < end && is(at, "[") && is(at + 1, "[")) at = brackets_.behind(at);
    return at;
  }

  // Whether each part that an operator joins asks for hardware: if (busy && !hasCUDA()) return; goes on
  // without.
  bool all_ask(const char* op, std::size_t first, TokenRange condition) const {
    std::size_t parts = 1;
    for (std::size_t i = condition.begin; i < condition.end; ++i) parts += tokens_[i].is(op) ? 1 : 0;
    if (parts == 1) return true;
    auto asks = std::count_if(out_.uses.begin() + static_cast<std::ptrdiff_t>(first), out_.uses.end(),
                              [](const Use& use) { return use.role == Role::condition; });
    return static_cast<std::size_t>(asks) >= parts;
  }

  // if (skipTest()) return: what the function asks is for the reader of the whole file to say.
  void add_guard_calls(TokenRange condition, const std::string& leaves) {
    for (std::size_t i = condition.begin; i + 1 < condition.end; ++i)
      if (tokens_[i].is_name() && is(i + 1, "("))
        out_.guard_calls.push_back({tokens_[i].text, leaves, is_negated(i, brackets_.behind(i + 1)),
                                    tokens_[i].line, tokens_[i].col});
  }

  // A parameter that says yes or no: what it opens is up to the caller.
  bool asks_switch(TokenRange condition) const {
    for (std::size_t i = condition.begin; i < condition.end; ++i)
      if (switches_.count(tokens_[i].text) > 0) return true;
    return false;
  }

  bool says(std::size_t first, Polarity polarity) const {
    return std::any_of(out_.uses.begin() + static_cast<std::ptrdiff_t>(first), out_.uses.end(),
                       [&](const Use& use) { return use.polarity == polarity; });
  }

  // The word by which a branch ends the function, with the value of `return true`; "" where it does not.
  std::string how_it_leaves(std::size_t i, std::size_t end) const {
    auto word_at = [&](std::size_t at) -> std::string {
      bool leaves = at < end && one_of(tokens_[at], {"return", "GTEST_SKIP", "GTEST_SKIP_", "throw", "SKIP"});
      if (!leaves) return "";
      bool answers = is(at + 1, "true") || is(at + 1, "false");
      return answers ? tokens_[at].text + " " + tokens_[at + 1].text : tokens_[at].text;
    };
    return first_word(i, end, word_at);
  }

  bool leaves_block(std::size_t i, std::size_t end) const {
    auto word_at = [&](std::size_t at) -> std::string {
      return at < end && one_of(tokens_[at], {"return", "continue", "break", "goto"}) ? tokens_[at].text : "";
    };
    return !first_word(i, end, word_at).empty();
  }

  // What a test of statements finds first, in a branch with or without braces.
  template <class WordAt>
  std::string first_word(std::size_t i, std::size_t end, const WordAt& word_at) const {
    i = behind_attributes(i, end);
    if (!is(i, "{")) return word_at(i);
    for (std::size_t at = i + 1; at < brackets_.partner(i); at = end_of_statement(at, end) + 1)
      if (std::string word = word_at(at); !word.empty()) return word;
    return "";
  }

  // What the uses in a condition ask for. In a guard the polarity is that of the rest of the test.
  void rule_on_condition(std::size_t first, TokenRange condition, const std::string& leaves) {
    bool conjoined = false;
    for (std::size_t i = condition.begin; i < condition.end; ++i) conjoined |= tokens_[i].is("&&");
    for (std::size_t u = first; u < out_.uses.size(); ++u) {
      Use& use = out_.uses[u];
      if (use.role != Role::condition) continue;
      use.conjoined = conjoined;
      bool holds = use.polarity == Polarity::requires_;
      if (leaves.empty()) continue;
      use.role = Role::guard;
      use.callee = leaves;
      use.polarity = holds ? Polarity::excludes : Polarity::requires_;
    }
  }

  // Negated: !hasCUDA(), device_count() < 2, false == is_available(), !(device_count() >= 1).
  bool is_negated(std::size_t begin, std::size_t behind) const {
    constexpr int kMostParentheses = 10;
    std::size_t start = start_of_name(begin);
    bool inverted = false;
    for (int level = 0; level < kMostParentheses; ++level) {
      if (compares_with_little(behind)) inverted = !inverted;
      if (start >= 2 && little_compares(start)) inverted = !inverted;
      if (is_comparison(behind)) behind = std::min(behind + 2, tokens_.size());
      for (; start > 0 && tokens_[start - 1].is("!"); --start) inverted = !inverted;
      bool enclosed = start > 0 && tokens_[start - 1].is("(") && brackets_.partner(start - 1) == behind;
      if (!enclosed) break;
      --start;
      ++behind;
    }
    return inverted;
  }

  // Of the object and the namespaces before it.
  std::size_t start_of_name(std::size_t start) const {
    while (start >= 2 && one_of(tokens_[start - 1], {".", "->", "::"})) {
      std::size_t before = start - 2;
      if (closes(tokens_[before]) && brackets_.matched(before)) before = brackets_.partner(before);
      if (before > 0 && !tokens_[before].is_name() && tokens_[before - 1].is_name()) --before;
      start = before;
    }
    return start;
  }

  static bool is_nothing(const Token& token) {
    return token.is("false") ||
           (token.text.starts_with('0') && token.text.find_first_not_of("0uUlL") == std::string::npos);
  }

  bool is_comparison(std::size_t at) const {
    return at + 1 < tokens_.size() && one_of(tokens_[at], {"==", "!=", "<", "<=", ">", ">="});
  }

  // x < 2, x == 0, x != true
  bool compares_with_little(std::size_t at) const {
    if (!is_comparison(at)) return false;
    const Token& right = tokens_[at + 1];
    return one_of(tokens_[at], {"<", "<="}) || (tokens_[at].is("==") && is_nothing(right)) ||
           (tokens_[at].is("!=") && right.is("true"));
  }

  // 2 > x, 0 == x, true != x
  bool little_compares(std::size_t start) const {
    if (!is_comparison(start - 1)) return false;
    const Token& left = tokens_[start - 2];
    if (tokens_[start - 1].is("==")) return is_nothing(left);
    if (tokens_[start - 1].is("!=")) return left.is("true");
    return left.kind == TokenKind::number && one_of(tokens_[start - 1], {">", ">="});
  }

  void expression(TokenRange range, const Place& around, const std::vector<std::string>& callees) {
    if (around.depth >= kDeepest) return;
    Place place = around;
    ++place.depth;
    std::size_t first = out_.uses.size();
    for (std::size_t i = range.begin; i < range.end;) {
      const Token& token = tokens_[i];
      if (one_of(token, {",", "?"})) {
        place.chosen = token.is("?");
        if (place.chosen) ask(first);
        first = out_.uses.size();
      }
      if (token.is_name()) {
        Name name = read_name(i, range.end);
        use_name(i, name, place, callees);
        i = behind_call(i, name, range.end, place, callees);
      } else if (token.is("{") && is_block(i, range.begin)) {
        Place inside = place;
        inside.top_level = inside.condition = false;
        inside.target.clear();
        statements({i + 1, std::min(brackets_.partner(i), range.end)}, inside);
        i = brackets_.behind(i);
      } else if (opens(token)) {
        expression({i + 1, std::min(brackets_.partner(i), range.end)}, place, callees);
        i = brackets_.behind(i);
      } else {
        if (token.kind == TokenKind::text) use_text(i, place, callees);
        if (token.is("<<") && is(i + 1, "<")) launch(i, place);
        ++i;
      }
    }
  }

  // What stands before the `?` of a choice is its condition.
  void ask(std::size_t first) {
    for (std::size_t u = first; u < out_.uses.size(); ++u) {
      Use& use = out_.uses[u];
      if (use.role == Role::other || use.role == Role::assigned) use.role = Role::condition;
    }
  }

  Name read_name(std::size_t i, std::size_t end) const {
    Name name{tokens_[i].text, "", i + 1, i > 0 && one_of(tokens_[i - 1], {".", "->"}), false};
    while (name.end + 1 < end && tokens_[name.end].is("::") && tokens_[name.end + 1].is_name()) {
      name.text += "." + tokens_[name.end + 1].text;
      name.end += 2;
    }
    name.called = is(name.end, "(");
    const std::string& resolved = tokens_[name.end - 1].resolved;
    name.symbol = resolved.empty() ? name.text : resolved;
    name.origin = resolved.empty() ? Origin::fast : Origin::full;
    return name;
  }

  // A resolved member belongs to a device where its class is one of the framework's namespaces.
  static bool is_of_framework(const Name& name) {
    return name.origin == Origin::fast || name.symbol.starts_with("at.") || name.symbol.starts_with("c10.") ||
           name.symbol.starts_with("torch.");
  }

  // f<int>(x): the place of the parenthesis; where there are no such arguments, `at` itself.
  std::size_t behind_template_arguments(std::size_t at, std::size_t end) const {
    constexpr std::size_t kMostTokens = 64;
    int depth = 0;
    for (std::size_t i = at; i < std::min(end, at + kMostTokens); ++i) {
      const Token& token = tokens_[i];
      depth += token.is("<") ? 1 : token.is(">") ? -1 : token.is(">>") ? -2 : 0;
      if (depth == 0 && i > at && is(i + 1, "(")) return i + 1;
      if (depth <= 0 || one_of(token, {";", "{"})) break;
    }
    return at;
  }

  // A name that is called or made: what stands between its brackets is its own.
  std::size_t behind_call(std::size_t at, const Name& name, std::size_t end, const Place& place,
                          const std::vector<std::string>& callees) {
    std::size_t open = behind_template_arguments(name.end, end);
    bool call = open < end && (tokens_[open].is("(") || tokens_[open].is("{")) && brackets_.matched(open);
    if (!call) return name.end;
    std::string callee = last_component(name.text);
    bool elsewhere = place.optional || is_left_out_elsewhere(tokens_[open].condition);
    if (tokens_[open].is("(") && !elsewhere) read(callee);
    bool declared = !place.target.empty() && at == place.target_at;
    std::vector<std::string> inner = callees;
    inner.push_back(declared ? "" : callee);
    expression({open + 1, std::min(brackets_.partner(open), end)}, place, inner);
    return brackets_.behind(open);
  }

  void read(const std::string& name) {
    if (names_.insert(name).second) out_.names_read.push_back(name);
  }

  // The brace of a lambda's body.
  bool is_block(std::size_t i, std::size_t begin) const {
    return i > begin && (one_of(tokens_[i - 1], {")", "]", "mutable", "noexcept"}));
  }

  void use_name(std::size_t i, const Name& name, const Place& place,
                const std::vector<std::string>& callees) {
    if (!place.target.empty() && i == place.target_at) return;  // the variable itself, as it is set
    std::size_t behind = name.called ? brackets_.behind(name.end) : name.end;
    auto variable = variables_.find(name.text);
    if (!name.member && variable != variables_.end()) {
      Place here = place;
      here.chosen = place.chosen || variable->second.has_alternative;
      here.inverted = variable->second.inverted;
      add(i, behind, variable->second.kind, name.text, variable->second.devices, here, callees);
    } else if (const CxxWord* word = look_up(name); word != nullptr && word->recorded) {
      add(i, behind, word->kind, name.symbol, word->devices, place, callees);
    } else {
      return;
    }
    out_.uses.back().origin = name.origin;
  }

  const CxxWord* look_up(const Name& name) const {
    if (name.member && name.called && is_of_framework(name)) {
      auto member = lexicon_.members.find(last_component(name.symbol));
      if (member != lexicon_.members.end()) return &member->second;
    }
    return find_word(name.symbol, name.member, lexicon_);
  }

  void use_text(std::size_t i, const Place& place, const std::vector<std::string>& callees) {
    std::optional<std::string> device = device_of_text(tokens_[i].text, lexicon_);
    if (!device) return;
    std::string type = device->substr(0, device->find(':'));
    add(i, i + 1, UseKind::device_literal, *device, {type}, place, callees);
  }

  // kernel<<<blocks, threads>>>(...)
  void launch(std::size_t i, const Place& place) {
    std::string kernel = i > 0 && tokens_[i - 1].is_name() ? tokens_[i - 1].text : "";
    read(kernel);
    add(i, i + 1, UseKind::api, "<<<>>>", {"cuda"}, place, {});
  }

  void add(std::size_t i, std::size_t behind, UseKind kind, const std::string& symbol,
           const std::vector<std::string>& devices, const Place& place,
           const std::vector<std::string>& callees) {
    Use use;
    use.kind = kind;
    use.symbol = symbol;
    use.devices = devices;
    use.line = tokens_[i].line;
    use.col = tokens_[i].col;
    use.optional = place.optional || is_left_out_elsewhere(tokens_[i].condition);
    use.has_alternative = place.chosen;
    use.target = place.target;
    use.origin = Origin::fast;
    give_role(use, i, behind, place, callees);
    out_.uses.push_back(std::move(use));
  }

  void give_role(Use& use, std::size_t i, std::size_t behind, const Place& place,
                 const std::vector<std::string>& callees) {
    bool described = std::all_of(callees.begin(), callees.end(), [&](const std::string& callee) {
      return callee.empty() || lexicon_.describes_device.count(callee) > 0;
    });
    bool negated = is_negated(i, behind) != place.inverted;
    bool answers = place.returned && use.kind == UseKind::flag;
    if ((place.condition || answers) && described) {
      use.role = place.condition ? Role::condition : Role::returned;
      use.polarity = negated ? Polarity::excludes : Polarity::requires_;
    } else if (!place.target.empty() && described && use.kind == UseKind::flag) {
      use.role = Role::assigned;
      assign(use);
      variables_[use.target].inverted = negated;
    } else if (is_compared(i, behind) || is_expected_to_fail(callees)) {
      use.role = Role::compared;
    } else if (!described) {
      give_callee(use, callees);
      bool asserts = use.kind == UseKind::flag && !negated && place.top_level && !use.optional &&
                     one_of_words(callees, {"ASSERT_TRUE", "TORCH_CHECK", "TORCH_INTERNAL_ASSERT"});
      if (asserts) use.role = Role::guard, use.polarity = Polarity::requires_;
    } else if (!place.target.empty()) {
      use.role = Role::assigned;
      assign(use);
    }
  }

  // EXPECT_THROW(torch::ones({1}, kCUDA), c10::Error)
  static bool is_expected_to_fail(const std::vector<std::string>& callees) {
    return std::any_of(callees.begin(), callees.end(), [](const std::string& callee) {
      return callee.ends_with("_THROW") && !callee.ends_with("_NO_THROW");
    });
  }

  // A call that is the one around it.
  static bool one_of_words(const std::vector<std::string>& callees,
                           std::initializer_list<std::string_view> words) {
    return callees.size() == 1 && std::find(words.begin(), words.end(), callees.front()) != words.end();
  }

  // What one statement assigns adds up: Device d = cuda ? kCUDA : kCPU; devices = {kCPU, kCUDA};
  void assign(const Use& use) {
    UseKind kind = use.kind == UseKind::flag ? use.kind : UseKind::device_variable;
    Variable& variable = variables_[use.target];
    if (!assigned_here_) variable = {kind};
    assigned_here_ = true;
    variable.devices.insert(variable.devices.end(), use.devices.begin(), use.devices.end());
    variable.has_alternative = variable.has_alternative || use.has_alternative || use.optional;
  }

  // The nearest call that works on a device, else the nearest that does more than describe one.
  void give_callee(Use& use, const std::vector<std::string>& callees) const {
    auto works = std::find_if(callees.rbegin(), callees.rend(), [&](const std::string& callee) {
      return lexicon_.uses_device.count(callee) > 0;
    });
    auto does = std::find_if(callees.rbegin(), callees.rend(), [&](const std::string& callee) {
      return !callee.empty() && lexicon_.describes_device.count(callee) == 0;
    });
    bool on_device = works != callees.rend();
    use.callee = on_device ? *works : *does;
    use.role = on_device                   ? Role::device_argument
               : only_compares(use.callee) ? Role::compared
                                           : Role::argument;
  }

  // Under an #if inside the function, of builds for a device alone.
  bool is_left_out_elsewhere(int condition) const {
    int left = kMostConditions;
    for (int i = condition; i >= 0 && i != condition_ && left > 0;
         i = file_.conditions[static_cast<std::size_t>(i)].parent, --left) {
      const Condition& one = file_.conditions[static_cast<std::size_t>(i)];
      if (!devices_of_condition(one.text, one.negated, lexicon_).empty()) return true;
    }
    return false;
  }

  bool is_compared(std::size_t i, std::size_t behind) const {
    bool before = i > 0 && one_of(tokens_[i - 1], {"==", "!=", "case"});
    return before || is(behind, "==") || is(behind, "!=");
  }

  const LexedFile& file_;
  const std::vector<Token>& tokens_;
  const Brackets& brackets_;
  const CxxLexicon& lexicon_;
  int condition_ = -1;
  std::map<std::string, Variable> variables_;
  std::set<std::string> names_;       // those of out_.names_read
  std::set<std::string> switches_;    // parameters of type bool
  bool left_without_device_ = false;  // by the last statement, of the block that it stands in
  bool assigned_here_ = false;        // the statement at hand has given its variable a device
  int statements_ = 0;                // of the function itself
  // The uses of the condition of its last statement, where that is an `if` without an else.
  struct Branch {
    std::size_t begin = 0;
    std::size_t condition_end = 0;
  };
  Branch last_branch_;
  BodyFacts out_;
};

}  // namespace

BodyFacts read_body(const LexedFile& file, const Brackets& brackets, const BodyPlace& place,
                    const CxxLexicon& lexicon) {
  return BodyReader(file, brackets, lexicon).run(place);
}

}  // namespace hwsift::analyzer::cxx
