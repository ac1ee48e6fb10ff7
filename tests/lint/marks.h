// Expected findings that stand beside the lines of a source, as "#: profile rule rule; profile rule".
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/text.h"
#include "tests/lint/lint_text.h"

namespace hwsift::lint {

using Marks = std::vector<std::string>;  // "12 device_param", sorted

// By the first word of each part.
inline std::map<std::string, Marks> marks_in(const std::string& source) {
  constexpr std::string_view kMark = "#:";
  std::map<std::string, Marks> marks;
  int number = 0;
  for (const std::string& line : split(source, '\n')) {
    ++number;
    std::size_t mark = line.find(kMark);
    if (mark == std::string::npos || line.starts_with("#")) continue;
    for (const std::string& part : split(line.substr(mark + kMark.size()), ';')) {
      std::vector<std::string> words = split(trim(part), ' ');
      for (std::size_t i = 1; i < words.size(); ++i)
        marks[words[0]].push_back(std::to_string(number) + " " + words[i]);
    }
  }
  for (auto& [word, found] : marks) std::sort(found.begin(), found.end());
  return marks;
}

inline Marks as_marks(const std::vector<Finding>& findings) {
  Marks marks;
  for (const Finding& finding : findings) marks.push_back(std::to_string(finding.line) + " " + finding.rule);
  std::sort(marks.begin(), marks.end());
  return marks;
}

inline Marks found_in(const std::string& profile, const std::string& source) {
  return as_marks(lint_text(profile, source));
}

}  // namespace hwsift::lint
