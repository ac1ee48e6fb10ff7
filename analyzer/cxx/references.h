// What the syntax tree of a file says about the names that are written in it, and the tests it makes.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class ASTContext;
}

namespace hwsift::analyzer::cxx {

struct References {
  // By the byte of the main file where it is written, and the word: "at.Tensor.cuda". What stands in a macro
  // is found where the macro is used; a word that means several things there has the value "".
  std::map<std::pair<std::size_t, std::string>, std::string> names;

  struct Test {
    std::string suite;
    std::string name;
    bool expands = false;
    std::size_t offset = 0;
  };
  std::vector<Test> tests;
};

// Of what the main file itself declares. Names are written with dots; namespaces that are inline or have no
// name are left out, and so is the function around a local one.
References read_references(clang::ASTContext& context);

}  // namespace hwsift::analyzer::cxx
