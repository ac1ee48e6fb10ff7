// Tracked items as the database keeps them.
#pragma once

#include <functional>
#include <vector>

#include "base/result.h"
#include "history/items.h"
#include "store/store.h"

namespace hwsift::store {

// Sorted by id. A row that somebody's hand made unreadable is an error that names its id.
Result<std::vector<history::Item>> read_items(Store& store);

// Changes the items, all of them or, where that or `change` fails, none. Nobody else changes them meanwhile:
// what another process sets waits, and is not lost.
Status change_items(Store& store, const std::function<Status(std::vector<history::Item>&)>& change);

}  // namespace hwsift::store
