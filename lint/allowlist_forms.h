// The two forms of an allowlist, for allowlist.cc alone.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "lint/allowlist.h"

namespace hwsift::lint {

// What is wrong and the remedy; the reader of the form knows the place.
struct Fault {
  std::string what;
  std::string hint;
};
std::optional<Fault> fault_in(const AllowlistEntry& entry, AllowlistForm form);

// Entries in the order of the file, each without fault.
Result<Allowlist> read_json_form(const std::string& bytes, const std::string& file);
Result<Allowlist> read_yaml_form(const std::string& bytes, const std::string& file);
std::string json_text(const Allowlist& allowlist);
std::string yaml_text(const Allowlist& allowlist);

}  // namespace hwsift::lint
