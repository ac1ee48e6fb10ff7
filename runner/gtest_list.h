// What a gtest binary says of its tests, and the ids that they have here.
//
//   suite   as gtest prints it: "Suite", "Suite/0" of a typed one, "Prefix/Suite" of a parametrized one
//   name    "Name", "Name/0" of a parametrized one
//   base    what the source calls the suite and the test: TEST_P(Suite, Name)
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hwsift::runner {

struct GtestName {
  std::string suite;
  std::string name;

  std::string full() const { return suite + "." + name; }  // as a filter takes it
  bool operator==(const GtestName&) const = default;
};

// The output of --gtest_list_tests, in its order. What the binary and its libraries print before it is no
// test: a suite stands at the start of a line and ends in '.', its tests follow with two spaces in front.
// Both may hold spaces, as RegisterTest takes any name; then such a line counts only if it is not in `noise`,
// what the binary prints where it has no test to list.
std::vector<GtestName> parse_gtest_list(std::string_view output, std::string_view noise = "");

// Whether names hold spaces, so that they may be noise.
bool has_doubtful_names(std::string_view output);

struct GtestBase {
  std::string suite;
  std::string name;
  std::string parameter;  // "0", "Prefix/0"; "" of a plain test

  std::string within() const;        // "Suite::Name[Prefix/0]"
  std::string test_in_file() const;  // the same without its parameter
};
GtestBase base_of(const GtestName& test);

}  // namespace hwsift::runner
