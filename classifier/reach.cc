#include "classifier/reach.h"

#include <algorithm>

namespace hwsift::classifier {
namespace {

using analyzer::Class;
using analyzer::Function;
using analyzer::Method;

// People's tests run a few helpers; a made-up file must not cost time.
constexpr std::size_t kMostHelpers = 64;

template <typename T>
bool add(std::vector<T>& list, const T& item) {
  if (list.size() >= kMostHelpers || std::find(list.begin(), list.end(), item) != list.end()) return false;
  list.push_back(item);
  return true;
}

}  // namespace

struct Reach::Walk {
  std::vector<int> line;  // the class of the test, then its bases
  MethodPlace start;
  Reached reached;
};

Reach::Reach(const analyzer::FileFacts& file, const Inheritance& inheritance)
    : file_(file), inheritance_(inheritance) {
  for (std::size_t i = 0; i < file.functions.size(); ++i)
    functions_[file.functions[i].name] = static_cast<int>(i);
  for (std::size_t i = 0; i < file.classes.size(); ++i)
    if (file.classes[i].context != analyzer::Context::function &&
        file.classes[i].context != analyzer::Context::class_)
      classes_[file.classes[i].name] = static_cast<int>(i);
}

// A member is a method of the class or of the nearest base that has it; else an attribute.
void Reach::read_self(Walk& walk, const std::vector<std::string>& members) const {
  for (const std::string& member : members) {
    if (member == "self" || member == "cls") {
      walk.reached.hands_itself_over = true;
      continue;
    }
    bool is_method = false;
    for (std::size_t i = 0; i < walk.line.size() && !is_method; ++i) {
      const std::vector<Method>& methods = file_.classes[static_cast<std::size_t>(walk.line[i])].methods;
      for (std::size_t m = 0; m < methods.size(); ++m) {
        if (methods[m].name != member) continue;
        is_method = true;
        MethodPlace place{walk.line[i], static_cast<int>(m)};
        bool follow = !methods[m].is_test && !(place == walk.start);
        if (follow) add(walk.reached.methods, place);
      }
    }
    if (!is_method) add(walk.reached.members, member);
  }
}

void Reach::read_names(Walk& walk, const std::vector<std::string>& names) const {
  for (const std::string& name : names) {
    auto function = functions_.find(name);
    if (function != functions_.end()) add(walk.reached.functions, function->second);
    auto cls = classes_.find(name);
    // The class by its own name is itself: super(TestX, self), TestX.helper(...).
    if (cls == classes_.end() || cls->second == walk.line.front()) continue;
    if (!file_.classes[static_cast<std::size_t>(cls->second)].has_tests())
      add(walk.reached.classes, cls->second);
  }
}

void Reach::read_class(Walk& walk, int class_index) const {
  const Class& cls = file_.classes[static_cast<std::size_t>(class_index)];
  read_names(walk, cls.names_read);
  for (const Method& method : cls.methods) read_names(walk, method.names_read);
  for (int base : inheritance_.bases_of(class_index)) add(walk.reached.classes, base);
}

Reached Reach::from(const MethodPlace& start, int class_index) const {
  Walk walk{inheritance_.line_of(class_index), start, {}};
  auto method_at = [&](const MethodPlace& place) -> const Method& {
    return file_.classes[static_cast<std::size_t>(place.class_index)]
        .methods[static_cast<std::size_t>(place.method_index)];
  };
  read_self(walk, method_at(start).self_reads);
  read_names(walk, method_at(start).names_read);
  std::size_t methods = 0;
  std::size_t functions = 0;
  std::size_t classes = 0;
  const Reached& reached = walk.reached;
  while (true) {
    if (methods < reached.methods.size()) {
      const Method& method = method_at(reached.methods[methods++]);
      read_self(walk, method.self_reads);
      read_names(walk, method.names_read);
    } else if (functions < reached.functions.size()) {
      const Function& function = file_.functions[static_cast<std::size_t>(reached.functions[functions++])];
      read_self(walk, function.self_reads);
      read_names(walk, function.names_read);
    } else if (classes < reached.classes.size()) {
      read_class(walk, reached.classes[classes++]);
    } else {
      return walk.reached;
    }
  }
}

}  // namespace hwsift::classifier
