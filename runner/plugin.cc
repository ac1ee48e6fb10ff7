#include "runner/plugin.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/disk.h"
#include "embedded/hwsift_pytest.h"

namespace hwsift::runner {

Status PluginFolder::make() {
  const char* temporary = std::getenv("TMPDIR");
  std::string folder = temporary != nullptr && *temporary != '\0' ? absolute_path(temporary) : "/tmp";
  std::string pattern = join_path(folder, "hwsift-XXXXXX");
  if (::mkdtemp(pattern.data()) == nullptr)
    return Error{folder, "cannot make a folder: " + std::generic_category().message(errno),
                 "set TMPDIR to a writable folder"};
  path_ = pattern;
  return real_disk().write(join_path(path_, "hwsift_pytest.py"), std::string(embedded::hwsift_pytest()));
}

PluginFolder::~PluginFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace hwsift::runner
