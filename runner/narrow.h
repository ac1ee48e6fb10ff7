// A selection held to what a filter takes; what it leaves out has that as its reason.
#pragma once

#include <map>
#include <set>
#include <string>

#include "runner/filter.h"
#include "runner/selection.h"

namespace hwsift::runner {

// What a filter may ask beyond the selection itself.
struct FilterFacts {
  std::map<std::string, double> seconds;  // recorded, by real id
  std::set<std::string> failed;           // real ids whose last recorded outcome is bad
  ChangedFiles changed;
};

// Of a test that stands for several, the times add up, and one that failed is enough.
Selection narrowed(const Selection& selection, const Filter& filter, const FilterFacts& facts);

}  // namespace hwsift::runner
