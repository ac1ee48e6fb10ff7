// The answer to a question in SQL, as a table.
#pragma once

#include <string>

#include "report/output.h"
#include "store/query.h"

namespace hwsift::report {

// Aligned columns, numbers to the right; control characters are shown, not sent.
std::string table_text(const store::Table& table, const Style& style);
// An array of objects by column. Of two columns of one name the later one is called name_2, and so on.
std::string table_json(const store::Table& table);
std::string table_csv(const store::Table& table);

}  // namespace hwsift::report
