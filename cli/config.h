// hwsift.yaml at the root of the tree: the defaults of a project; flags win.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/discover.h"
#include "base/disk.h"
#include "base/result.h"
#include "base/yaml.h"

namespace hwsift::cli {

struct Config {
  std::string file;                  // "" when there is none
  std::string profile;               // of lint; "" is the default profile
  Yaml profiles;                     // of lint, that the project defines; null where it has none
  Yaml devices;                      // that the project adds to those of the rules; null where it has none
  std::string allowlist;             // path of the allowlist, absolute; "" when none
  std::vector<std::string> exclude;  // paths or folders below the tree that default paths leave out
  analyzer::Languages languages;     // of default paths
  std::string compile_commands;      // compile_commands.json or its folder, absolute; "" when none
  std::size_t max_file_bytes = 0;    // 0 is the built-in limit
};

// `named` is --config; "" looks for hwsift.yaml in the tree, and none is fine.
Result<Config> load_config(Disk& disk, const std::string& tree, const std::string& named);

}  // namespace hwsift::cli
