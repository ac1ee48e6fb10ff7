// What a test runs besides its own lines, as far as one file tells: methods and attributes that it reads of
// itself, functions and classes of the module that it names, and what those run in turn.
#pragma once

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

 private:
  struct Walk;
  void read_self(Walk& walk, const std::vector<std::string>& members) const;
  void read_names(Walk& walk, const std::vector<std::string>& names) const;
  void read_class(Walk& walk, int class_index) const;

  const analyzer::FileFacts& file_;
  const Inheritance& inheritance_;
  std::unordered_map<std::string, int> functions_;
  std::unordered_map<std::string, int> classes_;
};

}  // namespace hwsift::classifier
