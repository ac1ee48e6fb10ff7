// Times of stages, for --stats. A Stage object reports its lifetime to the Stopwatch it was made with.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace hwsift {

struct StageTime {
  std::string name;
  double seconds = 0;
};

struct Stopwatch {
  std::vector<StageTime> stages;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

  double seconds() const {
    std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    return passed.count();
  }
  // What has been done before counts together.
  void add(const std::string& name, double seconds) {
    for (StageTime& stage : stages)
      if (stage.name == name) {
        stage.seconds += seconds;
        return;
      }
    stages.push_back({name, seconds});
  }
};

class Stage {
 public:
  Stage(Stopwatch& stopwatch, std::string name)
      : stopwatch_(stopwatch), name_(std::move(name)), start_(std::chrono::steady_clock::now()) {}
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage() {
    std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    stopwatch_.add(name_, passed.count());
  }

 private:
  Stopwatch& stopwatch_;
  std::string name_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace hwsift
