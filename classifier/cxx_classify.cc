// The precedence by which a C++ test gets its category: the first rule that holds decides. docs/cxx.md
// says the same in words.
#include "classifier/cxx_classify.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

#include "analyzer/cxx/lexicon.h"
#include "base/text.h"
#include "classifier/cxx_signals.h"
#include "classifier/cxx_vocabulary.h"
#include "classifier/settle.h"
#include "classifier/signals.h"

namespace hwsift::classifier {
namespace {

using analyzer::Class;
using analyzer::FileFacts;
using analyzer::Method;
using Kind = CxxSignal::Kind;

struct CxxCase {
  const Method& test;
  const Vocabulary& vocabulary;
  BuiltFor built;
  std::vector<CxxSignal> signals;
};

struct CxxRuling {
  Category category;
  double confidence = 0;
  std::vector<Evidence> evidence;
};

using Rule = std::optional<CxxRuling> (*)(const CxxCase&);

std::vector<Evidence> evidence_of(const CxxCase& c, std::initializer_list<Kind> kinds) {
  std::vector<Evidence> evidence;
  for (const CxxSignal& signal : c.signals)
    if (std::find(kinds.begin(), kinds.end(), signal.kind) != kinds.end())
      evidence.push_back(signal.evidence);
  return evidence;
}

// Of several devices none is the subject.
std::optional<CxxRuling> about(const std::vector<std::string>& devices, double confidence,
                               std::vector<Evidence> evidence, const Vocabulary& vocabulary) {
  if (devices.empty()) return std::nullopt;
  bool one = devices.size() == 1;
  Category category = one ? cxx_category_of(devices.front(), vocabulary) : Category::device_generic();
  return CxxRuling{category, one ? confidence : 0.5, std::move(evidence)};
}

// gtest filters of machines without the device go by the name.
std::optional<CxxRuling> by_name(const CxxCase& c) {
  const NameSuffix* suffix = suffix_of(c.test.name, c.vocabulary);
  if (suffix == nullptr) return std::nullopt;
  return about({suffix->device}, 0.9,
               {{c.test.line, c.test.name, "is named for " + spoken({suffix->device}), ""}}, c.vocabulary);
}

std::optional<CxxRuling> by_build(const CxxCase& c) {
  return about(c.built.devices, 0.9, {c.built.evidence}, c.vocabulary);
}

std::vector<std::string> devices_of(const CxxCase& c, std::initializer_list<Kind> kinds) {
  std::vector<std::string> devices;
  for (const CxxSignal& signal : c.signals) {
    if (std::find(kinds.begin(), kinds.end(), signal.kind) == kinds.end()) continue;
    for (const std::string& device : signal.devices)
      if (std::find(devices.begin(), devices.end(), device) == devices.end()) devices.push_back(device);
  }
  return devices;
}

std::optional<CxxRuling> by_signals(const CxxCase& c, std::initializer_list<Kind> kinds, double confidence) {
  return about(devices_of(c, kinds), confidence, evidence_of(c, kinds), c.vocabulary);
}

std::optional<CxxRuling> by_guard(const CxxCase& c) {
  return by_signals(c, {Kind::leaves, Kind::skips}, 0.95);
}

std::optional<CxxRuling> by_need(const CxxCase& c) { return by_signals(c, {Kind::needs}, 0.8); }

std::optional<CxxRuling> by_choice(const CxxCase& c) {
  std::vector<Evidence> evidence = evidence_of(c, {Kind::picks});
  if (evidence.empty()) return std::nullopt;
  return CxxRuling{Category::device_generic(), 0.7, std::move(evidence)};
}

// Runs everywhere, and perhaps does more where a device is there.
CxxRuling otherwise(const CxxCase& c) {
  std::vector<Evidence> evidence = evidence_of(c, {Kind::optional});
  double confidence = evidence.empty() ? 0.8 : 0.7;
  return CxxRuling{Category::generic(), confidence, std::move(evidence)};
}

CxxRuling rule_on(const CxxCase& c) {
  constexpr Rule kRules[] = {by_name, by_build, by_guard, by_need, by_choice};
  for (Rule rule : kRules)
    if (std::optional<CxxRuling> ruling = rule(c)) return std::move(*ruling);
  return otherwise(c);
}

ClassVerdict judge_suite(const FileFacts& file, int class_index, const Builds& builds,
                         const CxxSignals& signals, const Vocabulary& vocabulary) {
  const Class& suite = file.classes[static_cast<std::size_t>(class_index)];
  ClassVerdict verdict;
  verdict.path = file.path;
  verdict.name = suite.name;
  verdict.line = suite.line;
  verdict.class_index = class_index;
  double confidence = 0;
  for (std::size_t i = 0; i < suite.methods.size(); ++i) {
    const Method& test = suite.methods[i];
    CxxRuling ruling =
        rule_on({test, vocabulary, builds.of(test), signals.of_test(class_index, static_cast<int>(i))});
    for (Evidence& evidence : ruling.evidence) evidence.method = test.name;
    confidence += ruling.confidence;
    verdict.methods.push_back(
        {test.name, test.line, ruling.category, unique_evidence(std::move(ruling.evidence))});
  }
  verdict.confidence = confidence / static_cast<double>(suite.methods.size());
  settle_class(verdict);
  return verdict;
}

// An ending of the path, or a condition around the test.
BuiltFor by_ending(const FileFacts& file, const Method& test, const CxxVocabulary& cxx) {
  for (const FileKind& kind : cxx.kinds)
    for (const std::string& ending : kind.endings)
      if (file.path.ends_with(ending))
        return {{kind.device},
                {test.line, "*" + ending, "is compiled for " + spoken({kind.device}) + " alone", ""}};
  return {};
}

BuiltFor by_condition(const Method& test, const CxxVocabulary& cxx) {
  for (const analyzer::BuildCondition& one : test.conditions) {
    std::vector<std::string> devices =
        analyzer::cxx::devices_of_condition(one.text, one.negated, cxx.lexicon);
    if (devices.empty()) continue;
    std::string says = "is there in builds for " + spoken(devices);
    return {std::move(devices), {one.line, "#if " + one.text, std::move(says), ""}};
  }
  return {};
}

// A header that builds without the device do not have.
BuiltFor by_header(const FileFacts& file, const CxxVocabulary& cxx) {
  for (const analyzer::Import& include : file.imports)
    for (const HeaderKind& kind : cxx.headers)
      for (const std::string& begin : kind.beginnings)
        if (include.top_level && include.module.starts_with(begin))
          return {{kind.device},
                  {include.line, "#include <" + include.module + ">",
                   "is a header of builds for " + spoken({kind.device}), ""}};
  return {};
}

}  // namespace

bool is_disabled(std::string_view suite, std::string_view name) {
  auto has_prefix = [](std::string_view whole) {
    std::vector<std::string> parts = split(whole, '/');
    return std::any_of(parts.begin(), parts.end(),
                       [](const std::string& part) { return part.starts_with("DISABLED_"); });
  };
  return has_prefix(suite) || has_prefix(name);
}

const NameSuffix* suffix_of(const std::string& test, const Vocabulary& vocabulary) {
  const std::vector<NameSuffix>& suffixes = cxx_vocabulary(vocabulary).suffixes;
  auto found = std::find_if(suffixes.begin(), suffixes.end(),
                            [&](const NameSuffix& one) { return test.ends_with(one.suffix); });
  return found == suffixes.end() ? nullptr : &*found;
}

Builds::Builds(const FileFacts& file, const Vocabulary& vocabulary)
    : file_(file), cxx_(cxx_vocabulary(vocabulary)), by_header_(by_header(file, cxx_)) {}

BuiltFor Builds::of(const Method& test) const {
  BuiltFor built = by_ending(file_, test, cxx_);
  if (built.devices.empty()) built = by_condition(test, cxx_);
  return built.devices.empty() ? by_header_ : built;
}

std::vector<ClassVerdict> classify_cxx(const FileFacts& file, const Vocabulary& vocabulary) {
  Builds builds(file, vocabulary);
  CxxSignals signals(file, vocabulary);
  std::vector<ClassVerdict> verdicts;
  for (std::size_t i = 0; i < file.classes.size(); ++i)
    if (!file.classes[i].methods.empty())
      verdicts.push_back(judge_suite(file, static_cast<int>(i), builds, signals, vocabulary));
  return verdicts;
}

}  // namespace hwsift::classifier
