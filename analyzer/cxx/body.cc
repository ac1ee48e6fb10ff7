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
  std::string target;      // the variable that gets the value
};

// A variable that was set from a use.
struct Variable {
  UseKind kind = UseKind::device_variable;
  std::vector<std::string> devices = {};
  bool has_alternative = false;  // it may as well hold no such device
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
    for (std::size_t i = range.begin; i < range.end;) {
      bool of_function = place.depth == 0;
      if (of_function) ++statements_, last_branch_ = {};
      i = std::max(statement(i, range.end, place), i + 1);
    }
  }

  // if (hasCUDA()) { ... } as all that a function does, or all but one statement before it: the same as
  // leaving where there is none.
  void turn_whole_branch_into_guard() {
    if (statements_ > 2 || last_branch_.condition_end == last_branch_.begin) return;
    for (std::size_t u = last_branch_.begin; u < out_.uses.size(); ++u) {
      Use& use = out_.uses[u];
      bool asks = u < last_branch_.condition_end && use.role == Role::condition;
      if (asks && use.polarity == Polarity::requires_) use.role = Role::guard, use.callee = "return";
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
      return statement(brackets_.behind(i + 1), end, inside);
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
    std::size_t value = range.begin;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (tokens_[i].is("=") && i > range.begin && tokens_[i - 1].is_name()) {
        inside.target = tokens_[i - 1].text;
        break;
      }
      if (opens(tokens_[i])) {
        bool declares = i >= range.begin + 2 && tokens_[i - 1].is_name() && !tokens_[i].is("[") &&
                        (tokens_[i - 2].is_name() || one_of(tokens_[i - 2], {">", "&", "*"})) &&
                        !tokens_[i - 2].is("return");
        if (!declares) break;
        inside.target = tokens_[i - 1].text;
        if (!place.optional && tokens_[i - 2].is_name()) read(tokens_[i - 2].text);  // its constructor
        break;
      }
    }
    expression({value, range.end}, inside, {});
  }

  std::size_t if_statement(std::size_t i, std::size_t end, const Place& place) {
    std::size_t open = i + 1;
    while (open < end && !tokens_[open].is("(")) ++open;
    if (open >= end || !brackets_.matched(open)) return i + 1;
    TokenRange condition{open + 1, brackets_.partner(open)};
    std::size_t first = out_.uses.size();
    Place asking = place;
    asking.condition = true;
    expression(condition, asking, {});
    std::size_t branch = brackets_.behind(open);
    std::string leaves = place.top_level ? how_it_leaves(branch, end) : "";
    bool ends = !leaves.empty();
    rule_on_condition(first, condition, leaves);
    if (ends && first == out_.uses.size()) add_guard_calls(condition, leaves);
    bool by_caller = asks_switch(condition);
    bool opened_by_hardware = by_caller || says(first, Polarity::requires_);
    bool other_side = by_caller || says(first, Polarity::excludes);
    Place then = place;
    then.optional = place.optional || (opened_by_hardware && !ends);
    std::size_t asked = out_.uses.size();
    std::size_t behind = statement(branch, end, then);
    bool has_else = behind < end && is(behind, "else");
    bool whole = place.depth == 1 && !ends && !by_caller && !has_else;
    if (whole) last_branch_ = {first, asked};
    if (!has_else) return behind;
    Place otherwise = place;
    otherwise.optional = place.optional || other_side || (ends && opened_by_hardware);
    return statement(behind + 1, end, otherwise);
  }

  // if (skipTest()) return: what the function asks is for the reader of the whole file to say.
  void add_guard_calls(TokenRange condition, const std::string& leaves) {
    for (std::size_t i = condition.begin; i + 1 < condition.end; ++i)
      if (tokens_[i].is_name() && is(i + 1, "("))
        out_.guard_calls.push_back({tokens_[i].text, leaves, tokens_[i].line, tokens_[i].col});
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

  // The word by which a branch ends the function; "" where it does not.
  std::string how_it_leaves(std::size_t i, std::size_t end) const {
    auto word_at = [&](std::size_t at) {
      bool leaves = at < end && one_of(tokens_[at], {"return", "GTEST_SKIP", "throw", "SKIP"});
      return leaves ? tokens_[at].text : "";
    };
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

  // Negated: !hasCUDA(), device_count() < 2, is_available() == false.
  bool is_negated(std::size_t begin, std::size_t behind) const {
    std::size_t start = begin;
    while (start >= 2 && one_of(tokens_[start - 1], {".", "->", "::"})) {
      std::size_t before = start - 2;
      if (closes(tokens_[before]) && brackets_.matched(before)) before = brackets_.partner(before);
      if (before > 0 && !tokens_[before].is_name() && tokens_[before - 1].is_name()) --before;
      start = before;
    }
    bool inverted = start > 0 && tokens_[start - 1].is("!");
    if (behind + 1 >= tokens_.size()) return inverted;
    const Token& op = tokens_[behind];
    const Token& right = tokens_[behind + 1];
    bool few = one_of(op, {"<", "<="}) || (op.is("==") && one_of(right, {"0", "false"}));
    return inverted != few;
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
        i = behind_call(name, range.end, place, callees);
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
  std::size_t behind_call(const Name& name, std::size_t end, const Place& place,
                          const std::vector<std::string>& callees) {
    std::size_t open = behind_template_arguments(name.end, end);
    bool call = open < end && (tokens_[open].is("(") || tokens_[open].is("{")) && brackets_.matched(open);
    if (!call) return name.end;
    std::string callee = last_component(name.text);
    bool elsewhere = place.optional || is_left_out_elsewhere(tokens_[open].condition);
    if (tokens_[open].is("(") && !elsewhere) read(callee);
    bool declared = callee == place.target && callees.empty();
    std::vector<std::string> inner = callees;
    inner.push_back(declared ? "" : callee);
    expression({open + 1, std::min(brackets_.partner(open), end)}, place, inner);
    return brackets_.behind(open);
  }

  void read(const std::string& name) {
    if (std::find(out_.names_read.begin(), out_.names_read.end(), name) == out_.names_read.end())
      out_.names_read.push_back(name);
  }

  // The brace of a lambda's body.
  bool is_block(std::size_t i, std::size_t begin) const {
    return i > begin && (one_of(tokens_[i - 1], {")", "]", "mutable", "noexcept"}));
  }

  void use_name(std::size_t i, const Name& name, const Place& place,
                const std::vector<std::string>& callees) {
    if (name.text == place.target && callees.empty()) return;  // the variable itself, as it is set
    std::size_t behind = name.called ? brackets_.behind(name.end) : name.end;
    auto variable = variables_.find(name.text);
    if (!name.member && variable != variables_.end()) {
      Place here = place;
      here.chosen = place.chosen || variable->second.has_alternative;
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
    if (place.condition && described) {
      use.role = Role::condition;
      use.polarity = is_negated(i, behind) ? Polarity::excludes : Polarity::requires_;
    } else if (is_compared(i, behind)) {
      use.role = Role::compared;
    } else if (!described) {
      give_callee(use, callees);
    } else if (!place.target.empty()) {
      use.role = Role::assigned;
      assign(use);
    }
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
    for (int i = condition; i >= 0 && i != condition_;
         i = file_.conditions[static_cast<std::size_t>(i)].parent) {
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
  std::set<std::string> switches_;  // parameters of type bool
  bool assigned_here_ = false;      // the statement at hand has given its variable a device
  int statements_ = 0;              // of the function itself
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
