#include "lint/python_view.h"

namespace hwsift::lint {

using analyzer::Class;
using analyzer::Context;
using analyzer::Instantiation;

bool at_module_level(Context context) { return context != Context::function && context != Context::class_; }

namespace {

// Names that stand for a known class, of this file or of another one.
std::unordered_set<std::string_view> bound_names(const analyzer::FileFacts& file) {
  std::unordered_set<std::string_view> names;
  for (const Class& cls : file.classes) names.insert(cls.name);
  for (const analyzer::Import& import : file.imports) names.insert(import.alias);
  names.erase("");
  return names;
}

}  // namespace

PythonView::PythonView(const analyzer::FileFacts& file) {
  std::unordered_set<std::string_view> bound = bound_names(file);
  for (const Instantiation& call : file.instantiations) {
    if (bound.count(call.class_name) == 0)
      any_unknown_ = true;
    else if (at_module_level(call.context))
      calls_[call.class_name].push_back(&call);
    else
      in_function_.insert(call.class_name);
  }
  for (const Class& cls : file.classes)
    for (const analyzer::Base& base : cls.bases)
      if (at_module_level(cls.context) && !base.name.empty()) subclasses_[base.name].push_back(&cls);
}

const std::vector<const Instantiation*>& PythonView::calls(const Class& cls) const {
  static const std::vector<const Instantiation*> none;
  auto found = calls_.find(cls.name);
  return found == calls_.end() ? none : found->second;
}

bool PythonView::subclass_is_instantiated(const Class& cls) const {
  std::unordered_set<std::string_view> seen{cls.name};
  std::vector<std::string_view> open{cls.name};
  while (!open.empty()) {
    auto found = subclasses_.find(open.back());
    open.pop_back();
    if (found == subclasses_.end()) continue;
    for (const Class* subclass : found->second) {
      if (!seen.insert(subclass->name).second) continue;
      if (!calls(*subclass).empty()) return true;
      open.push_back(subclass->name);
    }
  }
  return false;
}

Instantiated PythonView::instantiated(const Class& cls) const {
  if (!calls(cls).empty() || subclass_is_instantiated(cls)) return Instantiated::yes;
  return any_unknown_ || in_function_.count(cls.name) > 0 ? Instantiated::unknown : Instantiated::no;
}

}  // namespace hwsift::lint
