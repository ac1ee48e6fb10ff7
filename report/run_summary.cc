#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
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

bool is_letter(char c) { return is_word_char(c) && c != '_'; }

// Every sign of ASCII as a reference, which Markdown takes as text wherever it stands, and HTML too.
std::string escaped(const std::string& text, std::size_t bytes) {
  std::string safe;
  bool cut = text.size() > bytes;
  for (char c : printable(std::string_view(text).substr(0, bytes))) {
    if (is_letter(c) || c == ' ')
      safe += c;
    else
      safe += fmt::format("&#{};", static_cast<int>(c));
  }
  return cut ? safe + "…" : safe;
}

// Within <code>, names are no mentions and no links.
std::string code(const std::string& text, std::size_t bytes) {
  return text.empty() ? "" : "<code>" + escaped(text, bytes) + "</code>";
}

// Rows until the bytes are used up; then their number.
class Section {
 public:
  Section(std::string head, std::size_t bytes) : head_(std::move(head)), bytes_(bytes) {}

  void add(const std::string& row) {
    ++rows_;
    if (left_out_ > 0 || text_.size() + row.size() > bytes_)
      ++left_out_;
    else
      text_ += row;
  }

  std::string text() const {
    if (rows_ == 0) return "";
    std::string more = left_out_ == 0 ? "" : fmt::format("\n{} more are left out here.\n", left_out_);
    return "\n" + head_ + text_ + more;
  }

 private:
  std::string head_;
  std::size_t bytes_;
  std::string text_;
  std::size_t rows_ = 0;
  std::size_t left_out_ = 0;
};

std::string bad_tests(const RunRecord& record) {
  Section section("### Failed\n\n| outcome | test | message |\n| --- | --- | --- |\n", kBadBytes);
  for (const TestResult& result : record.results) {
    if (!is_bad(result.outcome)) continue;
    section.add(fmt::format("| {}{} | {} | {} |\n", word(result.outcome),
                            result.quarantined ? " (quarantined)" : "", code(result.id, kIdBytes),
                            code(result.message.substr(0, result.message.find('\n')), kMessageBytes)));
  }
  return section.text();
}

std::string flaky_tests(const RunRecord& record) {
  Section section("### Flaky\n\n| test | attempts |\n| --- | ---: |\n", kFlakyBytes);
  for (const TestResult& result : record.results)
    if (result.flaky()) section.add(fmt::format("| {} | {} |\n", code(result.id, kIdBytes), result.attempts));
  return section.text();
}

std::string not_run(const RunRecord& record) {
  Section section("### Not run\n\n| tests | reason |\n| ---: | --- |\n", kReasonBytes);
  for (const auto& [reason, ids] : record.not_run)
    section.add(fmt::format("| {} | {}{} |\n", ids.size(), code(reason, kIdBytes),
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
  Section section("### Slowest\n\n| seconds | test |\n| ---: | --- |\n", kFlakyBytes);
  for (std::size_t i = 0; i < shown; ++i)
    section.add(fmt::format("| {:.2f} | {} |\n", results[i]->seconds, code(results[i]->id, kIdBytes)));
  return section.text();
}

std::string notes(const RunRecord& record) {
  Section section("### Notes\n\n", kNoteBytes);
  if (!record.missing_shards.empty()) section.add("- " + missing_shards_text(record) + "\n");
  for (const std::string& note : record.notes) section.add("- " + code(note, kIdBytes) + "\n");
  return section.text();
}

}  // namespace

std::string run_summary(const RunRecord& record) {
  return fmt::format("## {} tests on {}\n\n{} in {:.1f} s\n", record.results.size(),
                     code(record.device, kIdBytes), counts_text(record, {}), record.seconds) +
         bad_tests(record) + flaky_tests(record) + not_run(record) + slowest(record) + notes(record);
}

}  // namespace hwsift::report
