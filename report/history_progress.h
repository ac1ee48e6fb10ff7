// How far reading the history has come, on stderr: a line that is rewritten on a terminal, nothing elsewhere.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

#include "base/clock.h"

namespace hwsift::report {

class HistoryProgress {
 public:
  // `shown`: whether the stream is a terminal and the user wants to see it.
  HistoryProgress(std::FILE* stream, bool shown, Clock& clock)
      : stream_(stream), shown_(shown), clock_(clock) {}
  ~HistoryProgress() { finish(); }
  HistoryProgress(const HistoryProgress&) = delete;
  HistoryProgress& operator=(const HistoryProgress&) = delete;

  // `date` of the commit that is read now: "2026-03-14T15:09:26Z".
  void commit(std::size_t done, std::size_t total, const std::string& date, std::size_t measured);
  // Takes the line away.
  void finish();

 private:
  std::FILE* stream_;
  bool shown_;
  Clock& clock_;
  double last_ = 0;
  bool drawn_ = false;
};

}  // namespace hwsift::report
