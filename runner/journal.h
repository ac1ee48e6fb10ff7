// What the pytest plugin says over its channel, and what it is answered. runner/python/hwsift_pytest.py is
// the other end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "runner/result.h"

namespace hwsift::runner {

// A test that pytest collected.
struct CollectedTest {
  std::string within;  // the id after "file::"
  std::string name;    // "test_add[1]"
  std::vector<std::string>
      classes;         // "file::Class" of the class and its bases, derived first; [] for a function
  std::string device;  // the class attribute device_type, which the framework's variants have
  // What a gtest binary calls suite and test, where the id has other names; "" where it has these.
  std::string suite = {};
  std::string own_name = {};
};

// A file or class that pytest could not collect, or that skipped itself.
struct CollectProblem {
  std::string within;  // "" for the whole file
  Outcome outcome = Outcome::error;
  std::string message;
  std::string details;
};

struct JournalEvent {
  enum class Kind { hello, collected, start, end, finish, problem };
  Kind kind = Kind::hello;
  std::map<std::string, std::string> environment;  // of hello; torch is missing where there is none
  std::vector<CollectedTest> items;                // of collected
  std::vector<CollectedTest> deselected;           // of collected: what pytest's settings take out
  std::vector<CollectProblem> problems;  // of collected, and of problem: what went wrong outside of tests
  std::string within;                    // of start and end
  Outcome outcome = Outcome::passed;
  double seconds = 0;
  std::string message;
  std::string details;
  std::string output;
};

Result<JournalEvent> parse_event(std::string_view line);
// The answer to `collected`: which items to run.
std::string answer(const std::vector<std::size_t>& run);

}  // namespace hwsift::runner
