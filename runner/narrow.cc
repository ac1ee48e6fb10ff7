#include "runner/narrow.h"

namespace hwsift::runner {
namespace {

// Whether a real id is that of the test, or of one that its decorators made of it.
bool stands_for(const SelectedTest& test, const std::string& id) {
  if (!id.starts_with(test.id)) return false;
  if (id.size() == test.id.size() || id[test.id.size()] == '[') return true;
  return test.expands && id[test.id.size()] == '_';
}

// Real ids of a test are neighbours in order, with those of longer names among them.
template <class Ids, class OnId>
void for_real_ids(const SelectedTest& test, const Ids& ids, OnId on_id) {
  for (auto at = ids.lower_bound(test.id); at != ids.end(); ++at)
    if (!on_id(at)) return;
}

std::optional<double> seconds_of(const SelectedTest& test, const std::map<std::string, double>& seconds) {
  std::optional<double> sum;
  for_real_ids(test, seconds, [&](auto at) {
    if (stands_for(test, at->first)) sum = sum.value_or(0) + at->second;
    return at->first.starts_with(test.id);
  });
  return sum;
}

bool has_failed(const SelectedTest& test, const std::set<std::string>& failed) {
  bool found = false;
  for_real_ids(test, failed, [&](auto at) {
    found = found || stands_for(test, *at);
    return !found && at->starts_with(test.id);
  });
  return found;
}

TestTraits traits_of(const SelectedTest& test, const Selection& selection, const FilterFacts& facts,
                     const std::string& category) {
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
  traits.seconds = seconds_of(test, facts.seconds);
  traits.failed = has_failed(test, facts.failed);
  return traits;
}

}  // namespace

Selection narrowed(const Selection& selection, const Filter& filter, const FilterFacts& facts) {
  Selection left = selection;
  left.tests.clear();
  std::set<std::string> files;
  const std::string reason = "left out by -E " + filter.to_text();
  for (const SelectedTest& test : selection.tests) {
    std::string category = test.category.name();
    if (filter.matches(traits_of(test, selection, facts, category), facts.changed)) {
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
