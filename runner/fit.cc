#include "runner/fit.h"

#include <algorithm>

#include "base/text.h"

namespace hwsift::runner {

std::string misfit(const classifier::CountedCategory& need, const SelectOptions& options) {
  if (!need.declared && options.unclassified == Unclassified::exclude) return "unclassified: it has no label";
  bool as_it_is = !need.declared && options.unclassified == Unclassified::include;
  if (as_it_is || options.every_category) return "";
  if (options.categories.empty()) return classifier::unfit(need, options.machine.device);
  const std::vector<std::string>& wanted = options.categories;
  bool among = std::find(wanted.begin(), wanted.end(), need.category.name()) != wanted.end();
  if (among) return "";
  return (need.declared ? "category " : "inferred ") + need.category.name() + ": --hw is " +
         join(wanted, ", ");
}

}  // namespace hwsift::runner
