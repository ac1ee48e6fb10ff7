#include "cli/database.h"

namespace hwsift::cli {

std::string database_file(const Context& context, const std::string& root) {
  return context.globals.db.empty() ? join_path(root, ".hwsift/hwsift.sqlite") : context.globals.db;
}

store::CachePlace cache_place(const Context& context) {
  if (context.globals.db.empty()) return store::default_cache_place();
  return {context.globals.db + ".cache", false};
}

Result<std::optional<store::Store>> open_history(Context& context, const std::string& root) {
  std::string file = database_file(context, root);
  if (!context.disk.info(file).ok()) return std::optional<store::Store>();
  Result<store::Store> database = store::Store::open_to_read(file);
  if (!database.ok()) return database.error();
  return std::optional<store::Store>(std::move(*database));
}

}  // namespace hwsift::cli
