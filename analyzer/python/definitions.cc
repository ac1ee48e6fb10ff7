// Classes, functions and their parts.
#include <algorithm>
#include <utility>

#include "analyzer/python/calls.h"
#include "analyzer/python/file_reader.h"
#include "base/text.h"

namespace hwsift::analyzer {

namespace {

// A dotted name may have blanks, lines and comments between its parts.
std::string without_space(std::string_view text) {
  std::string dotted;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '#') at = std::min(text.find('\n', at), text.size());
    bool part = at < text.size() && text[at] != '\\' && !is_ascii_space(text[at]);
    if (part) dotted += text[at];
  }
  return dotted;
}

// pass, a docstring, `...`, raise, return without a value and a call that skips do nothing.
bool does_nothing(const Source& source, TSNode statement) {
  const Grammar& g = grammar();
  if (is(statement, g.pass_statement) || is(statement, g.raise_statement)) return true;
  std::vector<TSNode> inside = named_children(statement);
  if (is(statement, g.return_statement)) return inside.empty();
  if (!is(statement, g.expression_statement) || inside.size() != 1 || !is_alone(statement)) return false;
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

}  // namespace

void FileReader::read_decorated(TSNode node, const Position& at) {
  const Grammar& g = grammar();
  std::vector<TSNode> decorators;
  for (TSNode part : named_children(node))
    if (is(part, g.decorator)) decorators.push_back(part);
  TSNode definition = field(node, g.definition);
  read_definition(definition, decorators, at);
}

// In an excerpt `class` may stand for `def`.
void FileReader::read_definition(TSNode node, const std::vector<TSNode>& decorators, const Position& at) {
  if (is(node, grammar().function_definition) || !source_.functions_at(node).empty())
    read_function(node, decorators, at);
  else if (is(node, grammar().class_definition))
    read_class(node, decorators, at);
}

namespace {

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

std::vector<Base> bases_of(const Source& source, const Names& names, const PlainClass& plain) {
  std::vector<Base> bases;
  for (Span base : plain.bases) {
    std::string name = without_space(source.text(base));
    bases.push_back({name, names.resolve(name), source.one_line(base, kMaxText)});
  }
  return bases;
}

void note_places(const PlainClass& plain, Class& cls) {
  cls.span = plain.span;
  cls.body = plain.body;
  cls.docstring = plain.docstring;
}

void note_places(const Source& source, TSNode node, Class& cls) {
  TSNode body = field(node, grammar().body);
  cls.span = source.code_span(node);
  cls.body = source.code_span(body);
  std::vector<TSNode> statements = named_children(body);
  if (!statements.empty() && is(statements.front(), grammar().expression_statement) &&
      is_docstring(statements.front()))
    cls.docstring = source.span(statements.front());
}

}  // namespace

void FileReader::read_class(TSNode node, const std::vector<TSNode>& decorators, const Position& at) {
  const Grammar& g = grammar();
  Class cls;
  TSNode name = field(node, g.name);
  cls.name = std::string(source_.text(name));
  cls.qualified_name = at.prefix + cls.name;
  cls.line = source_.line(node);
  cls.col = source_.col(node);
  cls.context = at.class_body >= 0 ? Context::class_ : at.context;
  const PlainClass* known = source_.class_at(node);
  if (known != nullptr)
    note_places(*known, cls);
  else
    note_places(source_, node, cls);
  cls.end_line = source_.line(cls.span.end);
  bool has_bases = known != nullptr && known->has_bases;
  cls.bases = has_bases ? bases_of(source_, names_, *known) : bases_of(source_, names_, node);
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

namespace {

bool is_async(const Source& source, TSNode function) { return source.text(function).substr(0, 5) == "async"; }

}  // namespace

// Of a function in a function nothing is written down, unless it is in a class there. The scope of its code.
Scope FileReader::add_function(Method method, const Position& at) {
  Scope scope = at.scope;
  bool local = at.scope.method_index >= 0 || at.scope.function_index >= 0;
  if (at.class_body >= 0) {
    Class& cls = facts_.classes[static_cast<std::size_t>(at.class_body)];
    if (!local) scope.method_index = static_cast<int>(cls.methods.size());
    cls.methods.push_back(std::move(method));
  } else if (!local) {
    scope.function_index = static_cast<int>(facts_.functions.size());
    facts_.functions.push_back({std::move(method.name), method.line, method.col, method.end_line,
                                method.is_test, method.async, std::move(method.params),
                                std::move(method.decorators), false, std::move(method.self_reads),
                                std::move(method.names_read)});
  }
  return scope;
}

Method FileReader::method_of(TSNode node, const std::vector<TSNode>& decorators) const {
  const Grammar& g = grammar();
  Method method;
  method.name = std::string(source_.text(field(node, g.name)));
  method.line = source_.line(node);
  method.col = source_.col(node);
  method.end_line = source_.end_line(node);
  method.async = is_async(source_, node);
  method.params = parameters_of(node);
  method.param_list = inside_brackets(source_, field(node, g.parameters));
  method.decorators = decorators_of(decorators);
  return method;
}

// As tokens tell it.
Method FileReader::method_of(const PlainFunction& plain, const std::vector<TSNode>& decorators) const {
  Method method;
  method.name = std::string(source_.text(plain.name));
  method.line = source_.line(plain.span.begin);
  method.col = source_.col(plain.span.begin);
  method.end_line = source_.line(plain.span.end);
  method.async = plain.async;
  method.params = plain.params;
  method.param_list = plain.param_list;
  std::size_t next = 0;
  for (const PlainDecorator& decorator : plain.decorators) {
    bool in_tree = decorator.in_excerpt && next < decorators.size();
    method.decorators.push_back(in_tree ? decorator_of(decorators[next++]) : decorator_of(decorator));
  }
  return method;
}

namespace {

// What is not in the excerpt does it, too.
void note_rest(const PlainFunction& plain, Method& method) {
  method.is_stub = method.is_stub && !plain.acts;
  method.reads_device = plain.reads_device;
  method.self_reads.assign(plain.self_reads.begin(), plain.self_reads.end());
  method.names_read.assign(plain.names_read.begin(), plain.names_read.end());
}

}  // namespace

void FileReader::read_function(TSNode node, const std::vector<TSNode>& decorators, const Position& at) {
  const Grammar& g = grammar();
  std::span<const PlainFunction> known = source_.functions_at(node);
  bool has_header = !known.empty() && known[0].has_header;
  Method method = has_header ? method_of(known[0], decorators) : method_of(node, decorators);
  if (!known.empty()) method.end_line = source_.line(known[0].span.end);
  method.is_test = starts_with_test(method.name);
  method.conditional = at.conditional;
  method.is_stub = is_stub(source_, field(node, g.body));
  if (!known.empty()) note_rest(known[0], method);
  Position inside = at;
  bool local = at.scope.method_index >= 0 || at.scope.function_index >= 0;
  inside.context = Context::function;
  inside.prefix = at.prefix + method.name + ".<locals>.";
  inside.class_body = -1;
  inside.conditional = false;
  inside.direct = !local;
  ++inside.depth;
  inside.scope = add_function(method, at);
  std::size_t outer_names = uses_.locals().mark();
  bool outer_settled = std::exchange(device_settled_, local && device_settled_);
  Locals::Binding binding = local ? Locals::Binding::other : Locals::Binding::parameter;
  if (has_header) {
    read_decorators(known[0], decorators, method.decorators, inside.scope);
    bind_parameters(known[0].params, binding);
  } else {
    read_decorators(decorators, method.decorators, inside.scope);
    read_defaults(node, inside.scope);
    bind_parameters(field(node, g.parameters), binding);
  }
  read_block(field(node, g.body), inside);
  uses_.locals().release(outer_names);
  device_settled_ = outer_settled;
}

// Those that tokens tell, and those of the tree, `nodes`, in the order of the file.
void FileReader::read_decorators(const PlainFunction& plain, const std::vector<TSNode>& nodes,
                                 const std::vector<Decorator>& decorators, const Scope& scope) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < decorators.size(); ++i) {
    if (plain.decorators[i].in_excerpt && next < nodes.size())
      read_decorators({nodes[next++]}, {decorators[i]}, scope);
    else
      uses_.read_decorator(decorators[i], scope);
  }
}

// One of which nothing else is in the tree.
void FileReader::read_plain_function(const PlainFunction& plain, const Position& at) {
  Method method = method_of(plain, {});
  method.is_test = starts_with_test(method.name);
  method.conditional = at.conditional;
  method.is_stub = plain.is_stub;
  note_rest(plain, method);
  std::vector<Decorator> decorators = method.decorators;
  Scope scope = add_function(std::move(method), at);
  for (const Decorator& decorator : decorators) uses_.read_decorator(decorator, scope);
}

Decorator FileReader::decorator_of(const PlainDecorator& plain) const {
  Decorator decorator;
  decorator.line = source_.line(plain.span.begin);
  decorator.col = source_.col(plain.span.begin);
  decorator.span = plain.span;
  decorator.text = source_.one_line(plain.expression, kMaxText);
  decorator.called = plain.called;
  decorator.name = without_space(source_.text(plain.name));
  decorator.symbol = names_.resolve(decorator.name);
  return decorator;
}

Decorator FileReader::decorator_of(TSNode node) const {
  const Grammar& g = grammar();
  Decorator decorator;
  decorator.line = source_.line(node);
  decorator.col = source_.col(node);
  decorator.span = source_.code_span(node);
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

namespace {

Parameter parameter_of(const Source& source, TSNode node) {
  const Grammar& g = grammar();
  TSNode name = name_of_parameter(node);
  Parameter parameter;
  if (is(name, g.list_splat_pattern)) parameter.kind = Parameter::Kind::var_positional;
  if (is(name, g.dictionary_splat_pattern)) parameter.kind = Parameter::Kind::var_keyword;
  bool starred = parameter.kind != Parameter::Kind::positional;
  parameter.name = std::string(source.text(starred ? code_child(name, 1) : name));
  return parameter;
}

}  // namespace

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

void FileReader::bind_parameters(TSNode list, Locals::Binding binding) {
  for (TSNode node : named_children(list)) {
    TSNode name = name_of_parameter(node);
    if (is(name, grammar().identifier)) uses_.locals().bind(source_.text(name), binding);
  }
}

// `params` must outlive the bindings.
void FileReader::bind_parameters(const std::vector<Parameter>& params, Locals::Binding binding) {
  for (const Parameter& param : params)
    if (param.kind != Parameter::Kind::var_positional && param.kind != Parameter::Kind::var_keyword)
      uses_.locals().bind(param.name, binding);
}

}  // namespace hwsift::analyzer
