// instantiate_device_type_tests instantiates the tests that stand in the class itself. Those of a base stay
// as they are, and whoever runs them hands over no device.
#include <algorithm>
#include <set>

#include "classifier/variants.h"
#include "lint/own/own_rules.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

using analyzer::Class;
using analyzer::FileFacts;
using analyzer::Method;

constexpr int kDeepest = 16;

struct Inherited {
  const Class* base = nullptr;
  const Method* test = nullptr;
  std::string path;  // of the base's file, "" where it is the same
};

// A decorator that nobody knows may hand over the device, as parametrizers do.
bool may_hand_over(const analyzer::Decorator& decorator, const classifier::Vocabulary& vocabulary) {
  if (decorator.symbol.starts_with("unittest.")) return false;
  const classifier::Symbol* symbol = vocabulary.find(decorator.symbol);
  return symbol == nullptr || symbol->meaning == classifier::Meaning::selects_device;
}

bool needs_device(const Method& method, const classifier::Vocabulary& vocabulary) {
  bool asks = std::any_of(method.params.begin(), method.params.end(),
                          [](const analyzer::Parameter& p) { return p.name == "device" && !p.has_default; });
  return method.is_test && asks && method.takes("device") &&
         std::none_of(method.decorators.begin(), method.decorators.end(),
                      [&](const analyzer::Decorator& d) { return may_hand_over(d, vocabulary); });
}

// The nearest definition of each name counts, as Python looks them up.
class Lookup {
 public:
  explicit Lookup(const FileView& view) : view_(view) {}

  std::vector<Inherited> tests_of(const Class& cls) {
    for (const Method& method : cls.methods) seen_.insert(method.name);
    walk(view_.file(), cls, 0);
    return std::move(found_);
  }

 private:
  void walk(const FileFacts& file, const Class& cls, int depth) {
    if (depth > kDeepest) return;
    for (const analyzer::Base& base : cls.bases) {
      if (const Class* own = class_before(file, base.name, cls)) {
        take(file, *own, depth);
      } else if (view_.subject.around.index != nullptr) {
        std::optional<analyzer::FoundClass> other = view_.subject.around.index->find_class(file, base.symbol);
        if (!other) continue;
        kept_.push_back(other->file);
        take(*other->file, *other->cls, depth);
      }
    }
  }

  void take(const FileFacts& file, const Class& base, int depth) {
    if (!walked_.insert(&base).second) return;  // a diamond of bases is walked once
    for (const Method& method : base.methods) {
      if (!seen_.insert(method.name).second || !needs_device(method, view_.subject.vocabulary)) continue;
      found_.push_back({&base, &method, file.path == view_.file().path ? "" : file.path});
    }
    walk(file, base, depth + 1);
  }

  static const Class* class_before(const FileFacts& file, const std::string& name, const Class& cls) {
    const Class* found = nullptr;
    for (const Class& other : file.classes)
      if (other.name == name && other.line < cls.line && at_module_level(other.context)) found = &other;
    return found;
  }

  const FileView& view_;
  std::set<std::string> seen_;
  std::set<const Class*> walked_;
  std::vector<Inherited> found_;
  std::vector<analyzer::SharedFacts> kept_;  // owns what found_ points at
};

std::string others_of(std::size_t tests) {
  return tests == 1 ? "" : " and " + std::to_string(tests - 1) + " more";
}

std::string place_of(const Inherited& inherited) {
  return inherited.path.empty() ? "" : " of " + inherited.path;
}

}  // namespace

void check_subclass_traps(Report& report, const FileView& view) {
  for (const Class& cls : view.file().classes) {
    if (!at_module_level(cls.context) || view.python.calls(cls).empty()) continue;
    Lookup lookup(view);
    std::vector<Inherited> inherited = lookup.tests_of(cls);
    if (inherited.empty()) continue;
    const Inherited& first = inherited.front();
    report.at_class(rule::subclass_traps, cls,
                    cls.name + " inherits " + first.test->name + others_of(inherited.size()) + " from " +
                        first.base->name + place_of(first) +
                        ", which instantiate_device_type_tests leaves without a device",
                    "define the tests in " + cls.name + " itself, or instantiate " + first.base->name);
  }
}

}  // namespace hwsift::lint
