// Any bytes as a filter: one whose printed form reads as the same, and that can be asked; or an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "runner/filter.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using hwsift::runner::Filter;
  const std::vector<std::string> categories = {"GENERIC", "DEVICE_GENERIC", "CPU", "CUDA"};
  std::string text(reinterpret_cast<const char*>(data), size);
  std::size_t fault = 0;
  hwsift::Result<Filter> filter = Filter::parse(text, categories, &fault);
  if (!filter.ok()) {
    if (filter.error().what.empty() || filter.error().where.empty() || fault > size) std::abort();
    if (hwsift::runner::caret(text, fault).empty()) std::abort();
    return 0;
  }
  std::string printed = filter->to_text();
  if (printed.size() > (64u << 10)) return 0;  // quotes and spaces may make it too long to be read
  hwsift::Result<Filter> again = Filter::parse(printed, categories);
  if (!again.ok() || again->to_text() != printed) std::abort();
  hwsift::runner::TestTraits test;
  test.path = "test/nn/test_init.py";
  test.cls = "TestA";
  test.method = test.name = "test_a";
  if (filter->matches(test, {}) != again->matches(test, {})) std::abort();
  return 0;
}
