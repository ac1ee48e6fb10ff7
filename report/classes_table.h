// The counts of classes by directory and category.
#pragma once

#include <cstddef>
#include <string>

#include "report/classes.h"

namespace hwsift::report {

// A row a directory, at most two levels below test/ with what is deeper, then all of them, then their tests.
// A category counts the classes whose tests are all of it, so that a row's categories and its mixed ones add
// up to its classes. In a narrow place names are shortened and the rarest devices share a column; a note says
// so.
std::string classes_table(const ClassesReport& report, std::size_t width, const Style& style);

}  // namespace hwsift::report
