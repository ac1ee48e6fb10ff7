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
  std::unordered_map<std::string, int> latest;
  for (std::size_t i = 0; i < file.classes.size(); ++i) {
    for (const Base& base : file.classes[i].bases) {
      auto found = latest.find(base.name);
      if (!base.name.empty() && found != latest.end()) direct_bases_[i].push_back(found->second);
    }
    latest[file.classes[i].name] = static_cast<int>(i);
  }
}

std::vector<int> Inheritance::bases_of(int class_index) const {
  std::vector<int> bases = direct_bases_[static_cast<std::size_t>(class_index)];
  std::set<int> seen(bases.begin(), bases.end());
  for (std::size_t i = 0; i < bases.size() && bases.size() < kMostBases; ++i)
    for (int base : direct_bases_[static_cast<std::size_t>(bases[i])])
      if (seen.insert(base).second) bases.push_back(base);
  return bases;
}

std::vector<int> Inheritance::line_of(int class_index) const {
  std::vector<int> line = bases_of(class_index);
  line.insert(line.begin(), class_index);
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
  for (int index : line_of(class_index)) {
    const std::vector<int>& local = direct_bases_[static_cast<std::size_t>(index)];
    const Class& cls = file_.classes[static_cast<std::size_t>(index)];
    for (const Base& base : cls.bases) {
      bool in_file = std::any_of(local.begin(), local.end(), [&](int i) {
        return file_.classes[static_cast<std::size_t>(i)].name == base.name;
      });
      if (!in_file && !only_runs_tests(base.symbol)) return true;
    }
  }
  return false;
}

}  // namespace hwsift::classifier
