#include "runner/expectation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "runner/owners.h"

namespace hwsift::runner {
namespace {

using Indices = std::vector<std::size_t>;

std::string id_of(const std::string& path, const std::string& cls) {
  std::string id = path;
  return id.append("::").append(cls);
}

// A time for each test, or -1.
constexpr Micros kUnknown = -1;

class Expecting {
 public:
  Expecting(const Selection& selection, const KnownTimes& times)
      : selection_(selection), tests_(selection.tests), times_(times), seconds_(tests_.size(), kUnknown) {
    for (std::size_t i = 0; i < tests_.size(); ++i) files_[tests_[i].path].push_back(i);
  }

  Expectation take() {
    read_tests();
    std::vector<const Indices*> unknown;
    for (const auto& [path, tests] : files_)
      if (!by_tests(tests) && !by_classes(path, tests)) unknown.push_back(&tests);
    fill(unknown);
    return {std::move(seconds_), {files_.size() - unknown.size(), files_.size()}};
  }

 private:
  void read_tests() {
    Owners owners(selection_);
    for (const auto& [id, seconds] : times_.tests) {
      std::optional<std::size_t> owner = owners.selected(id);
      if (!owner) continue;
      Micros& sum = seconds_[*owner];
      sum = std::max<Micros>(sum, 0) + micros(seconds);
    }
  }

  bool by_tests(const Indices& tests) {
    Micros sum = 0;
    Micros count = 0;
    for (std::size_t i : tests)
      if (seconds_[i] != kUnknown) sum += seconds_[i], ++count;
    if (count == 0) return false;
    for (std::size_t i : tests)
      if (seconds_[i] == kUnknown) seconds_[i] = sum / count;
    return true;
  }

  bool by_classes(const std::string& path, const Indices& tests) {
    std::map<std::string, Indices> classes;
    for (std::size_t i : tests) classes[tests_[i].run_class].push_back(i);
    Indices rest;
    Micros sum = 0;
    for (const auto& [cls, members] : classes) {
      auto found = times_.classes.find(id_of(path, cls));
      if (found == times_.classes.end()) {
        rest.insert(rest.end(), members.begin(), members.end());
        continue;
      }
      share(micros(found->second), members);
      sum += micros(found->second);
    }
    return rest.empty() || fill_rest(path, sum, tests.size() - rest.size(), rest);
  }

  // What the file takes beyond its known classes; else as much a test as in those.
  bool fill_rest(const std::string& path, Micros sum, std::size_t known, const Indices& rest) {
    auto file = times_.files.find(path);
    if (file != times_.files.end()) {
      share(std::max<Micros>(0, micros(file->second) - sum), rest);
      return true;
    }
    if (known == 0) return false;
    for (std::size_t i : rest) seconds_[i] = sum / static_cast<Micros>(known);
    return true;
  }

  void share(Micros sum, const Indices& tests) {
    auto count = static_cast<Micros>(tests.size());
    for (Micros i = 0; i < count; ++i)
      seconds_[tests[static_cast<std::size_t>(i)]] = sum / count + (i < sum % count ? 1 : 0);
  }

  void fill(const std::vector<const Indices*>& unknown) {
    auto known = static_cast<Micros>(files_.size() - unknown.size());
    Micros sum = 0;
    for (Micros seconds : seconds_) sum += std::max<Micros>(seconds, 0);
    for (const Indices* tests : unknown)
      share(known > 0 ? sum / known : static_cast<Micros>(tests->size()) * micros(kSecondsOfATest), *tests);
  }

  const Selection& selection_;
  const std::vector<SelectedTest>& tests_;
  const KnownTimes& times_;
  std::map<std::string, Indices> files_;
  std::vector<Micros> seconds_;
};

}  // namespace

Micros micros(double seconds) { return std::llround(std::clamp(seconds, 0.0, kLongestTime) * 1e6); }

Expectation expect(const Selection& selection, const KnownTimes& times) {
  return Expecting(selection, times).take();
}

}  // namespace hwsift::runner
