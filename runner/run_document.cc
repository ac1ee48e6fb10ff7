#include "runner/run_document.h"

#include <cmath>
#include <csignal>
#include <limits>
#include <unordered_set>

#include "base/json.h"
#include "base/text.h"

namespace hwsift::runner {
namespace {

constexpr std::string_view kFormat = "hwsift.run/";
constexpr int kVersion = 1;
constexpr int kMaxShards = 100000;
constexpr const char* kRemedy = "repair it, or make it anew with `hwsift run -o json:FILE`";

// Reads fields of JSON objects. The first that is wrong is the error; what is read after it does not count.
class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  const std::optional<Error>& error() const { return error_; }

  void refuse(const std::string& where, const std::string& what, const std::string& hint = kRemedy) {
    if (!error_) error_ = Error{file_ + ": " + where, what, hint};
  }

  // nullptr where it is missing; of another type it is refused.
  const SortedJson* field(const SortedJson& object, const std::string& at, const char* key,
                          SortedJson::value_t type) {
    auto found = object.find(key);
    if (found == object.end()) return nullptr;
    bool fits = found->type() == type || (type == SortedJson::value_t::number_float && found->is_number());
    if (fits) return &*found;
    refuse(at + key, "not " + wanted(type));
    return nullptr;
  }

  std::string text(const SortedJson& object, const std::string& at, const char* key, bool needed = false) {
    const SortedJson* found = field(object, at, key, SortedJson::value_t::string);
    if (found != nullptr) return found->get<std::string>();
    if (needed) refuse(at + key, "missing");
    return "";
  }

  double number(const SortedJson& object, const std::string& at, const char* key) {
    const SortedJson* found = field(object, at, key, SortedJson::value_t::number_float);
    double value = found == nullptr ? 0 : found->get<double>();
    if (std::isfinite(value) && value >= 0) return value;
    refuse(at + key, "not a number of 0 or more");
    return 0;
  }

  // A whole number from `least` to `most`, `otherwise` where it is missing.
  long long whole(const SortedJson& object, const std::string& at, const char* key, long long least,
                  long long most, long long otherwise) {
    const SortedJson* found = field(object, at, key, SortedJson::value_t::number_float);
    if (found == nullptr) return otherwise;
    double value = found->get<double>();
    if (value >= static_cast<double>(least) && value <= static_cast<double>(most) &&
        value == std::floor(value))
      return static_cast<long long>(value);
    refuse(at + key, "not a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return otherwise;
  }

  bool truth(const SortedJson& object, const std::string& at, const char* key) {
    const SortedJson* found = field(object, at, key, SortedJson::value_t::boolean);
    return found != nullptr && found->get<bool>();
  }

  std::vector<std::string> texts(const SortedJson& list, const std::string& at) {
    std::vector<std::string> values;
    if (!list.is_array()) refuse(at, "not " + wanted(SortedJson::value_t::array));
    if (!list.is_array()) return values;
    for (const SortedJson& one : list) {
      if (!one.is_string()) return refuse(at, "holds what is no text"), values;
      values.push_back(one.get<std::string>());
    }
    return values;
  }

  std::vector<std::string> texts(const SortedJson& object, const std::string& at, const char* key) {
    auto found = object.find(key);
    return found == object.end() ? std::vector<std::string>{} : texts(*found, at + key);
  }

 private:
  static std::string wanted(SortedJson::value_t type) {
    switch (type) {
      case SortedJson::value_t::string:
        return "a text";
      case SortedJson::value_t::array:
        return "a list";
      case SortedJson::value_t::object:
        return "an object";
      case SortedJson::value_t::boolean:
        return "true or false";
      default:
        return "a number";
    }
  }

  std::string file_;
  std::optional<Error> error_;
};

std::string place(const char* list, std::size_t index) {
  return std::string(list) + "[" + std::to_string(index) + "].";
}

// The version of "hwsift.run/1"; 0 where it is no such word.
int version_of(const std::string& schema) {
  if (schema.compare(0, kFormat.size(), kFormat) != 0) return 0;
  std::string digits = schema.substr(kFormat.size());
  if (digits.empty() || digits.size() > 6) return 0;
  for (char c : digits)
    if (!is_ascii_digit(c)) return 0;
  return std::stoi(digits);
}

void check_schema(const SortedJson& document, Reader& reader) {
  if (!document.is_object()) return reader.refuse("the document", "not a JSON object", kRemedy);
  std::string schema = reader.text(document, "", "schema", true);
  if (reader.error()) return;
  int version = version_of(schema);
  if (version == 0)
    reader.refuse("schema", "'" + schema + "' is no document of a run",
                  "name one that `hwsift run -o json:FILE` wrote");
  else if (version > kVersion)
    reader.refuse("schema", "'" + schema + "' is of a newer hwsift",
                  "read it with that one; this one knows " + std::string(kFormat) + std::to_string(kVersion));
}

Outcome read_outcome(const SortedJson& object, const std::string& at, Reader& reader) {
  std::string text = reader.text(object, at, "outcome", true);
  std::optional<Outcome> outcome = outcome_of(text);
  if (!outcome) reader.refuse(at + "outcome", "'" + text + "' is no outcome");
  return outcome.value_or(Outcome::error);
}

int read_attempts(const SortedJson& object, const std::string& at, Reader& reader) {
  constexpr int kMost = 1000000;
  return static_cast<int>(reader.whole(object, at, "attempts", 1, kMost, 1));
}

ShardOf read_shard(const SortedJson& object, const std::string& at, Reader& reader) {
  const SortedJson* shard = reader.field(object, at, "shard", SortedJson::value_t::object);
  if (shard == nullptr) return {};
  std::string here = at + "shard.";
  ShardOf of{static_cast<int>(reader.whole(*shard, here, "index", 1, kMaxShards, 0)),
             static_cast<int>(reader.whole(*shard, here, "total", 1, kMaxShards, 0))};
  if (of.index == 0 || of.total == 0)
    reader.refuse(here + "index", "index and total are needed");
  else if (of.index > of.total)
    reader.refuse(here + "index", "larger than the total");
  return of;
}

std::size_t read_selected(const SortedJson& object, const std::string& at, std::size_t otherwise,
                          Reader& reader) {
  constexpr long long kMost = 1000000000;
  return static_cast<std::size_t>(
      reader.whole(object, at, "selected", 0, kMost, static_cast<long long>(otherwise)));
}

int read_signal(const SortedJson& object, const std::string& at, Reader& reader) {
  constexpr int kMost = 64;
  int signal = static_cast<int>(reader.whole(object, at, "signal", 0, kMost, 0));
  bool ends_a_run = signal == 0 || signal == SIGHUP || signal == SIGINT || signal == SIGTERM;
  if (!ends_a_run) reader.refuse(at + "signal", "no signal that ends a run");
  return signal;
}

// "path::Class::name[a::b]": colons within the parameters are theirs.
void take_apart_id(TestResult& result) {
  std::string_view id = result.id;
  std::size_t first = id.find("::");
  std::size_t last = id.rfind("::", id.find('['));
  if (first == std::string_view::npos || last == std::string_view::npos || last < first) last = first;
  if (result.path.empty()) result.path = id.substr(0, first);
  if (first == std::string_view::npos) return;
  if (result.name.empty()) result.name = id.substr(last + 2);
  if (result.cls.empty() && last > first) result.cls = id.substr(first + 2, last - first - 2);
}

std::vector<PartResult> read_by_part(const SortedJson& object, const std::string& at, std::size_t parts,
                                     Reader& reader) {
  std::vector<PartResult> list;
  const SortedJson* found = reader.field(object, at, "by_part", SortedJson::value_t::array);
  if (found == nullptr || parts == 0) return list;
  for (const SortedJson& one : *found) {
    if (!one.is_object()) return reader.refuse(at + "by_part", "holds what is no object"), list;
    int part =
        static_cast<int>(reader.whole(one, at + "by_part.", "part", 0, static_cast<long long>(parts) - 1, 0));
    list.push_back(
        {part, read_outcome(one, at + "by_part.", reader), read_attempts(one, at + "by_part.", reader)});
    if (list.size() > 1 && list[list.size() - 2].part >= part)
      return reader.refuse(at + "by_part", "not in the order of the parts"), list;
  }
  return list;
}

TestResult read_result(const SortedJson& object, const std::string& at, std::size_t parts, Reader& reader) {
  TestResult result;
  result.id = reader.text(object, at, "id", true);
  result.path = reader.text(object, at, "path");
  result.cls = reader.text(object, at, "class");
  result.name = reader.text(object, at, "name");
  result.outcome = read_outcome(object, at, reader);
  result.seconds = reader.number(object, at, "seconds");
  result.attempts = read_attempts(object, at, reader);
  result.category = reader.text(object, at, "category");
  result.quarantined = reader.truth(object, at, "quarantined");
  result.unpredicted = reader.truth(object, at, "unpredicted");
  result.message = reader.text(object, at, "message");
  result.details = reader.text(object, at, "details");
  result.output = reader.text(object, at, "output");
  if (result.id.empty()) reader.refuse(at + "id", "empty");
  bool whole = object.contains("path") && object.contains("class") && object.contains("name");
  if (!whole) take_apart_id(result);
  result.by_part = read_by_part(object, at, parts, reader);
  bool placed = parts == 0 || !result.by_part.empty();
  if (!placed) reader.refuse(at + "by_part", "missing in a merged document");
  return result;
}

void read_results(const SortedJson& document, RunRecord& record, Reader& reader) {
  const SortedJson* results = reader.field(document, "", "results", SortedJson::value_t::array);
  if (results == nullptr) return reader.refuse("results", "missing");
  std::unordered_set<std::string> seen;
  for (std::size_t i = 0; i < results->size() && !reader.error(); ++i) {
    std::string at = place("results", i);
    if (!(*results)[i].is_object()) return reader.refuse(at + "id", "the result is not an object");
    record.results.push_back(read_result((*results)[i], at, record.parts.size(), reader));
    if (!seen.insert(record.results.back().id).second)
      reader.refuse(at + "id", "'" + record.results.back().id + "' has a result already");
  }
}

void read_not_run(const SortedJson& document, RunRecord& record, Reader& reader) {
  const SortedJson* reasons = reader.field(document, "", "not_run", SortedJson::value_t::object);
  if (reasons == nullptr) return;
  std::unordered_set<std::string> seen;
  for (const TestResult& result : record.results) seen.insert(result.id);
  for (const auto& [reason, ids] : reasons->items()) {
    record.not_run[reason] = reader.texts(ids, "not_run." + reason);
    for (const std::string& id : record.not_run[reason])
      if (!seen.insert(id).second)
        reader.refuse("not_run." + reason, "'" + id + "' is accounted for already");
  }
}

void read_environment(const SortedJson& document, RunRecord& record, Reader& reader) {
  const SortedJson* environment = reader.field(document, "", "environment", SortedJson::value_t::object);
  if (environment == nullptr) return;
  for (const auto& [name, value] : environment->items()) {
    if (!value.is_string()) return reader.refuse("environment." + name, "not a text");
    record.environment[name] = value.get<std::string>();
  }
}

RunPart read_part(const SortedJson& object, const std::string& at, Reader& reader) {
  RunPart part;
  part.shard = read_shard(object, at, reader);
  part.started = reader.text(object, at, "started");
  part.digest = reader.text(object, at, "digest", true);
  part.seconds = reader.number(object, at, "seconds");
  part.predicted = read_selected(object, at, 0, reader);
  part.signal = read_signal(object, at, reader);
  return part;
}

void read_parts(const SortedJson& document, RunRecord& record, Reader& reader) {
  const SortedJson* parts = reader.field(document, "", "parts", SortedJson::value_t::array);
  if (parts == nullptr) return;
  for (std::size_t i = 0; i < parts->size() && !reader.error(); ++i) {
    std::string at = place("parts", i);
    if (!(*parts)[i].is_object()) return reader.refuse(at + "digest", "the part is not an object");
    record.parts.push_back(read_part((*parts)[i], at, reader));
  }
}

void read_missing_shards(const SortedJson& document, RunRecord& record, Reader& reader) {
  const SortedJson* missing = reader.field(document, "", "missing_shards", SortedJson::value_t::array);
  if (missing == nullptr) return;
  for (const SortedJson& shard : *missing) {
    if (!shard.is_number_integer() || shard < 1 || shard > kMaxShards)
      return reader.refuse("missing_shards", "holds what is no number of a shard");
    record.missing_shards.push_back(shard.get<int>());
  }
}

RunRecord read_record(const SortedJson& document, Reader& reader) {
  RunRecord record;
  record.device = reader.text(document, "", "device", true);
  record.started = reader.text(document, "", "started");
  record.seconds = reader.number(document, "", "seconds");
  record.fingerprint = reader.text(document, "", "fingerprint");
  record.shard = read_shard(document, "", reader);
  record.signal = read_signal(document, "", reader);
  record.device_problem = reader.text(document, "", "device_problem");
  record.notes = reader.texts(document, "", "notes");
  read_environment(document, record, reader);
  read_parts(document, record, reader);
  read_missing_shards(document, record, reader);
  read_results(document, record, reader);
  read_not_run(document, record, reader);
  for (const std::string& reason : reader.texts(document, "", "outstanding"))
    record.outstanding.insert(reason);
  for (const std::string& id : reader.texts(document, "", "expanded")) record.expanded.insert(id);
  record.predicted = read_selected(document, "", record.results.size(), reader);
  return record;
}

}  // namespace

Result<RunRecord> parse_run_document(const std::string& bytes, const std::string& file) {
  Result<SortedJson> document = parse_sorted_json(bytes, file);
  if (!document.ok()) return document.error();
  Reader reader(file);
  check_schema(*document, reader);
  if (reader.error()) return *reader.error();
  RunRecord record = read_record(*document, reader);
  if (reader.error()) return *reader.error();
  return record;
}

Result<RunRecord> read_run_document(Disk& disk, const std::string& file) {
  Result<std::string> bytes = disk.read(file, kMaxRunDocument);
  if (!bytes.ok()) return bytes.error();
  return parse_run_document(*bytes, file);
}

}  // namespace hwsift::runner
