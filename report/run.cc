#include "report/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"

namespace hwsift::report {
namespace {

using runner::Outcome;
using runner::RunRecord;
using runner::TestResult;

constexpr std::size_t kListed = 50;  // bad tests in the summary; the documents hold all
constexpr std::size_t kMessageWidth = 160;

Json by_part_json(const TestResult& result) {
  Json list = Json::array();
  for (const runner::PartResult& one : result.by_part)
    list.push_back({{"part", one.part}, {"outcome", word(one.outcome)}, {"attempts", one.attempts}});
  return list;
}

Json result_json(const TestResult& result) {
  Json json = {{"id", result.id},           {"outcome", word(result.outcome)},
               {"seconds", result.seconds}, {"attempts", result.attempts},
               {"message", result.message}, {"category", result.category},
               {"path", result.path},       {"class", result.cls},
               {"name", result.name}};
  if (!result.details.empty()) json["details"] = result.details;
  if (!result.output.empty()) json["output"] = result.output;
  if (result.unpredicted) json["unpredicted"] = true;
  if (result.quarantined) json["quarantined"] = true;
  if (!result.by_part.empty()) json["by_part"] = by_part_json(result);
  return json;
}

Json shard_json(const runner::ShardOf& shard) { return {{"index", shard.index}, {"total", shard.total}}; }

Json part_json(const runner::RunPart& part) {
  Json json = {{"started", part.started},
               {"digest", part.digest},
               {"seconds", part.seconds},
               {"selected", part.predicted}};
  if (part.shard.total > 0) json["shard"] = shard_json(part.shard);
  if (part.signal != 0) json["signal"] = part.signal;
  return json;
}

// The parts, the shards that they are of, and the shards that none of them is of.
void add_parts(const RunRecord& record, Json& document) {
  std::set<int> shards;
  Json parts = Json::array();
  for (const runner::RunPart& part : record.parts) {
    parts.push_back(part_json(part));
    if (part.shard.total > 0) shards.insert(part.shard.index);
  }
  if (!parts.empty()) document["parts"] = std::move(parts);
  if (!shards.empty()) document["shards"] = shards;
  if (!shards.empty() || !record.missing_shards.empty()) document["missing_shards"] = record.missing_shards;
}

std::string first_line(const std::string& message) {
  std::string line = printable(trim(std::string_view(message).substr(0, message.find('\n'))));
  if (code_points(line) <= kMessageWidth) return line;
  std::size_t end = kMessageWidth;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
  return line.substr(0, end) + "...";
}

std::string bad_tests(const RunRecord& record, const Style& style) {
  std::string text;
  std::size_t listed = 0;
  std::size_t left_out = 0;
  for (const TestResult& result : record.results) {
    if (!is_bad(result.outcome)) continue;
    if (listed == kListed) {
      ++left_out;
      continue;
    }
    ++listed;
    text += fmt::format("  {} {}{}\n", style.red(fmt::format("{:<7}", word(result.outcome))),
                        printable(result.id), result.quarantined ? " (in quarantine)" : "");
    if (!result.message.empty()) text += "          " + style.dim("| " + first_line(result.message)) + "\n";
  }
  if (left_out > 0) text += fmt::format("  ... and {} more; -o json and -o junit:FILE hold all\n", left_out);
  return text;
}

std::string flaky_tests(const RunRecord& record, const Style& style) {
  std::string text;
  for (const TestResult& result : record.results)
    if (!is_bad(result.outcome) && result.attempts > 1)
      text += fmt::format("  {} {} (attempt {})\n", style.yellow("flaky  "), printable(result.id),
                          result.attempts);
  return text;
}

std::string not_run_text(const RunRecord& record, const Style& style) {
  if (record.not_run.empty()) return "";
  std::string text = style.bold("Not run") + "\n";
  for (const auto& [reason, ids] : record.not_run)
    text += fmt::format("  {:>7}  {}\n", ids.size(), printable(reason));
  return text;
}

std::string with_colour(Outcome outcome, const std::string& text, const Style& style) {
  if (is_bad(outcome)) return style.red(text);
  if (outcome == Outcome::passed) return style.green(text);
  return style.yellow(text);
}

}  // namespace

Json counts_json(const RunRecord& record) {
  Json counts = Json::object();
  std::map<Outcome, std::size_t> by_outcome = count(record.results);
  for (Outcome outcome : runner::kOutcomes) counts[word(outcome)] = by_outcome[outcome];
  std::size_t not_run = 0;
  for (const auto& [reason, ids] : record.not_run) not_run += ids.size();
  counts["not_run"] = not_run;
  return counts;
}

std::string missing_shards_text(const RunRecord& record) {
  const std::vector<int>& missing = record.missing_shards;
  if (missing.empty()) return "";
  int total = 0;
  for (const runner::RunPart& part : record.parts) total = std::max(total, part.shard.total);
  if (missing.size() == 1) return fmt::format("shard {} of {} is missing", missing.front(), total);
  std::vector<std::string> ranges;
  for (std::size_t i = 0; i < missing.size();) {
    std::size_t first = i++;
    while (i < missing.size() && missing[i] == missing[i - 1] + 1) ++i;
    bool one = i == first + 1;
    ranges.push_back(one ? fmt::format("{}", missing[first])
                         : fmt::format("{} to {}", missing[first], missing[i - 1]));
  }
  return fmt::format("shards {} of {} are missing", join(ranges, ", "), total);
}

std::string counts_text(const RunRecord& record, const Style& style) {
  std::map<Outcome, std::size_t> by_outcome = count(record.results);
  std::vector<std::string> parts;
  for (Outcome outcome : {Outcome::failed, Outcome::error, Outcome::crashed, Outcome::timeout,
                          Outcome::passed, Outcome::skipped, Outcome::xfailed, Outcome::xpassed}) {
    std::size_t number = by_outcome[outcome];
    if (number > 0) parts.push_back(with_colour(outcome, fmt::format("{} {}", number, word(outcome)), style));
  }
  std::size_t quarantined = static_cast<std::size_t>(
      std::count_if(record.results.begin(), record.results.end(),
                    [](const TestResult& result) { return is_bad(result.outcome) && result.quarantined; }));
  if (quarantined > 0) parts.push_back(fmt::format("{} of these bad ones in quarantine", quarantined));
  return parts.empty() ? "no test ran" : join(parts, ", ");
}

std::string run_json(const RunRecord& record) {
  Json document = {{"schema", "hwsift.run/1"},
                   {"device", record.device},
                   {"environment", record.environment},
                   {"started", record.started},
                   {"seconds", record.seconds}};
  Json results = Json::array();
  for (const TestResult& result : record.results) results.push_back(result_json(result));
  document["results"] = std::move(results);
  Json not_run = Json::object();
  for (const auto& [reason, ids] : record.not_run) not_run[reason] = ids;
  document["not_run"] = std::move(not_run);
  document["outstanding"] = record.outstanding;
  document["expanded"] = record.expanded;
  document["selected"] = record.predicted;
  document["fingerprint"] = record.fingerprint;
  if (record.shard.total > 0) document["shard"] = shard_json(record.shard);
  add_parts(record, document);
  document["counts"] = counts_json(record);
  document["complete"] = complete(record);
  if (record.signal != 0) document["signal"] = record.signal;
  if (!record.device_problem.empty()) document["device_problem"] = record.device_problem;
  document["notes"] = record.notes;
  return dump_json(document, 1) + "\n";
}

std::string run_text(const RunRecord& record, const Style& style) {
  std::string text = bad_tests(record, style) + flaky_tests(record, style);
  if (!text.empty()) text = style.bold("Worth a look") + "\n" + text;
  text += not_run_text(record, style);
  if (!record.missing_shards.empty()) text += style.red(missing_shards_text(record)) + "\n";
  if (!record.device_problem.empty())
    text += style.red("the device failed: " + first_line(record.device_problem)) + "\n";
  for (const std::string& note : record.notes) text += "note: " + printable(note) + "\n";
  std::string selected = record.results.size() == record.predicted
                             ? ""
                             : fmt::format(" ({} selected, before templates expand)", record.predicted);
  text += style.bold(fmt::format("{} test{} on {}{}:", record.results.size(),
                                 record.results.size() == 1 ? "" : "s", printable(record.device), selected)) +
          " " + counts_text(record, style) + fmt::format(" in {:.1f} s", record.seconds) + "\n";
  return text;
}

}  // namespace hwsift::report
