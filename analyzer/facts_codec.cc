// Each struct has one function `fields`, which lists its members for every archive: the one that writes, the
// one that reads, and the one that counts the least bytes. It takes the struct apart with a structured
// binding, so that a new member does not compile until it is listed here too.
#include "analyzer/facts_codec.h"

#include <cstdint>
#include <type_traits>
#include <unordered_map>

namespace hwsift::analyzer {
namespace {

// Anything that changes what bytes mean gets another number.
constexpr char kFormat = 1;

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

void put_number(std::string& bytes, std::uint32_t number) {
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>(number | 0x80);
  bytes += static_cast<char>(number);
}

// Keeps views of the texts: what it writes must outlive it.
class Writer {
 public:
  static constexpr bool kReads = false;

  void text(const std::string& value) {
    auto [known, is_new] = places_.emplace(value, static_cast<std::uint32_t>(places_.size()));
    if (is_new) {
      put_number(lengths_, static_cast<std::uint32_t>(value.size()));
      characters_ += value;
    }
    put_number(body_, known->second);
  }
  void texts(const std::vector<std::string>& values) {
    put_number(body_, static_cast<std::uint32_t>(values.size()));
    for (const std::string& value : values) text(value);
  }
  template <class T>
  void list(const std::vector<T>& values) {
    put_number(body_, static_cast<std::uint32_t>(values.size()));
    for (const T& value : values) fields(*this, value);
  }
  template <class... Ints>
  void numbers(Ints... values) {
    (put_number(body_, static_cast<std::uint32_t>(values)), ...);
  }
  void index(int value) { put_number(body_, static_cast<std::uint32_t>(value) + 1); }
  void range(std::uint32_t begin, std::uint32_t end) {
    put_number(body_, begin);
    put_number(body_, end - begin);
  }
  template <class Enum>
  void choice(Enum value, Enum) {
    put_number(body_, static_cast<std::uint32_t>(value));
  }
  template <class... Bools>
  void flags(Bools... values) {
    std::uint32_t bits = 0;
    int at = 0;
    ((bits |= static_cast<std::uint32_t>(values) << at++), ...);
    put_number(body_, bits);
  }

  std::string bytes() const {
    std::string all(1, kFormat);
    all.reserve(1 + 5 + lengths_.size() + characters_.size() + body_.size());
    put_number(all, static_cast<std::uint32_t>(places_.size()));
    return all += lengths_ + characters_ + body_;
  }

 private:
  std::unordered_map<std::string_view, std::uint32_t> places_;
  std::string lengths_;
  std::string characters_;
  std::string body_;
};

// How few bytes a struct can take, so that no count is believed that the bytes left cannot hold.
class Least {
 public:
  static constexpr bool kReads = false;

  void text(const std::string&) { ++bytes_; }
  void texts(const std::vector<std::string>&) { ++bytes_; }
  template <class T>
  void list(const std::vector<T>&) {
    ++bytes_;
  }
  template <class... Ints>
  void numbers(Ints...) {
    bytes_ += sizeof...(Ints);
  }
  void index(int) { ++bytes_; }
  void range(std::uint32_t, std::uint32_t) { bytes_ += 2; }
  template <class Enum>
  void choice(Enum, Enum) {
    ++bytes_;
  }
  template <class... Bools>
  void flags(Bools...) {
    ++bytes_;
  }

  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

template <class T>
std::size_t least_bytes() {
  static const std::size_t bytes = [] {
    Least least;
    fields(least, T());
    return least.bytes();
  }();
  return bytes;
}

// After the first fault all that is read is zero or empty, and `whole` is false.
class Reader {
 public:
  static constexpr bool kReads = true;

  explicit Reader(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {
    if (bytes.empty() || *at_++ != kFormat) fail();
    std::size_t count = this->count(1);
    texts_.reserve(count);
    std::vector<std::uint32_t> lengths(count);
    for (std::uint32_t& length : lengths) length = number();
    for (std::uint32_t length : lengths) texts_.push_back(characters(length));
  }

  bool whole() const { return !failed_ && at_ == end_; }

  void text(std::string& value) {
    std::uint32_t place = number();
    if (place >= texts_.size()) return fail();
    value.assign(texts_[place]);
  }
  void texts(std::vector<std::string>& values) {
    values.resize(count(1));
    for (std::string& value : values) text(value);
  }
  template <class T>
  void list(std::vector<T>& values) {
    std::size_t count = this->count(least_bytes<T>());
    values.resize(count);
    for (T& value : values) fields(*this, value);
  }
  template <class... Ints>
  void numbers(Ints&... values) {
    ((values = static_cast<int>(number())), ...);
  }
  void index(int& value) { value = static_cast<int>(number() - 1); }
  void range(std::uint32_t& begin, std::uint32_t& end) {
    begin = number();
    end = begin + number();
    if (end < begin) fail();
  }
  template <class Enum>
  void choice(Enum& value, Enum last) {
    std::uint32_t chosen = number();
    if (chosen > static_cast<std::uint32_t>(last)) return fail();
    value = static_cast<Enum>(chosen);
  }
  template <class... Bools>
  void flags(Bools&... values) {
    std::uint32_t bits = number();
    ((values = (bits & 1) != 0, bits >>= 1), ...);
    if (bits != 0) fail();
  }

 private:
  void fail() {
    failed_ = true;
    at_ = end_;
  }
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

  std::uint32_t number() {
    if (at_ == end_) return fail(), 0;
    auto byte = static_cast<unsigned char>(*at_++);
    return byte < 0x80 ? byte : long_number(byte & 0x7F);
  }
  std::uint32_t long_number(std::uint32_t value) {
    for (int shift = 7; shift <= 28 && at_ != end_; shift += 7) {
      auto byte = static_cast<unsigned char>(*at_++);
      if (shift == 28 && byte > 0x0F) break;
      value |= static_cast<std::uint32_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    return fail(), 0;
  }
  std::size_t count(std::size_t least) {
    std::size_t count = number();
    if (count > left() / least) return fail(), 0;
    return count;
  }
  std::string_view characters(std::size_t length) {
    if (length > left()) return fail(), std::string_view();
    std::string_view text(at_, length);
    at_ += length;
    return text;
  }

  const char* at_;
  const char* end_;
  bool failed_ = false;
  std::vector<std::string_view> texts_;
};

bool is_place(int index, std::size_t size) {
  return index == -1 || (index >= 0 && static_cast<std::size_t>(index) < size);
}

bool is_scope(const FileFacts& facts, int class_index, int method_index) {
  if (!is_place(class_index, facts.classes.size())) return false;
  if (class_index < 0) return method_index == -1;
  return is_place(method_index, facts.classes[static_cast<std::size_t>(class_index)].methods.size());
}

bool holds_together(const FileFacts& facts) {
  for (const Class& cls : facts.classes) {
    if (!is_place(cls.label_from, facts.classes.size())) return false;
    if (inherited_label(facts, cls).from != nullptr && inherited_label(facts, cls).label == nullptr)
      return false;
  }
  for (const Use& use : facts.uses)
    if (!is_scope(facts, use.class_index, use.method_index) ||
        !is_place(use.function_index, facts.functions.size()))
      return false;
  for (const DeviceComparison& comparison : facts.comparisons)
    if (!is_scope(facts, comparison.class_index, comparison.method_index)) return false;
  for (const GoldenText& golden : facts.golden_texts)
    if (!is_scope(facts, golden.class_index, golden.method_index)) return false;
  return true;
}

}  // namespace

std::string encode_facts(const FileFacts& facts) {
  Writer writer;
  fields(writer, facts);
  return writer.bytes();
}

std::optional<FileFacts> decode_facts(std::string_view bytes) {
  std::optional<FileFacts> facts(std::in_place);
  Reader reader(bytes);
  fields(reader, *facts);
  if (!reader.whole() || !holds_together(*facts)) return std::nullopt;
  return facts;
}

}  // namespace hwsift::analyzer
