#include "cli/help.h"

namespace hwsift::cli {
namespace {

bool has_optional_value(const std::string& name) { return name.find('{') != std::string::npos; }

}  // namespace

std::string HelpFormatter::make_option_name(const CLI::Option* option, bool is_positional) const {
  std::string name = CLI::Formatter::make_option_name(option, is_positional);
  std::size_t open = name.find('{');
  std::size_t close = name.find('}');
  if (open == std::string::npos || close == std::string::npos) return name;
  return name.replace(open, close - open + 1, "[=" + option->get_type_name() + "]");
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  return has_optional_value(option->get_name(false, true)) ? "" : CLI::Formatter::make_option_opts(option);
}

}  // namespace hwsift::cli
