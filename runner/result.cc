#include "runner/result.h"

namespace hwsift::runner {

const char* word(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return "passed";
    case Outcome::failed:
      return "failed";
    case Outcome::skipped:
      return "skipped";
    case Outcome::xfailed:
      return "xfailed";
    case Outcome::xpassed:
      return "xpassed";
    case Outcome::crashed:
      return "crashed";
    case Outcome::timeout:
      return "timeout";
    case Outcome::error:
      return "error";
  }
  return "";
}

std::optional<Outcome> outcome_of(std::string_view text) {
  for (Outcome outcome : kOutcomes)
    if (text == word(outcome)) return outcome;
  return std::nullopt;
}

bool is_bad(Outcome outcome) {
  return outcome == Outcome::failed || outcome == Outcome::error || outcome == Outcome::crashed ||
         outcome == Outcome::timeout;
}

std::map<Outcome, std::size_t> count(const std::vector<TestResult>& results) {
  std::map<Outcome, std::size_t> counts;
  for (const TestResult& result : results) ++counts[result.outcome];
  return counts;
}

}  // namespace hwsift::runner
