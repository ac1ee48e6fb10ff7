#include "classifier/test_id.h"

#include <algorithm>

#include "base/text.h"

namespace hwsift::classifier {
namespace {

using analyzer::Class;
using analyzer::FileFacts;

bool starts_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

// Of classes of one name the last, which is the one that exists when the tests run.
int class_named(const FileFacts& file, const std::string& name) {
  for (bool by_qualified_name : {true, false})
    for (int i = static_cast<int>(file.classes.size()) - 1; i >= 0; --i) {
      const Class& cls = file.classes[static_cast<std::size_t>(i)];
      if ((by_qualified_name ? cls.qualified_name : cls.name) == name) return i;
    }
  return -1;
}

bool is_device_suffix(const std::string& suffix) {
  return !suffix.empty() && ascii_upper(suffix) == suffix &&
         std::all_of(suffix.begin(), suffix.end(), is_word_char);
}

// "TestAddCUDA" is template TestAdd for cuda; of several templates the longest name counts.
Target template_of(const FileFacts& file, const FileClasses& classes, const std::string& name) {
  Target target;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < file.classes.size(); ++i) {
    const Class& cls = file.classes[i];
    bool fits = cls.name.size() >= longest && starts_with(name, cls.name) &&
                classes.is_template(static_cast<int>(i)) && is_device_suffix(name.substr(cls.name.size()));
    if (!fits) continue;
    longest = cls.name.size();
    target = {static_cast<int>(i), std::nullopt, -1, ascii_lower(name.substr(longest)), true};
  }
  return target;
}

// parameterized_class numbers what it makes: TestX_0_cpu.
Target numbered_class(const FileFacts& file, const std::string& name) {
  for (std::size_t i = 0; i < file.classes.size(); ++i) {
    const Class& cls = file.classes[i];
    if (starts_with(name, cls.name + "_") && is_parametrized(cls.decorators))
      return {static_cast<int>(i), std::nullopt, -1, "", true};
  }
  return {};
}

Target class_target(const FileFacts& file, const FileClasses& classes, const std::string& name) {
  int index = class_named(file, name);
  if (index >= 0) return {index, std::nullopt, -1, "", false};
  Target target = template_of(file, classes, name);
  return target.class_index >= 0 ? target : numbered_class(file, name);
}

int function_named(const FileFacts& file, const std::string& name) {
  std::string bare = name.substr(0, name.find('['));
  for (std::size_t i = 0; i < file.functions.size(); ++i)
    if (file.functions[i].name == bare && file.functions[i].is_test) return static_cast<int>(i);
  return -1;
}

// A name that extends the source's: test_add_cuda_float32, test_add[1].
bool extends(const std::string& name, const std::string& source) {
  return starts_with(name, source) && name.size() > source.size() &&
         (name[source.size()] == '_' || name[source.size()] == '[');
}

// Whether the framework may have made the name of the test for that device: it calls own tests of a template
// {name}[_{suffix}]_{device type}[_{dtype}]. No device: the class is no variant.
bool may_be_made(const std::string& name, const ClassTest& test, const std::string& device) {
  if (!extends(name, test.name)) return false;
  std::string added = name.substr(test.name.size());
  added = added.substr(0, added.find('[')) + "_";
  return device.empty() || test.inherited() || added.find("_" + device + "_") != std::string::npos;
}

const ClassTest* test_named(const std::vector<ClassTest>& tests, const std::string& name) {
  for (const ClassTest& test : tests)
    if (test.name == name) return &test;
  return nullptr;
}

// The longest that a generated name extends.
const ClassTest* test_behind(const std::vector<ClassTest>& tests, const std::string& name,
                             const std::string& device) {
  const ClassTest* longest = nullptr;
  for (const ClassTest& test : tests) {
    bool fits = may_be_made(name, test, device);
    if (fits && (longest == nullptr || test.name.size() > longest->name.size())) longest = &test;
  }
  return longest;
}

std::string classes_hint(const FileFacts& file, const std::string& name) {
  std::vector<std::string> known;
  for (const Class& cls : file.classes) known.push_back(cls.qualified_name);
  for (const analyzer::Function& function : file.functions)
    if (function.is_test) known.push_back(function.name);
  if (std::optional<std::string> near = closest(name, known)) return "did you mean '" + *near + "'?";
  return known.empty() ? "the file has no classes" : "'hwsift explain " + file.path + "' lists what it has";
}

std::string tests_hint(const FileFacts& file, const Target& target, const std::vector<ClassTest>& tests,
                       const std::string& name) {
  const Class& cls = file.classes[static_cast<std::size_t>(target.class_index)];
  if (const ClassTest* test = target.device.empty() ? nullptr : test_behind(tests, name, ""))
    return "the tests of that class are made for " + target.device + ": " + test->name + "_" + target.device;
  std::vector<std::string> known;
  for (const ClassTest& test : tests) known.push_back(test.name);
  if (std::optional<std::string> near = closest(name, known)) return "did you mean '" + *near + "'?";
  if (tests.empty()) return "its tests come from other files, or are made when it is imported";
  return "'hwsift explain " + file.path + "::" + cls.qualified_name + "' lists its tests";
}

Result<Target> with_test(const FileFacts& file, const FileClasses& classes, Target target,
                         const std::string& name) {
  const Class& cls = file.classes[static_cast<std::size_t>(target.class_index)];
  std::vector<ClassTest> tests = classes.tests_of(target.class_index);
  const ClassTest* exact = test_named(tests, name);
  const ClassTest* found = exact != nullptr ? exact : test_behind(tests, name, target.device);
  if (found == nullptr)
    return Error{file.path + ":" + std::to_string(cls.line),
                 cls.name + ascii_upper(target.device) + " has no test '" + printable(name) + "'",
                 tests_hint(file, target, tests, name)};
  target.test = *found;
  target.generated = target.generated || exact == nullptr;
  return target;
}

}  // namespace

TestId parse_test_id(const std::string& text) {
  TestId id;
  std::size_t colons = text.find("::");
  id.path = text.substr(0, colons);
  if (colons == std::string::npos) return id;
  std::string rest = text.substr(colons + 2);
  std::size_t values = rest.find('[');  // a parameter may hold anything
  std::size_t last = rest.substr(0, values).rfind("::");
  id.cls = rest.substr(0, last);
  if (last != std::string::npos) id.test = rest.substr(last + 2);
  for (std::size_t at = id.cls.find("::"); at != std::string::npos; at = id.cls.find("::"))
    id.cls.replace(at, 2, ".");
  return id;
}

// Classes in functions often share a name: the last that has the test is meant.
static Target class_with_test(const FileFacts& file, const FileClasses& classes, const TestId& id) {
  for (int i = static_cast<int>(file.classes.size()) - 1; i >= 0; --i) {
    const Class& cls = file.classes[static_cast<std::size_t>(i)];
    bool named = cls.name == id.cls || cls.qualified_name == id.cls;
    if (named && test_named(classes.tests_of(i), id.test) != nullptr) return {i, std::nullopt, -1, "", false};
  }
  return class_target(file, classes, id.cls);
}

// In "path::Outer::Inner" the last part may be a class as well.
static TestId as_nested_class(const TestId& id) { return {id.path, id.cls + "." + id.test, ""}; }

Result<Target> find_target(const FileFacts& file, const TestId& id) {
  FileClasses classes(file);
  if (!id.test.empty() && class_named(file, as_nested_class(id).cls) >= 0)
    return class_target(file, classes, as_nested_class(id).cls);
  Target target = id.test.empty() ? class_target(file, classes, id.cls) : class_with_test(file, classes, id);
  if (target.class_index >= 0) return id.test.empty() ? target : with_test(file, classes, target, id.test);
  int function = id.test.empty() ? function_named(file, id.cls) : -1;
  if (function >= 0) return Target{-1, std::nullopt, function, "", id.cls.find('[') != std::string::npos};
  return Error{file.path, "no class '" + printable(id.cls) + "'", classes_hint(file, id.cls)};
}

}  // namespace hwsift::classifier
