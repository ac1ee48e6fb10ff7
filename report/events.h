// The events of a run, one JSON object a line (hwsift.events/1): while it runs, or made from what it came to.
//
//   run_started   schema, device, started, files, selected
//   file_started, file_ended   path
//   test_started  id
//   test_ended    once an attempt: id, outcome, seconds, attempt, message
//   run_ended     counts, not_run {reason: count}, seconds, complete
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "runner/run.h"

namespace hwsift::report {

// Writes each event when it happens, and flushes it. After the first that cannot be written it stays silent.
class Events : public runner::RunListener {
 public:
  explicit Events(std::FILE* stream) : stream_(stream) {}

  void run_started(const std::string& device, const std::string& started, std::size_t files,
                   std::size_t selected);
  void file_started(const std::string& path) override;
  void test_started(const std::string& id) override;
  void test_ended(const runner::TestResult& result) override;
  void file_ended(const std::string& path) override;
  void tick() override {}
  void run_ended(const runner::RunRecord& record);
  bool failed() const { return failed_; }

 private:
  void say(const std::string& line);

  std::FILE* stream_;
  bool failed_ = false;
};

// The same of a run that is over; of each test its last attempt.
std::string run_jsonl(const runner::RunRecord& record);

// Several listeners as one.
class Listeners : public runner::RunListener {
 public:
  void add(runner::RunListener& listener) { all_.push_back(&listener); }

  void file_started(const std::string& path) override;
  void test_started(const std::string& id) override;
  void test_ended(const runner::TestResult& result) override;
  void file_ended(const std::string& path) override;
  void tick() override;

 private:
  std::vector<runner::RunListener*> all_;
};

}  // namespace hwsift::report
