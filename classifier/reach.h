// What a test runs besides its own lines, as far as one file tells: methods and attributes that it reads of
// itself, functions and classes of the module that it names, and what those run in turn.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/facts.h"
#include "classifier/inheritance.h"

namespace hwsift::classifier {

struct Reached {
  std::vector<MethodPlace> methods;  // helpers, never the one that was started from
  std::vector<int> functions;        // into FileFacts::functions
  std::vector<int> classes;          // into FileFacts::classes: those that it makes objects of
  std::vector<std::string>
      members;  // of self that are no method in this file: attributes, and what bases elsewhere give
  bool hands_itself_over = false;  // passes `self` on to code of another file or that cannot be told
};

class Reach {
 public:
  Reach(const analyzer::FileFacts& file, const Inheritance& inheritance);

  // What a method runs in an object of this class.
  Reached from(const MethodPlace& method, int class_index) const;
  // What the decorators of the class and of its bases run.
  Reached from_decorators_of(int class_index) const;

 private:
  struct Walk;
  void read_self(Walk& walk, const std::vector<std::string>& members) const;
  void read_names(Walk& walk, const std::vector<std::string>& names) const;
  void read_decorators(Walk& walk, const std::vector<analyzer::Decorator>& decorators) const;
  void read_class(Walk& walk, int class_index) const;
  void read_method(Walk& walk, const MethodPlace& place) const;
  void add_class(Walk& walk, int class_index) const;
  Reached finish(Walk& walk) const;
  std::optional<MethodPlace> find_method(const std::vector<int>& line, const std::string& name) const;
  const analyzer::Method& method_at(const MethodPlace& place) const;

  const analyzer::FileFacts& file_;
  const Inheritance& inheritance_;
  std::vector<std::unordered_map<std::string, int>> methods_;  // by class, then name: of one name the last
  std::unordered_map<std::string, int> functions_;
  std::unordered_map<std::string, int> classes_;
};

}  // namespace hwsift::classifier
