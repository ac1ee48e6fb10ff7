// One tracked item with all that is known of it: `hwsift track show`.
#pragma once

#include <string>

#include "history/progress.h"
#include "report/output.h"

namespace hwsift::report {

struct ItemDetail {
  history::TrackedItem tracked;
  history::ItemHistory history;
  std::vector<history::Commit> commits;  // of history.changes, one each
};

std::string item_detail_text(const ItemDetail& detail, const Style& style);
// hwsift.items/1 with one item, which has `in_scope[]` and `history[]` besides.
std::string item_detail_json(const ItemDetail& detail);

}  // namespace hwsift::report
