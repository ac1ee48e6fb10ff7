// How --help shows options.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace hwsift::cli {

// An option whose value is optional is a flag to CLI11, which shows its default: "--changed{HEAD}". People
// know
// "--changed[=BASE]".
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
};

}  // namespace hwsift::cli
