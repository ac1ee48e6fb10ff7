#include "runner/restrict.h"

#include <optional>

#include "runner/owners.h"

namespace hwsift::runner {
namespace {

// Whether the set holds the id, or one that starts with it and "::".
bool reaches_into(const std::set<std::string>& ids, const std::string& id) {
  if (ids.count(id) > 0) return true;
  auto next = ids.lower_bound(id + "::");
  return next != ids.end() && next->compare(0, id.size() + 2, id + "::") == 0;
}

}  // namespace

bool covers(const std::set<std::string>& ids, const std::string& id) {
  if (ids.count(id) > 0) return true;
  std::size_t end = id.find('[');
  while (end != 0 && (end = id.rfind("::", end == std::string::npos ? end : end - 1)) != std::string::npos)
    if (ids.count(id.substr(0, end)) > 0) return true;
  return false;
}

Selection restricted(const Selection& selection, const std::set<std::string>& ids) {
  Owners owners(selection);
  std::set<std::size_t> wanted;
  for (const std::string& id : ids)
    if (std::optional<std::size_t> owner = owners.selected(id)) wanted.insert(*owner);
  Selection part = selection;
  part.only = ids;
  part.tests.clear();
  for (std::size_t i = 0; i < selection.tests.size(); ++i) {
    bool asked_for = wanted.count(i) > 0 || covers(ids, selection.tests[i].id);
    (asked_for ? part.tests : part.elsewhere).push_back(selection.tests[i]);
  }
  std::erase_if(part.files, [&](const std::string& file) { return !reaches_into(ids, file); });
  return part;
}

void note_expanded(const Selection& selection, RunRecord& record) {
  Owners owners(selection);
  auto note = [&](const std::string& id) {
    std::optional<std::size_t> owner = owners.selected(id);
    if (owner && selection.tests[*owner].id != id) record.expanded.insert(selection.tests[*owner].id);
  };
  for (const TestResult& result : record.results) note(result.id);
  for (const std::string& reason : record.outstanding)
    for (const std::string& id : record.not_run[reason]) note(id);
}

std::set<std::string> unaccounted(const std::set<std::string>& ids, const RunRecord& record) {
  std::set<std::string> there = record.expanded;
  for (const TestResult& result : record.results) there.insert(result.id);
  for (const auto& [reason, left] : record.not_run) there.insert(left.begin(), left.end());
  std::set<std::string> lost;
  for (const std::string& id : ids)
    if (!reaches_into(there, id)) lost.insert(id);
  return lost;
}

}  // namespace hwsift::runner
