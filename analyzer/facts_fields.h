// What the archives of facts_codec.cc write and read of each fact.
//
// Each struct has one function `fields`, which lists its members for every archive: the one that writes, the
// one that reads, and the one that counts the least bytes. It takes the struct apart with a structured
// binding, so that a new member does not compile until it is listed here too.
#pragma once

#include <type_traits>

#include "analyzer/facts.h"

namespace hwsift::analyzer {

template <class Archive, class T>
using As = std::conditional_t<Archive::kReads, T, const T>;

template <class Archive>
void fields(Archive& archive, As<Archive, Span>& span) {
  auto& [begin, end] = span;
  archive.range(begin, end);
}

template <class Archive>
void fields(Archive& archive, As<Archive, Parameter>& parameter) {
  auto& [name, kind, has_default] = parameter;
  archive.text(name);
  archive.choice(kind, Parameter::Kind::var_keyword);
  archive.flags(has_default);
}

template <class Archive>
void fields(Archive& archive, As<Archive, Decorator>& decorator) {
  auto& [name, symbol, text, called, line, col, span] = decorator;
  archive.text(name);
  archive.text(symbol);
  archive.text(text);
  archive.flags(called);
  archive.numbers(line, col);
  fields(archive, span);
}

template <class Archive>
void fields(Archive& archive, As<Archive, Base>& base) {
  auto& [name, symbol, text] = base;
  archive.text(name);
  archive.text(symbol);
  archive.text(text);
}

template <class Archive>
void fields(Archive& archive, As<Archive, BuildCondition>& condition) {
  auto& [text, negated, line] = condition;
  archive.text(text);
  archive.flags(negated);
  archive.numbers(line);
}

template <class Archive>
void fields(Archive& archive, As<Archive, Method>& method) {
  auto& [name, line, col, end_line, is_test, async, conditional, params, decorators, param_list, reads_device,
         is_stub, self_reads, names_read, conditions, instance_names, expands] = method;
  archive.text(name);
  archive.numbers(line, col, end_line);
  archive.flags(is_test, async, conditional, reads_device, is_stub, expands);
  archive.list(params);
  archive.list(decorators);
  fields(archive, param_list);
  archive.texts(self_reads);
  archive.texts(names_read);
  archive.list(conditions);
  archive.texts(instance_names);
}

template <class Archive>
void fields(Archive& archive, As<Archive, Label>& label) {
  auto& [form, value, text, line, col, conditional, outside, value_span] = label;
  archive.choice(form, Label::Form::unknown);
  archive.text(value);
  archive.text(text);
  archive.numbers(line, col);
  archive.flags(conditional, outside);
  fields(archive, value_span);
}

template <class Archive>
void fields(Archive& archive, As<Archive, DeviceFilter>& filter) {
  auto& [state, values, single_text, is_set, by_position, from_constant, text, symbol, span] = filter;
  archive.choice(state, DeviceFilter::State::unknown);
  archive.texts(values);
  archive.flags(single_text, is_set, by_position, from_constant);
  archive.text(text);
  archive.text(symbol);
  fields(archive, span);
}

template <class Archive>
void fields(Archive& archive, As<Archive, Instantiation>& call) {
  auto& [class_name, first_argument, symbol, callee, is_statement, template_by_keyword, from_loop, context,
         line, col, only_for, except_for, allow_mps, allow_xpu, include_lazy, allow_mps_given,
         allow_xpu_given, last_argument] = call;
  archive.text(class_name);
  archive.text(first_argument);
  archive.text(symbol);
  archive.choice(callee, Instantiation::Callee::alias);
  archive.flags(is_statement, template_by_keyword, from_loop, allow_mps_given, allow_xpu_given);
  archive.choice(context, Context::class_);
  archive.numbers(line, col);
  fields(archive, only_for);
  fields(archive, except_for);
  archive.choice(allow_mps, Tri::unknown);
  archive.choice(allow_xpu, Tri::unknown);
  archive.choice(include_lazy, Tri::unknown);
  fields(archive, last_argument);
}

template <class Archive>
void fields(Archive& archive, As<Archive, AssignedTest>& test) {
  auto& [name, is_value, line, col] = test;
  archive.text(name);
  archive.flags(is_value);
  archive.numbers(line, col);
}

template <class Archive>
void fields(Archive& archive, As<Archive, Class>& cls) {
  auto& [name, qualified_name, line, col, end_line, context, bases, decorators, labels, methods, deleted_line,
         label_from, assigned_tests, names_read, span, body, docstring] = cls;
  archive.text(name);
  archive.text(qualified_name);
  archive.numbers(line, col, end_line, deleted_line);
  archive.choice(context, Context::class_);
  archive.list(bases);
  archive.list(decorators);
  archive.list(labels);
  archive.list(methods);
  archive.index(label_from);
  archive.list(assigned_tests);
  archive.texts(names_read);
  fields(archive, span);
  fields(archive, body);
  fields(archive, docstring);
}

template <class Archive>
void fields(Archive& archive, As<Archive, Function>& function) {
  auto& [name, line, col, end_line, is_test, async, params, decorators, referenced, self_reads, names_read] =
      function;
  archive.text(name);
  archive.numbers(line, col, end_line);
  archive.flags(is_test, async, referenced);
  archive.list(params);
  archive.list(decorators);
  archive.texts(self_reads);
  archive.texts(names_read);
}

template <class Archive>
void fields(Archive& archive, As<Archive, Use>& use) {
  auto& [kind, role, polarity, symbol, devices, callee, target, optional, sees_device, in_device_branch,
         has_alternative, faked, conjoined, line, col, class_index, method_index, function_index, span,
         origin] = use;
  archive.choice(kind, UseKind::import);
  archive.choice(role, Role::base);
  archive.choice(polarity, Polarity::excludes);
  archive.text(symbol);
  archive.texts(devices);
  archive.text(callee);
  archive.text(target);
  archive.flags(optional, sees_device, in_device_branch, has_alternative, faked, conjoined);
  archive.numbers(line, col);
  archive.index(class_index);
  archive.index(method_index);
  archive.index(function_index);
  fields(archive, span);
  archive.choice(origin, Origin::full);
}

template <class Archive>
void fields(Archive& archive, As<Archive, Import>& import) {
  auto& [module, name, alias, line, top_level, span, statement] = import;
  archive.text(module);
  archive.text(name);
  archive.text(alias);
  archive.numbers(line);
  archive.flags(top_level);
  fields(archive, span);
  fields(archive, statement);
}

template <class Archive>
void fields(Archive& archive, As<Archive, DeviceComparison>& comparison) {
  auto& [left, op, against, values, device_is_left, one_text, line, col, span, sees_self, device_span,
         class_index, method_index] = comparison;
  archive.text(left);
  archive.text(op);
  archive.choice(against, DeviceComparison::Against::device_object);
  archive.texts(values);
  archive.flags(device_is_left, one_text, sees_self);
  archive.numbers(line, col);
  fields(archive, span);
  fields(archive, device_span);
  archive.index(class_index);
  archive.index(method_index);
}

template <class Archive>
void fields(Archive& archive, As<Archive, GoldenText>& golden) {
  auto& [device, callee, line, col, in_device_branch, class_index, method_index] = golden;
  archive.text(device);
  archive.text(callee);
  archive.numbers(line, col);
  archive.flags(in_device_branch);
  archive.index(class_index);
  archive.index(method_index);
}

template <class Archive>
void fields(Archive& archive, As<Archive, DynamicClass>& made) {
  auto& [name, text, bases, labelled, opaque, line, col] = made;
  archive.text(name);
  archive.text(text);
  archive.texts(bases);
  archive.flags(labelled, opaque);
  archive.numbers(line, col);
}

template <class Archive>
void fields(Archive& archive, As<Archive, CopiedTests>& copied) {
  auto& [from, to, line] = copied;
  archive.text(from);
  archive.text(to);
  archive.numbers(line);
}

template <class Archive>
void fields(Archive& archive, As<Archive, DeviceConstant>& constant) {
  auto& [name, value] = constant;
  archive.text(name);
  fields(archive, value);
}

template <class Archive>
void fields(Archive& archive, As<Archive, Alias>& alias) {
  auto& [name, symbol] = alias;
  archive.text(name);
  archive.text(symbol);
}

template <class Archive>
void fields(Archive& archive, As<Archive, Suppression>& suppression) {
  auto& [rules, reason, malformed, own_line, line, col, target_line, span] = suppression;
  archive.texts(rules);
  archive.text(reason);
  archive.flags(malformed, own_line);
  archive.numbers(line, col, target_line);
  fields(archive, span);
}

template <class Archive>
void fields(Archive& archive, As<Archive, TorchCall>& call) {
  auto& [chain, line, col] = call;
  archive.text(chain);
  archive.numbers(line, col);
}

template <class Archive>
void fields(Archive& archive, As<Archive, ParseError>& error) {
  auto& [line, col, message] = error;
  archive.numbers(line, col);
  archive.text(message);
}

template <class Archive>
void fields(Archive& archive, As<Archive, ParseOutcome>& parse) {
  auto& [ok, read, errors, decoded, notes] = parse;
  archive.flags(ok, read, decoded);
  archive.list(errors);
  archive.texts(notes);
}

template <class Archive>
void fields(Archive& archive, As<Archive, FileFacts>& facts) {
  auto& [path, language, origin, test_file, parse, imports, classes, functions, instantiations, uses,
         torch_calls, comparisons, golden_texts, dynamic_classes, copied_tests, constants, aliases,
         suppressions, owners] = facts;
  archive.text(language);
  archive.choice(origin, Origin::full);
  fields(archive, parse);
  archive.list(imports);
  archive.list(classes);
  archive.list(functions);
  archive.list(instantiations);
  archive.list(uses);
  archive.list(torch_calls);
  archive.list(comparisons);
  archive.list(golden_texts);
  archive.list(dynamic_classes);
  archive.list(copied_tests);
  archive.list(constants);
  archive.list(aliases);
  archive.list(suppressions);
  archive.texts(owners);
}

}  // namespace hwsift::analyzer
