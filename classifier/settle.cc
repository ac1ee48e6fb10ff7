#include "classifier/settle.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace hwsift::classifier {
namespace {

using CategoryKey = std::pair<Category::Kind, std::string>;

CategoryKey key_of(const Category& category) { return {category.kind, category.device}; }

// The category that most tests have; of equals the first in the order GENERIC, DEVICE_GENERIC, devices by
// name.
Category prevailing(const std::vector<MethodVerdict>& methods) {
  std::map<CategoryKey, std::size_t> counts;
  for (const MethodVerdict& method : methods) ++counts[key_of(method.category)];
  auto most = std::max_element(counts.begin(), counts.end(),
                               [](const auto& a, const auto& b) { return a.second < b.second; });
  return {most->first.first, most->first.second};
}

// Of what its tests need; that some need nothing is told where nothing else is.
std::vector<Evidence> evidence_of_class(const std::vector<MethodVerdict>& methods, const Category& inferred) {
  std::vector<Evidence> all;
  for (const MethodVerdict& method : methods)
    if (inferred == Category::generic() || !(method.category == Category::generic()))
      all.insert(all.end(), method.evidence.begin(), method.evidence.end());
  return unique_evidence(std::move(all));
}

}  // namespace

std::vector<Evidence> unique_evidence(std::vector<Evidence> evidence) {
  auto place = [](const Evidence& e) { return std::tie(e.path, e.line, e.symbol, e.says, e.method); };
  std::sort(evidence.begin(), evidence.end(),
            [&](const Evidence& a, const Evidence& b) { return place(a) < place(b); });
  evidence.erase(std::unique(evidence.begin(), evidence.end(),
                             [&](const Evidence& a, const Evidence& b) { return place(a) == place(b); }),
                 evidence.end());
  return evidence;
}

void settle_class(ClassVerdict& verdict) {
  verdict.inferred = prevailing(verdict.methods);
  verdict.mixed = std::any_of(verdict.methods.begin(), verdict.methods.end(),
                              [&](const MethodVerdict& m) { return !(m.category == verdict.inferred); });
  verdict.evidence = evidence_of_class(verdict.methods, verdict.inferred);
}

}  // namespace hwsift::classifier
