#include "runner/gtest_list.h"

#include "base/text.h"

namespace hwsift::runner {
namespace {

constexpr std::string_view kComment = "  # ";

bool has_space(std::string_view text) { return text.find_first_of(" \t") != std::string_view::npos; }

// "" where the line names no suite. A comment makes sure of it: a name generator may put spaces into the
// name.
std::string suite_in(std::string_view line) {
  std::size_t comment = line.find(kComment);
  std::string_view name = line.substr(0, comment);
  if (name.size() < 2 || name.back() != '.' || name.front() == ' ') return "";
  name.remove_suffix(1);
  if (comment == std::string_view::npos && has_space(name)) return "";
  return std::string(name);
}

std::string test_in(std::string_view line) {
  if (line.size() < 3 || line.substr(0, 2) != "  " || line[2] == ' ') return "";
  std::string_view name = line.substr(2, line.find(kComment, 2) - 2);
  return has_space(name) ? "" : std::string(name);
}

}  // namespace

std::vector<GtestName> parse_gtest_list(std::string_view output) {
  std::vector<GtestName> tests;
  std::string suite;
  for (std::string& line : split(output, '\n')) {
    if (line.ends_with('\r')) line.pop_back();
    if (std::string found = suite_in(line); !found.empty()) suite = found;
    if (std::string test = test_in(line); !test.empty() && !suite.empty()) tests.push_back({suite, test});
  }
  return tests;
}

std::string GtestBase::test_in_file() const { return suite + "::" + name; }

std::string GtestBase::within() const {
  return parameter.empty() ? test_in_file() : test_in_file() + "[" + parameter + "]";
}

// A parametrized test has a '/' in its name, a typed one the index of its type behind the last '/' of its
// suite; what stands before the suite is the prefix of its instantiation.
GtestBase base_of(const GtestName& test) {
  GtestBase base{test.suite, test.name, ""};
  if (std::size_t slash = test.name.find('/'); slash != std::string::npos) {
    base.name = test.name.substr(0, slash);
    base.parameter = test.name.substr(slash + 1);
  } else if (std::size_t last = test.suite.rfind('/'); last != std::string::npos) {
    base.suite = test.suite.substr(0, last);
    base.parameter = test.suite.substr(last + 1);
  }
  if (std::size_t slash = base.suite.rfind('/'); slash != std::string::npos) {
    base.parameter.insert(0, base.suite.substr(0, slash + 1));
    base.suite.erase(0, slash + 1);
  }
  return base;
}

}  // namespace hwsift::runner
