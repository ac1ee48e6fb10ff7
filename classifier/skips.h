// What skips a test while it runs: decorators and guards, of the test and of what stands around it.
#pragma once

#include <string>
#include <vector>

#include "analyzer/facts.h"
#include "classifier/eligibility.h"
#include "classifier/vocabulary.h"

namespace hwsift::classifier {

// A machine whose only accelerator is `device`; of "cpu" it has none.
struct Machine {
  std::string device;
  const Vocabulary& vocabulary;

  bool has(const std::string& type) const;  // "privateuse1" is any backend behind it
  bool has_any(const std::vector<std::string>& types) const;
  bool is_accelerator() const;
  bool is_privateuse1() const;
  bool runs_on_cpu() const;  // the CPU itself, and lazy
};

// `uses` are those of the scope that the decorator belongs to.
std::vector<Reason> skips_by(const analyzer::Decorator& decorator,
                             const std::vector<const analyzer::Use*>& uses, const Machine& machine);

// A guard in the body of a scope, or at the top of the file: if not TEST_CUDA: skip.
std::vector<Reason> skips_by(const analyzer::Use& guard, const Machine& machine);

}  // namespace hwsift::classifier
