// Lists that say of single tests what to do with them.
//
//   disabled     PyTorch's .pytorch-disabled-tests.json: {"test_x (__main__.TestY)": [issue, [platforms]]}
//   slow         PyTorch's slow_tests.json: {"test_x (__main__.TestY)": seconds}
//   quarantine   hwsift's own, in YAML: - {test: ID or glob, reason: why, until: 2026-03-14, owner, issue}
//
// The first two match as check_if_enable of torch.testing._internal.common_utils does: the class by its
// start, the method by its whole name, or by that without a dtype at its end and a device type before it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"

namespace hwsift::runner {

// Where tests run, in the words of those lists.
struct Conditions {
  std::vector<std::string> platforms;     // "linux", "rocm", "xpu", "asan", "dynamo", "inductor", "slow"
  std::vector<std::string> device_types;  // whose names end names of tests: "cpu", "cuda"
};

// Finds what a list has on a test.
class ListedTests {
 public:
  // False for a name that no test can have: one of fewer than two words.
  bool add(const std::string& listed, std::size_t index);
  // Indices of all that match, in their order. `run_class` and `name` are those at run time.
  std::vector<std::size_t> find(std::string_view run_class, std::string_view name,
                                const std::vector<std::string>& device_types) const;

 private:
  struct Entry {
    std::string cls;
    std::size_t index;
  };
  std::unordered_map<std::string, std::vector<Entry>> by_name_;
};

struct DisabledTest {
  std::string test;  // as the list has it
  std::string issue;
  std::vector<std::string> platforms;  // [] for all
};

class DisabledTests {
 public:
  // Errors name the file, and the test at fault. The form with a number before the issue is read too.
  static Result<DisabledTests> parse(const std::string& bytes, const std::string& file);
  // Why the test must not run there; nullptr where it may.
  const DisabledTest* find(std::string_view run_class, std::string_view name, const Conditions& here) const;
  const std::vector<DisabledTest>& tests() const { return tests_; }
  // Names that no test can have, and platforms that are none.
  const std::vector<Error>& warnings() const { return warnings_; }

 private:
  std::vector<DisabledTest> tests_;  // by name
  ListedTests index_;
  std::vector<Error> warnings_;
};

class SlowTests {
 public:
  static Result<SlowTests> parse(const std::string& bytes, const std::string& file);
  // Seconds, the most where several entries match.
  std::optional<double> find(std::string_view run_class, std::string_view name, const Conditions& here) const;
  std::size_t size() const { return seconds_.size(); }

 private:
  std::vector<double> seconds_;
  ListedTests index_;
};

struct Quarantined {
  std::string test;  // an id, or a glob over ids
  std::string reason;
  std::string until;  // the last day that it holds, "2026-03-14"; "" without end
  std::string owner;
  std::string issue;
  std::string place;  // "file:line"

  bool holds_on(const std::string& today) const { return until.empty() || today <= until; }
};

class Quarantine {
 public:
  // Errors name file and line. Unknown keys, an entry that stands twice, one without reason and one for every
  // test are errors.
  static Result<Quarantine> parse(const std::string& bytes, const std::string& file);
  // The entry that holds for a test on a day (both as text: an id, "2026-03-14"); an id before a glob, then
  // the first of the file.
  const Quarantined* find(const std::string& id, const std::string& today) const;
  // Entries whose day has passed, and those that match none of `ids`, which are all there are.
  std::vector<Error> warnings(const std::vector<std::string>& ids, const std::string& today) const;
  const std::vector<Quarantined>& entries() const { return entries_; }

 private:
  std::vector<bool> matched_by(const std::vector<std::string>& ids) const;

  std::vector<Quarantined> entries_;  // in the order of the file
  std::unordered_map<std::string, std::size_t> by_id_;
  std::vector<std::size_t> globs_;
};

}  // namespace hwsift::runner
