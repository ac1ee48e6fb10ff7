#include "history/run_report.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "classifier/category.h"
#include "history/test_identity.h"

namespace hwsift::history {
namespace {

using runner::Outcome;
using runner::RunRecord;
using runner::TestResult;

// Counts by name; a result or a test that did not run each time.
class Groups {
 public:
  OutcomeCounts& operator[](const std::string& name) { return groups_[name]; }
  std::vector<RunGroup> by_name() const {
    std::vector<RunGroup> list;
    for (const auto& [name, counts] : groups_) list.push_back({name, counts});
    return list;
  }
  // Those that `order` names in its order, then the others by name.
  std::vector<RunGroup> by_order(const std::vector<std::string>& order) const {
    std::vector<RunGroup> list = by_name();
    auto rank = [&](const RunGroup& group) {
      return std::find(order.begin(), order.end(), group.name) - order.begin();
    };
    std::stable_sort(list.begin(), list.end(),
                     [&](const RunGroup& a, const RunGroup& b) { return rank(a) < rank(b); });
    return list;
  }

 private:
  std::map<std::string, OutcomeCounts> groups_;
};

std::string parts_text(const TestResult& result) {
  std::vector<std::string> words;
  for (const runner::PartResult& part : result.by_part) words.emplace_back(word(part.outcome));
  return join(words, ", then ");
}

bool parts_differ(const TestResult& result) {
  return std::any_of(result.by_part.begin(), result.by_part.end(), [&](const runner::PartResult& part) {
    return part.outcome != result.by_part.front().outcome;
  });
}

ShownTest shown(const TestResult& result, std::string text) {
  return {result.id, result.outcome, result.seconds, result.attempts, std::move(text)};
}

// An outcome without a message is told by its own word.
std::string message_of(const TestResult& result) {
  return trim(result.message).empty() ? word(result.outcome) : result.message;
}

template <class Item>
void keep_slowest(std::vector<Item>& items, const std::string Item::*name) {
  std::size_t kept = std::min(items.size(), kSlowest);
  std::partial_sort(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(kept), items.end(),
                    [&](const Item& a, const Item& b) {
                      return a.seconds != b.seconds ? a.seconds > b.seconds : a.*name < b.*name;
                    });
  items.resize(kept);
}

class Builder {
 public:
  explicit Builder(const RunRecord& record, const classifier::Vocabulary& vocabulary)
      : record_(record), devices_(all_devices(record.device, vocabulary)) {}

  void count(RunReport& report) {
    for (const TestResult& result : record_.results) add(result, report);
    for (const auto& [reason, ids] : record_.not_run)
      for (const std::string& id : ids) add_not_run(reason, id, report);
  }

  void finish(const classifier::Vocabulary& vocabulary, RunReport& report) {
    report.categories = categories_.by_order(category_order(vocabulary));
    report.devices = by_device_.by_name();
    report.directories = directories_.by_name();
    report.files = files_.by_name();
    report.not_run = not_run_.take();
    report.skips = skips_.take();
    report.failures = failures_.take();
    for (const RunGroup& file : report.files)
      if (file.counts.results() > 0)
        report.slowest_files.push_back({file.name, file.counts.results(), file.counts.seconds});
    keep_slowest(report.slowest_files, &SlowFile::path);
    keep_slowest(slow_, &Slow::id);
    for (const Slow& one : slow_) report.slowest_tests.push_back(shown(*one.result, ""));
  }

 private:
  struct Slow {
    std::string id;
    double seconds;
    const TestResult* result;
  };

  void add(const TestResult& result, RunReport& report) {
    TestIdParts id = parts_of(result.id);
    std::string path(result.path.empty() ? std::string(id.path) : result.path);
    for (OutcomeCounts* counts :
         {&report.total, &categories_[result.category], &by_device_[device_in(id, devices_)],
          &directories_[directory_of(path)], &files_[path]})
      counts->add(result);
    slow_.push_back({result.id, result.seconds, &result});
    if (result.outcome == Outcome::skipped) skips_.add(message_of(result), result.id);
    if (is_bad(result.outcome)) failures_.add(message_of(result), result.id);
    if (result.flaky() || parts_differ(result)) report.flaky.push_back(shown(result, parts_text(result)));
    if (result.outcome == Outcome::crashed || result.outcome == Outcome::timeout)
      report.broken.push_back(shown(result, line_of(result.message)));
    report.quarantined += is_bad(result.outcome) && result.quarantined;
  }

  void add_not_run(const std::string& reason, const std::string& id, RunReport& report) {
    TestIdParts parts = parts_of(id);
    std::string path(parts.path);
    for (OutcomeCounts* counts : {&report.total, &by_device_[device_in(parts, devices_)],
                                  &directories_[directory_of(path)], &files_[path]})
      ++counts->not_run;
    not_run_.add(reason, id);
  }

  const RunRecord& record_;
  std::vector<DeviceNames> devices_;
  Groups categories_, by_device_, directories_, files_;
  ReasonClusters not_run_, skips_, failures_;
  std::vector<Slow> slow_;
};

std::vector<std::string> notes_of(const RunRecord& record) {
  std::vector<std::string> notes;
  std::vector<std::string> missing;
  for (int shard : record.missing_shards) missing.push_back(std::to_string(shard));
  if (!missing.empty()) notes.push_back("the account is open: missing shards " + join(missing, ", "));
  if (!record.device_problem.empty()) notes.push_back("the device failed: " + line_of(record.device_problem));
  if (record.signal != 0) notes.push_back("ended by signal " + std::to_string(record.signal));
  for (const std::string& reason : record.outstanding)
    if (auto found = record.not_run.find(reason); found != record.not_run.end())
      notes.push_back("the account is open: " + std::to_string(found->second.size()) + " not run (" +
                      line_of(reason) + ")");
  for (const std::string& note : record.notes) notes.push_back(line_of(note));
  return notes;
}

}  // namespace

std::size_t OutcomeCounts::results() const {
  std::size_t sum = 0;
  for (std::size_t number : by_outcome) sum += number;
  return sum;
}

std::size_t OutcomeCounts::bad() const {
  std::size_t sum = 0;
  for (Outcome outcome : runner::kOutcomes)
    if (is_bad(outcome)) sum += of(outcome);
  return sum;
}

void OutcomeCounts::add(const TestResult& result) {
  ++by_outcome[static_cast<std::size_t>(result.outcome)];
  seconds += result.seconds;
}

std::string directory_of(const std::string& path) {
  constexpr std::string_view kTests = "test/";
  std::size_t from = path.starts_with(kTests) ? kTests.size() : 0;
  std::size_t slash = path.find('/', from);
  if (slash != std::string::npos) return path.substr(0, slash);
  return from > 0 ? "test" : ".";
}

std::vector<std::string> category_order(const classifier::Vocabulary& vocabulary) {
  std::vector<std::string> order = {
      classifier::Category::generic().name(),
      classifier::Category{classifier::Category::Kind::device_generic, ""}.name()};
  for (const classifier::DeviceType& device : vocabulary.devices)
    if (!device.category.empty()) order.push_back(device.category);
  return order;
}

RunHead head_of(const RunRecord& record, std::vector<std::string> documents) {
  RunHead head;
  head.documents = std::move(documents);
  head.device = record.device;
  head.environment = record.environment;
  head.started = record.started;
  head.seconds = record.seconds;
  head.selected = record.predicted;
  head.parts = std::max<std::size_t>(record.parts.size(), 1);
  head.fingerprint = record.fingerprint;
  head.complete = complete(record);
  return head;
}

RunReport run_report(const RunRecord& record, std::vector<std::string> documents,
                     const classifier::Vocabulary& vocabulary) {
  RunReport report;
  report.head = head_of(record, std::move(documents));
  report.notes = notes_of(record);
  Builder builder(record, vocabulary);
  builder.count(report);
  builder.finish(vocabulary, report);
  return report;
}

}  // namespace hwsift::history
