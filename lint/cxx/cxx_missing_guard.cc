// A test that cannot run without a device is kept from machines that have none.
#include "base/text.h"
#include "lint/cxx/cxx_rules.h"
#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

// "torch::cuda::is_available()": a name of the rules that asks whether the device is there.
std::string question_about(const std::string& device, const classifier::Vocabulary& vocabulary) {
  for (const auto& [name, word] : classifier::cxx_vocabulary(vocabulary).lexicon.names) {
    bool asks = word.kind == analyzer::UseKind::flag && word.devices == std::vector{device};
    if (asks && name == device + ".is_available") return "torch::" + device + "::is_available()";
    if (asks && name == "is_" + device + "_available") return "at::" + name + "()";
  }
  return "";
}

std::string remedy(const std::string& device, const classifier::Vocabulary& vocabulary) {
  std::string question = question_about(device, vocabulary);
  if (question.empty()) return "begin with a question about the device, and GTEST_SKIP() where it is missing";
  return "begin with `if (!" + question + ") GTEST_SKIP() << \"needs " + ascii_upper(device) + "\";`";
}

}  // namespace

void check_cxx_missing_guard(Report& report, const CxxTest& test) {
  const classifier::CxxSignal* need = test.first(classifier::CxxSignal::Kind::needs);
  bool kept_away = test.suffix != nullptr || test.is_guarded() || !test.built.devices.empty();
  if (need == nullptr || kept_away) return;
  std::string device = need->devices.front();
  at_test(report, rule::cxx_missing_guard, test,
          test.name() + " fails where there is no " + ascii_upper(device) + " (" + place_of(*need) +
              "): nothing in this file leaves or skips it, or takes it out of a build",
          remedy(device, report.subject().vocabulary));
}

}  // namespace hwsift::lint
