// What a workflow command of GitHub Actions may hold, escaped as GitHub's own toolkit does: the percent sign
// and line ends everywhere, ':' and ',' in properties. Other control characters are made visible, as the log
// of a job is read in terminals, too.
#pragma once

#include <string>

namespace hwsift::report {

std::string github_data(const std::string& text);
std::string github_property(const std::string& text);

}  // namespace hwsift::report
