// How the reports tell a piece of evidence.
#pragma once

#include <string>
#include <vector>

#include "base/json_writer.h"
#include "classifier/classify.h"

namespace hwsift::report {

// "line 4"; where a path says that it is another file, "test/common.py:4".
std::string place_text(const std::string& path, int line);
std::string place_of(const classifier::Evidence& evidence);
// Without the modules of the framework's test helpers, which every line would repeat.
std::string short_symbol(const std::string& symbol);

// As documents have it: evidence: [{line, symbol, says}], with `method` and `path` where they are told.
void write_evidence(JsonWriter& json, const std::vector<classifier::Evidence>& evidence);
// What the classifier says of a class and why: declared to evidence.
void write_judgement(JsonWriter& json, const classifier::ClassVerdict& verdict);

}  // namespace hwsift::report
