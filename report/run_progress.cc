#include "report/run_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.h"

namespace hwsift::report {
namespace {

using runner::Outcome;

constexpr double kRedraw = 0.1;  // seconds
constexpr double kSlow = 60;     // seconds after which a test is named
constexpr std::size_t kListed = 8;

// Columns that are seen: colours take none.
std::size_t seen_width(const std::string& text) {
  std::size_t width = code_points(text);
  for (std::size_t at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b', at + 1))
    width -= text.find('m', at) - at + 1;
  return width;
}

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

RunProgress::Mode progress_mode(bool quiet) {
  if (quiet) return RunProgress::Mode::silent;
  const char* terminal = std::getenv("TERM");
  bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  bool rewritable = ::isatty(STDERR_FILENO) == 1 && !dumb && std::getenv("CI") == nullptr;
  return rewritable ? RunProgress::Mode::terminal : RunProgress::Mode::lines;
}

RunProgress::RunProgress(std::FILE* stream, Mode mode, Style style, Clock& clock, std::size_t files)
    : stream_(stream), mode_(mode), style_(style), clock_(clock), files_(files) {}

void RunProgress::now_running(const std::string& path, const std::string& what) {
  running_[path] = {what, clock_.now(), kSlow};
  draw(false);
}

void RunProgress::file_started(const std::string& path) { now_running(path, path); }

void RunProgress::test_started(const std::string& id) { now_running(id.substr(0, id.find("::")), id); }

void RunProgress::test_ended(const runner::TestResult& result) {
  auto [found, is_new] = outcomes_.emplace(result.id, result.outcome);
  if (!is_new) --totals_[found->second];
  found->second = result.outcome;
  ++totals_[result.outcome];
  std::string again = result.attempts > 1 ? fmt::format(" (attempt {})", result.attempts) : "";
  if (auto running = running_.find(result.path); running != running_.end())
    running->second = {result.path, clock_.now(), kSlow};
  if (is_bad(result.outcome)) say(style_.red(word(result.outcome)) + " " + printable(result.id) + again);
  draw(false);
}

void RunProgress::file_ended(const std::string& path) {
  ++files_done_;
  running_.erase(path);
  if (mode_ == Mode::lines)
    say(fmt::format("[{}/{}] {}  all so far: {}", files_done_, files_, printable(path), counts()));
  draw(true);
}

void RunProgress::tick() {
  name_slow();
  draw(false);
}

// At 60 s, 120 s, 240 s: often enough to know, seldom enough to read.
void RunProgress::name_slow() {
  double now = clock_.now();
  for (auto& [path, running] : running_) {
    if (now - running.since < running.named_after) continue;
    running.named_after *= 2;
    say(style_.yellow("slow   ") + " " + printable(running.what) +
        fmt::format(" has run for {:.0f} s", now - running.since));
  }
}

void RunProgress::finish() { clear(); }

std::string RunProgress::counts() const {
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

// One worker stands behind the counts; several have a line each, as many as there is room for.
std::string RunProgress::block() const {
  std::string head = fmt::format("[{}/{} files] {}  ", files_done_, files_, counts());
  std::size_t width = width_for(STDERR_FILENO);
  if (running_.size() == 1) {
    std::size_t visible = seen_width(head);
    const std::string& what = running_.begin()->second.what;
    bool room = visible + 10 < width;
    return head + (room ? style_.dim(fitted(printable(what), width - visible - 1)) : "");
  }
  std::size_t listed = 0;
  for (const auto& [path, running] : running_) {
    if (listed++ == kListed) break;
    std::string time = fmt::format("{:>5.0f} s  ", clock_.now() - running.since);
    head += "\n" + time + style_.dim(fitted(printable(running.what), width - time.size() - 1));
  }
  if (running_.size() > kListed) head += fmt::format("\n         and {} more", running_.size() - kListed);
  return head;
}

void RunProgress::draw(bool at_once) {
  if (mode_ != Mode::terminal) return;
  double now = clock_.now();
  if (!at_once && now - last_drawn_ < kRedraw) return;
  last_drawn_ = now;
  clear();
  std::string lines = block();
  std::fputs(lines.c_str(), stream_);
  std::fflush(stream_);
  drawn_ = 1 + static_cast<int>(std::count(lines.begin(), lines.end(), '\n'));
}

void RunProgress::clear() {
  if (drawn_ == 0) return;
  std::string up = drawn_ > 1 ? fmt::format("\x1b[{}A", drawn_ - 1) : "";
  std::fputs(("\r" + up + "\x1b[J").c_str(), stream_);
  std::fflush(stream_);
  drawn_ = 0;
}

void RunProgress::say(const std::string& line) {
  if (mode_ == Mode::silent) return;
  clear();
  std::fputs((line + "\n").c_str(), stream_);
}

}  // namespace hwsift::report
