#include "runner/plan_document.h"

#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/json.h"

namespace hwsift::runner {
namespace {

constexpr const char* kSchema = "hwsift.plan/1";

// Reads one document and keeps the first thing that is wrong with it.
class Reader {
 public:
  Reader(const SortedJson& root, std::string file) : root_(root), file_(std::move(file)) {}

  Result<Plan> read() {
    if (!root_.is_object() || text(root_, "schema", "") != kSchema)
      return Error{file_, "no plan of this hwsift",
                   std::string("expected a document with schema ") + kSchema};
    Plan plan;
    plan.device = text(root_, "device", "device");
    plan.fingerprint = text(root_, "fingerprint", "fingerprint");
    if (root_.contains("paths")) plan.scope.paths = texts(root_, "paths", "paths");
    if (root_.contains("selected_by")) read_scope(root_["selected_by"], plan.scope);
    read_tests();
    const SortedJson& shards = list(root_, "shards", "shards");
    if (shards.empty()) fail("shards", "no shard");
    if (shards.size() > static_cast<std::size_t>(kMostShards)) fail("shards", "too many of them");
    for (std::size_t i = 0; i < shards.size() && fine(); ++i) plan.shards.push_back(read_shard(shards[i], i));
    if (fine() && planned_.size() != known_.size())
      fail("shards", std::to_string(known_.size() - planned_.size()) + " of the tests are in no unit");
    check_parts();
    if (fine() && plan.fingerprint != fingerprint_of(plan))
      fail("fingerprint", "not that of the tests and shards in this file");
    if (!fine()) return *failure_;
    return plan;
  }

 private:
  bool fine() const { return !failure_; }

  void fail(const std::string& at, const std::string& what) {
    if (fine()) failure_ = Error{file_ + ": " + at, what, "make the plan again with 'hwsift plan'"};
  }

  // What is missing or of another type is an error, and a default to go on with.
  std::string text(const SortedJson& object, const char* key, const std::string& at) {
    auto found = object.is_object() ? object.find(key) : object.end();
    if (object.is_object() && found != object.end() && found->is_string()) return found->get<std::string>();
    if (!at.empty()) fail(at, "no text");
    return "";
  }

  const SortedJson& list(const SortedJson& object, const char* key, const std::string& at) {
    static const SortedJson none = SortedJson::array();
    if (object.is_object())
      if (auto found = object.find(key); found != object.end() && found->is_array()) return *found;
    fail(at, "no list");
    return none;
  }

  std::vector<std::string> texts(const SortedJson& object, const char* key, const std::string& at) {
    std::vector<std::string> all;
    for (const SortedJson& item : list(object, key, at)) {
      if (!item.is_string()) fail(at, "not all are texts");
      all.push_back(item.is_string() ? item.get<std::string>() : "");
    }
    return all;
  }

  double seconds(const SortedJson& object, const std::string& at) {
    auto found = object.is_object() ? object.find("expected_seconds") : object.end();
    if (object.is_object() && found != object.end() && found->is_number() && found->get<double>() >= 0)
      return found->get<double>();
    fail(at + ".expected_seconds", "no number of seconds");
    return 0;
  }

  int whole(const SortedJson& object, const char* key, const std::string& at, int least = 1) {
    auto found = object.is_object() ? object.find(key) : object.end();
    if (object.is_object() && found != object.end() && found->is_number_integer()) {
      auto number = found->get<long long>();
      if (number >= least && number <= 1000000000) return static_cast<int>(number);
    }
    fail(at + "." + key, "no number from " + std::to_string(least));
    return least;
  }

  void read_tests() {
    const SortedJson& tests = list(root_, "tests", "tests");
    for (std::size_t i = 0; i < tests.size() && fine(); ++i) {
      std::string at = "tests[" + std::to_string(i) + "]";
      std::string id = text(tests[i], "id", at + ".id");
      std::string path = text(tests[i], "path", at + ".path");
      if (!known_.emplace(id, path).second) fail(at, "the test '" + id + "' is there twice");
      in_file_[path].push_back(id);
    }
  }

  void read_scope(const SortedJson& value, PlanScope& scope) {
    if (!value.is_object()) return fail("selected_by", "no object");
    scope.categories = texts(value, "hw", "selected_by.hw");
    scope.unclassified = text(value, "unclassified", "selected_by.unclassified");
    if (const std::string& word = scope.unclassified;
        word != "infer" && word != "include" && word != "exclude")
      fail("selected_by.unclassified", "neither infer nor include nor exclude");
    if (value.contains("filter")) scope.filter = text(value, "filter", "selected_by.filter");
    if (value.contains("device_count")) scope.device_count = whole(value, "device_count", "selected_by", 0);
  }

  PlanShard read_shard(const SortedJson& value, std::size_t index) {
    std::string at = "shards[" + std::to_string(index) + "]";
    PlanShard shard;
    if (whole(value, "index", at) != static_cast<int>(index) + 1) fail(at + ".index", "not in order");
    shard.expected_seconds = seconds(value, at);
    const SortedJson& units = list(value, "units", at + ".units");
    for (std::size_t i = 0; i < units.size() && fine(); ++i)
      shard.units.push_back(read_unit(units[i], at + ".units[" + std::to_string(i) + "]"));
    return shard;
  }

  PlanUnit read_unit(const SortedJson& value, const std::string& at) {
    PlanUnit unit;
    unit.path = text(value, "path", at + ".path");
    unit.part = whole(value, "part", at);
    unit.parts = whole(value, "parts", at);
    unit.expected_seconds = seconds(value, at);
    if (unit.part > unit.parts) fail(at + ".part", "beyond the number of parts");
    Parts& parts = parts_.try_emplace(unit.path, Parts{unit.parts, {}}).first->second;
    if (unit.parts != parts.total || !parts.seen.insert(unit.part).second)
      fail(at + ".part", "does not go with the other parts of '" + unit.path + "'");
    if (unit.parts > 1)
      unit.tests = texts(value, "tests", at + ".tests");
    else if (auto found = in_file_.find(unit.path); found != in_file_.end())
      unit.tests = found->second;
    if (unit.tests.empty()) fail(at, "no tests");
    for (const std::string& id : unit.tests) plan_test(id, unit.path, at);
    return unit;
  }

  // The shard of a file's first part also takes what only pytest finds: each part has to be there.
  void check_parts() {
    for (const auto& [path, parts] : parts_)
      if (parts.seen.size() != static_cast<std::size_t>(parts.total))
        fail("shards",
             "not all of the " + std::to_string(parts.total) + " parts of '" + path + "' are there");
  }

  void plan_test(const std::string& id, const std::string& path, const std::string& at) {
    auto found = known_.find(id);
    if (found == known_.end() || found->second != path)
      fail(at, "'" + id + "' is no test of '" + path + "' in this plan");
    else if (!planned_.insert(id).second)
      fail(at, "'" + id + "' is in two units");
  }

  struct Parts {
    int total;
    std::set<int> seen;
  };

  const SortedJson& root_;
  std::string file_;
  std::optional<Error> failure_;
  std::unordered_map<std::string, std::string> known_;  // path by id
  std::unordered_map<std::string, std::vector<std::string>> in_file_;
  std::set<std::string> planned_;
  std::map<std::string, Parts> parts_;  // by path
};

}  // namespace

Result<Plan> parse_plan(const std::string& bytes, const std::string& file) {
  Result<SortedJson> root = parse_sorted_json(bytes, file);
  if (!root.ok()) return root.error();
  return Reader(*root, file).read();
}

}  // namespace hwsift::runner
