#include "analyzer/python/analyze.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

#include "analyzer/discover.h"
#include "analyzer/python/calls.h"
#include "analyzer/python/decode.h"
#include "analyzer/python/file_reader.h"
#include "analyzer/python/owners.h"
#include "analyzer/python/suppressions.h"
#include "analyzer/python/syntax.h"
#include "base/text.h"

namespace hwsift::analyzer {

// Python allows 100 levels of indentation; deeper statements of a broken file are not looked at.
constexpr int kMaxDepth = 120;

bool is_alone(TSNode statement) {
  return !ts_node_is_null(code_child(statement, 0)) && ts_node_is_null(code_child(statement, 1));
}

namespace {

// Code that runs stands in it.
bool has_fields(TSNode text) {
  for (TSNode part : named_children(text))
    if (is(part, grammar().interpolation) || (is(part, grammar().string) && has_fields(part))) return true;
  return false;
}

}  // namespace

bool is_docstring(TSNode statement) {
  const Grammar& g = grammar();
  TSNode value = unwrapped(code_child(statement, 0));
  bool is_text = is(value, g.string) || is(value, g.concatenated_string);
  return is_text && is_alone(statement) && !has_fields(value);
}

TSNode name_of_parameter(TSNode node) {
  const Grammar& g = grammar();
  if (is(node, g.default_parameter) || is(node, g.typed_default_parameter)) return field(node, g.name);
  if (!is(node, g.typed_parameter)) return node;
  std::vector<TSNode> inside = named_children(node);
  return inside.empty() ? node : inside.front();
}

namespace {

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

}  // namespace

void FileReader::read_block(TSNode block, const Position& at) {
  if (ts_node_is_null(block) || at.depth > kMaxDepth) return;
  for (TSNode statement : named_children(block)) read_statement(statement, at);
}

void FileReader::read_statement(TSNode node, const Position& at) {
  const Grammar& g = grammar();
  TSSymbol symbol = ts_node_symbol(node);
  if (symbol == g.class_definition || symbol == g.function_definition) return read_definition(node, {}, at);
  if (symbol == g.decorated_definition) return read_decorated(node, at);
  if (symbol == g.expression_statement) return read_expression_statement(node, at);
  if (symbol == g.import_statement || symbol == g.import_from_statement ||
      symbol == g.future_import_statement)
    return;
  if (read_compound(node, at)) return;
  if (symbol == g.delete_statement) note_deleted(node, at);
  if (symbol == g.type_alias_statement) return read_type_statement(node, at);
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

// `type X = ...` runs nothing; the grammar takes `type(self).x = value` and `type[x] = value` for one, too.
void FileReader::read_type_statement(TSNode node, const Position& at) {
  std::vector<TSNode> sides = named_children(node);
  if (sides.size() != 2) return;
  std::string_view target = source_.text(sides[0]);
  if (!target.starts_with('(') && !target.starts_with('[')) return;
  for (TSNode side : {sides[1], sides[0]})
    for (TSNode part : named_children(side)) read_expression(part, at, standing_at(at, Role::assigned));
}

// `del TestTemplate` at module level, so that only the subclasses are there to be collected.
void FileReader::note_deleted(TSNode node, const Position& at) {
  if (at.context != Context::module) return;
  for (TSNode target : named_children(node)) {
    std::vector<TSNode> names =
        is(target, grammar().expression_list) ? named_children(target) : std::vector<TSNode>{target};
    for (TSNode name : names)
      for (Class& cls : facts_.classes)
        if (is(name, grammar().identifier) && cls.context == Context::module &&
            cls.name == source_.text(name))
          cls.deleted_line = source_.line(node);
  }
}

namespace {

// The grammar gives `except*` no kind of its own: the star is a token of the clause.
bool is_group_clause(const Source& source, TSNode clause) {
  return is(clause, grammar().except_clause) && source.text(code_child(clause, 1)) == "*";
}

Context try_context(const Source& source, TSNode node) {
  for (TSNode part : named_children(node))
    if (is_group_clause(source, part)) return Context::try_group;
  return Context::try_;
}

}  // namespace

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

namespace {

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

}  // namespace

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

namespace {

bool any_with(const std::vector<Use>& uses, std::size_t first, Polarity polarity) {
  return std::any_of(uses.begin() + static_cast<std::ptrdiff_t>(first), uses.end(),
                     [&](const Use& use) { return use.polarity == polarity; });
}

}  // namespace

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
      mode = unwrapped(mode);
      if (makes_fake_mode(mode) || fake_modes_.count(source_.text(mode)) > 0) return true;
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
  auto outer = loop_classes_.extract(name);
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
  if (outer) loop_classes_.insert(std::move(outer));
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
  if (uses_.names_hardware(chain))
    facts_.torch_calls.push_back({std::move(chain), source_.line(call), source_.col(call)});
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

namespace {

void sort_once_each(std::vector<std::string>& words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
}

}  // namespace

// Part of what code reads is known before the rest of it is read.
void FileReader::settle_reads() {
  for (Class& cls : facts_.classes) {
    sort_once_each(cls.names_read);
    for (Method& method : cls.methods) {
      sort_once_each(method.self_reads);
      sort_once_each(method.names_read);
    }
  }
  for (Function& function : facts_.functions) {
    sort_once_each(function.self_reads);
    sort_once_each(function.names_read);
  }
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

namespace {

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

FileFacts analyze_python(const std::string& path, const Decoded& decoded, const Lexicon& lexicon,
                         Reading reading, Meter* meter) {
  FileFacts facts;
  facts.path = path;
  facts.test_file = is_test_file(path);
  if (!decoded.ok) {
    facts.parse.ok = facts.parse.decoded = false;
    facts.parse.read = !decoded.source.text.empty();
    facts.parse.errors.push_back({decoded.failure.line, decoded.failure.col, decoded.failure.message});
    if (!facts.parse.read) return facts;
  }
  const Words* words = reading == Reading::excerpt ? lexicon.words.get() : nullptr;
  ParsedSource parsed = parse_python(decoded.source.text, words, meter);
  MeterScope scope(meter, kFacts);
  if (decoded.ok) facts.parse.errors = parsed.errors;  // else most would be about the bytes that are no text
  facts.parse.ok = facts.parse.errors.empty();
  Source source(decoded.source.text, parsed.excerpt ? &*parsed.excerpt : nullptr);
  FileReader reader(facts, source, lexicon);
  reader.read(ts_tree_root_node(parsed.tree.get()));
  facts.suppressions = read_suppressions(source, parsed.comments);
  facts.owners = read_owners(decoded.source.text);
  add_import_uses(lexicon, facts);
  sort_by_place(facts.uses);
  link_inherited_labels(facts);
  return facts;
}

FileFacts analyze_python(const std::string& path, const std::string& bytes, const Lexicon& lexicon) {
  return analyze_python(path, decode_python_source(bytes), lexicon);
}

}  // namespace hwsift::analyzer
