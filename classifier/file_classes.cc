#include "classifier/file_classes.h"

#include <algorithm>
#include <set>

#include "base/text.h"

namespace hwsift::classifier {
namespace {

using analyzer::Base;
using analyzer::Class;
using analyzer::Context;
using analyzer::FileFacts;
using analyzer::Method;

bool is_nested(const Class& cls) {
  return cls.context == Context::function || cls.context == Context::class_;
}

bool is_plain_base(const Base& base) {
  return base.symbol == "object" || base.symbol == "abc.ABC" || base.symbol.compare(0, 7, "typing.") == 0;
}

bool has_init(const Class& cls) {
  return std::any_of(cls.methods.begin(), cls.methods.end(),
                     [](const Method& method) { return method.name == "__init__"; });
}

// A value under a test's name takes away what a base would hand down: test_x = None.
void add_tests(const Class& owner, int class_index, int owner_index, std::set<std::string>& names,
               std::vector<ClassTest>& tests) {
  for (std::size_t i = 0; i < owner.methods.size(); ++i) {
    const Method& method = owner.methods[i];
    if (!method.is_test || is_redefined(owner, method) || !names.insert(method.name).second) continue;
    tests.push_back({class_index, owner_index, static_cast<int>(i), method.name, method.line});
  }
  for (const analyzer::AssignedTest& test : owner.assigned_tests)
    if (names.insert(test.name).second && !test.is_value)
      tests.push_back({class_index, owner_index, -1, test.name, test.line});
}

}  // namespace

bool is_redefined(const Class& cls, const Method& method) {
  return std::any_of(cls.methods.begin(), cls.methods.end(), [&](const Method& other) {
    return other.name == method.name && other.line > method.line && !other.conditional;
  });
}

std::string name_for_pytest(const Class& cls) {
  if (!is_nested(cls)) return cls.name;
  bool local = cls.qualified_name.find('<') != std::string::npos;
  return local ? cls.qualified_name : join(split(cls.qualified_name, '.'), "::");
}

FileClasses::FileClasses(const FileFacts& file) : file_(file), inheritance_(file) {
  index_names();
  find_unittest_classes();
}

void FileClasses::index_names() {
  for (std::size_t i = 0; i < file_.classes.size(); ++i) {
    const Class& cls = file_.classes[i];
    if (!is_nested(cls)) first_named_.emplace(cls.name, static_cast<int>(i));
    if (cls.context != Context::module) continue;
    int& last = last_line_of_[cls.name];
    last = std::max(last, cls.line);
  }
  for (const analyzer::Instantiation& call : file_.instantiations)
    calls_named_[call.class_name].push_back(&call);
}

// Where some base leads out of the file, unittest.TestCase may be there. From these classes it goes down to
// all that derive from them, each of which is met once, whatever the shape of the bases.
void FileClasses::find_unittest_classes() {
  may_be_unittest_.resize(file_.classes.size());
  std::vector<std::vector<int>> derived(file_.classes.size());
  std::vector<int> met;
  auto meet = [&](int index) {
    if (may_be_unittest_[static_cast<std::size_t>(index)]) return;
    may_be_unittest_[static_cast<std::size_t>(index)] = true;
    met.push_back(index);
  };
  for (int i = 0; i < static_cast<int>(file_.classes.size()); ++i)
    for (const Base& base : class_at(i).bases) {
      if (is_plain_base(base)) continue;
      auto local = first_named_.find(base.name);
      if (local == first_named_.end() || local->second == i)
        meet(i);
      else
        derived[static_cast<std::size_t>(local->second)].push_back(i);
    }
  while (!met.empty()) {
    int base = met.back();
    met.pop_back();
    for (int index : derived[static_cast<std::size_t>(base)]) meet(index);
  }
}

const FileClasses::Calls& FileClasses::calls_of(int class_index) const {
  static const Calls kNone;
  const Class& cls = class_at(class_index);
  auto found = is_nested(cls) ? calls_named_.end() : calls_named_.find(cls.name);
  return found == calls_named_.end() ? kNone : found->second;
}

std::vector<ClassTest> FileClasses::tests_of(int class_index) const {
  std::vector<ClassTest> tests;
  std::set<std::string> names;
  for (int owner : inheritance_.line_of(class_index)) {
    // Of a template nothing is left to inherit.
    if (owner != class_index && is_template(owner)) continue;
    add_tests(class_at(owner), class_index, owner, names, tests);
  }
  return tests;
}

bool FileClasses::is_shadowed(const Class& cls) const {
  auto last = last_line_of_.find(cls.name);
  return last != last_line_of_.end() && last->second > cls.line;
}

std::string FileClasses::uncollected(int class_index) const {
  if (!file_.test_file) return "not collected: the file is no test_*.py or *_test.py";
  const Class& cls = class_at(class_index);
  if (cls.deleted_line > 0) return "not collected: deleted again at the end of the module";
  return uncollected_where_imported(class_index);
}

// pytest looks for classes inside its own kind of class, and not inside unittest's.
bool FileClasses::is_collected_inside(const Class& cls) const {
  const std::string& name = cls.qualified_name;
  std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || name.find('<') != std::string::npos) return false;
  for (std::size_t i = file_.classes.size(); i-- > 0;)
    if (file_.classes[i].qualified_name == name.substr(0, dot))
      return !may_be_unittest_[i] && uncollected_where_imported(static_cast<int>(i)).empty();
  return false;
}

std::string FileClasses::uncollected_where_imported(int class_index) const {
  const Class& cls = class_at(class_index);
  if (cls.context == Context::function) return "not collected: the class stands in a function";
  if (cls.context == Context::class_ && !is_collected_inside(cls))
    return "not collected: the class stands in another class";
  if (cls.context == Context::main_guard) return "not collected: the class stands under the main guard";
  if (cls.context != Context::class_ && is_shadowed(cls))
    return "not collected: a later class has the same name";
  if (may_be_unittest_[static_cast<std::size_t>(class_index)]) return "";
  if (cls.name.compare(0, 4, "Test") != 0) return "not collected: a mixin, no test class of its own";
  if (has_init(cls)) return "not collected: a plain class with __init__";
  return "";
}

}  // namespace hwsift::classifier
