#include "report/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.h"

namespace hwsift::report {
namespace {

using runner::Outcome;

constexpr double kRedraw = 0.1;  // seconds

// At most `width` code points, the end of the text where it is longer: the end of an id tells most.
std::string fitted(const std::string& text, std::size_t width) {
  std::size_t length = code_points(text);
  if (length <= width) return text;
  std::size_t skip = length - width + 1;
  std::size_t at = 0;
  while (at < text.size() && skip > 0) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
    --skip;
  }
  return "…" + text.substr(at);
}

}  // namespace

Progress::Mode progress_mode(bool quiet) {
  if (quiet) return Progress::Mode::silent;
  const char* terminal = std::getenv("TERM");
  bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  bool rewritable = ::isatty(STDERR_FILENO) == 1 && !dumb && std::getenv("CI") == nullptr;
  return rewritable ? Progress::Mode::terminal : Progress::Mode::lines;
}

Progress::Progress(std::FILE* stream, Mode mode, Style style, Clock& clock, std::size_t files)
    : stream_(stream), mode_(mode), style_(style), clock_(clock), files_(files) {}

void Progress::file_started(const std::string& path) {
  current_ = path;
  draw(false);
}

void Progress::test_started(const std::string& id) {
  current_ = id;
  draw(false);
}

void Progress::test_ended(const runner::TestResult& result) {
  auto [found, is_new] = outcomes_.emplace(result.id, result.outcome);
  if (!is_new) --totals_[found->second];
  found->second = result.outcome;
  ++totals_[result.outcome];
  std::string again = result.attempts > 1 ? fmt::format(" (attempt {})", result.attempts) : "";
  if (is_bad(result.outcome)) say(style_.red(word(result.outcome)) + " " + printable(result.id) + again);
  draw(false);
}

void Progress::file_ended(const std::string& path) {
  ++files_done_;
  if (mode_ == Mode::lines)
    say(fmt::format("[{}/{}] {}: {} so far", files_done_, files_, printable(path), counts()));
  draw(true);
}

void Progress::tick() { draw(false); }

void Progress::finish() { clear(); }

std::string Progress::counts() const {
  std::size_t bad = 0;
  std::size_t rest = 0;
  std::size_t passed = 0;
  for (const auto& [outcome, number] : totals_) {
    if (is_bad(outcome))
      bad += number;
    else if (outcome == Outcome::passed)
      passed += number;
    else
      rest += number;
  }
  std::string text = fmt::format("{} passed", passed);
  if (bad > 0) text += ", " + style_.red(fmt::format("{} failed", bad));
  if (rest > 0) text += fmt::format(", {} other", rest);
  return text;
}

void Progress::draw(bool at_once) {
  if (mode_ != Mode::terminal) return;
  double now = clock_.now();
  if (!at_once && now - last_drawn_ < kRedraw) return;
  last_drawn_ = now;
  std::string head = fmt::format("[{}/{} files] {}  ", files_done_, files_, counts());
  std::size_t visible = code_points(head);
  std::size_t width = width_for(STDERR_FILENO);
  std::string tail = visible + 10 < width ? fitted(printable(current_), width - visible - 1) : "";
  std::fputs(("\r\x1b[K" + head + style_.dim(tail)).c_str(), stream_);
  std::fflush(stream_);
  drawn_ = true;
}

void Progress::clear() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stream_);
  std::fflush(stream_);
  drawn_ = false;
}

void Progress::say(const std::string& line) {
  if (mode_ == Mode::silent) return;
  clear();
  std::fputs((line + "\n").c_str(), stream_);
}

}  // namespace hwsift::report
