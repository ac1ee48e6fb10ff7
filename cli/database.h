// Where the runs of a tree and the facts of files are kept, for the commands that ask for them.
#pragma once

#include <optional>
#include <string>

#include "cli/command.h"
#include "store/facts_cache_file.h"
#include "store/store.h"

namespace hwsift::cli {

// That of --db, else that of the tree, there or not.
std::string database_file(const Context& context, const std::string& root);

// Where facts are cached: beside the database of --db, else in the user's cache, for all trees; no file where
// neither is known.
store::CachePlace cache_place(const Context& context);

// nullopt where no run was kept yet, which is no fault.
Result<std::optional<store::Store>> open_history(Context& context, const std::string& root);

}  // namespace hwsift::cli
