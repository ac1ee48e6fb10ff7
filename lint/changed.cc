#include "lint/changed.h"

#include <algorithm>

#include "lint/rule_ids.h"

namespace hwsift::lint {
namespace {

bool overlaps(int first, int last, const std::vector<LineRange>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const LineRange& range) { return range.first <= last && first <= range.last; });
}

bool touches(const Finding& finding, const std::vector<LineRange>& ranges) {
  if (overlaps(finding.line, std::max(finding.line, finding.end_line), ranges)) return true;
  return std::any_of(finding.causes.begin(), finding.causes.end(), [&](const std::pair<int, int>& cause) {
    return overlaps(cause.first, cause.second, ranges);
  });
}

}  // namespace

void keep_changed(const ChangedLines& changed, std::vector<Finding>& findings) {
  std::erase_if(findings, [&](const Finding& finding) {
    if (finding.line == 0 || finding.rule == rule::parse_error) return false;
    auto lines = changed.find(finding.path);
    return lines == changed.end() || !touches(finding, lines->second);
  });
}

}  // namespace hwsift::lint
