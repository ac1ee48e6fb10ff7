// What the parts of some work took, summed over threads, for --stats. Times are those of the processor, so
// that they add up to what the whole took.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <deque>
#include <span>

namespace hwsift {

class Meter {
 public:
  struct Part {
    const char* name = "";
    std::atomic<std::int64_t> nanoseconds{0};
    std::atomic<std::int64_t> times{0};
    std::atomic<std::int64_t> bytes{0};
  };

  explicit Meter(std::span<const char* const> names) {
    for (const char* name : names) parts_.emplace_back().name = name;
  }
  // Parts are told by their place among the names.
  void add(std::size_t part, std::int64_t nanoseconds, std::size_t bytes) {
    parts_[part].nanoseconds += nanoseconds;
    parts_[part].bytes += static_cast<std::int64_t>(bytes);
    ++parts_[part].times;
  }
  const std::deque<Part>& parts() const { return parts_; }

 private:
  std::deque<Part> parts_;
};

// One part, for the time of a scope, on one thread. Not within another one.
class MeterScope {
 public:
  // `meter`: nullptr where nobody asks.
  MeterScope(Meter* meter, std::size_t part)
      : meter_(meter), part_(part), begin_(meter == nullptr ? 0 : now()) {}
  MeterScope(const MeterScope&) = delete;
  MeterScope& operator=(const MeterScope&) = delete;
  ~MeterScope() {
    if (meter_ != nullptr) meter_->add(part_, now() - begin_, bytes_);
  }
  void count(std::size_t bytes) { bytes_ += bytes; }

 private:
  static std::int64_t now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<std::int64_t>(time.tv_sec) * 1000000000 + time.tv_nsec;
  }

  Meter* meter_;
  std::size_t part_;
  std::int64_t begin_;
  std::size_t bytes_ = 0;
};

}  // namespace hwsift
