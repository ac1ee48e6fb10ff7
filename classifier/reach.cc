#include "classifier/reach.h"

#include <set>
#include <string_view>
#include <utility>

namespace hwsift::classifier {
namespace {

using analyzer::Class;
using analyzer::Function;
using analyzer::Method;

// Few tests run more helpers than this; a made-up file must not cost time.
constexpr std::size_t kMostHelpers = 1000;

}  // namespace

struct Reach::Walk {
  const std::vector<int>& line;  // the class of the test, then its bases
  MethodPlace start;
  Reached reached;
  std::set<std::pair<int, int>> seen_methods;
  std::set<int> seen_functions;
  std::set<int> seen_classes;
  std::set<std::string_view> seen_members;

  bool is_full() const {
    return seen_methods.size() + seen_functions.size() + seen_classes.size() + seen_members.size() >=
           kMostHelpers;
  }
};

Reach::Reach(const analyzer::FileFacts& file, const Inheritance& inheritance)
    : file_(file), inheritance_(inheritance) {
  for (std::size_t i = 0; i < file.functions.size(); ++i)
    functions_[file.functions[i].name] = static_cast<int>(i);
  methods_.resize(file.classes.size());
  for (std::size_t i = 0; i < file.classes.size(); ++i) {
    const Class& cls = file.classes[i];
    for (std::size_t m = 0; m < cls.methods.size(); ++m)
      methods_[i][cls.methods[m].name] = static_cast<int>(m);
    if (cls.context != analyzer::Context::function && cls.context != analyzer::Context::class_)
      classes_[cls.name] = static_cast<int>(i);
  }
}

// The method of the class or of the nearest base that has it.
std::optional<MethodPlace> Reach::find_method(const std::vector<int>& line, const std::string& name) const {
  for (int index : line) {
    auto found = methods_[static_cast<std::size_t>(index)].find(name);
    if (found != methods_[static_cast<std::size_t>(index)].end()) return MethodPlace{index, found->second};
  }
  return std::nullopt;
}

void Reach::read_self(Walk& walk, const std::vector<std::string>& members) const {
  for (const std::string& member : members) {
    if (walk.is_full()) return;
    if (member == "self" || member == "cls") {
      walk.reached.hands_itself_over = true;
      continue;
    }
    std::optional<MethodPlace> place = find_method(walk.line, member);
    if (!place) {
      if (walk.seen_members.insert(member).second) walk.reached.members.push_back(member);
      continue;
    }
    const Method& method = method_at(*place);
    bool follow = !method.is_test && !(*place == walk.start);
    if (follow && walk.seen_methods.emplace(place->class_index, place->method_index).second)
      walk.reached.methods.push_back(*place);
  }
}

void Reach::read_names(Walk& walk, const std::vector<std::string>& names) const {
  for (const std::string& name : names) {
    if (walk.is_full()) return;
    auto function = functions_.find(name);
    if (function != functions_.end() && walk.seen_functions.insert(function->second).second)
      walk.reached.functions.push_back(function->second);
    auto cls = classes_.find(name);
    // The class by its own name is itself: super(TestX, self).
    if (cls != classes_.end() && cls->second != walk.line.front()) add_class(walk, cls->second);
  }
}

void Reach::add_class(Walk& walk, int class_index) const {
  if (file_.classes[static_cast<std::size_t>(class_index)].has_tests()) return;
  if (walk.seen_classes.insert(class_index).second) walk.reached.classes.push_back(class_index);
}

// A decorator that the file defines runs around what it decorates.
void Reach::read_decorators(Walk& walk, const std::vector<analyzer::Decorator>& decorators) const {
  for (const analyzer::Decorator& decorator : decorators) read_names(walk, {decorator.name});
}

void Reach::read_class(Walk& walk, int class_index) const {
  const Class& cls = file_.classes[static_cast<std::size_t>(class_index)];
  read_names(walk, cls.names_read);
  for (const Method& method : cls.methods) read_names(walk, method.names_read);
  for (int base : inheritance_.bases_of(class_index)) add_class(walk, base);
}

void Reach::read_method(Walk& walk, const MethodPlace& place) const {
  const Method& method = method_at(place);
  read_self(walk, method.self_reads);
  read_names(walk, method.names_read);
  read_decorators(walk, method.decorators);
}

const Method& Reach::method_at(const MethodPlace& place) const {
  return file_.classes[static_cast<std::size_t>(place.class_index)]
      .methods[static_cast<std::size_t>(place.method_index)];
}

Reached Reach::from(const MethodPlace& start, int class_index) const {
  Walk walk{inheritance_.line_of(class_index), start, {}, {}, {}, {}, {}};
  read_method(walk, start);
  return finish(walk);
}

Reached Reach::from_decorators_of(int class_index) const {
  Walk walk{inheritance_.line_of(class_index), {-1, -1}, {}, {}, {}, {}, {}};
  for (int index : walk.line)
    read_decorators(walk, file_.classes[static_cast<std::size_t>(index)].decorators);
  return finish(walk);
}

// Until nothing new is met.
Reached Reach::finish(Walk& walk) const {
  std::size_t methods = 0;
  std::size_t functions = 0;
  std::size_t classes = 0;
  const Reached& reached = walk.reached;
  while (true) {
    if (methods < reached.methods.size()) {
      read_method(walk, MethodPlace(reached.methods[methods++]));
    } else if (functions < reached.functions.size()) {
      const Function& function = file_.functions[static_cast<std::size_t>(reached.functions[functions++])];
      read_self(walk, function.self_reads);
      read_names(walk, function.names_read);
    } else if (classes < reached.classes.size()) {
      read_class(walk, reached.classes[classes++]);
    } else {
      return std::move(walk.reached);
    }
  }
}

}  // namespace hwsift::classifier
