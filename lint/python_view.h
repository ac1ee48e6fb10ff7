// Classes and calls of a file as Python sees them: what `recommended` and `declare` look at.
#pragma once

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analyzer/facts.h"

namespace hwsift::lint {

// Whether a class or call stands in code of the module that runs on import or as a program, however nested;
// not in a function or another class.
bool at_module_level(analyzer::Context context);

enum class Instantiated { no, yes, unknown };

class PythonView {
 public:
  explicit PythonView(const analyzer::FileFacts& file);

  // Calls at module level that instantiate the class.
  const std::vector<const analyzer::Instantiation*>& calls(const analyzer::Class& cls) const;
  // yes also where a subclass of the file is instantiated in its place; unknown where a call in a function
  // may do it, or one whose template cannot be told.
  Instantiated instantiated(const analyzer::Class& cls) const;

 private:
  bool subclass_is_instantiated(const analyzer::Class& cls) const;

  std::unordered_map<std::string_view, std::vector<const analyzer::Instantiation*>> calls_;
  std::unordered_map<std::string_view, std::vector<const analyzer::Class*>>
      subclasses_;                                    // by name of the base
  std::unordered_set<std::string_view> in_function_;  // classes that a function instantiates
  bool any_unknown_ = false;
};

}  // namespace hwsift::lint
