// A rule that a place breaks.
#pragma once

#include <string>
#include <vector>

namespace hwsift::lint {

enum class Severity { error, warning, advice };
const char* word(Severity severity);

// Lines and columns are 1-based, columns in code points; end_col is the column after the last character.
struct Finding {
  std::string rule;
  std::string path;
  int line = 0;
  int col = 0;
  int end_line = 0;
  int end_col = 0;
  Severity severity = Severity::error;
  std::string message;
  std::string hint;    // the next step for the reader, "" where the message says it
  std::string cls;     // "" where the finding is about a file
  std::string method;  // "" where it is about a class or file
};

// Message and hint in one sentence, for formats that have one field.
std::string full_message(const Finding& finding);

// By path, then in the order in which the rules report within a file.
void sort_findings(std::vector<Finding>& findings);

}  // namespace hwsift::lint
