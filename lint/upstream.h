// What both upstream linters have in common, bug for bug.
#pragma once

#include <map>
#include <string_view>

#include "lint/contract.h"

namespace hwsift::lint {

// The statement of the class body that counts: the first one, directly in the body.
const analyzer::Label* upstream_statement(const analyzer::Class& cls);
std::optional<classifier::Category> upstream_label(const analyzer::Class& cls);

// The call as upstream sees it: positional filters are overlooked, names are never resolved.
analyzer::DeviceFilter upstream_filter(const analyzer::DeviceFilter& filter);

// Whether the first argument is the bare name of a class.
bool names_class(const analyzer::Instantiation& call);

// The last word of a decorator: "onlyCUDA" of @onlyCUDA, @module.onlyCUDA and a call of either.
std::string_view last_word(const analyzer::Decorator& decorator);

}  // namespace hwsift::lint
