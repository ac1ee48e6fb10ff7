// Which signals of a file count for which test: its own, those of what it reaches, those around its class.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "classifier/inheritance.h"
#include "classifier/reach.h"
#include "classifier/signals.h"

namespace hwsift::classifier {

// The signals of one file, read once, by what they belong to.
class FileSignals {
 public:
  // Asked of a member that no class of the file has: appends what it says, and tells whether it is known.
  using MemberElsewhere =
      std::function<bool(int class_index, const std::string& member, std::vector<Signal>& signals)>;

  FileSignals(const analyzer::FileFacts& file, const Inheritance& inheritance, const Vocabulary& vocabulary,
              MemberElsewhere elsewhere);

  // Of a test's own body, decorators and defaults, and of what it reaches in an object of the class.
  std::vector<Signal> of_test(const MethodPlace& test, int class_index) const;
  // The helper methods that the test runs, in that class itself.
  std::vector<std::string> own_helpers_of(const MethodPlace& test, int class_index) const;
  // Of what runs around each test of the class: class body, decorators, bases, set-up, and what gates the
  // file. The first use of each symbol, at most 16.
  std::vector<Signal> around_class(int class_index) const;
  // Of all that a class without known tests could run: around it, its attributes and its helper methods.
  std::vector<Signal> of_whole_class(int class_index) const;
  // What a subclass in another file gets with a method or attribute; false where the class has none of that
  // name.
  bool add_inherited_member(std::vector<Signal>& signals, const std::string& member, int class_index) const;

 private:
  // By the name of an attribute; an empty list for one that a plain value was given.
  using Attributes = std::map<std::string, std::vector<Signal>, std::less<>>;

  void take(const analyzer::Use& use, std::optional<Signal> found);
  void take_in_class(const analyzer::Use& use, std::optional<Signal> found);
  void add_reached(std::vector<Signal>& signals, const Reached& reached, int class_index) const;
  void add_member(std::vector<Signal>& signals, const std::string& member, int class_index) const;
  void add_attributes(std::vector<Signal>& signals, int class_index) const;
  bool is_copied(const std::string& class_name, std::string analyzer::CopiedTests::*side) const;
  void add_given_device(std::vector<Signal>& signals, int class_index) const;
  void add_handed_over(std::vector<Signal>& signals, int class_index) const;

  const analyzer::FileFacts& file_;
  const Inheritance& inheritance_;
  MemberElsewhere elsewhere_;
  bool follow_helpers_;
  Reach reach_;
  std::vector<std::vector<Signal>> everywhere_;               // by class
  std::vector<Attributes> attributes_;                        // by class
  std::vector<std::vector<std::vector<Signal>>> of_methods_;  // by class and method
  std::vector<std::vector<Signal>> of_functions_;
  std::vector<Signal> gates_;
};

}  // namespace hwsift::classifier
