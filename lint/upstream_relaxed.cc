// upstream-relaxed: upstream's TEST_LINTER of September 2026.
//
// It also descends into if, try, with, for and while at module level, counts every method named test*, and
// follows module.instantiate_device_type_tests. Of several classes or calls of one name the last counts. Of
// the classes about one device it asks the declaration only.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/rule_ids.h"
#include "lint/upstream.h"

namespace hwsift::lint {
namespace {

using analyzer::Class;
using analyzer::Context;
using analyzer::Instantiation;
using analyzer::Method;
using classifier::Category;

constexpr std::array<std::string_view, 10> kForbiddenDecorators = {"onlyCPU",
                                                                   "onlyCUDA",
                                                                   "onlyMPS",
                                                                   "onlyXPU",
                                                                   "onlyHPU",
                                                                   "onlyPRIVATEUSE1",
                                                                   "onlyOn",
                                                                   "onlyCUDAAndPRIVATEUSE1",
                                                                   "onlyNativeDeviceTypes",
                                                                   "onlyNativeDeviceTypesAnd"};

constexpr std::array<std::string_view, 8> kAcceleratorParts = {"accelerator", "cuda", "hpu", "ipu",
                                                               "mps",         "mtia", "xla", "xpu"};

template <class Words>
bool holds(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool descends(Context context) {
  return context != Context::match && context != Context::try_group && context != Context::function &&
         context != Context::class_;
}

std::map<std::string_view, const Instantiation*> seen_calls(const analyzer::FileFacts& file) {
  std::map<std::string_view, const Instantiation*> calls;
  for (const Instantiation& call : file.instantiations) {
    bool followed = call.callee != Instantiation::Callee::alias && call.is_statement;
    if (followed && descends(call.context) && names_class(call)) calls[call.first_argument] = &call;
  }
  return calls;
}

std::map<std::string_view, const Class*> seen_classes(const analyzer::FileFacts& file) {
  std::map<std::string_view, const Class*> classes;
  for (const Class& cls : file.classes)
    if (descends(cls.context)) classes[cls.name] = &cls;
  return classes;
}

SeenClass tests_of(const Class& cls) {
  SeenClass seen{&cls, {}};
  for (const Method& method : cls.methods)
    if (!method.conditional && method.name.starts_with("test")) seen.tests.push_back(&method);
  return seen;
}

// What is before the first call of the chain counts, and its last word: torch.cuda.current_stream().query and
// torch.rand().cuda do, torch.rand().cuda().half does not.
bool reaches_accelerator(std::string_view chain) {
  if (holds(kAcceleratorParts, chain.substr(chain.rfind('.') + 1))) return true;
  for (const std::string& part : split(chain.substr(0, chain.find('(')), '.'))
    if (holds(kAcceleratorParts, part)) return true;
  return false;
}

void forbid_accelerator_calls(Report& report, const analyzer::FileFacts& file, const Class& cls) {
  // Decorators of the class stand above its line and do not count.
  auto call = std::lower_bound(file.torch_calls.begin(), file.torch_calls.end(), cls.line,
                               [](const analyzer::TorchCall& c, int line) { return c.line < line; });
  for (; call != file.torch_calls.end() && call->line <= cls.end_line; ++call) {
    if (!reaches_accelerator(call->chain)) continue;
    report.at_place(rule::accelerator_availability, cls, {call->line, call->col, 1},
                    call->chain + "() needs an accelerator, but " + cls.name + " is GENERIC",
                    "drop the call, or label the class for the hardware it needs");
  }
}

void forbid_decorators(Report& report, const SeenClass& seen) {
  for (const Method* test : seen.tests)
    for (const analyzer::Decorator& decorator : test->decorators)
      if (holds(kForbiddenDecorators, last_word(decorator)))
        forbid_decorator(report, *seen.cls, *test, decorator);
}

void check_generic(Report& report, const analyzer::FileFacts& file, const SeenClass& seen,
                   const Instantiation* call) {
  if (call != nullptr) forbid_instantiation(report, *seen.cls, *call);
  forbid_device_param(report, seen);
  forbid_accelerator_calls(report, file, *seen.cls);
}

void check_accelerator(Report& report, const SeenClass& seen, const Instantiation* call) {
  if (call == nullptr) require_instantiation(report, seen, Category::device_generic());
  require_device_param(report, seen);
  forbid_decorators(report, seen);
  if (call != nullptr) forbid_only_for(report, *seen.cls, *call, upstream_filter(call->only_for));
}

}  // namespace

std::vector<Finding> lint_upstream_relaxed(const Subject& subject) {
  Report report(subject);
  std::map<std::string_view, const Instantiation*> calls = seen_calls(subject.file);
  std::map<std::string_view, const Class*> last = seen_classes(subject.file);
  for (const Class& cls : subject.file.classes) {
    SeenClass seen = tests_of(cls);
    if (seen.tests.empty() || !descends(cls.context) || last.at(cls.name) != &cls) continue;
    std::optional<Category> category = upstream_label(cls);
    if (!category) {
      report_declaration(report, subject, cls, upstream_statement(cls));
      continue;
    }
    auto found = calls.find(cls.name);
    const Instantiation* call = found == calls.end() ? nullptr : found->second;
    if (category->kind == Category::Kind::generic) check_generic(report, subject.file, seen, call);
    if (category->kind == Category::Kind::device_generic) check_accelerator(report, seen, call);
  }
  return report.take();
}

}  // namespace hwsift::lint
