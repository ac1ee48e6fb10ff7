#include "report/history_progress.h"

namespace hwsift::report {
namespace {

constexpr double kBetweenLines = 0.1;  // seconds

}  // namespace

void HistoryProgress::commit(std::size_t done, std::size_t total, const std::string& date,
                             std::size_t measured) {
  if (!shown_ || (drawn_ && clock_.now() - last_ < kBetweenLines)) return;
  last_ = clock_.now();
  drawn_ = true;
  std::fprintf(stream_, "\r\x1b[K%zu of %zu commits, at %s, %zu files measured", done, total,
               date.substr(0, 10).c_str(), measured);
  std::fflush(stream_);
}

void HistoryProgress::finish() {
  if (drawn_) std::fputs("\r\x1b[K", stream_);
  drawn_ = false;
}

}  // namespace hwsift::report
