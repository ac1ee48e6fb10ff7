#include "analyzer/cxx/body.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace hwsift::analyzer::cxx {
namespace {

bool one_of(const Token& token, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), token.text) != words.end();
}

std::string last_component(const std::string& dotted) { return dotted.substr(dotted.rfind('.') + 1); }

// Calls that describe a device or a tensor, and touch neither.
bool only_describes(std::string_view callee) {
  constexpr std::string_view kNames[] = {
      "",       "device",        "Device",        "TensorOptions", "dtype",       "layout",   "options",
      "Option", "requires_grad", "memory_format", "pinned_memory", "make_tuple",  "optional", "make_optional",
      "move",   "forward",       "DeviceType",    "Type",          "static_cast", "vector",   "index"};
  return std::find(std::begin(kNames), std::end(kNames), callee) != std::end(kNames);
}

bool only_compares(std::string_view callee) {
  return callee.starts_with("EXPECT_") || callee.starts_with("ASSERT_") || callee.starts_with("REQUIRE") ||
         callee.starts_with("CHECK");
}

// "cuda" and "cuda:0" of a literal; nothing of any other text.
std::optional<std::string> device_of_text(const std::string& literal, const Lexicon& lexicon) {
  std::size_t quote = literal.find('"');
  if (quote == std::string::npos || literal.size() < quote + 2) return std::nullopt;
  std::string text = literal.substr(quote + 1, literal.size() - quote - 2);
  std::string type = text.substr(0, text.find(':'));
  bool index =
      text.size() == type.size() ||
      (text.size() > type.size() + 1 &&
       std::all_of(text.begin() + static_cast<std::ptrdiff_t>(type.size()) + 1, text.end(), is_ascii_digit));
  const std::vector<std::string>& known = lexicon.device_types;
  if (!index || std::find(known.begin(), known.end(), type) == known.end()) return std::nullopt;
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
  std::string target;      // the variable that gets the value
};

// A variable that was set from a use.
struct Variable {
  UseKind kind = UseKind::device_variable;
  std::vector<std::string> devices;
};

class BodyReader {
 public:
  BodyReader(const LexedFile& file, const Brackets& brackets, const Lexicon& lexicon)
      : tokens_(file.tokens), brackets_(brackets), lexicon_(lexicon) {}

  BodyFacts run(TokenRange body) {
    statements(body, Place());
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

  bool is(std::size_t at, const char* text) const { return at < tokens_.size() && tokens_[at].is(text); }

  void statements(TokenRange range, const Place& place) {
    for (std::size_t i = range.begin; i < range.end;) i = std::max(statement(i, range.end, place), i + 1);
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
        if (declares) inside.target = tokens_[i - 1].text;
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
    bool ends = place.top_level && ends_scope(branch, end);
    rule_on_condition(first, condition, ends);
    bool opened_by_hardware = says(first, Polarity::requires_);
    bool other_side = says(first, Polarity::excludes);
    Place then = place;
    then.optional = place.optional || (opened_by_hardware && !ends);
    std::size_t behind = statement(branch, end, then);
    if (!is(behind, "else") || behind >= end) return behind;
    Place otherwise = place;
    otherwise.optional = place.optional || other_side || (ends && opened_by_hardware);
    return statement(behind + 1, end, otherwise);
  }

  bool says(std::size_t first, Polarity polarity) const {
    return std::any_of(out_.uses.begin() + static_cast<std::ptrdiff_t>(first), out_.uses.end(),
                       [&](const Use& use) { return use.polarity == polarity; });
  }

  // A branch that ends the test: return, a skip, an exception.
  bool ends_scope(std::size_t i, std::size_t end) const {
    auto leaves = [&](std::size_t at) {
      return at < end && one_of(tokens_[at], {"return", "GTEST_SKIP", "throw", "SKIP", "GTEST_SKIP_"});
    };
    if (!is(i, "{")) return leaves(i);
    for (std::size_t at = i + 1; at < brackets_.partner(i); at = end_of_statement(at, end) + 1)
      if (leaves(at)) return true;
    return false;
  }

  // What the uses in a condition ask for. In a guard the polarity is that of the rest of the test.
  void rule_on_condition(std::size_t first, TokenRange condition, bool ends) {
    bool conjoined = false;
    for (std::size_t i = condition.begin; i < condition.end; ++i) conjoined |= tokens_[i].is("&&");
    for (std::size_t u = first; u < out_.uses.size(); ++u) {
      Use& use = out_.uses[u];
      if (use.role != Role::condition) continue;
      use.conjoined = conjoined;
      bool holds = use.polarity == Polarity::requires_;
      if (!ends) continue;
      use.role = Role::guard;
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
    for (std::size_t i = range.begin; i < range.end;) {
      const Token& token = tokens_[i];
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

  // A name that is called or made: what stands between its brackets is its own.
  std::size_t behind_call(const Name& name, std::size_t end, const Place& place,
                          const std::vector<std::string>& callees) {
    std::size_t open = name.end;
    if (is(open, "<")) {
      std::size_t angle = open;
      int depth = 0;
      for (; angle < end && angle < open + 64; ++angle) {
        depth += tokens_[angle].is("<") ? 1 : tokens_[angle].is(">") ? -1 : tokens_[angle].is(">>") ? -2 : 0;
        if (depth <= 0 || one_of(tokens_[angle], {";", "{"})) break;
      }
      if (angle + 1 < end && depth == 0 && is(angle + 1, "(")) open = angle + 1;
    }
    bool call = open < end && (tokens_[open].is("(") || tokens_[open].is("{")) && brackets_.matched(open);
    if (!call) return name.end;
    std::string callee = last_component(name.text);
    if (tokens_[open].is("(") && !name.text.empty()) read(callee);
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
    std::size_t behind = name.called ? brackets_.behind(name.end) : name.end;
    auto variable = variables_.find(name.text);
    if (!name.member && variable != variables_.end()) {
      UseKind kind = variable->second.kind;
      add(i, behind, kind, name.text, variable->second.devices, place, callees);
    } else if (std::optional<std::pair<UseKind, const LexiconEntry*>> found = look_up(name)) {
      add(i, behind, found->first, name.symbol, found->second->devices, place, callees);
    } else {
      return;
    }
    out_.uses.back().origin = name.origin;
  }

  std::optional<std::pair<UseKind, const LexiconEntry*>> look_up(const Name& name) const {
    if (name.member) {
      auto found = lexicon_.members.find(last_component(name.symbol));
      if (found != lexicon_.members.end() && name.called && is_of_framework(name))
        return std::pair(UseKind::device_method, &found->second);
    }
    // From the whole name to its last word: what is written depends on `using`.
    for (std::string_view rest = name.symbol; !rest.empty();) {
      auto found = lexicon_.names.find(std::string(rest));
      if (found != lexicon_.names.end()) return std::pair(found->second.kind, &found->second);
      std::size_t dot = rest.find('.');
      rest = dot == std::string_view::npos ? "" : rest.substr(dot + 1);
    }
    auto word = lexicon_.last_words.find(last_component(name.symbol));
    if (word != lexicon_.last_words.end()) return std::pair(word->second.kind, &word->second);
    for (std::size_t dot = name.symbol.rfind('.'); dot != std::string::npos && dot > 0;
         dot = name.symbol.rfind('.', dot - 1)) {
      auto found = lexicon_.prefixes.find(name.symbol.substr(0, dot));
      if (found != lexicon_.prefixes.end()) return std::pair(found->second.kind, &found->second);
    }
    return std::nullopt;
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
    use.optional = place.optional;
    use.target = place.target;
    use.origin = Origin::fast;
    std::string doer;
    for (const std::string& callee : callees)
      if (!only_describes(callee)) doer = callee;
    use.callee = doer;
    if (place.condition && (callees.empty() || only_describes(callees.back()))) {
      use.role = Role::condition;
      use.polarity = is_negated(i, behind) ? Polarity::excludes : Polarity::requires_;
    } else if (only_compares(doer) || is_compared(i, behind)) {
      use.role = Role::compared;
    } else if (!doer.empty()) {
      use.role = Role::device_argument;
    } else if (!place.target.empty()) {
      use.role = Role::assigned;
      variables_[place.target] = {kind == UseKind::flag ? kind : UseKind::device_variable, devices};
    }
    out_.uses.push_back(std::move(use));
  }

  bool is_compared(std::size_t i, std::size_t behind) const {
    bool before = i > 0 && one_of(tokens_[i - 1], {"==", "!=", "case"});
    return before || is(behind, "==") || is(behind, "!=");
  }

  const std::vector<Token>& tokens_;
  const Brackets& brackets_;
  const Lexicon& lexicon_;
  std::map<std::string, Variable> variables_;
  BodyFacts out_;
};

}  // namespace

BodyFacts read_body(const LexedFile& file, const Brackets& brackets, TokenRange body,
                    const Lexicon& lexicon) {
  return BodyReader(file, brackets, lexicon).run(body);
}

}  // namespace hwsift::analyzer::cxx
