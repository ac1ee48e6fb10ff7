// The one model of whether a test runs on a device type; explain and the runner both ask here.
//
// The machine that is meant has this device and no other accelerator ("cpu": none at all). What depends on
// more than that (a library, how many devices there are, the operating system) is a condition, never guessed.
// Source of the skips: torch/testing/_internal/common_device_type.py of PyTorch 2.6.0 and 2.14.1, whose
// decorators skip at run time: the test exists, and its report says skipped.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/facts.h"
#include "classifier/category.h"
#include "classifier/classify.h"
#include "classifier/file_classes.h"
#include "classifier/machine.h"
#include "classifier/vocabulary.h"

namespace hwsift::classifier {

struct Reason {
  enum class Kind {
    not_collected,     // pytest does not take the class or the test
    not_instantiated,  // no call makes a variant of the class, or none for this device
    allow_flag,
    only_for,
    except_for,
    category,
    unclassified,  // no label
    always,        // skipped everywhere
    decorator,     // onlyCUDA, skipXPU
    guard,         // skipIf(not TEST_CUDA), if not TEST_CUDA: skip
    count,         // several devices
    capability,    // a generation, memory, a data type
    library,       // Triton, NCCL, MAGMA
  };
  enum class Effect { prevents, condition, note };
  Kind kind = Kind::guard;
  Effect effect = Effect::prevents;
  int line = 0;
  std::string symbol;  // as written
  // Of one that prevents and of a note a sentence; of a condition what must hold: "there are at least 2 ...".
  // Each ends with what stands at `line`.
  std::string text;
  std::string remedy;  // "" where there is none
  std::string path{};  // of another file that `line` is in; "" for the test's own
};

// The category that counts for a test, and whether a label says so.
struct CountedCategory {
  Category category;
  bool declared = false;
};

struct Eligibility {
  enum class State {
    runs,
    skips,          // it exists, and is skipped
    not_generated,  // no such test exists at run time
    not_for,        // of a category that is not for the device
    unknown,        // it runs where the conditions among the reasons hold
  };
  State state = State::runs;
  std::string device;
  CountedCategory counted;
  std::string run_class;  // TestAddCUDA
  std::string test;       // test_add_cuda; where `expands`, what the real names start with
  bool expands = false;
  std::vector<Reason> reasons;
};

// The label counts; without one the test's own category where the class is mixed, else that of the class.
CountedCategory counted_category(const ClassVerdict* verdict, const analyzer::Method& method);
// A module-level function asks for a device by what it must have; uses without a condition around them do not
// count, since a function that fails without the device fails under plain pytest too.
CountedCategory counted_category(const analyzer::FileFacts& file, int function_index,
                                 const Vocabulary& vocabulary);
// Why a test of this category is not for the device, "" when it is.
std::string unfit(const CountedCategory& counted, const std::string& device);
// By a decorator of pytest or of the parameterized package.
bool is_parametrized(const std::vector<analyzer::Decorator>& decorators);

// Asks about many tests of one file for one machine. `file`, `verdicts` and the vocabulary must outlive it.
class Eligibilities {
 public:
  Eligibilities(const analyzer::FileFacts& file, const std::vector<ClassVerdict>& verdicts, Machine machine);

  const FileClasses& classes() const { return classes_; }
  // nullptr where the class runs no tests.
  const ClassVerdict* verdict_of(int class_index) const;
  // The verdict that a test goes by: that of its class where the class has a label or judges the test itself;
  // of an inherited one else that of the class which defines it.
  const ClassVerdict* verdict_on(const ClassTest& test) const;
  // The variant of a template for the machine's device; of any other class nullopt.
  std::optional<Variant> variant_of(int class_index) const;
  Eligibility of(const ClassTest& test) const;
  Eligibility of_function(int function_index) const;

 private:
  // What the class and its bases say to each of its tests.
  const std::vector<Reason>& by_classes_of(int class_index) const;
  void find_early_names();
  void name(const ClassTest& test, Eligibility& answer) const;
  Eligibility of_cxx(const ClassTest& test) const;

  const analyzer::FileFacts& file_;
  FileClasses classes_;
  std::vector<const ClassVerdict*> verdicts_;  // by class
  Machine machine_;
  // PrivateUse1: classes that calls up to this line make carry that word for the backend's name.
  int last_early_line_ = 0;
  std::map<std::pair<int, int>, std::vector<const analyzer::Use*>> uses_;  // by class and method
  std::map<int, std::vector<const analyzer::Use*>> uses_of_functions_;
  mutable std::map<int, std::vector<Reason>> by_classes_;  // what by_classes_of has found
};

const char* word(Reason::Kind kind);
const char* word(Reason::Effect effect);
const char* word(Eligibility::State state);

}  // namespace hwsift::classifier
