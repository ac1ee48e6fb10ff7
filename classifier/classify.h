// The decision: from facts and vocabulary to a category with its evidence, per method and per class.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/facts.h"
#include "analyzer/tree_index.h"
#include "classifier/category.h"
#include "classifier/vocabulary.h"

namespace hwsift::classifier {

// A fact and what it says about hardware.
struct Evidence {
  int line = 0;
  std::string
      symbol;        // as the fact has it; "device parameter", "instantiate_device_type_tests" for structure
  std::string says;  // a short sentence: "needs CUDA", "runs on the device it is given"
  std::string method;  // "" for evidence about the class as a whole
  std::string path{};  // of another file that it stands in; "" for the class's own
};

struct MethodVerdict {
  std::string name;
  int line = 0;
  Category category;
  std::vector<Evidence> evidence;
};

struct SplitPart {
  std::string name;  // TestX, TestXDevice, TestXCUDA
  Category category;
  std::vector<std::string> methods;
  std::vector<std::string> helpers = {};  // own methods that only its tests run, by name
  bool joins = false;                     // a class of that name is in the file: the tests go there
};

struct ClassVerdict {
  std::string path;
  std::string name;
  int line = 0;
  int class_index = -1;              // into FileFacts::classes
  bool own_tests = true;             // false: its tests are inherited, copied or generated
  std::optional<Category> declared;  // by a label of the class that Python would read as one
  Category inferred;
  bool mixed = false;              // its tests belong to different categories
  double confidence = 0;           // 0 to 1
  std::vector<Evidence> evidence;  // [] only for GENERIC, where nothing was said
  std::vector<MethodVerdict>
      methods;                   // its own tests; where it has none, those of its bases in the same file
  std::vector<SplitPart> split;  // [] unless it is mixed and has own tests

  // What counts for selection: the label where there is one, else the inferred category.
  const Category& effective() const { return declared ? *declared : inferred; }
};

// One verdict for each class with own tests, and for each other class of the module that is seen to run
// tests: a template, a subclass of a test class of the file, a test case that nothing in the file derives
// from. In source order.
// With an index of the tree, what bases in other files set and run counts too.
std::vector<ClassVerdict> classify(const analyzer::FileFacts& file, const Vocabulary& vocabulary,
                                   analyzer::TreeIndex* index = nullptr);

}  // namespace hwsift::classifier
