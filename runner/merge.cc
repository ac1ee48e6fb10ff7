#include "runner/merge.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <unordered_map>

#include "base/hash.h"
#include "base/text.h"

namespace hwsift::runner {
namespace {

constexpr std::string_view kOr = " | ";

std::string digest_of(const RunRecord& record) {
  Digest digest;
  for (const std::string& text :
       {record.device, record.fingerprint, record.started, std::to_string(record.seconds),
        std::to_string(record.shard.index), std::to_string(record.predicted)})
    digest.add(text);
  for (const TestResult& result : record.results) {
    for (const std::string& text : {result.id, std::string(word(result.outcome)),
                                    std::to_string(result.attempts), std::to_string(result.seconds)})
      digest.add(text);
  }
  for (const auto& [reason, ids] : record.not_run) {
    digest.add(reason);
    for (const std::string& id : ids) digest.add(id);
  }
  return digest.hex();
}

bool before(const RunPart& a, const RunPart& b) {
  return std::tie(a.started, a.digest) < std::tie(b.started, b.digest);
}

std::string plural_note(const std::string& name, const std::string& values) {
  return "the runs differ in " + name + ": " + values;
}

// Said of what the merged environment says: notes of that kind are made anew with each merge.
std::vector<std::string> environment_notes(const std::map<std::string, std::string>& environment) {
  std::vector<std::string> notes;
  for (const auto& [name, value] : environment)
    if (value.find(kOr) != std::string::npos) notes.push_back(plural_note(name, value));
  return notes;
}

void add_values(const std::string& text, std::set<std::string>& values) {
  std::size_t start = 0;
  for (std::size_t end = text.find(kOr); end != std::string::npos; end = text.find(kOr, start)) {
    values.insert(text.substr(start, end - start));
    start = end + kOr.size();
  }
  values.insert(text.substr(start));
}

// A run on its own is its one part.
void make_part(RunRecord& record) {
  if (!record.parts.empty()) return;
  record.parts = {
      {record.shard, record.started, digest_of(record), record.seconds, record.predicted, record.signal}};
  for (TestResult& result : record.results) result.by_part = {{0, result.outcome, result.attempts}};
}

// 0 where all did the whole.
int shards_of(const RunRecord& record) {
  int total = 0;
  for (const RunPart& part : record.parts) total = std::max(total, part.shard.total);
  return total;
}

std::string in_quotes(const std::string& text) { return text.empty() ? "none" : "'" + text + "'"; }

Status refuse(const NamedRecord& a, const NamedRecord& b, const std::string& what, const std::string& hint) {
  return Error{b.name, "cannot be joined with " + a.name + ": " + what, hint};
}

Status check_one_plan(const NamedRecord& first, const NamedRecord& other) {
  const RunRecord& a = first.record;
  const RunRecord& b = other.record;
  if (a.device != b.device)
    return refuse(first, other, "device is " + in_quotes(b.device) + ", not " + in_quotes(a.device),
                  "merge the documents of each device on their own");
  if (a.fingerprint != b.fingerprint)
    return refuse(first, other,
                  "fingerprint is " + in_quotes(b.fingerprint) + ", not " + in_quotes(a.fingerprint),
                  "merge runs of one plan: of the same tree with the same options");
  return {};
}

// A run without a shard, such as one of what was left of a merged run, goes with shards of its plan.
Status check_shards(const std::vector<NamedRecord>& records) {
  const NamedRecord* first = nullptr;
  for (const NamedRecord& named : records) {
    for (const RunPart& part : named.record.parts) {
      if (part.shard.total == 0) continue;
      if (first == nullptr) first = &named;
      int total = shards_of(first->record);
      if (part.shard.total != total)
        return refuse(*first, named,
                      "of " + std::to_string(part.shard.total) + " shards, not of " + std::to_string(total),
                      "merge shards of one plan");
    }
  }
  return {};
}

// What an id in not_run means: smaller ones win.
struct Reason {
  bool outstanding = false;
  std::string text;
  bool operator<(const Reason& other) const {
    return std::tie(outstanding, text) < std::tie(other.outstanding, other.text);
  }
};

class Merger {
 public:
  explicit Merger(std::vector<NamedRecord> records) : records_(std::move(records)) {}

  RunRecord merge() {
    number_parts();
    for (NamedRecord& named : records_) take(named.record);
    for (auto& [id, result] : results_) merged_.results.push_back(settled(std::move(result)));
    sort_results();
    close_templates();
    for (auto& [id, reason] : not_run_) leave_out(id, reason);
    sum_up();
    return std::move(merged_);
  }

 private:
  void number_parts() {
    for (const NamedRecord& named : records_)
      for (const RunPart& part : named.record.parts) merged_.parts.push_back(part);
    std::sort(merged_.parts.begin(), merged_.parts.end(), before);
    auto same = [](const RunPart& a, const RunPart& b) { return a.digest == b.digest; };
    merged_.parts.erase(std::unique(merged_.parts.begin(), merged_.parts.end(), same), merged_.parts.end());
    for (std::size_t i = 0; i < merged_.parts.size(); ++i)
      number_of_[merged_.parts[i].digest] = static_cast<int>(i);
  }

  void take(RunRecord& record) {
    merged_.device = record.device;
    merged_.fingerprint = record.fingerprint;
    for (TestResult& result : record.results) take(record, std::move(result));
    for (const auto& [reason, ids] : record.not_run) {
      Reason one{record.outstanding.count(reason) > 0, reason};
      for (const std::string& id : ids) take(id, one);
    }
    merged_.expanded.insert(record.expanded.begin(), record.expanded.end());
    for (const auto& [name, value] : record.environment) add_values(value, environment_[name]);
    std::vector<std::string> made = environment_notes(record.environment);
    for (const std::string& note : record.notes)
      if (std::find(made.begin(), made.end(), note) == made.end()) notes_.insert(note);
  }

  void take(const RunRecord& record, TestResult result) {
    for (PartResult& one : result.by_part)
      one.part = number_of_.at(record.parts[static_cast<std::size_t>(one.part)].digest);
    std::sort(result.by_part.begin(), result.by_part.end());
    auto [found, is_new] = results_.emplace(result.id, result);
    if (is_new) return;
    TestResult& known = found->second;
    std::vector<PartResult> all;
    std::set_union(known.by_part.begin(), known.by_part.end(), result.by_part.begin(), result.by_part.end(),
                   std::back_inserter(all));
    if (known.by_part.back().part < result.by_part.back().part) known = std::move(result);
    known.by_part = std::move(all);
  }

  void take(const std::string& id, const Reason& reason) {
    auto [found, is_new] = not_run_.emplace(id, reason);
    if (!is_new) found->second = std::min(found->second, reason);
  }

  static TestResult settled(TestResult result) {
    int attempts = 0;
    bool failed_before = false;
    for (const PartResult& one : result.by_part) {
      attempts += one.attempts;
      failed_before = failed_before || is_bad(one.outcome);
    }
    bool flaky = failed_before && !is_bad(result.outcome);
    result.attempts = flaky ? attempts : result.by_part.back().attempts;
    return result;
  }

  void sort_results() {
    std::sort(merged_.results.begin(), merged_.results.end(), [](const TestResult& a, const TestResult& b) {
      return std::tie(a.path, a.id) < std::tie(b.path, b.id);
    });
  }

  // A template whose file nobody had collected is accounted for once its tests are, under their real names.
  void close_templates() {
    for (const std::string& id : merged_.expanded)
      if (auto found = not_run_.find(id); found != not_run_.end()) not_run_.erase(found);
  }

  void leave_out(const std::string& id, const Reason& reason) {
    if (results_.count(id) > 0) return;
    merged_.not_run[reason.text].push_back(id);
    if (reason.outstanding) merged_.outstanding.insert(reason.text);
  }

  struct ShardSum {
    double seconds = 0;
    std::size_t predicted = 0;
    int signal = 0;  // of the last part
  };

  // Parts of one shard ran after one another, shards side by side, what has no shard after them all.
  void sum_up() {
    std::map<int, ShardSum> shards;
    merged_.started = merged_.parts.front().started;
    for (const RunPart& part : merged_.parts) {
      if (part.shard.index == 0) forget_signals(shards);
      ShardSum& shard = shards[part.shard.index];
      shard.seconds += part.seconds;
      shard.predicted = std::max(shard.predicted, part.predicted);
      shard.signal = part.signal;
    }
    ShardSum whole = shards[0];
    shards.erase(0);
    for (const auto& [index, shard] : shards) {
      merged_.seconds = std::max(merged_.seconds, shard.seconds);
      merged_.predicted += shard.predicted;
      merged_.signal = std::max(merged_.signal, shard.signal);
    }
    merged_.seconds += whole.seconds;
    merged_.predicted = std::max(merged_.predicted, whole.predicted);
    merged_.signal = std::max(merged_.signal, whole.signal);
    name_shards(shards);
    join_words();
  }

  static void forget_signals(std::map<int, ShardSum>& shards) {
    for (auto& [index, shard] : shards) shard.signal = 0;
  }

  void name_shards(const std::map<int, ShardSum>& shards) {
    int total = shards_of(merged_);
    for (int shard = 1; shard <= total; ++shard)
      if (shards.count(shard) == 0) merged_.missing_shards.push_back(shard);
    if (total > 1 && shards.size() == 1) merged_.shard = {shards.begin()->first, total};
  }

  void join_words() {
    for (const auto& [name, values] : environment_)
      merged_.environment[name] = join({values.begin(), values.end()}, kOr);
    for (const std::string& note : environment_notes(merged_.environment)) notes_.insert(note);
    merged_.notes.assign(notes_.begin(), notes_.end());
  }

  std::vector<NamedRecord> records_;
  RunRecord merged_;
  std::unordered_map<std::string, int> number_of_;
  std::unordered_map<std::string, TestResult> results_;
  std::map<std::string, Reason> not_run_;
  std::map<std::string, std::set<std::string>> environment_;
  std::set<std::string> notes_;
};

}  // namespace

Result<RunRecord> merge(std::vector<NamedRecord> records) {
  if (records.empty()) return Error{"merge", "nothing to merge", "name documents of runs"};
  for (NamedRecord& named : records) make_part(named.record);
  for (const NamedRecord& named : records)
    if (Status fits = check_one_plan(records.front(), named); !fits.ok()) return fits.error();
  if (Status fits = check_shards(records); !fits.ok()) return fits.error();
  return Merger(std::move(records)).merge();
}

}  // namespace hwsift::runner
