// Made-up progress for tests: of any size, and with texts that would break a printer.
#pragma once

#include <cstddef>
#include <string>

#include "history/progress.h"

namespace hwsift::report {

struct SampleSize {
  std::size_t classes = 12;
  std::size_t items = 9;
  std::size_t points = 5;
};
history::Progress sample_progress(const SampleSize& size);
// The same, with such texts wherever a text may come from outside.
history::Progress nasty_progress();
extern const char* const kNasty;

}  // namespace hwsift::report
