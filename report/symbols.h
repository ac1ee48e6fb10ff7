// The vocabulary of hardware symbols: in the terminal, as a document and as a page of the manual.
#pragma once

#include <string>
#include <vector>

#include "classifier/vocabulary.h"
#include "report/output.h"

namespace hwsift::report {

using SymbolList = std::vector<const classifier::Symbol*>;  // sorted by name

std::string symbols_text(const SymbolList& symbols, const Style& style);
std::string symbols_json(const SymbolList& symbols, const std::string& version);  // hwsift.symbols/1
// docs/symbols.md
std::string symbols_markdown(const SymbolList& symbols);

}  // namespace hwsift::report
