#include "analyzer/facts.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

namespace hwsift::analyzer {

bool Method::takes(const std::string& parameter) const {
  return std::any_of(params.begin(), params.end(), [&](const Parameter& p) {
    return p.name == parameter && p.kind != Parameter::Kind::var_positional &&
           p.kind != Parameter::Kind::var_keyword;
  });
}

bool Class::has_tests() const {
  return std::any_of(methods.begin(), methods.end(), [](const Method& m) { return m.is_test; });
}

const Label* Class::label() const { return labels.empty() ? nullptr : &labels.back(); }

Counts count(const std::vector<FileFacts>& files) {
  Counts counts;
  counts.files = files.size();
  for (const FileFacts& file : files) {
    counts.test_files += file.test_file ? 1 : 0;
    std::set<std::pair<int, int>> calls;
    for (const Instantiation& call : file.instantiations) calls.insert({call.line, call.col});
    counts.instantiations += calls.size();
    for (const Class& cls : file.classes) {
      auto tests =
          std::count_if(cls.methods.begin(), cls.methods.end(), [](const Method& m) { return m.is_test; });
      counts.classes += tests > 0 ? 1 : 0;
      counts.tests += static_cast<std::size_t>(tests);
    }
  }
  return counts;
}

std::string scope_of(const FileFacts& file, const Use& use) {
  if (use.class_index >= 0) {
    const Class& cls = file.classes[static_cast<std::size_t>(use.class_index)];
    if (use.method_index < 0) return cls.name;
    return cls.name + "." + cls.methods[static_cast<std::size_t>(use.method_index)].name;
  }
  if (use.function_index >= 0)
    return "<module>." + file.functions[static_cast<std::size_t>(use.function_index)].name;
  return "<module>";
}

std::vector<const Instantiation*> instantiations_of(const FileFacts& file, const Class& cls) {
  std::vector<const Instantiation*> calls;
  if (cls.context == Context::class_ || cls.context == Context::function) return calls;
  for (const Instantiation& call : file.instantiations)
    if (call.class_name == cls.name) calls.push_back(&call);
  return calls;
}

InheritedLabel inherited_label(const FileFacts& file, const Class& cls) {
  if (cls.label_from < 0) return {};
  const Class& from = file.classes[static_cast<std::size_t>(cls.label_from)];
  return {from.label(), &from};
}

// A base stands above the class that names it, so the classes are settled in source order.
void link_inherited_labels(FileFacts& file) {
  std::unordered_map<std::string, int> latest;
  for (std::size_t i = 0; i < file.classes.size(); ++i) {
    Class& cls = file.classes[i];
    for (const Base& base : cls.bases) {
      auto found = latest.find(base.name);
      if (found == latest.end()) continue;
      const Class& above = file.classes[static_cast<std::size_t>(found->second)];
      cls.label_from = above.label() != nullptr ? found->second : above.label_from;
      if (cls.label_from >= 0) break;
    }
    latest[cls.name] = static_cast<int>(i);
  }
}

const char* word(Label::Form form) {
  switch (form) {
    case Label::Form::absent:
      return "absent";
    case Label::Form::plain:
      return "plain";
    case Label::Form::annotated:
      return "annotated";
    case Label::Form::other_annotation:
      return "other_annotation";
    case Label::Form::alias:
      return "alias";
    case Label::Form::text:
      return "text";
    case Label::Form::none:
      return "none";
    case Label::Form::annotation_only:
      return "annotation_only";
    case Label::Form::unknown:
      return "unknown";
  }
  return "";
}

const char* word(DeviceFilter::State state) {
  switch (state) {
    case DeviceFilter::State::absent:
      return "absent";
    case DeviceFilter::State::none:
      return "none";
    case DeviceFilter::State::literal:
      return "literal";
    case DeviceFilter::State::unknown:
      return "unknown";
  }
  return "";
}

const char* word(Context context) {
  switch (context) {
    case Context::module:
      return "module";
    case Context::if_:
      return "if";
    case Context::try_:
      return "try";
    case Context::try_group:
      return "try_group";
    case Context::with:
      return "with";
    case Context::for_:
      return "for";
    case Context::while_:
      return "while";
    case Context::match:
      return "match";
    case Context::main_guard:
      return "main_guard";
    case Context::function:
      return "function";
    case Context::class_:
      return "class";
  }
  return "";
}

const char* word(UseKind kind) {
  switch (kind) {
    case UseKind::device_literal:
      return "device_literal";
    case UseKind::device_method:
      return "device_method";
    case UseKind::api:
      return "api";
    case UseKind::decorator:
      return "decorator";
    case UseKind::flag:
      return "flag";
    case UseKind::constant:
      return "constant";
    case UseKind::base_class:
      return "base_class";
    case UseKind::call:
      return "call";
    case UseKind::device_variable:
      return "device_variable";
    case UseKind::import:
      return "import";
  }
  return "";
}

const char* word(Role role) {
  switch (role) {
    case Role::other:
      return "other";
    case Role::device_argument:
      return "device_argument";
    case Role::argument:
      return "argument";
    case Role::returned:
      return "returned";
    case Role::assigned:
      return "assigned";
    case Role::compared:
      return "compared";
    case Role::key:
      return "key";
    case Role::element:
      return "element";
    case Role::parametrized:
      return "parametrized";
    case Role::condition:
      return "condition";
    case Role::guard:
      return "guard";
    case Role::decorator:
      return "decorator";
    case Role::base:
      return "base";
  }
  return "";
}

const char* word(Polarity polarity) {
  switch (polarity) {
    case Polarity::none:
      return "none";
    case Polarity::requires_:
      return "requires";
    case Polarity::excludes:
      return "excludes";
  }
  return "";
}

const char* word(Tri tri) {
  switch (tri) {
    case Tri::no:
      return "no";
    case Tri::yes:
      return "yes";
    case Tri::unknown:
      return "unknown";
  }
  return "";
}

const char* word(Origin origin) {
  switch (origin) {
    case Origin::none:
      return "";
    case Origin::fast:
      return "fast";
    case Origin::full:
      return "full";
  }
  return "";
}

}  // namespace hwsift::analyzer
