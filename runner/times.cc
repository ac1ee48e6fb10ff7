#include "runner/times.h"

#include <optional>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/text.h"

namespace hwsift::runner {
namespace {

constexpr const char* kDefault = "default";

// A place in a JSON file: "times.json: default > default > test_x".
struct Place {
  std::string file;
  std::vector<std::string> keys;

  Place below(const std::string& key) const {
    Place place = *this;
    place.keys.push_back(key);
    return place;
  }
  std::string text() const { return keys.empty() ? file : file + ": " + join(keys, " > "); }
};

Error foreign(const Place& at, const std::string& what) {
  return {at.text(), what, "expected {job: {configuration: {file: seconds or {class: seconds}}}}"};
}

Result<double> read_seconds(const SortedJson& value, const Place& at) {
  if (!value.is_number()) return foreign(at, "no number of seconds");
  double seconds = value.get<double>();
  if (seconds >= 0 && seconds <= kLongestTime) return seconds;
  return foreign(at, "a time must be between 0 and 1000000 seconds");
}

Status read_file(const std::string& path, const SortedJson& value, const Place& at, KnownTimes& times) {
  if (!value.is_object()) {
    Result<double> seconds = read_seconds(value, at);
    if (!seconds.ok()) return seconds.error();
    times.files[path] = *seconds;
    return {};
  }
  for (const auto& [cls, of_class] : value.items()) {
    Result<double> seconds = read_seconds(of_class, at.below(cls));
    if (!seconds.ok()) return seconds.error();
    std::string id = path;
    times.classes[id.append("::").append(cls)] = *seconds;
  }
  return {};
}

Result<KnownTimes> read_table(const SortedJson& table, const Place& at) {
  if (!table.is_object()) return foreign(at, "no table of files");
  KnownTimes times;
  for (const auto& [name, value] : table.items())
    if (Status read = read_file("test/" + name + ".py", value, at.below(name), times); !read.ok())
      return read.error();
  return times;
}

std::vector<std::string> keys_of(const SortedJson& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

using Name = std::pair<std::string, std::string>;  // of a table: job and configuration

std::string said(const Name& name) { return "'" + name.first + " > " + name.second + "'"; }

// What of the wanted name is not there, and what may have been meant.
Error no_table(const SortedJson& root, const Place& top, const Name& wanted) {
  auto job = root.find(wanted.first);
  bool has_job = job != root.end();
  std::string hint = has_job ? "name one with --times-config" : "name one with --times-job";
  std::optional<std::string> near =
      has_job ? closest(wanted.second, keys_of(*job)) : closest(wanted.first, keys_of(root));
  if (near) hint += ", such as '" + *near + "'";
  return {top.text(), "no table " + said(wanted) + ", and none " + said({kDefault, kDefault}), hint};
}

}  // namespace

Result<ReadTimes> parse_times(const std::string& bytes, const std::string& file, const std::string& job,
                              const std::string& configuration) {
  Result<SortedJson> root = parse_sorted_json(bytes, file);
  if (!root.ok()) return root.error();
  Place top{file, {}};
  if (!root->is_object()) return foreign(top, "no table of jobs");
  std::string wanted_job = job.empty() ? kDefault : job;
  std::string wanted = configuration.empty() ? kDefault : configuration;
  const Name tries[] = {{wanted_job, wanted}, {kDefault, wanted}, {kDefault, kDefault}};
  for (const auto& [of_job, of_configuration] : tries) {
    auto tables = root->find(of_job);
    if (tables == root->end()) continue;
    if (!tables->is_object()) return foreign(top.below(of_job), "no table of configurations");
    auto table = tables->find(of_configuration);
    if (table == tables->end()) continue;
    Result<KnownTimes> times = read_table(*table, top.below(of_job).below(of_configuration));
    if (!times.ok()) return times.error();
    return ReadTimes{std::move(*times), join({of_job, of_configuration}, " > ")};
  }
  return no_table(*root, top, tries[0]);
}

void add_times(const KnownTimes& more, KnownTimes& known) {
  for (const auto& [id, seconds] : more.tests) known.tests[id] = seconds;
  for (const auto& [id, seconds] : more.classes) known.classes[id] = seconds;
  for (const auto& [path, seconds] : more.files) known.files[path] = seconds;
}

}  // namespace hwsift::runner
