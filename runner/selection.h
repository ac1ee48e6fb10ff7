// The tests for a device, from static facts alone, and a reason for each test that is not among them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/facts.h"
#include "analyzer/tree_index.h"
#include "classifier/classify.h"
#include "classifier/machine.h"

namespace hwsift::runner {

struct SelectedTest {
  std::string id;  // pytest's: test/test_x.py::TestAddCPU::test_add_cpu
  std::string path;
  std::string cls;  // the template or plain class as the source names it; "" for a module-level function
  std::string run_class;  // the class that exists at run time: TestAddCPU
  std::string method;     // as the source names it
  classifier::Category category;
  bool several_devices = false;  // it is skipped where there is one device alone
  bool expands = false;          // one source test, several real ids, all of which extend `id`
  bool slow = false;             // by its decorator
  int line = 0;
  bool unpredicted = false;  // C++: the binary alone tells of it
};

// How classes without a label count.
enum class Unclassified { infer, include, exclude };

struct SelectOptions {
  classifier::Machine machine;
  // Categories that are wanted instead of those of the device, by name; [] for those of the device.
  std::vector<std::string> categories = {};
  bool every_category = false;  // all that exists for the device, what is skipped there too
  Unclassified unclassified = Unclassified::infer;
  // Tells which classes of other files a module imports, and so runs; nullptr where that is not asked.
  analyzer::TreeIndex* index = nullptr;
  int jobs = 1;  // threads; the selection is the same with any number
};

// What holds for a collected class as a whole: for its tests that static analysis did not see.
struct ClassFit {
  bool declared = false;  // by its own label, which counts for what it inherits too
  std::string misfit;     // why it is not for the device, "" when it is
};

struct Selection {
  std::string device;                 // device type: "cpu"
  bool privateuse1 = false;           // the device is a backend behind PrivateUse1
  std::vector<std::string> variants;  // the device types whose variants run there: of a CPU also "lazy"
  std::vector<SelectedTest> tests;    // by path, then in source order
  std::map<std::string, std::vector<std::string>> not_selected;  // reason to ids, in the same order
  std::set<std::string> expanding;  // those of the ids in not_selected that stand for several real ones
  // Those that fit the device and whose own class pytest does not collect (a mixin): in a subclass they run.
  std::set<std::string> inheritable;
  std::map<std::string, std::vector<std::string>> owners;  // of the files, by path
  std::map<std::string, ClassFit> classes;  // by "path::Class", as the class is called when it runs
  std::vector<std::string> files;           // that hold selected tests, sorted
  // Of one part of a plan. What another part accounts for, selected or not (a subclass here may inherit it);
  // and the files of which another part takes what only pytest finds.
  std::vector<SelectedTest> elsewhere;
  std::map<std::string, std::vector<std::string>> left_out_elsewhere;
  std::set<std::string> found_elsewhere;
  // Real ids, and those of templates, classes and files, that alone are to run; see restrict.h.
  std::optional<std::set<std::string>> only = std::nullopt;
};

// "path::Class" of the id of a test as static analysis makes it, whose name holds neither brackets nor
// colons; of a function the path.
std::string class_of_id(const std::string& id);

// A class of which nothing is left for the device.
struct LeftOutClass {
  std::string id;  // "path::Class", "path" for functions of the module
  std::size_t tests = 0;
  std::string reason;  // that of most of its tests; of several the first in order
};
// In the order of their ids.
std::vector<LeftOutClass> left_out_classes(const Selection& selection);

// What became of a test, a class or a file, named as the source or as the run names it.
struct Whereabouts {
  std::vector<const SelectedTest*> selected;
  std::map<std::string, std::vector<std::string>> not_selected;  // reason to ids
};
Whereabouts whereabouts(const Selection& selection, const std::string& id);

// The rules, for a device D:
//   - a template: its variant for D (on a CPU also that of lazy), if the framework makes one, of categories
//   DEVICE_GENERIC and D; for cpu also GENERIC
//   - any other class and function: category D and DEVICE_GENERIC (it picks its device itself); for cpu also
//   GENERIC
//   - the category is the label; without one that of the method where the class is mixed, else that of the
//   class
//   - of a base in the same file, a collected class has the tests too, by the verdict on the class that
//   defines them unless its own has a label
//   - of a class that the file imports from another file of the tree, the tests too, as pytest has them
//   - a test that decorators, guards or the number of devices skip there for sure is left out; one that is
//   skipped on every machine is not
//   - what pytest does not collect (nested and shadowed classes, mixins) is not selected
// A reason is a short phrase, with the category, the filter or the check that decided.
Selection select(const std::vector<analyzer::FileFacts>& files,
                 const std::vector<std::vector<classifier::ClassVerdict>>& verdicts,
                 const SelectOptions& options);

}  // namespace hwsift::runner
