// What a line of Markdown shows, and what it marks as code and links.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hwsift::history {

// A line's text without its markup.
struct Inline {
  std::string text;                    // links and code as what is shown of them
  std::vector<std::string> code;       // what stood in backticks
  std::vector<std::string> addresses;  // of links
  // What a link shows of its file, "test_a.py", and the path that its address has.
  std::map<std::string, std::string> files;
  bool begins_with_link = false;
};

// Takes time by the length of the line only, whatever stands in it.
Inline read_inline(std::string_view line);

}  // namespace hwsift::history
