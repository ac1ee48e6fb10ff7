// The precedence by which a test gets its category: a table of rules, of which the first that holds decides.
// docs/categories.md says the same in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/facts.h"
#include "classifier/classify.h"
#include "classifier/signals.h"

namespace hwsift::classifier {

// All that the rules ask about one test.
struct Case {
  const analyzer::Class& cls;
  const analyzer::Method& method;
  const Vocabulary& vocabulary;
  const analyzer::Instantiation* call = nullptr;  // that instantiates the class, or nullptr
  std::optional<std::string> only_for;            // the one device that the call keeps
  std::vector<Signal> signals;     // of the test itself and of what runs around each test of the class
  std::vector<std::string> hints;  // devices that the file's or class's name hints at
  std::string restricted_to;       // the one device to which each test of the class is restricted, or ""
};

struct Ruling {
  Category category;
  double confidence = 0;
  std::vector<Evidence> evidence;
};

Ruling rule_on(Case c);

}  // namespace hwsift::classifier
