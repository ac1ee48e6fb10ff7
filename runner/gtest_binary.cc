#include "runner/gtest_binary.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "classifier/cxx_classify.h"
#include "classifier/cxx_vocabulary.h"
#include "runner/cxx_selection.h"
#include "runner/fit.h"

namespace hwsift::runner {
namespace {

using analyzer::Class;
using analyzer::FileFacts;
using analyzer::Method;

constexpr char kNotInBinary[] = "not in the binary";

// Which files have a suite, and which a test of it.
class Sources {
 public:
  explicit Sources(const std::vector<FileFacts>& files) {
    for (const FileFacts& file : files)
      for (const Class& suite : file.classes) add(file.path, suite);
  }

  std::string path_of(const GtestBase& base, const GtestBinary& binary) const {
    std::set<std::string> ours(binary.sources.begin(), binary.sources.end());
    std::string path = only_one(tests_, base.test_in_file(), ours);
    if (path.empty()) path = only_one(suites_, base.suite, ours);
    return path.empty() ? binary.path : path;
  }

 private:
  using Paths = std::unordered_map<std::string, std::set<std::string>>;

  void add(const std::string& path, const Class& suite) {
    for (const Method& method : suite.methods) {
      if (!method.is_test) continue;
      suites_[suite.name].insert(path);
      tests_[GtestBase{suite.name, method.name, ""}.test_in_file()].insert(path);
    }
  }

  static std::string only_one(const Paths& paths, const std::string& name,
                              const std::set<std::string>& ours) {
    auto found = paths.find(name);
    if (found == paths.end()) return "";
    std::vector<std::string> both;
    std::set_intersection(found->second.begin(), found->second.end(), ours.begin(), ours.end(),
                          std::back_inserter(both));
    return both.size() == 1 ? both.front() : "";
  }

  Paths suites_;
  Paths tests_;
};

// By id of the test: what must be defined so that it is there. That something is not defined, as of an #else,
// explains nothing to somebody who misses the test.
std::map<std::string, std::string> conditions_of(const std::vector<FileFacts>& files) {
  std::map<std::string, std::string> texts;
  for (const FileFacts& file : files)
    for (const Class& suite : file.classes)
      for (const Method& method : suite.methods) {
        std::vector<std::string> all;
        for (const analyzer::BuildCondition& one : method.conditions)
          if (!one.negated) all.push_back(one.text);
        if (all.empty()) continue;
        texts.emplace(file.path + "::" + suite.name + "::" + method.name, join(all, " and "));
      }
  return texts;
}

void leave_out_what_is_not_there(const std::unordered_set<std::string>& there,
                                 const std::vector<FileFacts>& files, Selection& selection) {
  std::map<std::string, std::string> conditions = conditions_of(files);
  auto absent = [&](const SelectedTest& test) {
    if (there.count(test.id) > 0) return false;
    auto condition = conditions.find(test.id);
    std::string reason = kNotInBinary;
    if (condition != conditions.end()) reason += " (stands under #if " + condition->second + ")";
    selection.not_selected[reason].push_back(test.id);
    if (test.expands) selection.expanding.insert(test.id);
    return true;
  };
  std::erase_if(selection.tests, absent);
}

// What the name of a test says that it needs, nullptr where it says nothing.
const classifier::NameSuffix* suffix_of(const GtestTest& test, const SelectOptions& options) {
  return classifier::suffix_of(base_of(test.name).name, options.machine.vocabulary);
}

std::string misfit_by_suffix(const classifier::NameSuffix& suffix, const SelectOptions& options) {
  classifier::Category need = classifier::cxx_category_of(suffix.device, options.machine.vocabulary);
  std::string reason = misfit({need, false}, options);
  return reason.empty() && suffix.count > 1 ? lacking_devices(suffix, options) : reason;
}

SelectedTest only_in_binary(const GtestTest& test, const SelectOptions& options) {
  GtestBase base = base_of(test.name);
  SelectedTest found;
  found.id = test.template_id();
  found.path = test.path;
  found.cls = found.run_class = base.suite;
  found.method = base.name;
  found.expands = !base.parameter.empty() || test.shares_id;
  found.unpredicted = true;
  const classifier::NameSuffix* suffix = suffix_of(test, options);
  found.several_devices = suffix != nullptr && suffix->count > 1;
  return found;
}

// Why a test that no source explains does not run, "" where it does.
std::string left_out(const GtestTest& test, const std::set<std::string>& running_suites,
                     const Selection& selection, const SelectOptions& options) {
  if (classifier::is_disabled(test.name.suite, test.name.name)) return kDisabledByName;
  if (const classifier::NameSuffix* suffix = suffix_of(test, options))
    return misfit_by_suffix(*suffix, options);
  std::string suite = test.path + "::" + base_of(test.name).suite;
  if (running_suites.count(suite) > 0) return "";
  if (auto fit = selection.classes.find(suite); fit != selection.classes.end()) return fit->second.misfit;
  if (selection.device == "cpu") return "";
  return "in the binary only: no source says that it is for " + selection.device;
}

void add_what_sources_lack(const std::vector<GtestTest>& there, const SelectOptions& options,
                           Selection& selection) {
  std::unordered_set<std::string> known;
  std::set<std::string> running_suites;
  for (const SelectedTest& test : selection.tests) {
    known.insert(test.id);
    running_suites.insert(class_of_id(test.id));
  }
  for (const auto& [reason, ids] : selection.not_selected) known.insert(ids.begin(), ids.end());
  for (const GtestTest& test : there) {
    SelectedTest found = only_in_binary(test, options);
    if (!known.insert(found.id).second) continue;
    std::string reason = left_out(test, running_suites, selection, options);
    if (!reason.empty()) selection.not_selected[reason].push_back(found.id);
    if (!reason.empty() && found.expands) selection.expanding.insert(found.id);
    if (reason.empty()) selection.tests.push_back(std::move(found));
  }
}

}  // namespace

std::string GtestTest::within() const {
  GtestBase base = base_of(name);
  return shares_id ? base.test_in_file() + "[" + name.full() + "]" : base.within();
}

PlacedTests place_tests(const std::vector<GtestBinary>& binaries, const std::vector<FileFacts>& files) {
  Sources sources(files);
  PlacedTests placed;
  std::unordered_map<std::string, std::string> seen;  // id to gtest's name
  for (std::size_t i = 0; i < binaries.size(); ++i)
    for (const GtestName& name : binaries[i].tests) {
      GtestTest test{sources.path_of(base_of(name), binaries[i]), name, i};
      auto [first, is_new] = seen.emplace(test.id(), name.full());
      if (!is_new && first->second != name.full()) {
        test.shares_id = true;
        is_new = seen.emplace(test.id(), name.full()).second;
      }
      if (is_new)
        placed.tests.push_back(std::move(test));
      else
        placed.repeated.push_back(test.id());
    }
  return placed;
}

void hold_to_binaries(const std::vector<GtestTest>& there, const std::vector<FileFacts>& files,
                      const SelectOptions& options, Selection& selection) {
  std::unordered_set<std::string> ids;
  for (const GtestTest& test : there) ids.insert(test.template_id());
  leave_out_what_is_not_there(ids, files, selection);
  add_what_sources_lack(there, options, selection);
  auto by_path = [](const SelectedTest& a, const SelectedTest& b) { return a.path < b.path; };
  std::stable_sort(selection.tests.begin(), selection.tests.end(), by_path);
  std::set<std::string> paths;
  for (const SelectedTest& test : selection.tests) paths.insert(test.path);
  selection.files.assign(paths.begin(), paths.end());
}

}  // namespace hwsift::runner
