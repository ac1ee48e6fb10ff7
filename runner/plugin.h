// The pytest plugin, which is part of the binary, in a private folder for as long as a run lasts.
#pragma once

#include <string>

#include "base/result.h"

namespace hwsift::runner {

class PluginFolder {
 public:
  PluginFolder() = default;
  PluginFolder(const PluginFolder&) = delete;
  PluginFolder& operator=(const PluginFolder&) = delete;
  ~PluginFolder();  // removes it

  Status make();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace hwsift::runner
