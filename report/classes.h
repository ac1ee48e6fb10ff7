// What `hwsift classify` decided: hwsift.classes/1 and a listing for people.
#pragma once

#include <string>
#include <vector>

#include "classifier/classify.h"
#include "report/output.h"

namespace hwsift::report {

std::string classes_json(const std::vector<classifier::ClassVerdict>& verdicts);

// One line a class, grouped by folder, then the counts by category and what to do next.
std::string classes_text(const std::vector<classifier::ClassVerdict>& verdicts, const Style& style);

}  // namespace hwsift::report
