// Any bytes as a document of a run: a record that reads back as it was written, or an error with a place and
// a remedy; merged with itself it is what it is merged alone.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "report/run.h"
#include "report/run_github.h"
#include "runner/merge.h"
#include "runner/run_document.h"

namespace {

using hwsift::runner::RunRecord;

std::string merged(std::vector<hwsift::runner::NamedRecord> records) {
  hwsift::Result<RunRecord> all = hwsift::runner::merge(std::move(records));
  if (!all.ok()) return hwsift::to_string(all.error());
  return hwsift::report::run_json(*all);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hwsift::Result<RunRecord> record =
      hwsift::runner::parse_run_document(std::string(reinterpret_cast<const char*>(data), size), "run.json");
  if (!record.ok()) {
    if (record.error().what.empty() || record.error().where.empty()) std::abort();
    return 0;
  }
  std::string text = hwsift::report::run_json(*record);
  hwsift::Result<RunRecord> again = hwsift::runner::parse_run_document(text, "run.json");
  if (!again.ok() || hwsift::report::run_json(*again) != text) std::abort();
  if (hwsift::report::run_summary(*record).size() >= std::size_t{1} << 20) std::abort();
  if (merged({{"a", *record}, {"b", *again}}) != merged({{"a", *record}})) std::abort();
  return 0;
}
