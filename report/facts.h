// What `hwsift scan` found: hwsift.facts/1 and a summary for people.
#pragma once

#include <string>
#include <vector>

#include "analyzer/facts.h"
#include "report/output.h"

namespace hwsift::report {

std::string facts_json(const std::vector<analyzer::FileFacts>& files);
std::string facts_text(const std::vector<analyzer::FileFacts>& files, const Style& style);

}  // namespace hwsift::report
