// Where results go: `-o FORMAT[:FILE]`, repeated at will; without FILE to stdout. Everything else goes to
// stderr.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/disk.h"
#include "base/result.h"

namespace hwsift::report {

struct OutputSpec {
  std::string format;
  std::string file;  // "" is stdout
};

// "json", "junit:out.xml". Errors name the formats that `allowed` holds.
Result<OutputSpec> parse_output_spec(std::string_view text, const std::vector<std::string>& allowed);

// Whether that could be written now; for what is written only at the end of long work.
Status check_writable(const OutputSpec& spec);

// Writes all of `text`; a full disk or a closed pipe is an Error.
Status emit(Disk& disk, const OutputSpec& spec, const std::string& text);

// Colours of a terminal, or none. `when` is auto, always or never; auto honours NO_COLOR, TERM=dumb and
// whether the stream (1 or 2) is a terminal.
struct Style {
  bool colour = false;
  std::string bold(std::string_view text) const;
  std::string dim(std::string_view text) const;
  std::string red(std::string_view text) const;
  std::string green(std::string_view text) const;
  std::string yellow(std::string_view text) const;
  std::string cyan(std::string_view text) const;
};
// Columns of text in a file, the same everywhere.
constexpr std::size_t kFileWidth = 80;
// Columns of the terminal that the stream is; those of a file where it is none.
std::size_t width_for(int stream);
bool is_terminal(int stream);
// What a listing that goes there may be wide: a terminal's columns; a file and a pipe take any line.
std::size_t width_of(const OutputSpec& output);
// With blanks at its end, `width` code points long; longer text stays as it is.
std::string padded(const std::string& text, std::size_t width);
// A line without its end, at most `width` columns of it that are seen: colours take none. What is cut ends in
// an ellipsis.
std::string cut_to(const std::string& line, std::size_t width);
Style style_for(int stream, std::string_view when);

}  // namespace hwsift::report
