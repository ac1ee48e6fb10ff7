#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/markdown.h"
#include "report/run.h"
#include "report/run_github.h"

namespace hwsift::report {
namespace {

using runner::RunRecord;
using runner::TestResult;

// Bytes of a section; all together stay below 1 MiB.
constexpr std::size_t kBadBytes = 550000;
constexpr std::size_t kFlakyBytes = 150000;
constexpr std::size_t kReasonBytes = 100000;
constexpr std::size_t kNoteBytes = 50000;
constexpr std::size_t kIdBytes = 1000;  // before they are escaped
constexpr std::size_t kMessageBytes = 300;
constexpr std::size_t kSlowest = 10;

std::string bad_tests(const RunRecord& record) {
  MarkdownRows section("### Failed\n\n| outcome | test | message |\n| --- | --- | --- |\n", kBadBytes);
  for (const TestResult& result : record.results) {
    if (!is_bad(result.outcome)) continue;
    section.add(
        fmt::format("| {}{} | {} | {} |\n", word(result.outcome), result.quarantined ? " (quarantined)" : "",
                    markdown_cell_code(result.id, kIdBytes),
                    markdown_cell_code(result.message.substr(0, result.message.find('\n')), kMessageBytes)));
  }
  return section.text();
}

std::string flaky_tests(const RunRecord& record) {
  MarkdownRows section("### Flaky\n\n| test | attempts |\n| --- | ---: |\n", kFlakyBytes);
  for (const TestResult& result : record.results)
    if (result.flaky())
      section.add(fmt::format("| {} | {} |\n", markdown_cell_code(result.id, kIdBytes), result.attempts));
  return section.text();
}

std::string not_run(const RunRecord& record) {
  MarkdownRows section("### Not run\n\n| tests | reason |\n| ---: | --- |\n", kReasonBytes);
  for (const auto& [reason, ids] : record.not_run)
    section.add(fmt::format("| {} | {}{} |\n", ids.size(), markdown_cell_code(reason, kIdBytes),
                            record.outstanding.count(reason) > 0 ? " (incomplete)" : ""));
  return section.text();
}

std::string slowest(const RunRecord& record) {
  std::vector<const TestResult*> results;
  for (const TestResult& result : record.results) results.push_back(&result);
  std::size_t shown = std::min(results.size(), kSlowest);
  std::partial_sort(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(shown), results.end(),
                    [](const TestResult* a, const TestResult* b) {
                      return a->seconds != b->seconds ? a->seconds > b->seconds : a->id < b->id;
                    });
  MarkdownRows section("### Slowest\n\n| seconds | test |\n| ---: | --- |\n", kFlakyBytes);
  for (std::size_t i = 0; i < shown; ++i)
    section.add(
        fmt::format("| {:.2f} | {} |\n", results[i]->seconds, markdown_cell_code(results[i]->id, kIdBytes)));
  return section.text();
}

std::string notes(const RunRecord& record) {
  MarkdownRows section("### Notes\n\n", kNoteBytes);
  if (!record.missing_shards.empty()) section.add("- " + missing_shards_text(record) + "\n");
  for (const std::string& note : record.notes) section.add("- " + markdown_code(note, kIdBytes) + "\n");
  return section.text();
}

}  // namespace

std::string run_summary(const RunRecord& record) {
  return fmt::format("## {} tests on {}\n\n{} in {:.1f} s\n", record.results.size(),
                     markdown_code(record.device, kIdBytes), counts_text(record, {}), record.seconds) +
         bad_tests(record) + flaky_tests(record) + not_run(record) + slowest(record) + notes(record);
}

}  // namespace hwsift::report
