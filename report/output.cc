#include "report/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/text.h"

namespace hwsift::report {
namespace {

Status write_stdout(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    ssize_t n = ::write(STDOUT_FILENO, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      return Error{"standard output", "cannot write: " + std::generic_category().message(errno),
                   "write to a file with -o FORMAT:FILE"};
    done += static_cast<std::size_t>(n);
  }
  return {};
}

std::string wrap(bool colour, const char* code, std::string_view text) {
  if (!colour || text.empty()) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

bool set_and_not_empty(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

Result<OutputSpec> parse_output_spec(std::string_view text, const std::vector<std::string>& allowed) {
  std::size_t colon = text.find(':');
  OutputSpec spec{std::string(text.substr(0, colon)), ""};
  if (std::find(allowed.begin(), allowed.end(), spec.format) == allowed.end())
    return Error{"-o " + std::string(text), "unknown format '" + spec.format + "'",
                 "one of: " + join(allowed, ", ")};
  if (colon == std::string_view::npos) return spec;
  spec.file = std::string(text.substr(colon + 1));
  if (spec.file.empty())
    return Error{"-o " + std::string(text), "no file after ':'", "write -o FORMAT or -o FORMAT:FILE"};
  return spec;
}

Status check_writable(const OutputSpec& spec) {
  if (spec.file.empty()) return {};
  std::error_code failure;
  std::filesystem::file_status there = std::filesystem::status(spec.file, failure);
  if (std::filesystem::is_directory(there)) return Error{spec.file, "is a folder", "name a file"};
  // A regular file is replaced: its folder must take another one.
  bool in_place = std::filesystem::exists(there) && !std::filesystem::is_regular_file(there);
  std::string folder = folder_of(absolute_path(spec.file));
  if (::access((in_place ? spec.file : folder).c_str(), in_place ? W_OK : W_OK | X_OK) == 0) return {};
  return Error{spec.file, "cannot be written: " + std::generic_category().message(errno),
               "name a file in a folder that is there and can be written"};
}

Status emit(Disk& disk, const OutputSpec& spec, const std::string& text) {
  return spec.file.empty() ? write_stdout(text) : disk.write(spec.file, text);
}

std::string Style::bold(std::string_view text) const { return wrap(colour, "1", text); }
std::string Style::dim(std::string_view text) const { return wrap(colour, "2", text); }
std::string Style::red(std::string_view text) const { return wrap(colour, "31", text); }
std::string Style::green(std::string_view text) const { return wrap(colour, "32", text); }
std::string Style::yellow(std::string_view text) const { return wrap(colour, "33", text); }
std::string Style::cyan(std::string_view text) const { return wrap(colour, "36", text); }

Style style_for(int stream, std::string_view when) {
  if (when == "always") return {true};
  if (when == "never" || set_and_not_empty("NO_COLOR")) return {false};
  const char* terminal = std::getenv("TERM");
  bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return {!dumb && ::isatty(stream) == 1};
}

std::size_t width_for(int stream) {
  constexpr std::size_t kLeast = 20;
  winsize size{};
  bool known = ::ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > kLeast;
  return known ? size.ws_col : kFileWidth;
}

std::size_t width_of(const OutputSpec& output) {
  return output.file.empty() && is_terminal(1) ? width_for(1) : std::string::npos;
}

bool is_terminal(int stream) { return ::isatty(stream) == 1; }

namespace {

// A colour, or one character of UTF-8.
struct Glyph {
  std::size_t bytes = 0;
  bool seen = true;
};

Glyph glyph_at(const std::string& text, std::size_t at) {
  if (text[at] == '\x1b') {
    std::size_t end = text.find('m', at);
    return {(end == std::string::npos ? text.size() : end + 1) - at, false};
  }
  std::size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  return {end - at, true};
}

std::size_t columns_of(const std::string& text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    Glyph glyph = glyph_at(text, at);
    columns += glyph.seen ? 1 : 0;
    at += glyph.bytes;
  }
  return columns;
}

}  // namespace

std::string padded(const std::string& text, std::size_t width) {
  std::size_t length = code_points(text);
  return length < width ? text + std::string(width - length, ' ') : text;
}

std::string cut_to(const std::string& line, std::size_t width) {
  if (columns_of(line) <= width) return line;
  std::string text;
  std::size_t columns = 0;
  for (std::size_t at = 0; at < line.size();) {
    Glyph glyph = glyph_at(line, at);
    if (glyph.seen && ++columns == width) text += "…";
    if (!glyph.seen || columns < width) text += line.substr(at, glyph.bytes);
    at += glyph.bytes;
  }
  return text;
}

}  // namespace hwsift::report
