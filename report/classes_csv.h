// The classes as comma-separated values (RFC 4180: a header, CRLF, quotes where needed), for spreadsheets.
#pragma once

#include <string>

#include "report/classes.h"

namespace hwsift::report {

// One row a class that is shown; what no class statement makes is a row without a category. Tests are those
// of the class itself, so that columns of numbers add up.
std::string classes_csv(const ClassesReport& report);

// One cell. A text that a spreadsheet would take for a formula gets a single quote before it.
std::string csv_cell(const std::string& text);

}  // namespace hwsift::report
