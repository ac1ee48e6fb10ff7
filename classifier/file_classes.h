// The classes of one file as pytest and the framework take them. Names are indexed once, so that asking about
// each of n classes costs what n classes cost.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/facts.h"
#include "classifier/inheritance.h"

namespace hwsift::classifier {

// A test as a class has it: its own, or that of a base in the same file.
struct ClassTest {
  int class_index = 0;
  int owner_index = 0;
  int method_index = -1;  // -1: a name that an assignment binds, `test_x = make()`
  std::string name;
  int line = 0;

  bool inherited() const { return owner_index != class_index; }
};

class FileClasses {
 public:
  using Calls = std::vector<const analyzer::Instantiation*>;

  // `file` must outlive it.
  explicit FileClasses(const analyzer::FileFacts& file);

  const Inheritance& inheritance() const { return inheritance_; }
  // The instantiate_device_type_tests calls that name the class.
  const Calls& calls_of(int class_index) const;
  bool is_template(int class_index) const { return !calls_of(class_index).empty(); }
  // Own tests in source order, without those that a later one of the same name replaces; then inherited ones.
  std::vector<ClassTest> tests_of(int class_index) const;
  // Why pytest does not collect a class, "" when it does. pytest takes unittest's classes and plain ones
  // named Test* without __init__, at module level.
  std::string uncollected(int class_index) const;
  // The same for a module that imports it, whatever this file is called.
  std::string uncollected_where_imported(int class_index) const;

 private:
  const analyzer::Class& class_at(int index) const { return file_.classes[static_cast<std::size_t>(index)]; }
  void index_names();
  void find_unittest_classes();
  bool is_shadowed(const analyzer::Class& cls) const;
  bool is_collected_inside(const analyzer::Class& cls) const;

  const analyzer::FileFacts& file_;
  Inheritance inheritance_;
  std::unordered_map<std::string_view, int> first_named_;    // outside of functions and classes
  std::unordered_map<std::string_view, int> last_line_of_;   // at module level
  std::unordered_map<std::string_view, Calls> calls_named_;  // by class
  std::vector<bool> may_be_unittest_;
};

bool is_redefined(const analyzer::Class& cls, const analyzer::Method& method);
// As test ids have it: "TestOuter::TestInner" for a class in a class.
std::string name_for_pytest(const analyzer::Class& cls);

}  // namespace hwsift::classifier
