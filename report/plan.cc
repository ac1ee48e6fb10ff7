#include "report/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/json_writer.h"
#include "base/text.h"
#include "report/selection.h"

namespace hwsift::report {
namespace {

using runner::Plan;
using runner::PlanShard;
using runner::PlanUnit;

Json unit_json(const PlanUnit& unit) {
  Json json = {{"path", unit.path},
               {"part", unit.part},
               {"parts", unit.parts},
               {"expected_seconds", unit.expected_seconds}};
  if (unit.parts > 1) json["tests"] = unit.tests;
  return json;
}

Json shards_json(const Plan& plan) {
  Json shards = Json::array();
  for (const PlanShard& shard : plan.shards) {
    Json units = Json::array();
    for (const PlanUnit& unit : shard.units) units.push_back(unit_json(unit));
    shards.push_back({{"index", shards.size() + 1},
                      {"expected_seconds", shard.expected_seconds},
                      {"units", std::move(units)}});
  }
  return shards;
}

std::size_t tests_in(const PlanShard& shard) {
  std::size_t count = 0;
  for (const PlanUnit& unit : shard.units) count += unit.tests.size();
  return count;
}

std::set<std::string> files_in(const PlanShard& shard, bool only_parts) {
  std::set<std::string> files;
  for (const PlanUnit& unit : shard.units)
    if (!only_parts || unit.parts > 1) files.insert(unit.path);
  return files;
}

Json selected_by(const runner::PlanScope& scope) {
  return {{"hw", scope.categories},
          {"unclassified", scope.unclassified},
          {"device_count", scope.device_count},
          {"filter", scope.filter}};
}

struct Sums {
  std::set<std::string> files;
  std::set<std::string> cut;
  std::size_t tests = 0;
  double total = 0;
  double slowest = 0;
};

Sums sum_up(const Plan& plan) {
  Sums sums;
  for (const PlanShard& shard : plan.shards) {
    sums.files.merge(files_in(shard, false));
    sums.cut.merge(files_in(shard, true));
    sums.tests += tests_in(shard);
    sums.total += shard.expected_seconds;
    sums.slowest = std::max(sums.slowest, shard.expected_seconds);
  }
  return sums;
}

std::string s(std::size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string table(const Plan& plan, const Style& style) {
  std::string text = style.bold("    shard    seconds  files   tests") + "\n";
  for (std::size_t i = 0; i < plan.shards.size(); ++i) {
    const PlanShard& shard = plan.shards[i];
    text += fmt::format("{:>9}  {:>9.1f}  {:>5}  {:>6}\n", fmt::format("{}/{}", i + 1, plan.shards.size()),
                        shard.expected_seconds, files_in(shard, false).size(), tests_in(shard));
  }
  return text;
}

std::string how_good(const Plan& plan, const Style& style) {
  const runner::TimesKnown& known = plan.known;
  if (known.files == 0)
    return style.yellow("No times are known") +
           fmt::format(": each test is taken for {} s. --times takes a file of them, or history.\n",
                       runner::kSecondsOfATest);
  std::string text = fmt::format("Times known for {} of {}", known.files, s(known.of_files, "file"));
  return text + (known.files < known.of_files ? "; the others are taken for the mean of these.\n" : ".\n");
}

}  // namespace

std::string plan_json(const runner::Selection& selection, const Plan& plan, int indent) {
  std::string text;
  JsonWriter json(text, indent);
  json.object([&] {
    json.member("schema", "hwsift.plan/1");
    write_selection(json, selection);
    if (!plan.scope.paths.empty()) json.member("paths", plan.scope.paths);
    json.member("selected_by", selected_by(plan.scope));
    json.member("times", Json{{"files", plan.known.of_files}, {"known", plan.known.files}});
    json.member("shards", shards_json(plan));
    json.member("fingerprint", plan.fingerprint);
  });
  text += '\n';
  return text;
}

std::string plan_text(const Plan& plan, const Style& style) {
  Sums sums = sum_up(plan);
  std::string text =
      style.bold(fmt::format("{} for {}: {} in {}", s(plan.shards.size(), "shard"), printable(plan.device),
                             s(sums.tests, "test"), s(sums.files.size(), "file"))) +
      "\n";
  if (sums.tests == 0)
    return text + "Nothing to plan; `hwsift select` says why no test is for this device.\n";
  text += table(plan, style);
  double mean = sums.total / static_cast<double>(plan.shards.size());
  if (mean > 0)
    text +=
        fmt::format("The slowest takes {:.1f} s, {:.2f} of the mean.\n", sums.slowest, sums.slowest / mean);
  if (!sums.cut.empty()) text += s(sums.cut.size(), "long file") + " in parts.\n";
  text += how_good(plan, style);
  return text + fmt::format(
                    "Next: keep it with -o json:plan.json, and on each machine\n"
                    "  hwsift run --plan plan.json --shard INDEX/{}\n",
                    plan.shards.size());
}

std::string plan_github_matrix(const Plan& plan) {
  Json include = Json::array();
  for (const PlanShard& shard : plan.shards)
    include.push_back({{"shard", include.size() + 1},
                       {"total", plan.shards.size()},
                       {"expected_seconds", shard.expected_seconds}});
  return "matrix=" + dump_json({{"include", std::move(include)}}, -1) + "\n";
}

std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace hwsift::report
