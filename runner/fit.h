// Whether the category of a test is among those that a selection is for.
#pragma once

#include <string>

#include "classifier/eligibility.h"
#include "runner/selection.h"

namespace hwsift::runner {

// Why a test of this category is not wanted, "" when it is.
std::string misfit(const classifier::CountedCategory& need, const SelectOptions& options);

}  // namespace hwsift::runner
