// From the verdicts on its tests to that on a class.
#pragma once

#include <vector>

#include "classifier/classify.h"

namespace hwsift::classifier {

// Each piece once, in source order.
std::vector<Evidence> unique_evidence(std::vector<Evidence> evidence);

// Sets inferred, mixed and evidence of a class whose methods, at least one, have their verdicts.
void settle_class(ClassVerdict& verdict);

}  // namespace hwsift::classifier
