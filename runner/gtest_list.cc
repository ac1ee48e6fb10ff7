#include "runner/gtest_list.h"

#include <set>

#include "base/text.h"

namespace hwsift::runner {
namespace {

constexpr std::string_view kComment = "  # ";

bool has_space(std::string_view text) { return text.find_first_of(" \t") != std::string_view::npos; }

std::vector<std::string> lines_of(std::string_view output) {
  std::vector<std::string> lines = split(output, '\n');
  for (std::string& line : lines)
    if (line.ends_with('\r')) line.pop_back();
  return lines;
}

// A comment makes sure of a suite; without one a name with spaces may be a sentence of a library.
bool is_doubtful(std::string_view line, std::string_view name) {
  return has_space(name) && (line.starts_with("  ") || line.find(kComment) == std::string_view::npos);
}

// "" where the line names no suite.
std::string suite_in(std::string_view line) {
  std::string_view name = line.substr(0, line.find(kComment));
  if (name.size() < 2 || name.back() != '.' || name.front() == ' ') return "";
  name.remove_suffix(1);
  return std::string(name);
}

std::string test_in(std::string_view line) {
  if (line.size() < 3 || line.substr(0, 2) != "  " || line[2] == ' ') return "";
  return std::string(line.substr(2, line.find(kComment, 2) - 2));
}

bool names_a_suite(const std::vector<std::string>& lines, std::size_t at, const std::string& name) {
  if (name.empty()) return false;
  bool followed = at + 1 < lines.size() && !test_in(lines[at + 1]).empty();
  return followed || !is_doubtful(lines[at], name);
}

}  // namespace

std::vector<GtestName> parse_gtest_list(std::string_view output, std::string_view noise) {
  std::set<std::string> said;
  for (std::string& line : lines_of(noise)) said.insert(std::move(line));
  std::vector<std::string> lines = lines_of(output);
  std::vector<GtestName> tests;
  std::string suite;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto is_noise = [&](const std::string& name) {
      return is_doubtful(lines[i], name) && said.count(lines[i]) > 0;
    };
    std::string found = suite_in(lines[i]);
    if (names_a_suite(lines, i, found) && !is_noise(found)) suite = found;
    std::string test = test_in(lines[i]);
    if (!test.empty() && !suite.empty() && !is_noise(test)) tests.push_back({suite, test});
  }
  return tests;
}

bool has_doubtful_names(std::string_view output) {
  for (const GtestName& test : parse_gtest_list(output))
    if (has_space(test.name) || has_space(test.suite)) return true;
  return false;
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
