#include "runner/narrow.h"

#include <optional>
#include <vector>

#include "runner/owners.h"

namespace hwsift::runner {
namespace {

// What is recorded of each selected test.
struct Recorded {
  std::vector<std::optional<double>> seconds;
  std::vector<bool> failed;

  Recorded(const Selection& selection, const FilterFacts& facts)
      : seconds(selection.tests.size()), failed(selection.tests.size(), false) {
    Owners owners(selection);
    for (const auto& [id, time] : facts.seconds)
      if (std::optional<std::size_t> test = owners.selected(id))
        seconds[*test] = seconds[*test].value_or(0) + time;
    for (const std::string& id : facts.failed)
      if (std::optional<std::size_t> test = owners.selected(id)) failed[*test] = true;
  }
};

TestTraits traits_of(const SelectedTest& test, const Selection& selection, const std::string& category) {
  TestTraits traits;
  traits.id = test.id;
  traits.path = test.path;
  traits.cls = test.cls;
  traits.run_class = test.run_class;
  traits.method = test.method;
  traits.name = std::string_view(test.id).substr(test.id.rfind("::") + 2);
  traits.category = category;
  auto owners = selection.owners.find(test.path);
  if (owners != selection.owners.end()) traits.owners = &owners->second;
  traits.slow = test.slow;
  return traits;
}

}  // namespace

Selection narrowed(const Selection& selection, const Filter& filter, const FilterFacts& facts) {
  Selection left = selection;
  left.tests.clear();
  std::set<std::string> files;
  const std::string reason = "left out by -E " + filter.to_text();
  Recorded recorded(selection, facts);
  for (std::size_t i = 0; i < selection.tests.size(); ++i) {
    const SelectedTest& test = selection.tests[i];
    std::string category = test.category.name();
    TestTraits traits = traits_of(test, selection, category);
    traits.seconds = recorded.seconds[i];
    traits.failed = recorded.failed[i];
    if (filter.matches(traits, facts.changed)) {
      files.insert(test.path);
      left.tests.push_back(test);
      continue;
    }
    if (test.expands) left.expanding.insert(test.id);
    left.not_selected[reason].push_back(test.id);
  }
  left.files.assign(files.begin(), files.end());
  return left;
}

}  // namespace hwsift::runner
