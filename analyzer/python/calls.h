// Calls of instantiate_device_type_tests, as the source spells them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/facts.h"
#include "analyzer/python/names.h"
#include "analyzer/python/node.h"

namespace hwsift::analyzer {

// The call, where `node` is one; nullopt otherwise. Context and is_statement are the caller's to set.
std::optional<Instantiation> read_instantiation(const Source& source, const Names& names, TSNode call);

// type("Name", (Base, ...), {...}) or globals().update(...), where `call` is one.
std::optional<DynamicClass> read_dynamic_class(const Source& source, TSNode call);

// copy_tests(From, To, suffix), where `call` is one on plain names.
std::optional<CopiedTests> read_copied_tests(const Source& source, TSNode call);

// What stands between the brackets of an argument or parameter list.
Span inside_brackets(const Source& source, TSNode list);

// What an expression says as a device filter: a str, a list, tuple or set of str, None, or unknown.
DeviceFilter read_filter(const Source& source, const Names& names, TSNode expression);

// "torch.rand().cuda" for torch.rand(2).cuda(); "" where the function of the call is not reached from
// `torch`, or by more than 64 steps.
std::string torch_chain(const Source& source, TSNode call);

}  // namespace hwsift::analyzer
