// What the uses of a C++ function say about the devices that it needs. docs/cxx.md says it in words.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/facts.h"
#include "classifier/classify.h"
#include "classifier/vocabulary.h"

namespace hwsift::classifier {

struct CxxSignal {
  enum class Kind {
    needs,     // cannot run without one of `devices`
    leaves,    // returns early where none of `devices` is there: what follows needs one
    skips,     // skips the whole test there
    optional,  // does more where one of `devices` is there
    picks,     // takes whatever accelerator there is
    given,     // works on the device that its caller hands it
  };
  Kind kind = Kind::needs;
  std::vector<std::string> devices;
  Evidence evidence;
  bool of_vendor = false;  // by an API of the device, where others only name it
};

// The signals of each function and test of a file, with what they call in it.
class CxxSignals {
 public:
  CxxSignals(const analyzer::FileFacts& file, const Vocabulary& vocabulary);

  // Of a test itself, of its fixture's set-up, and of the functions that it runs, as far as the file holds
  // them.
  std::vector<CxxSignal> of_test(int class_index, int method_index) const;
  // Whether the test, or what it runs, as much as names the device, in whatever role.
  bool names_device(int class_index, int method_index, const std::string& device) const;
  // Of the test itself, in source order.
  const std::vector<const analyzer::Use*>& uses_of(int class_index, int method_index) const;

 private:
  struct Body {
    std::vector<CxxSignal> own;
    std::vector<const analyzer::Use*> uses;    // in source order
    std::vector<const analyzer::Use*> handed;  // devices that it hands to functions, by role argument
  };

  void know(int function);
  void take(const analyzer::Use& use);
  const Body& body_of(int class_index, int method_index) const;
  std::vector<int> reached_by(int class_index, int method_index) const;
  std::vector<std::string> line_of(const analyzer::Class& suite) const;
  std::vector<int> set_up_of(const analyzer::Class& suite) const;
  bool works_on_given_device(const std::string& function) const;
  void add_handed(const Body& body, std::vector<CxxSignal>& signals) const;
  void add_of_function(int function, std::vector<CxxSignal>& signals) const;

  const analyzer::FileFacts& file_;
  const Vocabulary& vocabulary_;
  std::vector<std::vector<Body>> of_methods_;                  // by class and method
  std::vector<Body> of_functions_;                             // by function
  std::map<std::string, std::vector<int>> functions_by_name_;  // by last word
  std::map<std::string, std::vector<int>> set_up_;             // by class: members that run around its tests
};

}  // namespace hwsift::classifier
