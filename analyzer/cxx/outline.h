// What a C++ file defines: tests, fixtures, classes and functions, each with the tokens of its body.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/cxx/lexed_file.h"

namespace hwsift::analyzer::cxx {

// How a macro of a test framework makes a test of its arguments.
struct TestMacro {
  enum class Kind {
    plain,         // TEST(Suite, Name), TEST_F(Fixture, Name)
    parametrized,  // TEST_P(Fixture, Name): Prefix/Fixture.Name/0
    typed,         // TYPED_TEST(Fixture, Name): Fixture/0.Name
    named,         // TEST_CASE("what it tests", "[tags]"): one argument, a text
  };
  std::string name;
  Kind kind = Kind::plain;
  bool fixture = false;  // its first argument is a class of the file or of a header
};

// Tokens [begin, end) of LexedFile::tokens.
struct TokenRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool empty() const { return begin == end; }
};

struct OutlinedTest {
  TestMacro macro;
  std::string suite;  // "" for a named one
  std::string name;
  int line = 0;
  int col = 0;
  int end_line = 0;
  int condition = -1;  // into LexedFile::conditions
  TokenRange body;     // without its braces
};

struct OutlinedFunction {
  std::string name;
  std::string class_name;  // of a member, also where it is defined outside its class; else ""
  int line = 0;
  int end_line = 0;
  int condition = -1;  // into LexedFile::conditions
  TokenRange parameters;
  TokenRange body;
};

struct OutlinedClass {
  std::string name;
  std::vector<std::string> bases;  // "testing::Test", without template arguments
  int line = 0;
  int col = 0;
  int end_line = 0;
};

// TYPED_TEST_SUITE(Suite, Types) and INSTANTIATE_TEST_SUITE_P(Prefix, Suite, ...).
struct SuiteInstance {
  std::string suite;
  std::string prefix;     // "" for a typed suite
  std::string type_list;  // of a typed suite: its second argument
  int types = -1;         // how many it holds, where the file tells
  int line = 0;
};

struct Outline {
  std::vector<OutlinedTest> tests;
  std::vector<OutlinedFunction> functions;  // members too
  std::vector<OutlinedClass> classes;
  std::vector<SuiteInstance> instances;
  std::vector<LexError> errors;  // braces that do not match
};

Outline outline(const LexedFile& file, const std::vector<TestMacro>& macros);

}  // namespace hwsift::analyzer::cxx
