#include "runner/test_lists.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "base/yaml.h"
#include "runner/glob.h"

namespace hwsift::runner {
namespace {

constexpr std::size_t kMaxBytes = 64u << 20;

Error too_large(const std::string& file) {
  return {file, "larger than 64 MiB", "that is no list of tests; check the path"};
}

// --- PyTorch's names ---

// What a test's name may end with, after get_all_dtypes of torch.testing._internal.common_dtype.
constexpr std::string_view kDtypes[] = {"uint8",   "int8",    "int16",    "int32", "int64",     "float32",
                                        "float64", "float16", "bfloat16", "bool",  "complex64", "complex128"};

bool ends_with_part(std::string_view name, std::string_view part) {
  return name.size() > part.size() && name.ends_with(part) && name[name.size() - part.size() - 1] == '_';
}

std::string_view without_part(std::string_view name, std::string_view part) {
  return name.substr(0, name.size() - part.size() - 1);
}

// test_add_cpu_float32 as test_add. A device type alone stays.
std::string_view without_suffixes(std::string_view name, const std::vector<std::string>& device_types) {
  for (std::string_view dtype : kDtypes) {
    if (!ends_with_part(name, dtype)) continue;
    std::string_view rest = without_part(name, dtype);
    for (const std::string& device : device_types)
      if (ends_with_part(rest, device)) return without_part(rest, device);
    return rest;
  }
  return name;
}

std::string_view last_name(std::string_view dotted) {
  std::size_t at = dotted.find_last_of(".:");
  return at == std::string_view::npos ? dotted : dotted.substr(at + 1);
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && !is_ascii_space(text[end])) ++end;
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// --- platforms ---

// The words of platform_to_conditional in check_if_enable, and which of them mean the same.
struct PlatformRow {
  const char* word;
  const char* means;
};
constexpr PlatformRow kPlatforms[] = {
    {"mac", "mac"},       {"macos", "mac"}, {"win", "win"},           {"windows", "win"},
    {"linux", "linux"},   {"rocm", "rocm"}, {"xpu", "xpu"},           {"asan", "asan"},
    {"dynamo", "dynamo"}, {"slow", "slow"}, {"inductor", "inductor"}, {"dynamo_wrapped", "dynamo"},
};

const PlatformRow* find_platform(std::string_view word) {
  for (const PlatformRow& row : kPlatforms)
    if (word == row.word) return &row;
  return nullptr;
}

bool holds(const DisabledTest& test, const std::vector<std::string>& platforms) {
  if (test.platforms.empty()) return true;
  auto is_here = [&](const std::string& word) {
    return std::any_of(platforms.begin(), platforms.end(), [&](const std::string& here) {
      const PlatformRow* known = find_platform(here);
      return known != nullptr && find_platform(word)->means == std::string_view(known->means);
    });
  };
  return std::any_of(test.platforms.begin(), test.platforms.end(), is_here);
}

// --- reading JSON ---

Error not_disabled(const std::string& file, const std::string& test) {
  return {file, "'" + test + "' has no issue and platforms",
          "an entry is \"test_x (__main__.TestY)\": [\"issue\", [\"platform\"]]"};
}

// [issue, platforms], or [number, issue, platforms].
bool has_form(const SortedJson& value) {
  if (!value.is_array() || value.size() < 2 || value.size() > 3) return false;
  const SortedJson& platforms = value.back();
  return value[value.size() - 2].is_string() && platforms.is_array() &&
         std::all_of(platforms.begin(), platforms.end(), [](const SortedJson& p) { return p.is_string(); });
}

Error unknown_platform(const std::string& file, const std::string& test, const std::string& platform) {
  std::vector<std::string> known;
  for (const PlatformRow& row : kPlatforms) known.emplace_back(row.word);
  return {file, "'" + test + "' is disabled for '" + platform + "', which is no platform",
          "there are " + join(known, ", ")};
}

// As upstream does it: what is no platform is dropped, and with none left the test is disabled for all.
DisabledTest read_disabled(const std::string& test, const SortedJson& value, const std::string& file,
                           std::vector<Error>& warnings) {
  DisabledTest disabled{test, value[value.size() - 2].get<std::string>(), {}};
  for (const SortedJson& item : value.back()) {
    std::string platform = item.get<std::string>();
    if (find_platform(platform) != nullptr)
      disabled.platforms.push_back(std::move(platform));
    else
      warnings.push_back(unknown_platform(file, test, platform));
  }
  return disabled;
}

Result<SortedJson> read_object(const std::string& bytes, const std::string& file) {
  if (bytes.size() > kMaxBytes) return too_large(file);
  Result<SortedJson> document = parse_sorted_json(bytes, file);
  if (document.ok() && !document->is_object())
    return Error{file, "not a JSON object of tests", "an entry is \"test_x (__main__.TestY)\": ..."};
  return document;
}

// --- the quarantine ---

// What is wrong with an entry whose keys have been read; where and what empty where nothing is.
Error fault_in(const Quarantined& entry) {
  std::size_t within = entry.test.find("::");
  if (within == std::string::npos)
    return {entry.place, "'" + entry.test + "' is no test id",
            "write test/test_x.py::TestX::test_y, or a glob such as test/test_x.py::TestX::*"};
  if (entry.test.find_first_not_of("*?:/") == std::string::npos)
    return {entry.place, "'" + entry.test + "' is every test", "name a file, a class or a test"};
  if (trim(entry.reason).empty())
    return {entry.place, "the entry of '" + entry.test + "' has no reason",
            "say why its failures do not count"};
  if (!entry.until.empty() && !is_date(entry.until))
    return {entry.place, "'" + entry.until + "' is no date", "write it as 2026-03-14"};
  return {};
}

Result<Quarantined> read_quarantined(const Yaml& node) {
  std::vector<Error> errors;
  YamlMap map(node, errors);
  Quarantined entry;
  entry.place = node.place();
  entry.test = map.text("test");
  entry.reason = map.text("reason");
  entry.until = map.text_or("until", "");
  entry.owner = map.text_or("owner", "");
  entry.issue = map.text_or("issue", "");
  map.finish();
  // A slip in a key is what makes another one missing.
  auto slip = std::find_if(errors.begin(), errors.end(),
                           [](const Error& error) { return error.what.starts_with("unknown key"); });
  if (slip != errors.end()) return *slip;
  if (!errors.empty()) return errors.front();
  if (Error fault = fault_in(entry); !fault.what.empty()) return fault;
  return entry;
}

}  // namespace

bool ListedTests::add(const std::string& listed, std::size_t index) {
  std::vector<std::string_view> words = words_of(listed);
  if (words.size() < 2) return false;
  std::string_view within = words[1].size() < 2 ? "" : words[1].substr(1, words[1].size() - 2);
  by_name_[std::string(words[0])].push_back({std::string(last_name(within)), index});
  return true;
}

std::vector<std::size_t> ListedTests::find(std::string_view run_class, std::string_view name,
                                           const std::vector<std::string>& device_types) const {
  std::vector<std::size_t> found;
  std::string_view cls = last_name(run_class);
  std::string_view bare = without_suffixes(name, device_types);
  auto look_up = [&](std::string_view spelled) {
    auto entries = by_name_.find(std::string(spelled));
    if (entries == by_name_.end()) return;
    for (const Entry& entry : entries->second)
      if (cls.starts_with(entry.cls)) found.push_back(entry.index);
  };
  look_up(name);
  if (bare != name) look_up(bare);
  std::sort(found.begin(), found.end());
  return found;
}

Result<DisabledTests> DisabledTests::parse(const std::string& bytes, const std::string& file) {
  Result<SortedJson> document = read_object(bytes, file);
  if (!document.ok()) return document.error();
  DisabledTests list;
  for (const auto& [test, value] : document->items()) {
    if (!has_form(value)) return not_disabled(file, test);
    if (!list.index_.add(test, list.tests_.size()))
      list.warnings_.push_back({file, "'" + test + "' names no test", "write \"test_x (__main__.TestY)\""});
    list.tests_.push_back(read_disabled(test, value, file, list.warnings_));
  }
  return list;
}

const DisabledTest* DisabledTests::find(std::string_view run_class, std::string_view name,
                                        const Conditions& here) const {
  for (std::size_t index : index_.find(run_class, name, here.device_types))
    if (holds(tests_[index], here.platforms)) return &tests_[index];
  return nullptr;
}

Result<SlowTests> SlowTests::parse(const std::string& bytes, const std::string& file) {
  Result<SortedJson> document = read_object(bytes, file);
  if (!document.ok()) return document.error();
  SlowTests list;
  for (const auto& [test, value] : document->items()) {
    if (!value.is_number() || value.get<double>() < 0)
      return Error{file, "'" + test + "' has no time", "an entry is \"test_x (__main__.TestY)\": seconds"};
    list.index_.add(test, list.seconds_.size());
    list.seconds_.push_back(value.get<double>());
  }
  return list;
}

std::optional<double> SlowTests::find(std::string_view run_class, std::string_view name,
                                      const Conditions& here) const {
  std::optional<double> most;
  for (std::size_t index : index_.find(run_class, name, here.device_types))
    most = std::max(most.value_or(0), seconds_[index]);
  return most;
}

Result<Quarantine> Quarantine::parse(const std::string& bytes, const std::string& file) {
  Result<Yaml> document = parse_yaml(bytes, file);
  if (!document.ok()) return document.error();
  if (document->kind != Yaml::Kind::list && document->kind != Yaml::Kind::null)
    return Error{document->place(), "a quarantine is a list of entries",
                 "- {test: test/test_x.py::TestX::test_y, reason: why}"};
  Quarantine quarantine;
  for (const Yaml& node : document->items) {
    Result<Quarantined> entry = read_quarantined(node);
    if (!entry.ok()) return entry.error();
    auto [first, fresh] = quarantine.by_id_.emplace(entry->test, quarantine.entries_.size());
    if (!fresh)
      return Error{entry->place, "'" + entry->test + "' stands twice",
                   quarantine.entries_[first->second].place + " has it already; remove one"};
    if (is_glob(entry->test)) quarantine.globs_.push_back(quarantine.entries_.size());
    quarantine.entries_.push_back(std::move(*entry));
  }
  return quarantine;
}

const Quarantined* Quarantine::find(const std::string& id, const std::string& today) const {
  auto exact = by_id_.find(id);
  if (exact != by_id_.end() && entries_[exact->second].holds_on(today)) return &entries_[exact->second];
  for (std::size_t index : globs_)
    if (entries_[index].holds_on(today) && glob_matches(entries_[index].test, id)) return &entries_[index];
  return nullptr;
}

std::vector<bool> Quarantine::matched_by(const std::vector<std::string>& ids) const {
  std::vector<bool> matched(entries_.size());
  for (const std::string& id : ids) {
    if (auto exact = by_id_.find(id); exact != by_id_.end()) matched[exact->second] = true;
    for (std::size_t index : globs_)
      if (!matched[index] && glob_matches(entries_[index].test, id)) matched[index] = true;
  }
  return matched;
}

std::vector<Error> Quarantine::warnings(const std::vector<std::string>& ids, const std::string& today) const {
  std::vector<Error> warnings;
  std::vector<bool> matched = matched_by(ids);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Quarantined& entry = entries_[i];
    if (!entry.holds_on(today))
      warnings.push_back({entry.place, "the quarantine of '" + entry.test + "' ended on " + entry.until,
                          "its failures count again; remove it, or give it a new day"});
    else if (!matched[i])
      warnings.push_back({entry.place, "the quarantine of '" + entry.test + "' matches no test",
                          "it is gone or has another name; remove it"});
  }
  return warnings;
}

}  // namespace hwsift::runner
