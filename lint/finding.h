// A rule that a place breaks.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hwsift::lint {

enum class Severity { error, warning, advice };
const char* word(Severity severity);

// A change of one file: the bytes [begin, end) of the file as it is on disk give way to `text`.
struct Edit {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};

// safe: what the tests do and which of them run stays as it is. review: a person must look at the result.
enum class Safety { safe, review };
const char* word(Safety safety);

struct Fix {
  Safety safety = Safety::safe;
  std::vector<Edit> edits;  // by place, none overlaps another
};

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
  std::optional<Fix> fix = std::nullopt;
  // Further lines, first and last, whose change makes the finding one about the change: the test that it is
  // about, the evidence that it names.
  std::vector<std::pair<int, int>> causes = {};
};

// Message and hint in one sentence, for formats that have one field.
std::string full_message(const Finding& finding);

// By path, then in the order in which the rules report within a file.
void sort_findings(std::vector<Finding>& findings);

}  // namespace hwsift::lint
