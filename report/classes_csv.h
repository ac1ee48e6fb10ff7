// The classes as comma-separated values, for spreadsheets.
#pragma once

#include <string>

#include "report/classes.h"

namespace hwsift::report {

// One row a class that is shown; what no class statement makes is a row without a category. Tests are those
// of the class itself, so that columns of numbers add up.
std::string classes_csv(const ClassesReport& report);

}  // namespace hwsift::report
