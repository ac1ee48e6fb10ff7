// Any bytes as times of tests: times that a plan can be made with, or an error with a place and a text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "runner/expectation.h"
#include "runner/times.h"

namespace {

using namespace hwsift::runner;

SelectedTest test_of(const std::string& path, const std::string& cls) {
  SelectedTest test;
  test.id = path + "::" + cls + "::test";
  test.path = path;
  test.run_class = cls;
  return test;
}

// A test for each file and class that the times name.
Selection selection_of(const KnownTimes& times) {
  Selection selection;
  for (const auto& [path, seconds] : times.files) selection.tests.push_back(test_of(path, "TestAny"));
  for (const auto& [id, seconds] : times.classes) {
    std::string path = id.substr(0, id.find("::"));
    selection.tests.push_back(test_of(path, id.substr(path.size() + 2)));
  }
  return selection;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hwsift::Result<ReadTimes> read =
      parse_times(std::string(reinterpret_cast<const char*>(data), size), "times.json", "linux", "slow");
  if (!read.ok()) {
    if (read.error().what.empty() || read.error().where.empty()) std::abort();
    return 0;
  }
  for (Micros one : expect(selection_of(read->times), read->times).tests)
    if (one < 0) std::abort();
  return 0;
}
