// How long each selected test should take.
#pragma once

#include <cstdint>
#include <vector>

#include "runner/plan.h"

namespace hwsift::runner {

using Micros = std::int64_t;
Micros micros(double seconds);

struct Expectation {
  std::vector<Micros> tests;  // in the order of Selection::tests
  TimesKnown known;
};

// From the most exact that is known: times of tests (real ones count for the template that they extend), of
// classes, of files. A test, class or file without a time gets the mean of those around it, in its file if
// any is known there. What is known of a class or file only is shared out evenly among its selected tests.
Expectation expect(const Selection& selection, const KnownTimes& times);

}  // namespace hwsift::runner
