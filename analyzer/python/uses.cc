#include "analyzer/python/uses.h"

#include <algorithm>
#include <utility>

#include "analyzer/python/words.h"
#include "base/text.h"

namespace hwsift::analyzer {
namespace {

constexpr std::size_t kLongestDevice = 40;
// Conditions and targets that people write are not nested deeper; made-up ones must not use up the stack.
constexpr int kDeepest = 16;

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Polarity flipped(Polarity polarity) {
  if (polarity == Polarity::requires_) return Polarity::excludes;
  if (polarity == Polarity::excludes) return Polarity::requires_;
  return polarity;
}

// The device type of "cuda", "cuda:0" or the start of an f-string "cuda:"; "" where the text is no device.
std::string_view device_of(const StringLiteral& literal, const std::vector<std::string>& device_types) {
  std::string_view text = literal.content;
  std::size_t colon = text.find(':');
  std::string_view type = text.substr(0, colon);
  if (!contains(device_types, type)) return "";
  if (colon == std::string_view::npos) return literal.interpolated ? "" : type;
  std::string_view index = text.substr(colon + 1);
  bool digits = std::all_of(index.begin(), index.end(), is_ascii_digit);
  return digits && (literal.interpolated || !index.empty() || literal.inner == text) ? type : "";
}

bool names_a_device(std::string_view keyword) {
  return keyword.find("device") != std::string_view::npos || keyword == "map_location";
}

// `a.b.c` is below prefix `a.b`.
const LexiconEntry* longest_prefix(const Lexicon& lexicon, std::string_view symbol) {
  while (true) {
    auto found = lexicon.prefixes.find(std::string(symbol));
    if (found != lexicon.prefixes.end()) return &found->second;
    std::size_t dot = symbol.rfind('.');
    if (dot == std::string_view::npos) return nullptr;
    symbol = symbol.substr(0, dot);
  }
}

}  // namespace

Polarity UseReader::skip_polarity(std::string_view word) const {
  if (contains(lexicon_.skip_if, word)) return Polarity::excludes;
  if (contains(lexicon_.skip_unless, word)) return Polarity::requires_;
  return Polarity::none;
}

const LexiconEntry* UseReader::look_up(const std::string& written, const std::string& symbol) const {
  if (lexicon_.words != nullptr && !lexicon_.words->is_hardware(symbol, true)) return nullptr;
  auto exact = lexicon_.names.find(symbol);
  if (exact != lexicon_.names.end()) return &exact->second;
  if (const LexiconEntry* entry = longest_prefix(lexicon_, symbol)) return entry;
  // A name that came by star import, by re-export or from a module that stands for one we know.
  bool one_word = written.find('.') == std::string::npos;
  if (!one_word && !names_.is_imported(written.substr(0, written.find('.')))) return nullptr;
  auto last = lexicon_.last_words.find(std::string(last_word(symbol)));
  return last == lexicon_.last_words.end() ? nullptr : &last->second;
}

void UseReader::add(UseKind kind, const State& state, std::string symbol, std::vector<std::string> devices,
                    TSNode node) {
  Use use;
  use.kind = kind;
  use.role = kind == UseKind::device_literal ? state.literal_role : state.role;
  bool hinges = use.role == Role::guard || use.role == Role::condition;
  use.polarity = hinges ? state.polarity : Polarity::none;
  use.symbol = std::move(symbol);
  use.devices = std::move(devices);
  if (state.callee >= 0) use.callee = callees_[static_cast<std::size_t>(state.callee)];
  use.optional = state.optional;
  use.in_device_branch = state.in_device_branch;
  use.has_alternative = state.has_alternative;
  use.faked = state.faked;
  use.conjoined = hinges && state.conjoined;
  use.sees_device = is_own_parameter("self") && (is_own_parameter("device") || is_own_parameter("devices"));
  use.span = source_.span(node);
  use.line = source_.line(node);
  use.col = source_.col(node);
  use.class_index = scope_.class_index;
  use.method_index = scope_.method_index;
  use.function_index = scope_.function_index;
  if (kind == UseKind::device_method && use.span.begin > 0)
    --use.span.begin;  // the dot, where it is next to it
  facts_.uses.push_back(std::move(use));
}

// --- what else is read on the way ---

bool UseReader::is_own_parameter(std::string_view name) const {
  return locals_.of(name) == Locals::Binding::parameter;
}

Method* UseReader::method() {
  if (scope_.class_index < 0 || scope_.method_index < 0) return nullptr;
  return &facts_.classes[static_cast<std::size_t>(scope_.class_index)]
              .methods[static_cast<std::size_t>(scope_.method_index)];
}

std::vector<std::string>* UseReader::names_read() {
  if (Method* reader = method()) return &reader->names_read;
  if (scope_.class_index >= 0)
    return &facts_.classes[static_cast<std::size_t>(scope_.class_index)].names_read;
  if (scope_.function_index < 0) return nullptr;
  return &facts_.functions[static_cast<std::size_t>(scope_.function_index)].names_read;
}

std::vector<std::string>* UseReader::self_reads() {
  if (Method* reader = method()) return &reader->self_reads;
  if (scope_.class_index >= 0 || scope_.function_index < 0) return nullptr;
  return &facts_.functions[static_cast<std::size_t>(scope_.function_index)].self_reads;
}

// TestX in TestX.helper(...), read in a method of TestX.
bool UseReader::is_own_class(std::string_view name) const {
  return scope_.class_index >= 0 && facts_.classes[static_cast<std::size_t>(scope_.class_index)].name == name;
}

void UseReader::note_name(std::string_view root) {
  if (!names_.is_defined(root) || locals_.of(root) != Locals::Binding::none) return;
  std::vector<std::string>* names = names_read();
  if (names != nullptr && !contains(*names, root)) names->emplace_back(root);
}

void UseReader::note_read(std::string_view written) {
  std::string_view root = written.substr(0, written.find('.'));
  note_name(root);
  bool device = root == "device" || root == "devices";
  bool self = root == "self" || root == "cls" || (written != root && is_own_class(root));
  if (!device && !self && root != "locals") return;
  if (!self) {
    if (Method* reader = method()) reader->reads_device = true;
    return;
  }
  std::vector<std::string>* members = self_reads();
  if (members == nullptr) return;
  // `self` alone is handed on to someone who may ask it anything.
  std::string_view member = written == root ? root : written.substr(root.size() + 1);
  member = member.substr(0, member.find('.'));
  if (member.substr(0, 6) == "assert") return;
  if (!contains(*members, member)) members->emplace_back(member);
}

bool UseReader::names_device(TSNode text) const {
  StringLiteral literal = string_literal(source_, text);
  return literal.is_text && literal.content.size() <= kLongestDevice &&
         !device_of(literal, lexicon_.device_types).empty();
}

bool UseReader::asks_for_device(TSNode condition, int depth) const {
  const Grammar& g = grammar();
  if (depth > kDeepest) return false;
  condition = unwrapped(condition);
  if (is(condition, g.string)) return names_device(condition);
  if (is(condition, g.attribute)) {
    auto member = lexicon_.members.find(std::string(source_.text(field(condition, g.attribute_field))));
    return member != lexicon_.members.end() && member->first.starts_with("is_");
  }
  if (is(condition, g.call)) {
    TSNode callee = field(condition, g.function);
    if (source_.text(field(callee, g.attribute_field)) != "startswith") return false;
    std::vector<TSNode> arguments = named_children(field(condition, g.arguments));
    return !arguments.empty() && asks_for_device(arguments.front(), depth + 1);
  }
  bool looks_inside = is(condition, g.comparison_operator) || is(condition, g.boolean_operator) ||
                      is(condition, g.not_operator) || is(condition, g.tuple) || is(condition, g.list) ||
                      is(condition, g.set);
  if (!looks_inside) return false;
  std::vector<TSNode> parts = named_children(condition);
  return std::any_of(parts.begin(), parts.end(),
                     [&](TSNode part) { return asks_for_device(part, depth + 1); });
}

// The device as the framework hands it over: the test's own parameter, or ["device"] of its arguments.
bool UseReader::is_test_device(TSNode node) const {
  const Grammar& g = grammar();
  if (is(node, g.identifier))
    return source_.text(node) == "device" && locals_.of("device") == Locals::Binding::parameter;
  if (!is(node, g.subscript)) return false;
  return string_literal(source_, field(node, g.subscript_field)).inner == "device";
}

bool UseReader::compared_values(TSNode node, DeviceComparison& comparison) const {
  const Grammar& g = grammar();
  node = unwrapped(node);
  if (is(node, g.string)) {
    StringLiteral literal = string_literal(source_, node);
    comparison.values.emplace_back(literal.inner);
    return literal.is_text && !literal.interpolated;
  }
  if (is(node, g.call) && last_word(dotted_text(source_, field(node, g.function))) == "device") {
    comparison.against = DeviceComparison::Against::device_object;
    std::vector<TSNode> arguments = named_children(field(node, g.arguments));
    return arguments.size() == 1 && is(arguments.front(), g.string) &&
           compared_values(arguments.front(), comparison);
  }
  if (!is(node, g.tuple) && !is(node, g.list) && !is(node, g.set)) return false;
  comparison.one_text = false;
  std::vector<TSNode> items = named_children(node);
  return std::all_of(items.begin(), items.end(),
                     [&](TSNode item) { return is(item, g.string) && compared_values(item, comparison); });
}

void UseReader::note_comparison(TSNode node) {
  if (method() == nullptr) return;
  std::vector<TSNode> sides = named_children(node);
  if (sides.size() != 2) return;
  bool left = is_test_device(unwrapped(sides[0]));
  if (!left && !is_test_device(unwrapped(sides[1]))) return;
  DeviceComparison comparison;
  if (!compared_values(sides[left ? 1 : 0], comparison)) return;
  Span op{source_.span(sides[0]).end, source_.span(sides[1]).begin};
  comparison.op = std::string(trim(source_.text(op)));
  comparison.device_is_left = left;
  comparison.left = std::string(source_.text(sides[left ? 0 : 1]));
  comparison.line = source_.line(node);
  comparison.col = source_.col(node);
  comparison.span = source_.span(node);
  comparison.device_span = source_.span(sides[left ? 0 : 1]);
  comparison.sees_self = is_own_parameter("self");
  comparison.class_index = scope_.class_index;
  comparison.method_index = scope_.method_index;
  facts_.comparisons.push_back(std::move(comparison));
}

// What assertExpected is given must come straight from a tensor or graph; a name may hold a text in which a
// helper has replaced the devices.
bool UseReader::is_printed_value(TSNode golden, std::string_view callee) const {
  const Grammar& g = grammar();
  if (callee.substr(0, 14) != "assertExpected" || callee.find("Raises") != std::string_view::npos)
    return true;
  TSNode arguments = ts_node_parent(golden);
  if (is(arguments, g.concatenated_string)) arguments = ts_node_parent(arguments);
  std::vector<TSNode> given = named_children(arguments);
  if (!is(arguments, g.argument_list) || given.empty() || !is(given.front(), g.call)) return false;
  std::string printer = dotted_text(source_, field(given.front(), g.function));
  return printer == "str" || printer == "repr";
}

// `a and b`, and `not (a or b)`.
bool UseReader::all_must_hold(TSNode boolean_operator, bool negated) const {
  TSNode op = code_child(boolean_operator, 1);
  return source_.text(op) == (negated ? "or" : "and");
}

void UseReader::note_golden(const StringLiteral& literal, const State& state, TSNode node) {
  if (state.callee < 0 || method() == nullptr) return;
  std::string_view callee = last_word(callees_[static_cast<std::size_t>(state.callee)]);
  if (!contains(lexicon_.golden_callees, callee) || !is_printed_value(node, callee)) return;
  for (const std::string& device : lexicon_.device_types) {
    if (!mentions(literal.inner, device)) continue;
    facts_.golden_texts.push_back({device, std::string(callee), source_.line(node), source_.col(node),
                                   state.in_device_branch, scope_.class_index, scope_.method_index});
  }
}

bool UseReader::names_hardware(std::string_view chain) const {
  if (chain.empty() || lexicon_.words == nullptr) return !chain.empty();
  bool imported = names_.is_imported(chain.substr(0, chain.find_first_of(".(")));
  bool found = lexicon_.words->is_hardware(chain.substr(0, chain.find('(')), imported);
  for_each_word(chain, [&](std::string_view word) {
    found = found || lexicon_.words->has(word, Words::kAlways | Words::kDeviceType);
  });
  return found;
}

bool UseReader::are_devices(const std::vector<std::string>& words) const {
  return std::all_of(words.begin(), words.end(),
                     [&](const std::string& word) { return contains(lexicon_.device_types, word); });
}

// Names that a statement, a lambda, a comprehension, a walrus or `as` binds; self.x and x[0] bind none.
void UseReader::bind_names(TSNode node, int depth) {
  const Grammar& g = grammar();
  if (depth > kDeepest || is(node, g.attribute) || is(node, g.subscript)) return;
  if (is(node, g.identifier)) return locals_.bind(source_.text(node), Locals::Binding::other);
  for (TSNode part : named_children(node)) {
    if (is(part, g.default_parameter)) part = field(part, g.name);
    bind_names(part, depth + 1);
  }
}

namespace {

bool is_comprehension(TSNode node) {
  const Grammar& g = grammar();
  return is(node, g.generator_expression) || is(node, g.list_comprehension) ||
         is(node, g.set_comprehension) || is(node, g.dictionary_comprehension);
}

bool binds_own_names(TSNode node) { return is(node, grammar().lambda) || is_comprehension(node); }

}  // namespace

void UseReader::bind_own_names(TSNode node) {
  const Grammar& g = grammar();
  if (is(node, g.lambda)) return bind_names(field(node, g.parameters));
  if (!is_comprehension(node)) return;
  for (TSNode part : named_children(node))
    if (is(part, g.for_in_clause)) bind_names(field(part, g.left));
}

void UseReader::read_string(TSNode node, const State& state) {
  StringLiteral literal = string_literal(source_, node);
  if (literal.is_text) note_golden(literal, state, node);
  if (!literal.is_text || literal.content.size() > kLongestDevice) return;
  std::string_view device = device_of(literal, lexicon_.device_types);
  if (!device.empty())
    add(UseKind::device_literal, state, std::string(literal.inner), {std::string(device)}, node);
}

// A name or an attribute. True where it was understood as a whole, so that its parts need no look.
bool UseReader::read_name(TSNode node, const State& state, bool called) {
  const Grammar& g = grammar();
  std::string written = dotted_text(source_, node);
  if (is(node, g.attribute)) {
    std::string member(source_.text(field(node, g.attribute_field)));
    auto found = lexicon_.members.find(member);
    bool is_member = found != lexicon_.members.end() && (called || !contains(lexicon_.device_types, member));
    if (is_member && (written.empty() || !names_.is_imported(written.substr(0, written.find('.'))))) {
      add(found->second.kind, state, "." + member, found->second.devices, field(node, g.attribute_field));
      return false;
    }
  }
  if (written.empty()) return false;
  note_read(written);
  std::string root = written.substr(0, written.find('.'));
  const HardwareName* local = names_.hardware(root);
  if (local != nullptr && locals_.of(root) == Locals::Binding::none) {
    State guarded = state;
    if (local->is_guard) guarded.role = Role::guard, guarded.polarity = local->polarity;
    add(local->kind, guarded, root, local->devices, node);
    return true;
  }
  std::string symbol = names_.resolve(written);
  if (const LexiconEntry* entry = look_up(written, symbol))
    add(entry->kind, state, symbol, entry->devices, node);
  return true;
}

void UseReader::read_decorator(const Decorator& decorator, const Scope& scope) {
  if (decorator.name.empty()) return;
  Use use;
  use.role = Role::decorator;
  if (const HardwareName* local = names_.hardware(decorator.name)) {
    use.kind = UseKind::decorator;
    use.role = local->is_guard ? Role::guard : Role::decorator;
    use.polarity = local->polarity;
    use.devices = local->devices;
  } else if (const LexiconEntry* entry = look_up(decorator.name, decorator.symbol)) {
    use.kind = entry->kind;
    use.devices = entry->devices;
  } else {
    return;
  }
  use.symbol = decorator.symbol;
  use.span = decorator.span;
  use.line = decorator.line;
  use.col = decorator.col;
  use.class_index = scope.class_index;
  use.method_index = scope.method_index;
  use.function_index = scope.function_index;
  facts_.uses.push_back(std::move(use));
}

void UseReader::read_base(const Base& base, const Scope& scope, int line, int col) {
  if (base.name.empty()) return;
  const LexiconEntry* entry = look_up(base.name, base.symbol);
  if (entry == nullptr) return;
  Use use;
  use.kind = entry->kind;
  use.role = Role::base;
  use.symbol = base.symbol;
  use.devices = entry->devices;
  use.line = line;
  use.col = col;
  use.class_index = scope.class_index;
  facts_.uses.push_back(std::move(use));
}

// Called for each node before its children; false where the children need no look.
bool UseReader::enter(TSNode node, const State& state, TSNode parent, TSFieldId field_in_parent) {
  const Grammar& g = grammar();
  TSSymbol symbol = ts_node_symbol(node);
  if (symbol == g.string) {
    read_string(node, state);
    return true;  // an f-string has expressions inside
  }
  if (symbol == g.call) return (*on_call_)(node);
  if (symbol == g.comparison_operator) note_comparison(node);
  bool in_function = scope_.method_index >= 0 || scope_.function_index >= 0;  // which `as` and := bind in
  if (in_function && symbol == g.as_pattern_target) bind_names(node);
  if (in_function && symbol == g.named_expression) bind_names(field(node, g.name));
  if (symbol == g.identifier || symbol == g.attribute) {
    bool called = is(parent, g.call) && field_in_parent == g.function;
    return !read_name(node, state, called);
  }
  // Names that are bound, not read, and annotations, which run nothing.
  return symbol != g.type && symbol != g.lambda_parameters && symbol != g.as_pattern_target;
}

UseReader::State UseReader::argument_state(Frame& arguments, TSNode argument) {
  State state = arguments.state;
  const Grammar& g = grammar();
  bool keyword = is(argument, g.keyword_argument);
  std::string_view callee =
      state.callee < 0 ? "" : last_word(callees_[static_cast<std::size_t>(state.callee)]);
  Polarity skip = skip_polarity(callee);
  bool first = arguments.position == 0 && !keyword;
  if (ts_node_is_named(argument) && !is_trivia(argument)) ++arguments.position;
  if (first && skip != Polarity::none && arguments.state.role != Role::parametrized) {
    state.role = state.literal_role = Role::guard;
    state.polarity = skip;
    state.negated = skip == Polarity::requires_;  // skipUnless skips when the condition fails
    return state;
  }
  if (state.role == Role::parametrized || callee == "parametrize") {
    state.role = state.literal_role = Role::parametrized;
    return state;
  }
  bool device = keyword ? names_a_device(source_.text(field(argument, g.name)))
                        : contains(lexicon_.device_callees, callee);
  state.literal_role = device ? Role::device_argument : Role::argument;
  if (state.is_data) state.literal_role = Role::other;
  if (state.role != Role::guard && state.role != Role::condition) state.role = state.literal_role;
  return state;
}

// `x < 2`, `x == 0` and `x is None` hold when the hardware is missing, so they turn the polarity round.
UseReader::State UseReader::comparison_state(const Frame& parent) {
  State state = parent.state;
  state.literal_role = Role::compared;
  std::string_view text = source_.text(parent.node);
  TSTreeCursor cursor = ts_tree_cursor_new(parent.node);
  std::string_view op;
  std::string_view last;
  if (ts_tree_cursor_goto_first_child(&cursor)) {
    do {
      TSNode child = ts_tree_cursor_current_node(&cursor);
      if (!ts_node_is_named(child))
        op = source_.text(child);
      else if (!is_trivia(child))
        last = source_.text(child);
    } while (ts_tree_cursor_goto_next_sibling(&cursor));
  }
  ts_tree_cursor_delete(&cursor);
  bool lacking = op == "<" || op == "<=" || (op == "==" && (last == "0" || last == "False")) ||
                 (op == "is" && last == "None") || (op == "not in" && !text.empty());
  if (lacking) state.polarity = flipped(state.polarity);
  return state;
}

namespace {

// "cuda" if available else "cpu", and the other way round.
bool may_do_without(const Source& source, TSNode choice) {
  constexpr std::string_view kCpu = "cpu";
  std::vector<TSNode> parts = named_children(choice);
  return parts.size() == 3 && (source.text(parts[0]).find(kCpu) != std::string_view::npos ||
                               source.text(parts[2]).find(kCpu) != std::string_view::npos);
}

// torch.device("cuda").type: the name is asked of it, nothing is made there.
bool is_asked_for_its_name(const Source& source, TSNode attribute, TSNode object) {
  std::string_view member = source.text(field(attribute, grammar().attribute_field));
  if ((member != "type" && member != "index") || !is(object, grammar().call)) return false;
  return last_word(dotted_text(source, field(object, grammar().function))) == "device";
}

}  // namespace

UseReader::State UseReader::call_state(const Frame& call) {
  State state = call.state;
  TSNode function = field(call.node, grammar().function);
  std::string written = dotted_text(source_, function);
  if (written.empty()) written = std::string(source_.text(field(function, grammar().attribute_field)));
  callees_.push_back(names_.resolve(written));
  state.callee = static_cast<int>(callees_.size()) - 1;
  return state;
}

// `a if condition else b`: the condition is the second part, and says before the first is read what it asks.
UseReader::State UseReader::choice_state(Frame& choice) {
  if (choice.position == 0) {
    std::vector<TSNode> parts = named_children(choice.node);
    if (parts.size() > 1 && asks_for_device(parts[1])) choice.state.in_device_branch = true;
    if (may_do_without(source_, choice.node)) choice.state.has_alternative = true;
  }
  State state = choice.state;
  if (choice.position++ != 2) return state;
  state.role = state.literal_role = Role::condition;
  state.polarity = Polarity::requires_;
  return state;
}

UseReader::State UseReader::logic_state(const Frame& parent) const {
  State state = parent.state;
  if (is(parent.node, grammar().not_operator)) {
    state.polarity = flipped(state.polarity);
    state.negated = !state.negated;
  } else {
    state.conjoined = state.conjoined || all_must_hold(parent.node, state.negated);
  }
  return state;
}

// What a literal is where it stands in a display, a pair, a subscript or a pattern.
Role UseReader::literal_role_in(const Frame& parent, TSFieldId field_in_parent) const {
  const Grammar& g = grammar();
  TSSymbol symbol = ts_node_symbol(parent.node);
  Role role = parent.state.literal_role;
  bool display = symbol == g.list || symbol == g.tuple || symbol == g.set;
  bool settled = role == Role::parametrized || role == Role::device_argument;
  if (display && !settled) return Role::element;
  if (symbol == g.subscript && field_in_parent == g.subscript_field) return Role::key;
  if (symbol == g.case_pattern) return Role::compared;
  if (symbol != g.pair) return role;
  if (field_in_parent == g.key) return Role::key;
  bool device =
      field_in_parent == g.value && string_literal(source_, field(parent.node, g.key)).inner == "device";
  return device ? Role::device_argument : Role::element;
}

UseReader::State UseReader::child_state(Frame& parent, TSNode child, TSFieldId field_in_parent) {
  const Grammar& g = grammar();
  TSSymbol symbol = ts_node_symbol(parent.node);
  if (symbol == g.call && field_in_parent == g.arguments) return call_state(parent);
  if (symbol == g.argument_list) return argument_state(parent, child);
  if (symbol == g.not_operator || symbol == g.boolean_operator) return logic_state(parent);
  if (symbol == g.comparison_operator) return comparison_state(parent);
  if (symbol == g.conditional_expression) return choice_state(parent);
  State state = parent.state;
  if (symbol == g.attribute) state.is_data = is_asked_for_its_name(source_, parent.node, child);
  state.literal_role = literal_role_in(parent, field_in_parent);
  return state;
}

namespace {

// Fields whose names are bound or are no expressions: f(NAME=...), NAME := ..., x.NAME
bool is_binding(TSNode parent, TSFieldId field_in_parent) {
  const Grammar& g = grammar();
  if (is(parent, g.attribute)) return field_in_parent == g.attribute_field;
  return field_in_parent == g.name && (is(parent, g.keyword_argument) || is(parent, g.named_expression));
}

}  // namespace

// To the next node after the one at hand and all below it; false where the walk has ended.
bool UseReader::advance(TSTreeCursor& cursor, std::vector<Frame>& open) {
  while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
    if (open.empty() || !ts_tree_cursor_goto_parent(&cursor)) return false;
    if (binds_own_names(open.back().node)) locals_.release(open.back().locals);
    open.pop_back();
  }
  return !open.empty();
}

void UseReader::read(TSNode root, const Scope& scope, const Standing& standing,
                     const std::function<bool(TSNode)>& on_call) {
  if (ts_node_is_null(root)) return;
  scope_ = scope;
  on_call_ = &on_call;
  callees_.clear();
  State state;
  state.role = state.literal_role = standing.role;
  state.polarity = standing.polarity;
  state.optional = standing.optional;
  state.in_device_branch = standing.in_device_branch;
  state.faked = standing.faked;
  std::vector<Frame> open;
  cursor_.reset(root);
  TSTreeCursor& cursor = *cursor_.get();
  bool going = true;
  while (going) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    TSFieldId at = open.empty() ? 0 : ts_tree_cursor_current_field_id(&cursor);
    TSNode parent = open.empty() ? TSNode{} : open.back().node;
    bool known = standing.role == Role::decorator && open.size() == 1 && at == grammar().function;
    bool descend = !known && !is_binding(parent, at) && enter(node, state, parent, at);
    if (descend && ts_tree_cursor_goto_first_child(&cursor)) {
      open.push_back({node, state, 0, locals_.mark()});
      bind_own_names(node);
    } else {
      going = advance(cursor, open);
    }
    if (going)
      state = child_state(open.back(), ts_tree_cursor_current_node(&cursor),
                          ts_tree_cursor_current_field_id(&cursor));
  }
}

}  // namespace hwsift::analyzer
