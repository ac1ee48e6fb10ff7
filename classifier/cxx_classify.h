// The decision for C++ tests.
#pragma once

#include <vector>

#include "analyzer/facts.h"
#include "classifier/classify.h"
#include "classifier/vocabulary.h"

namespace hwsift::classifier {

// One verdict a suite, in source order. A suite may well hold tests of several categories, as each test is
// chosen by its name: no split is proposed.
std::vector<ClassVerdict> classify_cxx(const analyzer::FileFacts& file, const Vocabulary& vocabulary);

}  // namespace hwsift::classifier
