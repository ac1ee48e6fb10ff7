// What skips a test while it runs: decorators and guards, of the test and of what stands around it.
#pragma once

#include <string>
#include <vector>

#include "analyzer/facts.h"
#include "classifier/eligibility.h"
#include "classifier/machine.h"

namespace hwsift::classifier {

// `uses` are those of the scope that the decorator belongs to.
std::vector<Reason> skips_by(const analyzer::Decorator& decorator,
                             const std::vector<const analyzer::Use*>& uses, const Machine& machine);

// A guard in the body of a scope, or at the top of the file: if not TEST_CUDA: skip.
std::vector<Reason> skips_by(const analyzer::Use& guard, const Machine& machine);

}  // namespace hwsift::classifier
