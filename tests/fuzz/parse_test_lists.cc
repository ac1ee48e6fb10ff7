// Any bytes as each list of tests: one that can be asked, or an error with a place and a text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "runner/test_lists.h"

namespace {

template <class List>
bool is_read(const hwsift::Result<List>& list) {
  if (!list.ok() && (list.error().what.empty() || list.error().where.empty())) std::abort();
  return list.ok();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hwsift::runner;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  const Conditions here = {{"linux"}, {"cpu"}};
  auto disabled = DisabledTests::parse(bytes, "disabled.json");
  if (is_read(disabled)) disabled->find("TestACPU", "test_a_cpu_float32", here);
  auto slow = SlowTests::parse(bytes, "slow.json");
  if (is_read(slow)) slow->find("TestACPU", "test_a_cpu_float32", here);
  auto quarantine = Quarantine::parse(bytes, "quarantine.yaml");
  if (is_read(quarantine)) {
    quarantine->find("test/test_a.py::TestA::test_a", "2026-03-14");
    quarantine->warnings({"test/test_a.py::TestA::test_a"}, "2026-03-14");
  }
  return 0;
}
