// Markdown as GitHub renders it, in which no text from outside can act: as Markdown, as HTML, as a mention or
// as a reference to an issue.
#pragma once

#include <cstddef>
#include <string>

namespace hwsift::report {

// Every sign of ASCII as a reference, which Markdown takes as text wherever it stands, and HTML too. At most
// `bytes` of the text before that; what is cut ends in an ellipsis.
std::string markdown_text(const std::string& text, std::size_t bytes);
// Within <code>, names are no mentions and no links. "" for "".
std::string markdown_code(const std::string& text, std::size_t bytes);

// A heading (or the head of a table) and rows until the bytes are used up; then the number of the others.
// Nothing at all where there is no row.
class MarkdownRows {
 public:
  MarkdownRows(std::string head, std::size_t bytes) : head_(std::move(head)), bytes_(bytes) {}
  void add(const std::string& row);
  // Counts rows that were never made.
  void leave_out(std::size_t rows);
  std::string text() const;

 private:
  std::string head_;
  std::size_t bytes_;
  std::string text_;
  std::size_t rows_ = 0;
  std::size_t left_out_ = 0;
};

}  // namespace hwsift::report
