#include "history/measure.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

#include "base/text.h"

namespace hwsift::history {
namespace {

using analyzer::Role;
using analyzer::Use;
using analyzer::UseKind;

bool is_question(Role role) {
  return role == Role::compared || role == Role::key || role == Role::condition || role == Role::guard ||
         role == Role::decorator || role == Role::base || role == Role::parametrized;
}

// The CPU is what every machine has, and meta is no device at all. A type that the rules do not know is one
// that lives behind PrivateUse1.
bool names_an_accelerator(const Use& use, const classifier::Vocabulary& vocabulary) {
  return std::any_of(use.devices.begin(), use.devices.end(), [&](const std::string& device) {
    const classifier::DeviceType* type = vocabulary.device(device);
    return type == nullptr || type->accelerator;
  });
}

bool is_hard_coded(const Use& use, const classifier::Vocabulary& vocabulary) {
  bool of_kind = use.kind == UseKind::device_literal || use.kind == UseKind::device_method ||
                 use.kind == UseKind::api || use.kind == UseKind::device_variable;
  return of_kind && !is_question(use.role) && names_an_accelerator(use, vocabulary);
}

bool is_about(const std::string& category, const Use& use) {
  return std::any_of(use.devices.begin(), use.devices.end(),
                     [&](const std::string& device) { return ascii_upper(device) == category; });
}

// Measured classes by each name that a finding may give them: as the file does, or with the classes around
// it.
class ClassesByName {
 public:
  explicit ClassesByName(const std::vector<ClassMeasure>& classes) {
    for (std::size_t i = 0; i < classes.size(); ++i) {
      std::string_view name = classes[i].name;
      for (std::size_t dot = name.find('.');; dot = name.find('.')) {
        by_name_[name].push_back(i);
        if (dot == std::string_view::npos) break;
        name.remove_prefix(dot + 1);
      }
    }
  }
  const std::vector<std::size_t>& of(const std::string& name) const {
    auto found = by_name_.find(name);
    return found == by_name_.end() ? none_ : found->second;
  }

 private:
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_name_;  // names of the classes
  std::vector<std::size_t> none_;
};

// Into the measured classes, by class of the facts; -1 for one that is not measured.
std::vector<int> places_of(const analyzer::FileFacts& facts,
                           const std::vector<classifier::ClassVerdict>& verdicts) {
  std::vector<int> places(facts.classes.size(), -1);
  int next = 0;
  for (const classifier::ClassVerdict& verdict : verdicts)
    if (verdict.own_tests) places[static_cast<std::size_t>(verdict.class_index)] = next++;
  return places;
}

ClassMeasure measure_class(const analyzer::FileFacts& facts, const classifier::ClassVerdict& verdict) {
  const analyzer::Class& cls = facts.classes[static_cast<std::size_t>(verdict.class_index)];
  ClassMeasure measure;
  measure.name = cls.qualified_name;
  measure.line = cls.line;
  measure.tests = static_cast<int>(std::count_if(cls.methods.begin(), cls.methods.end(),
                                                 [](const analyzer::Method& m) { return m.is_test; }));
  if (verdict.declared) measure.declared = verdict.declared->name();
  measure.inferred = verdict.inferred.name();
  measure.mixed = verdict.mixed;
  return measure;
}

std::set<std::string> declared_by(const std::vector<ClassMeasure>& classes) {
  std::set<std::string> declared;
  for (const ClassMeasure& cls : classes) declared.insert(cls.declared);
  return declared;
}

// `declared`: by the classes of the file. A use outside of them counts unless all are about its device.
void count_use(const Use& use, const std::vector<int>& places, const std::set<std::string>& declared,
               FileMeasure& file) {
  int place = use.class_index < 0 ? -1 : places[static_cast<std::size_t>(use.class_index)];
  if (place >= 0) {
    ClassMeasure& cls = file.classes[static_cast<std::size_t>(place)];
    if (!is_about(cls.declared, use)) ++cls.uses;
    return;
  }
  bool all_about =
      !declared.empty() && std::all_of(declared.begin(), declared.end(),
                                       [&](const std::string& category) { return is_about(category, use); });
  if (!all_about) ++file.outside_uses;
}

}  // namespace

int FileMeasure::count_findings() const {
  int count = 0;
  for (const auto& [rule, found] : findings) count += found;
  return count;
}

int FileMeasure::count_uses() const {
  int count = outside_uses;
  for (const ClassMeasure& cls : classes) count += cls.uses;
  return count;
}

FileMeasure measure(const analyzer::FileFacts& facts, const std::vector<classifier::ClassVerdict>& verdicts,
                    const std::vector<lint::Finding>& findings, const classifier::Vocabulary& vocabulary) {
  FileMeasure file;
  file.read = facts.parse.read && facts.parse.decoded;
  file.test_file = facts.test_file;
  file.owners = facts.owners;
  for (const classifier::ClassVerdict& verdict : verdicts)
    if (verdict.own_tests) file.classes.push_back(measure_class(facts, verdict));
  std::vector<int> places = places_of(facts, verdicts);
  std::set<std::string> declared = declared_by(file.classes);
  for (const Use& use : facts.uses)
    if (is_hard_coded(use, vocabulary)) count_use(use, places, declared, file);
  ClassesByName named(file.classes);
  for (const lint::Finding& finding : findings) {
    ++file.findings[finding.rule];
    for (std::size_t place : named.of(finding.cls)) ++file.classes[place].findings;
  }
  return file;
}

void add(const FileMeasure& file, Tally& tally, long long sign) {
  tally.files += sign;
  for (const ClassMeasure& cls : file.classes) {
    tally.classes += sign;
    tally.tests += sign * cls.tests;
    tally.declared += cls.declared.empty() ? 0 : sign;
    tally.mixed += cls.mixed ? sign : 0;
  }
  tally.uses += sign * file.count_uses();
  tally.findings += sign * file.count_findings();
}

}  // namespace hwsift::history
