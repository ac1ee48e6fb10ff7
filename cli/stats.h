// What --stats prints, to standard error.
#pragma once

#include "cli/command.h"

namespace hwsift::cli {

// Of the parts in command.h.
Meter make_meter(const Globals& globals);

// Wall time by stage, processor time by part of the work, memory and the cache. Each table adds up: what no
// row tells apart is in "other".
void print_stats(const Context& context);

}  // namespace hwsift::cli
