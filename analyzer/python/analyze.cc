// Walks the statements of a file once, in source order, and writes down what it meets.
#include "analyzer/python/analyze.h"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>
#include <utility>

#include "analyzer/discover.h"
#include "analyzer/python/calls.h"
#include "analyzer/python/decode.h"
#include "analyzer/python/names.h"
#include "analyzer/python/node.h"
#include "analyzer/python/suppressions.h"
#include "analyzer/python/syntax.h"
#include "analyzer/python/uses.h"
#include "base/text.h"

namespace hwsift::analyzer {
namespace {

constexpr std::size_t kMaxText = 200;
// Python allows 100 levels of indentation; deeper statements of a broken file are not looked at.
constexpr int kMaxDepth = 120;
constexpr std::string_view kLabel = "hw_classification";
constexpr std::string_view kEnum = "HardwareClassification";

bool starts_with_test(std::string_view name) { return name.substr(0, 4) == "test"; }

// Where a statement stands.
struct Position {
  Context context = Context::module;
  Scope scope;
  std::string prefix;        // of qualified names: "Outer.", "function.<locals>."
  int class_body = -1;       // the class whose body this is, directly or under an `if` of it
  bool conditional = false;  // under a compound statement of the class body
  bool direct = true;  // a statement of its module, class or function itself, so that an early exit ends that
  bool optional = false;          // runs only where a hardware condition holds
  bool in_device_branch = false;  // runs only after a comparison with a device
  bool faked = false;             // under a mode that makes no real tensors
  int depth = 0;
};

struct Around;

class FileReader {
 public:
  FileReader(FileFacts& facts, const Source& source, const Lexicon& lexicon)
      : facts_(facts), source_(source), uses_(source, lexicon, names_, facts) {}

  void read(TSNode root) {
    read_names(root);
    read_block(root, Position{});
    settle_torch_calls();
    find_references();
    facts_.suppressions = read_suppressions(source_, root);
  }

 private:
  // --- statements ---
  void read_block(TSNode block, const Position& at);
  void read_statement(TSNode node, const Position& at);
  bool read_compound(TSNode node, const Position& at);
  void read_if(TSNode node, const Position& at);
  void read_for(TSNode node, const Position& at);
  void read_clauses(TSNode node, const Position& at, Context context);
  void read_class(TSNode node, const std::vector<TSNode>& decorators, const Position& at);
  void read_function(TSNode node, const std::vector<TSNode>& decorators, const Position& at);
  void read_decorated(TSNode node, const Position& at);
  void read_expression_statement(TSNode node, const Position& at);
  void read_assignment(TSNode node, const Position& at);
  void read_target(TSNode node, TSNode target, const Position& at);
  void read_label(TSNode assignment, Class& cls, const Position& at, bool outside);
  void read_module_value(const std::string& name, TSNode value, std::size_t first_use);

  // --- parts ---
  std::vector<Decorator> decorators_of(const std::vector<TSNode>& nodes) const;
  Decorator decorator_of(TSNode node) const;
  std::vector<Parameter> parameters_of(TSNode function) const;
  void read_defaults(TSNode function, const Scope& scope);
  void read_decorators(const std::vector<TSNode>& nodes, const std::vector<Decorator>& decorators,
                       const Scope& scope);
  void read_expression(TSNode node, const Position& at, const Standing& standing, bool is_statement = false);
  void add_instantiation(Instantiation call, const Position& at, bool is_statement);
  void add_torch_call(TSNode call, const Position& at);
  void settle_torch_calls();
  void find_references();
  bool makes_fake_mode(TSNode call) const;
  bool enters_fake_mode(TSNode with_clause) const;
  bool asks_for_test_name(TSNode condition) const;
  void note_target(TSNode target, std::size_t first_use);
  void bind_locals(TSNode target, const Position& at);
  void bind_parameters(TSNode list, Locals::Binding binding);
  void add_constant(const std::string& name, const DeviceFilter& filter);
  void add_dynamic_class(TSNode call, const Position& at);
  Standing standing_at(const Position& at, Role role, Polarity polarity = Polarity::none) const {
    return {role, polarity, at.optional, at.in_device_branch || device_settled_, at.faked};
  }
  Class* class_named(std::string_view name);

  // --- imports ---
  void read_names(TSNode root);
  void read_name_of(TSNode statement, const Around& around);
  void read_import(TSNode node, bool top_level);
  void read_import_from(TSNode node, bool top_level);
  void add_import(std::string module, std::string name, std::string alias, TSNode node, bool top_level);

  FileFacts& facts_;
  const Source& source_;
  Names names_;
  UseReader uses_;
  std::set<std::string, std::less<>> fake_modes_;  // names that were given such a mode: fake_mode, self.mode
  bool device_settled_ = false;                    // the function at hand has left early for some devices
  std::unordered_map<std::string, std::vector<std::string>>
      loop_classes_;  // loop variable to literal class names
};

bool is_docstring(TSNode statement) {
  std::vector<TSNode> inside = named_children(statement);
  const Grammar& g = grammar();
  if (inside.size() != 1) return false;
  TSNode value = unwrapped(inside.front());
  return is(value, g.string) || is(value, g.concatenated_string);
}

// pass, a docstring, `...`, raise, return without a value and a call that skips do nothing.
bool does_nothing(const Source& source, TSNode statement) {
  const Grammar& g = grammar();
  if (is(statement, g.pass_statement) || is(statement, g.raise_statement)) return true;
  std::vector<TSNode> inside = named_children(statement);
  if (is(statement, g.return_statement)) return inside.empty();
  if (!is(statement, g.expression_statement) || inside.size() != 1) return false;
  if (is(inside.front(), g.call)) {
    std::string callee = dotted_text(source, field(inside.front(), g.function));
    return last_word(callee) == "skipTest" || last_word(callee) == "skip" || last_word(callee) == "fail";
  }
  return is(inside.front(), g.string) || is(inside.front(), g.ellipsis) ||
         is(inside.front(), g.concatenated_string);
}

bool is_stub(const Source& source, TSNode block) {
  std::vector<TSNode> statements = named_children(block);
  return std::all_of(statements.begin(), statements.end(),
                     [&](TSNode statement) { return does_nothing(source, statement); });
}

// Nothing that can be called.
bool is_value(TSNode node) {
  const Grammar& g = grammar();
  node = unwrapped(node);
  return is(node, g.string) || is(node, g.concatenated_string) || is(node, g.integer) || is(node, g.float_) ||
         is(node, g.list) || is(node, g.tuple) || is(node, g.set) || is(node, g.dictionary) ||
         is(node, g.none) || is(node, g.true_) || is(node, g.false_);
}

TSNode name_of_parameter(TSNode node) {
  const Grammar& g = grammar();
  if (is(node, g.default_parameter) || is(node, g.typed_default_parameter)) return field(node, g.name);
  if (!is(node, g.typed_parameter)) return node;
  std::vector<TSNode> inside = named_children(node);
  return inside.empty() ? node : inside.front();
}

bool is_main_guard(const Source& source, TSNode condition) {
  condition = unwrapped(condition);
  if (!is(condition, grammar().comparison_operator)) return false;
  std::string_view text = source.text(condition);
  return text.find("__name__") != std::string_view::npos && text.find("__main__") != std::string_view::npos;
}

// Whether the block leaves its function, its module or the process at its end.
bool leaves_scope(const Source& source, TSNode block) {
  const Grammar& g = grammar();
  std::vector<TSNode> statements = named_children(block);
  if (statements.empty()) return false;
  TSNode last = statements.back();
  if (is(last, g.return_statement) || is(last, g.raise_statement)) return true;
  if (!is(last, g.expression_statement)) return false;
  std::vector<TSNode> inside = named_children(last);
  if (inside.size() != 1 || !is(inside.front(), g.call)) return false;
  std::string callee = dotted_text(source, field(inside.front(), g.function));
  std::string_view word = last_word(callee);
  return word == "skipTest" || word == "skip" || word == "exit" || word == "_exit" || word == "exitfirst";
}

// --- imports and definitions: names first, so that a function above its import resolves too ---

// Only statements hold imports and definitions; expressions are passed over.
bool holds_statements(TSNode node) {
  const Grammar& g = grammar();
  TSSymbol symbol = ts_node_symbol(node);
  return symbol == g.block || symbol == g.function_definition || symbol == g.class_definition ||
         symbol == g.decorated_definition || symbol == g.if_statement || symbol == g.elif_clause ||
         symbol == g.else_clause || symbol == g.try_statement || symbol == g.except_clause ||
         symbol == g.except_group_clause || symbol == g.finally_clause || symbol == g.with_statement ||
         symbol == g.for_statement || symbol == g.while_statement || symbol == g.match_statement ||
         symbol == g.case_clause || ts_node_is_error(node);
}

// How many functions and classes stand around a statement.
struct Around {
  int functions = 0;
  int classes = 0;

  void step(TSNode definition, int by) {
    if (is(definition, grammar().function_definition)) functions += by;
    if (is(definition, grammar().class_definition)) classes += by;
  }
};

void FileReader::read_name_of(TSNode statement, const Around& around) {
  const Grammar& g = grammar();
  TSSymbol symbol = ts_node_symbol(statement);
  if (symbol == g.import_statement) read_import(statement, around.functions == 0);
  if (symbol == g.import_from_statement) read_import_from(statement, around.functions == 0);
  bool defines = symbol == g.function_definition || symbol == g.class_definition;
  if (defines && around.functions == 0 && around.classes == 0)
    names_.define(source_.text(field(statement, g.name)));
}

void FileReader::read_names(TSNode root) {
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  Around around;
  bool going = ts_tree_cursor_goto_first_child(&cursor);
  while (going) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    read_name_of(node, around);
    if (holds_statements(node) && ts_tree_cursor_goto_first_child(&cursor)) {
      around.step(node, 1);
      continue;
    }
    while (going && !ts_tree_cursor_goto_next_sibling(&cursor)) {
      going = ts_tree_cursor_goto_parent(&cursor);
      TSNode left = ts_tree_cursor_current_node(&cursor);
      if (going) around.step(left, -1);
      if (ts_node_eq(left, root)) going = false;
    }
  }
  ts_tree_cursor_delete(&cursor);
}

void FileReader::add_import(std::string module, std::string name, std::string alias, TSNode node,
                            bool top_level) {
  TSNode statement = ts_node_parent(node);
  bool whole = is(node, grammar().import_statement) || is(node, grammar().import_from_statement);
  Import import{std::move(module),
                std::move(name),
                std::move(alias),
                source_.line(whole ? node : statement),
                top_level,
                Source::span(node),
                Source::span(whole ? node : statement)};
  names_.import(import);
  facts_.imports.push_back(std::move(import));
}

void FileReader::read_import(TSNode node, bool top_level) {
  const Grammar& g = grammar();
  for (TSNode item : named_children(node)) {
    bool aliased = is(item, g.aliased_import);
    std::string module(source_.text(aliased ? field(item, g.name) : item));
    std::string alias(aliased ? std::string(source_.text(field(item, g.alias)))
                              : module.substr(0, module.find('.')));
    add_import(module, "", alias, item, top_level);
  }
}

void FileReader::read_import_from(TSNode node, bool top_level) {
  const Grammar& g = grammar();
  TSNode module_node = field(node, g.module_name);
  std::string module(source_.text(module_node));
  for (TSNode item : named_children(node)) {
    if (ts_node_eq(item, module_node)) continue;
    if (is(item, g.wildcard_import)) {
      add_import(module, "*", "", item, top_level);
    } else if (is(item, g.aliased_import)) {
      std::string name(source_.text(field(item, g.name)));
      add_import(module, name, std::string(source_.text(field(item, g.alias))), item, top_level);
    } else if (is(item, g.dotted_name)) {
      std::string name(source_.text(item));
      add_import(module, name, name, item, top_level);
    }
  }
}

// --- statements ---

void FileReader::read_block(TSNode block, const Position& at) {
  if (ts_node_is_null(block) || at.depth > kMaxDepth) return;
  for (TSNode statement : named_children(block)) read_statement(statement, at);
}

void FileReader::read_statement(TSNode node, const Position& at) {
  const Grammar& g = grammar();
  TSSymbol symbol = ts_node_symbol(node);
  if (symbol == g.class_definition) return read_class(node, {}, at);
  if (symbol == g.function_definition) return read_function(node, {}, at);
  if (symbol == g.decorated_definition) return read_decorated(node, at);
  if (symbol == g.expression_statement) return read_expression_statement(node, at);
  if (symbol == g.import_statement || symbol == g.import_from_statement ||
      symbol == g.future_import_statement)
    return;
  if (read_compound(node, at)) return;
  if (ts_node_is_error(node)) {
    Position inside = at;
    ++inside.depth;
    return read_block(node, inside);
  }
  Role role = symbol == g.assert_statement   ? Role::condition
              : symbol == g.return_statement ? Role::returned
                                             : Role::other;
  read_expression(node, at,
                  standing_at(at, role, role == Role::condition ? Polarity::requires_ : Polarity::none));
}

// The grammar gives `except*` no kind of its own: the star is a token of the clause.
bool is_group_clause(const Source& source, TSNode clause) {
  return is(clause, grammar().except_clause) && ts_node_child_count(clause) > 1 &&
         source.text(ts_node_child(clause, 1)) == "*";
}

Context try_context(const Source& source, TSNode node) {
  for (TSNode part : named_children(node))
    if (is_group_clause(source, part)) return Context::try_group;
  return Context::try_;
}

bool FileReader::read_compound(TSNode node, const Position& at) {
  const Grammar& g = grammar();
  TSSymbol symbol = ts_node_symbol(node);
  if (symbol == g.if_statement) return read_if(node, at), true;
  if (symbol == g.for_statement) return read_for(node, at), true;
  if (symbol == g.try_statement) return read_clauses(node, at, try_context(source_, node)), true;
  if (symbol == g.with_statement) return read_clauses(node, at, Context::with), true;
  if (symbol == g.while_statement) return read_clauses(node, at, Context::while_), true;
  if (symbol == g.match_statement || symbol == g.case_clause)
    return read_clauses(node, at, Context::match), true;
  return false;
}

Position below(const Position& at, Context context) {
  Position inside = at;
  bool own = at.context == Context::module || at.context == Context::main_guard;
  bool wins = context == Context::match || context == Context::try_group;
  bool code_of_module = at.context != Context::function && at.context != Context::class_;
  if (own || (wins && code_of_module)) inside.context = context;
  inside.conditional = at.class_body >= 0;
  inside.direct = at.direct && context == Context::with;
  ++inside.depth;
  return inside;
}

// Blocks of a compound statement one by one; what is no block or clause is an expression of its header.
void FileReader::read_clauses(TSNode node, const Position& at, Context context) {
  const Grammar& g = grammar();
  Position inside = below(at, context);
  if (at.depth > kMaxDepth) return;
  bool condition = context == Context::while_;
  if (context == Context::with && is(node, g.with_statement))
    inside.faked = at.faked || enters_fake_mode(node);
  for (TSNode part : named_children(node)) {
    TSSymbol symbol = ts_node_symbol(part);
    if (symbol == g.block) {
      read_block(part, inside);
    } else if (symbol == g.except_clause || symbol == g.except_group_clause || symbol == g.finally_clause ||
               symbol == g.else_clause || symbol == g.case_clause) {
      read_clauses(part, inside, context);
    } else if (symbol == g.class_definition || symbol == g.function_definition ||
               symbol == g.decorated_definition) {
      read_statement(part, inside);
    } else {
      read_expression(part, at,
                      standing_at(at, condition ? Role::condition : Role::other,
                                  condition ? Polarity::requires_ : Polarity::none));
    }
  }
}

bool any_with(const std::vector<Use>& uses, std::size_t first, Polarity polarity) {
  return std::any_of(uses.begin() + static_cast<std::ptrdiff_t>(first), uses.end(),
                     [&](const Use& use) { return use.polarity == polarity; });
}

// With FakeTensorMode(), and with a name that was given one.
bool FileReader::makes_fake_mode(TSNode call) const {
  if (!is(call, grammar().call)) return false;
  std::string callee = dotted_text(source_, field(call, grammar().function));
  const std::vector<std::string>& modes = uses_.lexicon().fake_modes;
  return std::find(modes.begin(), modes.end(), last_word(callee)) != modes.end();
}

bool FileReader::enters_fake_mode(TSNode with_statement) const {
  const Grammar& g = grammar();
  for (TSNode clause : named_children(with_statement)) {
    if (is(clause, g.block)) continue;
    for (TSNode item : named_children(clause)) {
      std::vector<TSNode> value = named_children(item);
      if (value.empty()) continue;
      TSNode mode = is(value.front(), g.as_pattern) ? named_children(value.front()).front() : value.front();
      if (makes_fake_mode(unwrapped(mode)) || fake_modes_.count(source_.text(mode)) > 0) return true;
    }
  }
  return false;
}

// if "cuda" in self._testMethodName: what follows is for tests of that name.
bool FileReader::asks_for_test_name(TSNode condition) const {
  std::string_view text = source_.text(condition);
  return text.find("self._testMethodName") != std::string_view::npos ||
         text.find("self.id()") != std::string_view::npos;
}

void FileReader::read_if(TSNode node, const Position& at) {
  const Grammar& g = grammar();
  if (at.depth > kMaxDepth) return;
  TSNode condition = field(node, g.condition);
  TSNode body = field(node, g.consequence);
  bool main = at.context == Context::module && is_main_guard(source_, condition);
  Position inside = below(at, main ? Context::main_guard : Context::if_);
  bool ends = at.direct && leaves_scope(source_, body);
  bool gate = at.context == Context::main_guard;  // if HAS_GPU: run_tests()
  bool asks = uses_.asks_for_device(condition);
  Standing standing = standing_at(at, Role::condition, Polarity::requires_);
  if (ends) standing = standing_at(at, Role::guard, Polarity::excludes);
  if (gate) standing.role = Role::guard;
  standing.in_device_branch = standing.in_device_branch || asks;
  std::size_t first = facts_.uses.size();
  read_expression(condition, at, standing);
  bool hardware = any_with(facts_.uses, first, Polarity::requires_);
  bool no_hardware = any_with(facts_.uses, first, Polarity::excludes);
  if (main) inside.direct = false;
  if (gate) inside.context = Context::main_guard;
  bool by_name = asks_for_test_name(condition);
  inside.optional = at.optional || (hardware && !ends) || by_name;
  inside.in_device_branch = at.in_device_branch || asks;
  read_block(body, inside);
  inside.optional = at.optional || (no_hardware && !ends) || by_name;
  Position otherwise = at;
  otherwise.in_device_branch = inside.in_device_branch;
  for (TSNode part : named_children(node)) {
    if (is(part, g.else_clause)) read_block(field(part, g.body), inside);
    if (is(part, g.elif_clause)) read_if(part, otherwise);
  }
  device_settled_ = device_settled_ || (asks && ends);
}

void FileReader::read_for(TSNode node, const Position& at) {
  const Grammar& g = grammar();
  TSNode variable = field(node, g.left);
  TSNode iterated = unwrapped(field(node, g.right));
  std::string name(source_.text(variable));
  if (is(variable, g.identifier) && (is(iterated, g.tuple) || is(iterated, g.list))) {
    std::vector<std::string> classes;
    for (TSNode item : named_children(iterated))
      if (is(item, g.identifier)) classes.emplace_back(source_.text(item));
    if (classes.size() == named_children(iterated).size()) loop_classes_[name] = classes;
  }
  if (at.depth <= kMaxDepth) {
    Position inside = below(at, Context::for_);
    read_expression(field(node, g.right), at, standing_at(at, Role::other));
    bind_locals(variable, at);
    read_block(field(node, g.body), inside);
    TSNode otherwise = field(node, g.alternative);
    if (is(otherwise, g.else_clause)) read_block(field(otherwise, g.body), inside);
  }
  loop_classes_.erase(name);
}

void FileReader::read_decorated(TSNode node, const Position& at) {
  const Grammar& g = grammar();
  std::vector<TSNode> decorators;
  for (TSNode part : named_children(node))
    if (is(part, g.decorator)) decorators.push_back(part);
  TSNode definition = field(node, g.definition);
  if (is(definition, g.class_definition)) read_class(definition, decorators, at);
  if (is(definition, g.function_definition)) read_function(definition, decorators, at);
}

std::vector<Base> bases_of(const Source& source, const Names& names, TSNode node) {
  std::vector<Base> bases;
  TSNode list = field(node, grammar().superclasses);
  if (ts_node_is_null(list)) return bases;
  for (TSNode item : named_children(list)) {
    if (is(item, grammar().keyword_argument)) continue;
    std::string name = dotted_text(source, item);
    bases.push_back({name, names.resolve(name), source.one_line(item, kMaxText)});
  }
  return bases;
}

void FileReader::read_class(TSNode node, const std::vector<TSNode>& decorators, const Position& at) {
  const Grammar& g = grammar();
  Class cls;
  TSNode name = field(node, g.name);
  cls.name = std::string(source_.text(name));
  cls.qualified_name = at.prefix + cls.name;
  cls.line = source_.line(node);
  cls.col = source_.col(node);
  cls.end_line = source_.end_line(node);
  cls.context = at.class_body >= 0 ? Context::class_ : at.context;
  cls.bases = bases_of(source_, names_, node);
  cls.span = Source::span(node);
  cls.body = Source::span(field(node, g.body));
  std::vector<TSNode> statements = named_children(field(node, g.body));
  if (!statements.empty() && is(statements.front(), g.expression_statement) &&
      is_docstring(statements.front()))
    cls.docstring = Source::span(statements.front());
  cls.decorators = decorators_of(decorators);
  int index = static_cast<int>(facts_.classes.size());
  // A class inside a method or function cannot be collected on its own: its uses are those of the code around
  // it.
  bool local = at.scope.method_index >= 0 || at.scope.function_index >= 0;
  Position inside = at;
  if (!local) inside.scope = {index, -1, -1};
  inside.context = local ? Context::function : Context::class_;
  inside.prefix = cls.qualified_name + ".";
  inside.class_body = index;
  inside.conditional = false;
  inside.direct = true;
  ++inside.depth;
  facts_.classes.push_back(cls);
  for (const Base& base : cls.bases) uses_.read_base(base, inside.scope, cls.line, cls.col);
  read_decorators(decorators, cls.decorators, inside.scope);
  read_block(field(node, g.body), inside);
}

bool is_async(const Source& source, TSNode function) { return source.text(function).substr(0, 5) == "async"; }

void FileReader::read_function(TSNode node, const std::vector<TSNode>& decorators, const Position& at) {
  const Grammar& g = grammar();
  Method method;
  method.name = std::string(source_.text(field(node, g.name)));
  method.line = source_.line(node);
  method.col = source_.col(node);
  method.end_line = source_.end_line(node);
  method.is_test = starts_with_test(method.name);
  method.async = is_async(source_, node);
  method.conditional = at.conditional;
  method.params = parameters_of(node);
  method.param_list = inside_brackets(field(node, g.parameters));
  method.is_stub = is_stub(source_, field(node, g.body));
  method.decorators = decorators_of(decorators);
  Position inside = at;
  bool local = at.scope.method_index >= 0 || at.scope.function_index >= 0;
  if (at.class_body >= 0) {
    Class& cls = facts_.classes[static_cast<std::size_t>(at.class_body)];
    if (!local) inside.scope.method_index = static_cast<int>(cls.methods.size());
    cls.methods.push_back(method);
  } else if (!local) {
    inside.scope.function_index = static_cast<int>(facts_.functions.size());
    facts_.functions.push_back({method.name, method.line, method.col, method.end_line, method.is_test,
                                method.async, method.params, method.decorators});
  }
  inside.context = Context::function;
  inside.prefix = at.prefix + method.name + ".<locals>.";
  inside.class_body = -1;
  inside.conditional = false;
  inside.direct = !local;
  ++inside.depth;
  read_decorators(decorators, method.decorators, inside.scope);
  read_defaults(node, inside.scope);
  std::size_t outer_names = uses_.locals().mark();
  bool outer_settled = std::exchange(device_settled_, local && device_settled_);
  bind_parameters(field(node, g.parameters), local ? Locals::Binding::other : Locals::Binding::parameter);
  read_block(field(node, g.body), inside);
  uses_.locals().release(outer_names);
  device_settled_ = outer_settled;
}

// --- simple statements ---

void FileReader::read_expression_statement(TSNode node, const Position& at) {
  const Grammar& g = grammar();
  if (is_docstring(node)) return;
  for (TSNode part : named_children(node)) {
    if (is(part, g.assignment)) {
      read_assignment(part, at);
    } else if (is(part, g.augmented_assignment)) {
      add_constant(std::string(source_.text(field(part, g.left))), {});
      read_expression(field(part, g.right), at, standing_at(at, Role::assigned));
    } else {
      read_expression(part, at, standing_at(at, Role::other), true);
    }
  }
}

// The value of `a = b = value`.
TSNode assigned_value(TSNode assignment) {
  TSNode value = field(assignment, grammar().right);
  while (is(value, grammar().assignment)) value = field(value, grammar().right);
  return value;
}

void FileReader::read_assignment(TSNode node, const Position& at) {
  const Grammar& g = grammar();
  TSNode value = assigned_value(node);
  std::size_t first_use = facts_.uses.size();
  if (!ts_node_is_null(value)) read_expression(value, at, standing_at(at, Role::assigned));
  note_target(field(node, g.left), first_use);
  if (makes_fake_mode(value)) fake_modes_.emplace(source_.text(field(node, g.left)));
  for (TSNode part = node; is(part, g.assignment); part = field(part, g.right)) {
    TSNode target = field(part, g.left);
    read_target(part, target, at);
    bind_locals(target, at);
    bool module_level = at.scope.class_index < 0 && at.scope.function_index < 0;
    if (is(target, g.identifier) && module_level && !ts_node_is_null(value)) {
      std::string name(source_.text(target));
      std::string dotted = dotted_text(source_, value);
      if (at.context == Context::module) names_.alias(name, dotted);
      if (at.context == Context::module && !dotted.empty())
        facts_.aliases.push_back({name, names_.resolve(dotted)});
      add_constant(name, read_filter(source_, names_, value));
      read_module_value(name, value, first_use);
    }
  }
}

// Names what gets the value. A device that becomes a member of anything but the test itself is a value of
// that object: wrapper.device = "cuda".
void FileReader::note_target(TSNode target, std::size_t first_use) {
  std::string name = dotted_text(source_, target);
  if (name.empty()) return;
  std::size_t dot = name.find('.');
  std::string_view object = std::string_view(name).substr(0, dot);
  bool foreign = dot != std::string::npos && object != "self" && object != "cls";
  for (std::size_t i = first_use; i < facts_.uses.size(); ++i) {
    Use& use = facts_.uses[i];
    use.target = name;
    if (foreign && use.role == Role::assigned && use.kind == UseKind::device_literal) use.role = Role::other;
  }
}

// self.x, which is written and not read.
bool is_own_member(const Source& source, TSNode target) {
  std::string_view object = source.text(field(target, grammar().object));
  return object == "self" || object == "cls";
}

void FileReader::read_target(TSNode assignment, TSNode target, const Position& at) {
  const Grammar& g = grammar();
  if (is(target, g.identifier) && at.class_body >= 0) {
    Class& cls = facts_.classes[static_cast<std::size_t>(at.class_body)];
    std::string_view name = source_.text(target);
    if (name == kLabel) read_label(assignment, cls, at, false);
    if (starts_with_test(name))
      cls.assigned_tests.push_back({std::string(name), is_value(assigned_value(assignment)),
                                    source_.line(assignment), source_.col(assignment)});
  } else if (is(target, g.attribute) && source_.text(field(target, g.attribute_field)) == kLabel) {
    Class* cls = class_named(source_.text(field(target, g.object)));
    if (cls != nullptr && at.scope.class_index < 0) read_label(assignment, *cls, at, true);
  } else if (is(target, g.subscript) || (is(target, g.attribute) && !is_own_member(source_, target))) {
    read_expression(target, at, standing_at(at, Role::other));
  }
}

// A device filter that imports of this file may name. A name that gets a second value stands for neither.
void FileReader::add_constant(const std::string& name, const DeviceFilter& filter) {
  names_.constant(name, filter);
  auto known = std::find_if(facts_.constants.begin(), facts_.constants.end(),
                            [&](const DeviceConstant& constant) { return constant.name == name; });
  if (known != facts_.constants.end())
    known->value.state = DeviceFilter::State::unknown;
  else if (filter.state == DeviceFilter::State::literal && uses_.are_devices(filter.values))
    facts_.constants.push_back({name, filter});
}

// Names that a function binds by itself hide those of the module.
void FileReader::bind_locals(TSNode target, const Position& at) {
  bool in_function = at.scope.method_index >= 0 || at.scope.function_index >= 0;
  if (in_function) uses_.bind_names(target);
}

void FileReader::bind_parameters(TSNode list, Locals::Binding binding) {
  for (TSNode node : named_children(list)) {
    TSNode name = name_of_parameter(node);
    if (is(name, grammar().identifier)) uses_.locals().bind(source_.text(name), binding);
  }
}

Class* FileReader::class_named(std::string_view name) {
  for (auto cls = facts_.classes.rbegin(); cls != facts_.classes.rend(); ++cls)
    if (cls->name == name) return &*cls;
  return nullptr;
}

// How the right-hand side of hw_classification is written.
void read_label_value(const Source& source, const Names& names, TSNode value, Label& label) {
  const Grammar& g = grammar();
  std::string written = dotted_text(source, value);
  std::string symbol = names.resolve(written);
  std::size_t dot = symbol.rfind('.');
  if (is(value, g.none)) {
    label.form = Label::Form::none;
  } else if (is(value, g.string)) {
    label.form = Label::Form::text;
    label.value = std::string(string_literal(source, value).inner);
  } else if (dot != std::string::npos && last_word(std::string_view(symbol).substr(0, dot)) == kEnum) {
    label.value = symbol.substr(dot + 1);
    bool bare = written == std::string(kEnum) + "." + label.value;
    label.form = bare ? Label::Form::plain : Label::Form::alias;
  } else {
    label.form = Label::Form::unknown;
  }
}

void FileReader::read_label(TSNode assignment, Class& cls, const Position& at, bool outside) {
  const Grammar& g = grammar();
  Label label;
  label.line = source_.line(assignment);
  label.col = source_.col(assignment);
  label.conditional = at.conditional || (outside && at.context != Context::module);
  label.outside = outside;
  TSNode value = assigned_value(assignment);
  TSNode annotation = field(assignment, g.type_field);
  if (ts_node_is_null(value)) {
    label.form = Label::Form::annotation_only;
  } else {
    label.text = source_.one_line(value, kMaxText);
    label.value_span = Source::span(value);
    read_label_value(source_, names_, unwrapped(value), label);
  }
  if (!ts_node_is_null(annotation) && label.form == Label::Form::plain)
    label.form = source_.text(annotation) == kEnum ? Label::Form::annotated : Label::Form::other_annotation;
  cls.labels.push_back(label);
}

// --- module-level values that name devices ---

bool is_device_value(const Source& source, TSNode value) {
  const Grammar& g = grammar();
  value = unwrapped(value);
  if (is(value, g.call)) {
    std::string callee = dotted_text(source, field(value, g.function));
    return last_word(callee) == "device";
  }
  return is(value, g.string) || is(value, g.conditional_expression) || is(value, g.list) ||
         is(value, g.tuple) || is(value, g.set) || is(value, g.binary_operator) || is(value, g.identifier) ||
         is(value, g.attribute);
}

bool is_truth_value(TSNode value) {
  const Grammar& g = grammar();
  value = unwrapped(value);
  return is(value, g.call) || is(value, g.boolean_operator) || is(value, g.not_operator) ||
         is(value, g.comparison_operator) || is(value, g.identifier) || is(value, g.attribute);
}

void FileReader::read_module_value(const std::string& name, TSNode value, std::size_t first_use) {
  HardwareName known;
  bool named = false;
  bool asked = false;
  for (std::size_t i = first_use; i < facts_.uses.size(); ++i) {
    const Use& use = facts_.uses[i];
    bool chosen = use.kind == UseKind::device_literal || use.kind == UseKind::constant ||
                  use.kind == UseKind::device_variable;
    named = named || (chosen && use.role != Role::key);
    asked = asked || use.kind == UseKind::flag || use.kind == UseKind::api || use.kind == UseKind::call;
    if (use.role == Role::guard) known.is_guard = true, known.polarity = use.polarity;
    for (const std::string& device : use.devices)
      if (std::find(known.devices.begin(), known.devices.end(), device) == known.devices.end())
        known.devices.push_back(device);
  }
  if (known.is_guard) {
    known.kind = UseKind::decorator;
  } else if (named && is_device_value(source_, value)) {
    known.kind = UseKind::device_variable;
  } else if (asked && !named && is_truth_value(value)) {
    known.kind = UseKind::flag;
  } else {
    return;
  }
  names_.hardware(name, known);
}

// --- parts ---

Decorator FileReader::decorator_of(TSNode node) const {
  const Grammar& g = grammar();
  Decorator decorator;
  decorator.line = source_.line(node);
  decorator.col = source_.col(node);
  decorator.span = Source::span(node);
  std::vector<TSNode> inside = named_children(node);
  if (inside.empty()) return decorator;
  TSNode expression = unwrapped(inside.front());
  decorator.text = source_.one_line(expression, kMaxText);
  decorator.called = is(expression, g.call);
  if (decorator.called) expression = field(expression, g.function);
  decorator.name = dotted_text(source_, expression);
  decorator.symbol = names_.resolve(decorator.name);
  return decorator;
}

std::vector<Decorator> FileReader::decorators_of(const std::vector<TSNode>& nodes) const {
  std::vector<Decorator> decorators;
  for (TSNode node : nodes) decorators.push_back(decorator_of(node));
  return decorators;
}

void FileReader::read_decorators(const std::vector<TSNode>& nodes, const std::vector<Decorator>& decorators,
                                 const Scope& scope) {
  const Grammar& g = grammar();
  Position at;
  at.scope = scope;
  at.context = Context::function;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    uses_.read_decorator(decorators[i], scope);
    for (TSNode part : named_children(nodes[i])) {
      TSNode expression = unwrapped(part);
      if (decorators[i].name.empty()) {
        read_expression(expression, at, {Role::argument, Polarity::none, false, false});
      } else if (is(expression, g.call)) {
        read_expression(expression, at, {Role::decorator, Polarity::none, false, false});
      }
    }
  }
}

Parameter parameter_of(const Source& source, TSNode node) {
  const Grammar& g = grammar();
  TSNode name = name_of_parameter(node);
  Parameter parameter;
  if (is(name, g.list_splat_pattern)) parameter.kind = Parameter::Kind::var_positional;
  if (is(name, g.dictionary_splat_pattern)) parameter.kind = Parameter::Kind::var_keyword;
  std::string_view text = source.text(name);
  parameter.name = std::string(text.substr(std::min(text.find_first_not_of("* \t"), text.size())));
  return parameter;
}

std::vector<Parameter> FileReader::parameters_of(TSNode function) const {
  const Grammar& g = grammar();
  std::vector<Parameter> parameters;
  TSNode list = field(function, g.parameters);
  if (ts_node_is_null(list)) return parameters;
  bool keyword_only = false;
  for (TSNode node : named_children(list)) {
    if (is(node, g.positional_separator)) {
      for (Parameter& before : parameters) before.kind = Parameter::Kind::positional_only;
      continue;
    }
    if (is(node, g.keyword_separator)) {
      keyword_only = true;
      continue;
    }
    Parameter parameter = parameter_of(source_, node);
    parameter.has_default = is(node, g.default_parameter) || is(node, g.typed_default_parameter);
    if (keyword_only && parameter.kind == Parameter::Kind::positional)
      parameter.kind = Parameter::Kind::keyword_only;
    keyword_only = keyword_only || parameter.kind == Parameter::Kind::var_positional;
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

void FileReader::read_defaults(TSNode function, const Scope& scope) {
  const Grammar& g = grammar();
  TSNode list = field(function, g.parameters);
  if (ts_node_is_null(list)) return;
  Position at;
  at.scope = scope;
  at.context = Context::function;
  for (TSNode node : named_children(list))
    if (is(node, g.default_parameter) || is(node, g.typed_default_parameter))
      read_expression(field(node, g.value), at, {Role::assigned, Polarity::none, false, false});
}

void FileReader::add_instantiation(Instantiation call, const Position& at, bool is_statement) {
  call.context = at.context;
  call.is_statement = is_statement;
  auto loop = loop_classes_.find(call.class_name);
  if (loop == loop_classes_.end()) return facts_.instantiations.push_back(std::move(call));
  call.from_loop = true;
  for (const std::string& name : loop->second) {
    call.class_name = name;
    facts_.instantiations.push_back(call);
  }
}

void FileReader::add_torch_call(TSNode call, const Position& at) {
  if (at.scope.class_index < 0) return;
  std::string chain = torch_chain(source_, call);
  if (!chain.empty()) facts_.torch_calls.push_back({std::move(chain), source_.line(call), source_.col(call)});
}

void FileReader::add_dynamic_class(TSNode call, const Position& at) {
  if (at.scope.class_index >= 0 || at.scope.function_index >= 0) return;
  if (std::optional<DynamicClass> made = read_dynamic_class(source_, call))
    facts_.dynamic_classes.push_back(std::move(*made));
}

// Test functions of the module whose name stands anywhere else too: in one pass over the words of the text.
void FileReader::find_references() {
  std::unordered_map<std::string_view, int> seen;
  for (const Function& function : facts_.functions)
    if (function.is_test) --seen[function.name];
  if (seen.empty()) return;
  for_each_word(source_.text(), [&](std::string_view word) {
    auto found = seen.find(word);
    if (found != seen.end()) ++found->second;
  });
  for (Function& function : facts_.functions)
    function.referenced = function.is_test && seen[function.name] > 0;
}

void FileReader::settle_torch_calls() {
  bool labelled = std::any_of(facts_.classes.begin(), facts_.classes.end(),
                              [](const Class& cls) { return !cls.labels.empty(); });
  if (!labelled) facts_.torch_calls.clear();
  std::stable_sort(facts_.torch_calls.begin(), facts_.torch_calls.end(),
                   [](const TorchCall& a, const TorchCall& b) { return a.line < b.line; });
}

void FileReader::read_expression(TSNode node, const Position& at, const Standing& standing,
                                 bool is_statement) {
  // The device names in an instantiation call are its filters, no uses.
  auto on_call = [&](TSNode call) {
    if (std::optional<CopiedTests> copied = read_copied_tests(source_, call))
      facts_.copied_tests.push_back(std::move(*copied));
    std::optional<Instantiation> found = read_instantiation(source_, names_, call);
    if (found) add_instantiation(std::move(*found), at, is_statement && ts_node_eq(call, node));
    add_dynamic_class(call, at);
    add_torch_call(call, at);
    return !found.has_value();
  };
  uses_.read(node, at.scope, standing, on_call);
}

void add_import_uses(const Lexicon& lexicon, FileFacts& facts) {
  for (const Import& import : facts.imports) {
    std::string symbol = import.module + (import.name.empty() || import.name == "*" ? "" : "." + import.name);
    auto found = lexicon.names.find(symbol);
    if (found == lexicon.names.end() || found->second.kind != UseKind::import) continue;
    Use use;
    use.kind = UseKind::import;
    use.symbol = symbol;
    use.devices = found->second.devices;
    use.line = import.line;
    use.col = 1;
    facts.uses.push_back(std::move(use));
  }
}

void sort_by_place(std::vector<Use>& uses) {
  auto place = [](const Use& use) { return std::pair(use.line, use.col); };
  std::stable_sort(uses.begin(), uses.end(), [&](const Use& a, const Use& b) { return place(a) < place(b); });
}

}  // namespace

FileFacts analyze_python(const std::string& path, const Decoded& decoded, const Lexicon& lexicon) {
  FileFacts facts;
  facts.path = path;
  facts.test_file = is_test_file(path);
  if (!decoded.ok) {
    facts.parse.ok = facts.parse.decoded = false;
    facts.parse.read = !decoded.source.text.empty();
    facts.parse.errors.push_back({decoded.failure.line, decoded.failure.col, decoded.failure.message});
    if (!facts.parse.read) return facts;
  }
  ParsedSource parsed = parse_python(decoded.source.text);
  if (decoded.ok) facts.parse.errors = parsed.errors;  // else most would be about the bytes that are no text
  facts.parse.ok = facts.parse.errors.empty();
  Source source(decoded.source.text);
  FileReader reader(facts, source, lexicon);
  reader.read(ts_tree_root_node(parsed.tree.get()));
  add_import_uses(lexicon, facts);
  sort_by_place(facts.uses);
  link_inherited_labels(facts);
  return facts;
}

FileFacts analyze_python(const std::string& path, const std::string& bytes, const Lexicon& lexicon) {
  return analyze_python(path, decode_python_source(bytes), lexicon);
}

}  // namespace hwsift::analyzer
