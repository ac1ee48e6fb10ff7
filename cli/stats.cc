#include "cli/stats.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace hwsift::cli {
namespace {

constexpr double kMillion = 1e6;

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / kMillion;
}

void print_stages(const Context& context) {
  double all = context.stopwatch.seconds();
  double told = 0;
  fmt::print(stderr, "{:<12}{:>12}\n", "stage", "wall ms");
  for (const StageTime& stage : context.stopwatch.stages) {
    told += stage.seconds;
    fmt::print(stderr, "{:<12}{:>12.1f}\n", stage.name, stage.seconds * 1000);
  }
  fmt::print(stderr, "{:<12}{:>12.1f}\n", "other", (all - told) * 1000);
  fmt::print(stderr, "{:<12}{:>12.1f}\n", "all", all * 1000);
}

void print_part(const Meter::Part& part) {
  if (part.times == 0) return;
  std::string bytes = part.bytes > 0 ? fmt::format("{:.2f}", static_cast<double>(part.bytes) / kMillion) : "";
  fmt::print(stderr, "{:<12}{:>12.1f}{:>10}{:>10}\n", part.name,
             static_cast<double>(part.nanoseconds) / kMillion, part.times.load(), bytes);
}

void print_parts(const Meter& meter, const rusage& used) {
  double all = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  double told = 0;
  fmt::print(stderr, "\n{:<12}{:>12}{:>10}{:>10}\n", "part", "CPU ms", "times", "MB");
  for (const Meter::Part& part : meter.parts()) {
    told += static_cast<double>(part.nanoseconds) / kMillion / 1000;
    print_part(part);
  }
  fmt::print(stderr, "{:<12}{:>12.1f}\n", "other", std::max(0.0, all - told) * 1000);
  fmt::print(stderr, "{:<12}{:>12.1f}\n", "all", all * 1000);
}

void print_cache(const Context& context) {
  if (context.globals.no_cache) fmt::print(stderr, "cache: off (--no-cache)\n");
  if (context.cache == nullptr) return;
  store::CacheCounts counts = context.cache->counts();
  fmt::print(stderr, "cache: {} file{}: {} unchanged, {} of known content, {} analysed; {}\n", counts.files,
             counts.files == 1 ? "" : "s", counts.unchanged, counts.known, counts.analysed,
             counts.read_only ? "it is read-only" : fmt::format("{} kept", counts.kept));
}

}  // namespace

Meter make_meter(const Globals& globals) {
  std::array<const char*, kPartCount> names{};
  std::copy(std::begin(analyzer::kReadingPartNames), std::end(analyzer::kReadingPartNames), names.begin());
  // Without the cache, what is read twice in one run is remembered for that long.
  if (globals.no_cache) names[analyzer::kAskCache] = "reuse";
  names[kClassifyPart] = "classify";
  names[kLintPart] = "rules";
  names[kPrintPart] = "print";
  return Meter(names);
}

void print_stats(const Context& context) {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  print_stages(context);
  if (context.meter != nullptr) print_parts(*context.meter, used);
  fmt::print(stderr, "\nmemory: at most {:.0f} MB\n", static_cast<double>(used.ru_maxrss) * 1024 / kMillion);
  print_cache(context);
}

}  // namespace hwsift::cli
