#include "analyzer/python/calls.h"

#include <utility>

namespace hwsift::analyzer {
namespace {

constexpr std::string_view kInstantiate = "instantiate_device_type_tests";
constexpr std::string_view kTorch = "torch";
constexpr std::size_t kMaxText = 200;
constexpr std::size_t kMaxChain = 64;

// The parameters of instantiate_device_type_tests in order: 2.6.0 and 2.14.1 agree.
enum Position { kTemplate, kScope, kExceptFor, kOnlyFor, kIncludeLazy, kAllowMps, kAllowXpu };

bool is_plain_text(const Source& source, TSNode node) {
  StringLiteral literal = string_literal(source, node);
  return is(node, grammar().string) && literal.is_text && !literal.interpolated;
}

Tri read_flag(TSNode value) {
  const Grammar& g = grammar();
  if (is(value, g.true_)) return Tri::yes;
  if (is(value, g.false_) || is(value, g.none)) return Tri::no;
  return Tri::unknown;
}

DeviceFilter argument_filter(const Source& source, const Names& names, TSNode value, bool by_position) {
  DeviceFilter filter = read_filter(source, names, value);
  filter.by_position = by_position;
  filter.span = source.span(by_position ? value : ts_node_parent(value));
  return filter;
}

void read_argument(const Source& source, const Names& names, int position, bool by_position, TSNode value,
                   Instantiation& call) {
  switch (position) {
    case kTemplate:
      call.first_argument = source.one_line(value, kMaxText);
      call.template_by_keyword = !by_position;
      if (is(value, grammar().identifier)) call.class_name = std::string(source.text(value));
      call.symbol = names.resolve(dotted_text(source, value));
      break;
    case kExceptFor:
      call.except_for = argument_filter(source, names, value, by_position);
      break;
    case kOnlyFor:
      call.only_for = argument_filter(source, names, value, by_position);
      break;
    case kIncludeLazy:
      call.include_lazy = read_flag(value);
      break;
    case kAllowMps:
      call.allow_mps = read_flag(value);
      call.allow_mps_given = true;
      break;
    case kAllowXpu:
      call.allow_xpu = read_flag(value);
      call.allow_xpu_given = true;
      break;
    default:
      break;
  }
}

int position_of(std::string_view keyword) {
  static constexpr std::pair<std::string_view, int> kKeywords[] = {
      {"generic_test_class", kTemplate}, {"except_for", kExceptFor}, {"only_for", kOnlyFor},
      {"include_lazy", kIncludeLazy},    {"allow_mps", kAllowMps},   {"allow_xpu", kAllowXpu}};
  for (const auto& [name, position] : kKeywords)
    if (name == keyword) return position;
  return -1;
}

// `**options` may say anything that was not said.
void read_splat(Instantiation& call, const std::string& text) {
  for (DeviceFilter* filter : {&call.only_for, &call.except_for}) {
    if (filter->state != DeviceFilter::State::absent) continue;
    filter->state = DeviceFilter::State::unknown;
    filter->text = text;
  }
  for (Tri* flag : {&call.allow_mps, &call.allow_xpu, &call.include_lazy})
    if (*flag == Tri::no) *flag = Tri::unknown;
}

void read_arguments(const Source& source, const Names& names, TSNode arguments, Instantiation& call) {
  const Grammar& g = grammar();
  int position = 0;
  std::string splat;
  for (TSNode argument : named_children(arguments)) {
    if (is(argument, g.keyword_argument)) {
      int which = position_of(source.text(field(argument, g.name)));
      read_argument(source, names, which, false, field(argument, g.value), call);
    } else if (source.text(argument).substr(0, 1) == "*") {
      splat = source.one_line(argument, kMaxText);
    } else {
      read_argument(source, names, position++, true, argument, call);
    }
  }
  if (!splat.empty()) read_splat(call, splat);
}

}  // namespace

Span inside_brackets(const Source& source, TSNode list) {
  if (ts_node_is_null(list)) return {};
  Span span = source.span(list);
  return span.end - span.begin < 2 ? span : Span{span.begin + 1, span.end - 1};
}

DeviceFilter read_filter(const Source& source, const Names& names, TSNode expression) {
  const Grammar& g = grammar();
  DeviceFilter filter;
  filter.state = DeviceFilter::State::unknown;
  filter.text = source.one_line(expression, kMaxText);
  TSNode value = unwrapped(expression);
  if (is(value, g.none)) {
    filter.state = DeviceFilter::State::none;
  } else if (is_plain_text(source, value)) {
    filter.state = DeviceFilter::State::literal;
    filter.single_text = true;
    filter.values = {std::string(string_literal(source, value).inner)};
  } else if (is(value, g.list) || is(value, g.tuple) || is(value, g.set)) {
    for (TSNode item : named_children(value)) {
      if (!is_plain_text(source, unwrapped(item))) return filter;
      filter.values.emplace_back(string_literal(source, unwrapped(item)).inner);
    }
    filter.state = DeviceFilter::State::literal;
    filter.is_set = is(value, g.set);
  } else if (is(value, g.attribute)) {
    filter.symbol = names.resolve(dotted_text(source, value));
  } else if (is(value, g.identifier)) {
    filter.symbol = names.resolve(source.text(value));
    const DeviceFilter* known = names.constant(std::string(source.text(value)));
    if (known == nullptr) return filter;
    std::string text = filter.text;
    std::string symbol = filter.symbol;
    filter = *known;
    filter.text = text;
    filter.symbol = symbol;
    filter.from_constant = true;
  }
  return filter;
}

std::optional<Instantiation> read_instantiation(const Source& source, const Names& names, TSNode node) {
  const Grammar& g = grammar();
  TSNode callee = field(node, g.function);
  std::string written = dotted_text(source, callee);
  if (written.empty() || last_word(names.resolve(written)) != kInstantiate) return std::nullopt;
  Instantiation call;
  call.callee = written == kInstantiate              ? Instantiation::Callee::bare
                : last_word(written) == kInstantiate ? Instantiation::Callee::attribute
                                                     : Instantiation::Callee::alias;
  call.line = source.line(node);
  call.col = source.col(node);
  TSNode arguments = field(node, g.arguments);
  std::vector<TSNode> given = named_children(arguments);
  if (!given.empty()) call.last_argument = source.span(given.back());
  if (is(arguments, g.argument_list)) read_arguments(source, names, arguments, call);
  return call;
}

namespace {

bool updates_globals(const Source& source, TSNode callee) {
  const Grammar& g = grammar();
  if (!is(callee, g.attribute) || source.text(field(callee, g.attribute_field)) != "update") return false;
  TSNode object = field(callee, g.object);
  return is(object, g.call) && source.text(field(object, g.function)) == "globals";
}

// Whether these are the arguments of type() that make a class.
bool makes_class(const std::vector<TSNode>& arguments) {
  return arguments.size() == 3 && is(arguments[1], grammar().tuple);
}

}  // namespace

std::optional<DynamicClass> read_dynamic_class(const Source& source, TSNode node) {
  const Grammar& g = grammar();
  TSNode callee = field(node, g.function);
  std::vector<TSNode> arguments = named_children(field(node, g.arguments));
  bool by_type = is(callee, g.identifier) && source.text(callee) == "type" && makes_class(arguments);
  DynamicClass made;
  made.opaque = !by_type && updates_globals(source, callee);
  if (!by_type && !made.opaque) return std::nullopt;
  if (by_type && is_plain_text(source, arguments[0]))
    made.name = std::string(string_literal(source, arguments[0]).inner);
  if (by_type)
    for (TSNode base : named_children(arguments[1])) made.bases.emplace_back(dotted_text(source, base));
  made.text = source.one_line(node, kMaxText);
  made.labelled = source.text(node).find("hw_classification") != std::string_view::npos;
  made.line = source.line(node);
  made.col = source.col(node);
  return made;
}

std::optional<CopiedTests> read_copied_tests(const Source& source, TSNode call) {
  if (last_word(dotted_text(source, field(call, grammar().function))) != "copy_tests") return std::nullopt;
  std::vector<TSNode> arguments = named_children(field(call, grammar().arguments));
  if (arguments.size() < 2) return std::nullopt;
  CopiedTests copied{dotted_text(source, arguments[0]), dotted_text(source, arguments[1]), source.line(call)};
  if (copied.from.empty() || copied.to.empty()) return std::nullopt;
  return copied;
}

std::string torch_chain(const Source& source, TSNode call) {
  const Grammar& g = grammar();
  std::vector<TSNode> steps;  // members and calls, the last one first
  TSNode at = unwrapped(field(call, g.function));
  while (is(at, g.attribute) || is(at, g.call)) {
    if (steps.size() == kMaxChain) return "";
    steps.push_back(at);
    at = unwrapped(field(at, is(at, g.call) ? g.function : g.object));
  }
  if (!is(at, g.identifier) || source.text(at) != kTorch) return "";
  std::string chain(kTorch);
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (is(*step, g.call))
      chain += "()";
    else
      chain.append(".").append(source.text(field(*step, g.attribute_field)));
  }
  return chain;
}

}  // namespace hwsift::analyzer
