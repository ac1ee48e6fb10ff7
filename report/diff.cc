#include <fmt/format.h>

#include <algorithm>
#include <dtl/dtl.hpp>
#include <sstream>

#include "base/text.h"
#include "report/findings.h"

namespace hwsift::report {
namespace {

constexpr char kNoFeed[] = "\\ No newline at end of file\n";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

// As git writes a name that a patch must carry: in quotes with escapes where it holds control characters,
// quotes or bytes beyond ASCII, and with a tab behind it where it holds a blank.
std::string quoted_name(const std::string& name) {
  bool plain = std::all_of(name.begin(), name.end(),
                           [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  if (plain) return name.find(' ') == std::string::npos ? name : name + "\t";
  std::string quoted = "\"";
  for (char c : name) {
    bool escaped = c == '"' || c == '\\';
    bool octal = static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~';
    if (octal)
      quoted += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    else
      quoted += (escaped ? "\\" : "") + std::string(1, c);
  }
  return quoted + "\"";
}

// A line of a hunk: its mark, its text, and what patch wants to read where the file ends without a line feed.
std::string hunk_line(char mark, const std::string& line, const Style& style) {
  bool ended = line.ends_with('\n');
  std::string text = mark + (ended ? line.substr(0, line.size() - 1) : line);
  std::string shown = mark == '+' ? style.green(text) : mark == '-' ? style.red(text) : text;
  return shown + "\n" + (ended ? "" : kNoFeed);
}

using Hunk = dtl::uniHunk<std::pair<std::string, dtl::elemInfo>>;

std::string hunk_text(const Hunk& hunk, const Style& style) {
  std::string head = "@@ -" + std::to_string(hunk.a) + "," + std::to_string(hunk.b) + " +" +
                     std::to_string(hunk.c) + "," + std::to_string(hunk.d) + " @@";
  std::string text = style.cyan(head) + "\n";
  for (const auto& [line, info] : hunk.common[0]) text += hunk_line(' ', line, style);
  for (const auto& [line, info] : hunk.change)
    text += hunk_line(info.type == dtl::SES_ADD      ? '+'
                      : info.type == dtl::SES_DELETE ? '-'
                                                     : ' ',
                      line, style);
  for (const auto& [line, info] : hunk.common[1]) text += hunk_line(' ', line, style);
  return text;
}

}  // namespace

std::string changes_diff(const LintReport& report, const Style& style) {
  std::string text;
  for (const auto& [path, change] : report.changes) {
    dtl::Diff<std::string> diff(lines_of(change.original), lines_of(change.replacement));
    diff.compose();
    diff.composeUnifiedHunks();
    text += style.bold("--- " + quoted_name("a/" + path)) + "\n" +
            style.bold("+++ " + quoted_name("b/" + path)) + "\n";
    for (const Hunk& hunk : diff.getUniHunks()) text += hunk_text(hunk, style);
  }
  return text;
}

}  // namespace hwsift::report
