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
  if (has_optional_value(option->get_name(false, true))) return "";
  std::string text = CLI::Formatter::make_option_opts(option);
  // One that repeats and takes one value a time looks like any other.
  constexpr std::string_view kMany = " ...";
  if (!option->get_allow_extra_args() && text.ends_with(kMany)) text.resize(text.size() - kMany.size());
  return text;
}

}  // namespace hwsift::cli
