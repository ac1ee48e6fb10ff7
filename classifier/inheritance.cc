#include "classifier/inheritance.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>

#include "classifier/vocabulary.h"

namespace hwsift::classifier {
namespace {

using analyzer::Base;
using analyzer::Class;

// Real chains are short; a made-up one must not cost time.
constexpr std::size_t kMostBases = 256;

// Base classes of PyTorch's tests that know no device: they run tests and compare results.
bool only_runs_tests(std::string_view base) {
  constexpr std::string_view kPlain[] = {"TestCase", "JitTestCase", "QuantizationTestCase",   "NNTestCase",
                                         "object",   "ABC",         "IsolatedAsyncioTestCase"};
  return std::find(std::begin(kPlain), std::end(kPlain), last_word(base)) != std::end(kPlain);
}

}  // namespace

bool sets_up(std::string_view method) {
  return method == "setUp" || method == "setUpClass" || method == "asyncSetUp" || method == "setup_class" ||
         method == "setup_method";
}

Inheritance::Inheritance(const analyzer::FileFacts& file) : file_(file) {
  direct_bases_.resize(file.classes.size());
  has_own_framework_base_.resize(file.classes.size());
  std::unordered_map<std::string, int> latest;
  for (std::size_t i = 0; i < file.classes.size(); ++i) {
    for (const Base& base : file.classes[i].bases) {
      auto found = latest.find(base.name);
      bool in_file = !base.name.empty() && found != latest.end();
      if (in_file) direct_bases_[i].push_back(found->second);
      if (!in_file && !only_runs_tests(base.symbol)) has_own_framework_base_[i] = true;
    }
    latest[file.classes[i].name] = static_cast<int>(i);
  }
  std::vector<char> seen(file.classes.size());
  for (std::size_t i = 0; i < file.classes.size(); ++i)
    lines_.push_back(walk_from(static_cast<int>(i), seen));
}

// The class, then its bases, nearest first.
std::vector<int> Inheritance::walk_from(int class_index, std::vector<char>& seen) const {
  std::vector<int> line = {class_index};
  for (std::size_t i = 0; i < line.size() && (i == 0 || line.size() <= kMostBases); ++i) {
    for (int base : direct_bases_[static_cast<std::size_t>(line[i])]) {
      char& met = seen[static_cast<std::size_t>(base)];
      if (!met) line.push_back(base);
      met = 1;
    }
  }
  for (int index : line) seen[static_cast<std::size_t>(index)] = 0;
  return line;
}

std::vector<MethodPlace> Inheritance::tests_of(int class_index) const {
  std::vector<MethodPlace> tests;
  std::set<std::string> names;
  for (int owner : line_of(class_index)) {
    const Class& cls = file_.classes[static_cast<std::size_t>(owner)];
    for (std::size_t i = 0; i < cls.methods.size(); ++i) {
      bool counts =
          cls.methods[i].is_test && (owner == class_index || names.insert(cls.methods[i].name).second);
      if (counts) tests.push_back({owner, static_cast<int>(i)});
    }
    if (owner == class_index && !tests.empty()) break;
  }
  return tests;
}

bool Inheritance::has_framework_base(int class_index) const {
  const std::vector<int>& line = line_of(class_index);
  return std::any_of(line.begin(), line.end(),
                     [&](int i) { return has_own_framework_base_[static_cast<std::size_t>(i)]; });
}

}  // namespace hwsift::classifier
