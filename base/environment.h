// The variables of our environment.
#pragma once

#include <optional>
#include <string>

namespace hwsift {

// nullopt where it is not set; "" where it is set to nothing.
std::optional<std::string> environment_variable(const std::string& name);

}  // namespace hwsift
