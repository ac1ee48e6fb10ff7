#include "analyzer/tree_index.h"

#include <algorithm>
#include <utility>

#include "analyzer/discover.h"
#include "base/text.h"

namespace hwsift::analyzer {
namespace {

// Re-exports of re-exports; real trees have two or three.
constexpr int kMostSteps = 8;
constexpr std::string_view kInstantiate = "instantiate_device_type_tests";

// "a.b.C" to "a.b" and "C"; the module of a bare name is "".
std::pair<std::string, std::string> parts_of(const std::string& symbol) {
  std::size_t dot = symbol.rfind('.');
  if (dot == std::string::npos) return {"", symbol};
  bool relative = symbol.find_first_not_of('.') > dot;  // ".common": all dots stand in front
  return {symbol.substr(0, relative ? dot + 1 : dot), symbol.substr(dot + 1)};
}

// The last class of that name in code of the module: the one that importers see.
const Class* own_class(const FileFacts& file, const std::string& name) {
  for (auto cls = file.classes.rbegin(); cls != file.classes.rend(); ++cls)
    if (cls->name == name && cls->context != Context::function && cls->context != Context::class_)
      return &*cls;
  return nullptr;
}

std::string symbol_of(const Import& import, const std::string& name) {
  return import.module + (import.module.ends_with('.') ? "" : ".") + name;
}

std::string stem_of(const std::string& path) {
  std::string name = base_name(path);
  if (name == "__init__.py") name = base_name(folder_of(path));
  return name.substr(0, name.rfind('.'));
}

}  // namespace

WordFilter::WordFilter(std::string_view text) : bits_(kBits / 64) {
  for_each_word(text, [&](std::string_view word) {
    std::size_t bit = std::hash<std::string_view>()(word) % kBits;
    bits_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  });
}

bool WordFilter::may_have(std::string_view word) const {
  std::size_t bit = std::hash<std::string_view>()(word) % kBits;
  return (bits_[bit / 64] >> (bit % 64) & 1) != 0;
}

TreeIndex::TreeIndex(Disk& disk, std::string root, Lexicon lexicon, ScanOptions options)
    : disk_(disk), root_(std::move(root)), lexicon_(std::move(lexicon)), options_(options) {
  options_.jobs = 1;
  options_.meter = nullptr;  // what it reads is part of what asks for it
}

bool TreeIndex::is_file(const std::string& path) {
  if (listener_ != nullptr) listener_->asked(path);
  {
    std::lock_guard lock(mutex_);
    auto known = is_file_.find(path);
    if (known != is_file_.end()) return known->second;
  }
  Result<FileInfo> info = disk_.info(join_path(root_, path));
  bool there = info.ok() && info->kind == FileInfo::Kind::file;
  std::lock_guard lock(mutex_);
  is_file_[path] = there;
  return there;
}

// Two threads may analyse the same file; both get the same facts.
SharedFacts TreeIndex::facts_of(const std::string& path) {
  {
    std::lock_guard lock(mutex_);
    auto known = facts_.find(path);
    if (known != facts_.end()) return known->second;
  }
  std::string absolute = join_path(root_, path);
  auto facts = std::make_shared<const FileFacts>(
      std::move(scan(disk_, {{path, absolute, absolute}}, lexicon_, options_).front()));
  std::lock_guard lock(mutex_);
  return facts_.emplace(path, std::move(facts)).first->second;
}

// The file of a module as `from` would import it; "" where it is not in the tree.
std::string TreeIndex::module_path(const FileFacts& from, const std::string& module) {
  std::size_t dots = module.find_first_not_of('.');
  if (dots == std::string::npos) dots = module.size();
  std::string rest = module.substr(dots);
  if (dots == 0 && (rest == "torch" || rest.starts_with("torch."))) return "";
  std::replace(rest.begin(), rest.end(), '.', '/');
  std::string folder = folder_of(from.path);
  std::vector<std::string> roots = {folder, "test", ""};
  if (dots > 0) {
    for (std::size_t up = 1; up < dots; ++up) folder = folder_of(folder);
    roots = {folder};
  }
  for (const std::string& root : roots) {
    std::string path = normal_path(join_path(root, rest));
    if (path.starts_with("torch/") || path == "torch" || path.starts_with("../")) continue;
    for (const std::string& file : {path + ".py", join_path(path, "__init__.py")})
      if (is_file(file)) return file;
  }
  return "";
}

std::optional<FoundClass> TreeIndex::class_in(const SharedFacts& file, const std::string& name, int depth) {
  if (depth > kMostSteps) return std::nullopt;
  if (const Class* cls = own_class(*file, name)) return FoundClass{file, cls};
  for (const Alias& alias : file->aliases)
    if (alias.name == name && alias.symbol != name) return class_of(*file, alias.symbol, depth + 1);
  for (const Import& import : file->imports)
    if (import.alias == name && !import.name.empty() && import.top_level)
      return class_of(*file, symbol_of(import, import.name), depth + 1);
  for (const Import& import : file->imports) {
    if (import.name != "*" || !import.top_level) continue;
    std::string path = module_path(*file, import.module);
    if (path.empty() || path == file->path) continue;
    if (std::optional<FoundClass> found = class_in(facts_of(path), name, depth + 1)) return found;
  }
  return std::nullopt;
}

std::optional<FoundClass> TreeIndex::class_of(const FileFacts& from, const std::string& symbol, int depth) {
  if (symbol.empty() || depth > kMostSteps) return std::nullopt;
  auto [module, name] = parts_of(symbol);
  if (module.empty()) {  // of this very file, or by star import
    if (from.path.empty() || !is_file(from.path)) return std::nullopt;
    return class_in(facts_of(from.path), name, depth + 1);
  }
  std::string path = module_path(from, module);
  if (path.empty()) return std::nullopt;
  return class_in(facts_of(path), name, depth + 1);
}

std::optional<FoundClass> TreeIndex::find_class(const FileFacts& from, const std::string& symbol) {
  return class_of(from, symbol, 0);
}

void TreeIndex::add_star(const FileFacts& from, const Import& import,
                         const std::vector<std::string>& suffixes, int depth,
                         std::vector<ImportedClass>& classes) {
  std::string path = module_path(from, import.module);
  if (path.empty() || path == from.path) return;
  SharedFacts module = facts_of(path);
  std::size_t first = classes.size();
  add_imports(*module, suffixes, depth + 1, classes);
  for (const Class& cls : module->classes)
    if (own_class(*module, cls.name) == &cls && cls.deleted_line == 0 && !cls.name.starts_with('_'))
      classes.push_back({cls.name, {module, &cls}, true, 0});
  for (std::size_t i = first; i < classes.size(); ++i) classes[i].line = import.line;
}

void TreeIndex::add_imports(const FileFacts& from, const std::vector<std::string>& suffixes, int depth,
                            std::vector<ImportedClass>& classes) {
  if (depth > kMostSteps) return;
  for (const Import& import : from.imports) {
    if (!import.top_level || import.name.empty()) continue;
    if (import.name == "*") {
      add_star(from, import, suffixes, depth, classes);
      continue;
    }
    if (module_path(from, import.module).empty()) continue;
    std::optional<FoundClass> found = class_of(from, symbol_of(import, import.name), 0);
    for (const std::string& suffix : suffixes) {
      if (found || !import.name.ends_with(suffix)) continue;
      found = class_of(from, symbol_of(import, import.name.substr(0, import.name.size() - suffix.size())), 0);
    }
    if (found && found->file->path != from.path)
      classes.push_back({import.alias, *found, false, import.line});
  }
}

std::vector<ImportedClass> TreeIndex::imported_classes(const FileFacts& from,
                                                       const std::vector<std::string>& suffixes) {
  std::vector<ImportedClass> classes;
  add_imports(from, suffixes, 0, classes);
  return classes;
}

void TreeIndex::know(const FileFacts& facts) {
  std::lock_guard lock(mutex_);
  facts_[facts.path] = SharedFacts(std::shared_ptr<const void>(), &facts);
}

std::optional<DeviceFilter> TreeIndex::constant_in(const SharedFacts& file, const std::string& name,
                                                   int depth) {
  if (depth > kMostSteps) return std::nullopt;
  for (const DeviceConstant& constant : file->constants)
    if (constant.name == name)
      return constant.value.state == DeviceFilter::State::literal ? std::optional(constant.value)
                                                                  : std::nullopt;
  for (const Import& import : file->imports)
    if (import.alias == name && !import.name.empty() && import.top_level)
      return constant_of(*file, symbol_of(import, import.name), depth + 1);
  return std::nullopt;
}

std::optional<DeviceFilter> TreeIndex::constant_of(const FileFacts& from, const std::string& symbol,
                                                   int depth) {
  auto [module, name] = parts_of(symbol);
  if (module.empty() || depth > kMostSteps) return std::nullopt;
  std::string path = module_path(from, module);
  return path.empty() ? std::nullopt : constant_in(facts_of(path), name, depth + 1);
}

std::optional<DeviceFilter> TreeIndex::find_constant(const FileFacts& from, const std::string& symbol) {
  return constant_of(from, symbol, 0);
}

void TreeIndex::look_for_calls(const std::string& path) {
  Result<std::string> bytes = disk_.read(join_path(root_, path), options_.max_file_bytes);
  if (bytes.ok() && has_text(*bytes, kInstantiate)) candidates_.emplace(path, WordFilter(*bytes));
}

const std::map<std::string, WordFilter>& TreeIndex::candidates() {
  std::call_once(listed_, [&] {
    knows_candidates_ = true;
    Result<Discovery> found = discover(disk_, root_, root_, {});
    if (!found.ok()) return;
    for (const SourcePath& file : found->files) look_for_calls(file.path);
  });
  return candidates_;
}

void TreeIndex::forget(const std::string& path) {
  std::lock_guard lock(mutex_);
  facts_.erase(path);
  is_file_.erase(path);
  if (!knows_candidates_) return;
  candidates_.erase(path);
  if (path.starts_with("test/") && path.ends_with(".py") && !lies_passed_by(path)) look_for_calls(path);
}

bool TreeIndex::means(const SharedFacts& from, const std::string& symbol, const FileFacts& file,
                      const Class& cls) {
  std::optional<FoundClass> found = class_of(*from, symbol, 0);
  return found && found->file->path == file.path && found->cls->name == cls.name;
}

// By its own name, or through a subclass that the calling file defines.
bool TreeIndex::instantiates(const SharedFacts& from, const Instantiation& call, const FileFacts& file,
                             const Class& cls) {
  if (call.context == Context::function || call.context == Context::class_) return false;
  if (means(from, call.symbol, file, cls)) return true;
  const Class* subclass = own_class(*from, call.class_name);
  return subclass != nullptr &&
         std::any_of(subclass->bases.begin(), subclass->bases.end(),
                     [&](const Base& base) { return means(from, base.symbol, file, cls); });
}

std::vector<FoundCall> TreeIndex::calls_elsewhere(const FileFacts& file, const Class& cls) {
  std::vector<FoundCall> calls;
  std::string stem = stem_of(file.path);
  if (listener_ != nullptr) listener_->asked_for_calls();
  for (const auto& [path, words] : candidates()) {
    if (path == file.path || !words.may_have(cls.name) || !words.may_have(stem)) continue;
    SharedFacts from = facts_of(path);
    for (const Instantiation& call : from->instantiations)
      if (instantiates(from, call, file, cls)) calls.push_back({from, &call});
  }
  return calls;
}

}  // namespace hwsift::analyzer
