// Markdown as GitHub renders it, in which no text from outside can act: as Markdown, as HTML, as a link, as a
// mention or as a reference to an issue. It stays readable where it is not rendered: what GitHub would take
// for text at its place is written as it is.
#pragma once

#include <cstddef>
#include <string>

namespace hwsift::report {

// At any place of a line, cells of tables too. At most `bytes` of the text before it is escaped; what is cut
// ends in an ellipsis. Spaces at its ends are dropped.
std::string markdown_text(const std::string& text, std::size_t bytes);
// As a span of code, with nothing escaped. "" for "". Not for cells of tables.
std::string markdown_code(const std::string& text, std::size_t bytes);
// The same for a cell of a table, where a pipe needs its backslash even in code.
std::string markdown_cell_code(const std::string& text, std::size_t bytes);

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
