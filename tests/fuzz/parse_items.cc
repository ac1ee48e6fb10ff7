// Any bytes as a list of items in each format: items with an id each that can be followed through a timeline
// and printed, or an error with a place and a text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

#include "history/items.h"

namespace {

using namespace hwsift::history;

Timeline timeline_of_a_tree() {
  FileMeasure file;
  file.classes.resize(1);
  file.classes.front().name = "TestA";
  Timeline timeline;
  timeline.commits.resize(2);
  timeline.versions.push_back({0, "test/test_a.py", std::make_shared<const FileMeasure>(file), ""});
  timeline.versions.push_back({1, "test/test_a.py", nullptr, ""});
  timeline.versions.push_back(
      {1, "test/test_b.py", std::make_shared<const FileMeasure>(file), "test/test_a.py"});
  return timeline;
}

void read_as(const std::string& bytes, ItemFormat format) {
  std::vector<std::string> notes;
  hwsift::Result<std::vector<Item>> items = parse_items(bytes, "items", format, notes);
  if (!items.ok()) {
    if (items.error().what.empty() || items.error().where.empty()) std::abort();
    return;
  }
  static const Timeline timeline = timeline_of_a_tree();
  if (standings(*items, timeline).size() != items->size()) std::abort();
  std::set<std::string> ids;
  for (const Item& item : *items)
    if (item.id.empty() || !ids.insert(item.id).second) std::abort();
  Imported once = merge_items({}, *items);
  if (merge_items(once.items, *items).unchanged != items->size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  read_as(bytes, item_format_of("-", bytes));
  for (ItemFormat format : {ItemFormat::csv, ItemFormat::markdown, ItemFormat::github_json})
    read_as(bytes, format);
  return 0;
}
