#include "report/run_github.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "report/github.h"
#include "report/run.h"

namespace hwsift::report {
namespace {

using runner::Outcome;
using runner::RunRecord;
using runner::TestResult;

constexpr std::size_t kShown = 10;
constexpr std::size_t kMessageBytes = 2000;  // of an annotation, before it is escaped

using Results = std::vector<const TestResult*>;

int rank(Outcome outcome) {
  if (outcome == Outcome::crashed) return 0;
  return outcome == Outcome::timeout ? 1 : outcome == Outcome::error ? 2 : 3;
}

Results failing(const RunRecord& record) {
  Results results;
  for (const TestResult& result : record.results)
    if (result.fails_run()) results.push_back(&result);
  std::stable_sort(results.begin(), results.end(), [](const TestResult* a, const TestResult* b) {
    return rank(a->outcome) < rank(b->outcome);
  });
  return results;
}

Results worth_a_warning(const RunRecord& record) {
  Results results;
  for (const TestResult& result : record.results)
    if (result.flaky()) results.push_back(&result);
  for (const TestResult& result : record.results)
    if (is_bad(result.outcome) && result.quarantined) results.push_back(&result);
  return results;
}

std::string message_of(const TestResult& result) {
  if (result.flaky()) return fmt::format("{} at attempt {}", word(result.outcome), result.attempts);
  std::string text = result.message.empty() ? std::string(word(result.outcome)) : result.message;
  if (text.size() > kMessageBytes) text = text.substr(0, kMessageBytes) + "...";
  return result.quarantined ? "quarantined: " + text : text;
}

std::string annotation(const char* command, const TestResult& result, const std::string& folder) {
  std::string path = result.path.starts_with('/') ? result.path : folder + result.path;
  std::string title = std::string(result.flaky() ? "flaky" : word(result.outcome)) + " " + result.id;
  return fmt::format("::{} file={},title={}::{}\n", command, github_property(path), github_property(title),
                     github_data(message_of(result)));
}

std::string annotations(const char* command, const Results& results, const std::string& folder) {
  std::string text;
  for (std::size_t i = 0; i < std::min(results.size(), kShown); ++i)
    text += annotation(command, *results[i], folder);
  return text;
}

std::string more(std::size_t count, const char* what) {
  return count <= kShown ? "" : fmt::format("; {} more {} than shown", count - kShown, what);
}

std::string open_text(const RunRecord& record) {
  std::string text;
  if (!record.missing_shards.empty()) text += "; " + missing_shards_text(record);
  for (const std::string& reason : record.outstanding)
    text += fmt::format("; not run: {} ({})", record.not_run.at(reason).size(), reason);
  return text;
}

}  // namespace

std::string run_github(const RunRecord& record, const std::string& folder) {
  Results bad = failing(record);
  Results warned = worth_a_warning(record);
  std::string counts =
      fmt::format("{} tests on {}: {}", record.results.size(), record.device, counts_text(record, {}));
  return annotations("error", bad, folder) + annotations("warning", warned, folder) +
         fmt::format("::notice title=hwsift::{}\n",
                     github_data(counts + more(bad.size(), "failed") +
                                 more(warned.size(), "flaky or quarantined") + open_text(record)));
}

}  // namespace hwsift::report
