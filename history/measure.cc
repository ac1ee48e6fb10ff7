#include "history/measure.h"

#include <algorithm>

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

// The CPU is what every machine has, and meta is no device at all.
bool names_an_accelerator(const Use& use) {
  return std::any_of(use.devices.begin(), use.devices.end(),
                     [](const std::string& device) { return device != "cpu" && device != "meta"; });
}

bool is_hard_coded(const Use& use) {
  bool of_kind = use.kind == UseKind::device_literal || use.kind == UseKind::device_method ||
                 use.kind == UseKind::api || use.kind == UseKind::device_variable;
  return of_kind && !is_question(use.role) && names_an_accelerator(use);
}

bool is_about(const std::string& category, const Use& use) {
  return std::any_of(use.devices.begin(), use.devices.end(),
                     [&](const std::string& device) { return ascii_upper(device) == category; });
}

// Findings name a class as the file does, or with the classes around it.
bool is_about(const lint::Finding& finding, const ClassMeasure& cls) {
  return !finding.cls.empty() && (cls.name == finding.cls || cls.name.ends_with("." + finding.cls));
}

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

void count_use(const Use& use, const std::vector<int>& places, FileMeasure& file) {
  int place = use.class_index < 0 ? -1 : places[static_cast<std::size_t>(use.class_index)];
  if (place >= 0) {
    ClassMeasure& cls = file.classes[static_cast<std::size_t>(place)];
    if (!is_about(cls.declared, use)) ++cls.uses;
    return;
  }
  bool all_about = !file.classes.empty() &&
                   std::all_of(file.classes.begin(), file.classes.end(),
                               [&](const ClassMeasure& cls) { return is_about(cls.declared, use); });
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
                    const std::vector<lint::Finding>& findings) {
  FileMeasure file;
  file.read = facts.parse.read && facts.parse.decoded;
  file.test_file = facts.test_file;
  file.owners = facts.owners;
  for (const classifier::ClassVerdict& verdict : verdicts)
    if (verdict.own_tests) file.classes.push_back(measure_class(facts, verdict));
  std::vector<int> places = places_of(facts, verdicts);
  for (const Use& use : facts.uses)
    if (is_hard_coded(use)) count_use(use, places, file);
  for (const lint::Finding& finding : findings) {
    ++file.findings[finding.rule];
    for (ClassMeasure& cls : file.classes)
      if (is_about(finding, cls)) ++cls.findings;
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
