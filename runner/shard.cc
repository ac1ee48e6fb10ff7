#include "runner/shard.h"

#include <charconv>
#include <vector>

#include "base/text.h"
#include "runner/plan.h"

namespace hwsift::runner {
namespace {

std::optional<int> whole_number(const std::string& text) {
  int number = 0;
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Result<ShardOf> checked(const std::string& where, const std::string& text, std::optional<int> index,
                        std::optional<int> total) {
  bool fine = index && total && *total >= 1 && *total <= kMostShards && *index >= 1 && *index <= *total;
  if (fine) return ShardOf{*index, *total};
  if (index && total && *total >= 1 && *total <= kMostShards)
    return Error{where, "'" + text + "' is no shard of " + std::to_string(*total),
                 "they are called 1 to " + std::to_string(*total)};
  return Error{where, "'" + text + "' is no shard",
               "write INDEX/TOTAL with 1 <= INDEX <= TOTAL <= " + std::to_string(kMostShards)};
}

// A pair of variables that says the shard.
struct Source {
  const char* index;
  int first;  // what `index` calls the first shard
  const char* total;
  const char* lowest = nullptr;   // the index of the first shard, where a variable says it
  const char* highest = nullptr;  // of the last
};

constexpr Source kSources[] = {
    {"CI_NODE_INDEX", 1, "CI_NODE_TOTAL"},
    {"CIRCLE_NODE_INDEX", 0, "CIRCLE_NODE_TOTAL"},
    {"BUILDKITE_PARALLEL_JOB", 0, "BUILDKITE_PARALLEL_JOB_COUNT"},
    {"SLURM_ARRAY_TASK_ID", 0, "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX"},
    {"JOB_COMPLETION_INDEX", 0, "HWSIFT_SHARD_TOTAL"},
};
constexpr const char* kOwn = "HWSIFT_SHARD";

std::optional<int> number(const Variable& variable, const char* name) {
  std::optional<std::string> text = name == nullptr ? std::nullopt : variable(name);
  return text ? whole_number(*text) : std::nullopt;
}

Result<ShardOf> read(const Source& source, const Variable& variable, int known_total) {
  std::string text = *variable(source.index);
  std::optional<int> index = whole_number(text);
  std::optional<int> total = number(variable, source.total);
  if (!variable(source.total) && known_total > 0) total = known_total;
  if (!variable(source.total) && known_total == 0)
    return Error{source.index, std::string("set, but not ") + source.total,
                 std::string("set ") + source.total + ", or name the shard: --shard INDEX/TOTAL"};
  int first = source.first;
  if (source.lowest != nullptr) {
    std::optional<int> lowest = number(variable, source.lowest);
    std::optional<int> highest = number(variable, source.highest);
    if (!lowest || !highest || !total || static_cast<long long>(*highest) - *lowest + 1 != *total)
      return Error{source.index, "the array has gaps, so that its indices do not number the shards",
                   "use consecutive indices, or name the shard: --shard INDEX/TOTAL"};
    first = *lowest;
  }
  if (index) index = static_cast<int>(static_cast<long long>(*index) - first + 1);
  return checked(source.index, text + " of " + variable(source.total).value_or(std::to_string(known_total)),
                 index, total);
}

std::string shard_text(const ShardOf& shard) {
  return std::to_string(shard.index) + "/" + std::to_string(shard.total);
}

Error none_found() {
  std::vector<std::string> names{kOwn};
  for (const Source& source : kSources) names.emplace_back(source.index);
  return {"--shard auto", "no variable says which shard this is: " + join(names, ", "),
          "set HWSIFT_SHARD=INDEX/TOTAL, or name the shard: --shard INDEX/TOTAL"};
}

}  // namespace

Result<ShardOf> parse_shard(const std::string& option, const std::string& text, int total) {
  std::size_t slash = text.find('/');
  std::optional<int> index = whole_number(text.substr(0, slash));
  if (slash != std::string::npos) return checked(option, text, index, whole_number(text.substr(slash + 1)));
  return checked(option, text, index, total > 0 ? std::optional<int>(total) : std::nullopt);
}

Result<FoundShard> shard_of_environment(const Variable& variable, int total) {
  std::optional<FoundShard> found;
  auto take = [&](const char* name, const Result<ShardOf>& shard) -> Status {
    if (!shard.ok()) return shard.error();
    bool same = !found || (found->shard.index == shard->index && found->shard.total == shard->total);
    if (!same)
      return Error{
          "--shard auto",
          found->source + " says " + shard_text(found->shard) + ", " + name + " says " + shard_text(*shard),
          "name the shard: --shard INDEX/TOTAL"};
    if (!found) found = FoundShard{*shard, name};
    return {};
  };
  if (std::optional<std::string> own = variable(kOwn))
    if (Status taken = take(kOwn, parse_shard(kOwn, *own, total)); !taken.ok()) return taken.error();
  for (const Source& source : kSources) {
    if (!variable(source.index)) continue;
    if (Status taken = take(source.index, read(source, variable, total)); !taken.ok()) return taken.error();
  }
  if (!found) return none_found();
  return *found;
}

}  // namespace hwsift::runner
