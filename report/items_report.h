// Tracked items, each with what the sources say of it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/json.h"
#include "history/progress.h"
#include "report/output.h"

namespace hwsift::report {

// One of `items[]`, in hwsift.items/1 as in hwsift.progress/1.
Json item_json(const history::TrackedItem& item);
// hwsift.items/1.
std::string items_json(const std::vector<history::TrackedItem>& items);
// A row an item.
std::string items_csv(const std::vector<history::TrackedItem>& items);
// A line an item, cut at `width` columns, then how many are in which state.
std::string items_text(const std::vector<history::TrackedItem>& items, std::size_t width, const Style& style);

// "no items", "3 clean, 1 regressed": in the order of the states, those that have any.
std::string states_text(const std::vector<std::pair<history::State, long long>>& states);
// The colour of a state in a terminal.
std::string coloured(history::State state, const std::string& text, const Style& style);

}  // namespace hwsift::report
