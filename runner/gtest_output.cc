#include "runner/gtest_output.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/text.h"

namespace hwsift::runner {
namespace {

constexpr std::size_t kLongestLine = 64u << 10;  // of which the end may hold a mark
constexpr std::size_t kPlaceBytes = 1000;        // "path/to/file.cc:3: Failure"
constexpr std::size_t kMessageBytes = 4000;
constexpr std::size_t kMessageLines = 12;
constexpr std::size_t kDetailBytes = 16000;
constexpr std::size_t kOutputBytes = 4000;
constexpr std::size_t kMostProblems = 100;

constexpr std::string_view kRun = "[ RUN      ] ";
constexpr std::string_view kSuite = "[----------] ";
constexpr std::string_view kWhole = "[==========] ";
constexpr std::pair<std::string_view, Outcome> kEnds[] = {{"[       OK ] ", Outcome::passed},
                                                          {"[  FAILED  ] ", Outcome::failed},
                                                          {"[  SKIPPED ] ", Outcome::skipped}};
constexpr std::string_view kParameter = ", where ";
constexpr std::string_view kFailure = ": Failure";
constexpr std::string_view kSkipped = ": Skipped";

std::string suite_of(const std::string& full_name) { return full_name.substr(0, full_name.rfind('.')); }

// Without the colours of a terminal.
std::string plain(std::string_view line) {
  std::string text;
  for (std::size_t at = 0; at < line.size(); ++at) {
    bool escape = line[at] == '\x1b' && at + 1 < line.size() && line[at + 1] == '[';
    if (!escape) {
      text += line[at];
      continue;
    }
    at = std::min(line.find_first_not_of("0123456789;", at + 2), line.size());
  }
  return text;
}

// "... (3 ms)", whose number may be grouped; -1 where it is no such text.
double seconds_in(std::string_view rest) {
  std::size_t open = rest.rfind(" (");
  if (!rest.ends_with(" ms)") || open == std::string_view::npos) return -1;
  std::string_view number = rest.substr(open + 2, rest.size() - 4 - (open + 2));
  double milliseconds = 0;
  for (char c : number) {
    if (!is_ascii_digit(c) && c != ',' && c != '.' && c != '\'') return -1;
    if (is_ascii_digit(c)) milliseconds = milliseconds * 10 + (c - '0');
  }
  return number.empty() || milliseconds > 1e12 ? -1 : milliseconds / 1000;
}

// The seconds of an end mark by what follows the name in it; -1 where that is another name, or no mark.
double end_seconds(std::string_view rest) {
  if (rest.empty()) return 0;
  bool ours = rest.starts_with(" (") || rest.starts_with(kParameter);
  return ours ? seconds_in(rest) : -1;
}

std::string bounded(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return valid_utf8(text);
  return valid_utf8(text.substr(0, bytes)) + "\n[...]";
}

// "x.cc:3: Failure\nValue of: ..." as "x.cc:3: Value of: ...", so that one line says what is wrong.
std::string first_failure(std::string_view story) {
  std::vector<std::string> lines = split(story, '\n');
  std::string place = lines.front().substr(0, lines.front().size() - (kFailure.size() - 2));
  std::vector<std::string> said;
  for (std::size_t i = 1; i < lines.size() && said.size() < kMessageLines; ++i) {
    if (lines[i].ends_with(kFailure)) break;
    if (said.empty() && (lines[i] == "Failed" || trim(lines[i]).empty())) continue;
    said.push_back(lines[i]);
  }
  return std::string(trim(place + join(said, "\n")));
}

}  // namespace

void GtestText::add(std::string_view piece) {
  line_ += piece;
  if (line_.size() > kLongestLine) line_.erase(0, line_.size() - kLongestLine);
  end_ += piece;
  if (end_.size() > 4 * kOutputBytes) end_.erase(0, end_.size() - kOutputBytes);
  if (!failure_.empty() && failure_.size() < kDetailBytes) failure_ += piece;
  if (!skip_.empty() && skip_.size() < kMessageBytes) skip_ += piece;
}

void GtestText::end_line() {
  // What a test wrote without a line feed before the place may be long.
  std::string place = line_.substr(line_.size() - std::min(line_.size(), kPlaceBytes));
  if (failure_.empty() && place.ends_with(kFailure)) failure_ = place;
  if (skip_.empty() && place.ends_with(kSkipped)) skip_ = place;
  line_.clear();
  add("\n");
  line_.clear();
}

std::string GtestText::message() const {
  std::string said = failure_.empty() ? last_line(end_) : first_failure(failure_);
  return said.empty() ? "it failed and wrote nothing" : bounded(said, kMessageBytes);
}

std::string GtestText::skip_reason() const {
  std::size_t end = skip_.find('\n');
  std::string_view said = end == std::string::npos ? "" : trim(std::string_view(skip_).substr(end));
  return bounded(said.empty() ? trim(skip_) : said, kMessageBytes);
}

std::string GtestText::details() const { return bounded(failure_, kDetailBytes); }

std::string GtestText::output() const {
  return valid_utf8(std::string_view(end_).substr(end_.size() - std::min(end_.size(), kOutputBytes)));
}

std::string output_of_test(const std::string& both, const std::string& written, const std::string& test) {
  std::string mark = std::string(kRun) + test + "\n";
  std::size_t at = both.rfind(mark);
  if (at == std::string::npos) return both;
  std::vector<std::string> lines = split(written, '\n');
  std::unordered_set<std::string> output(lines.begin(), lines.end());
  std::vector<std::string> before = split(both.substr(0, at), '\n');
  std::size_t end = before.size();
  while (end > 0 && (before[end - 1].empty() || output.count(before[end - 1]) > 0)) --end;
  std::size_t begin = end;
  while (begin > 0 && output.count(before[begin - 1]) == 0) --begin;
  std::string own;
  for (std::size_t i = begin; i < end; ++i) own += before[i] + "\n";
  return own + both.substr(at + mark.size());
}

GtestReader::GtestReader(std::map<std::string, std::string> expected) : expected_(std::move(expected)) {}

// A line that is too long is cut at places that depend on it alone, and its end is looked at.
std::vector<JournalEvent> GtestReader::read(std::string_view bytes) {
  std::vector<JournalEvent> events;
  while (!bytes.empty()) {
    std::string_view piece = bytes.substr(0, std::min(bytes.find('\n'), kLongestLine - line_.size()));
    line_ += piece;
    bytes.remove_prefix(piece.size());
    if (line_.size() == kLongestLine) {
      text_.add(std::string_view(line_).substr(0, kLongestLine / 2));
      line_.erase(0, kLongestLine / 2);
    }
    if (bytes.empty() || bytes.front() != '\n') continue;
    bytes.remove_prefix(1);
    take_line(std::exchange(line_, {}), events);
  }
  return events;
}

std::vector<JournalEvent> GtestReader::end() {
  std::vector<JournalEvent> events;
  if (!line_.empty()) take_line(std::exchange(line_, {}), events);
  if (running_.empty()) close_outside();
  return events;
}

std::vector<std::string> GtestReader::setting_up() const {
  std::vector<std::string> ids;
  if (!setting_up_ || finished_) return ids;
  std::string start = suite_ + ".";
  for (auto test = expected_.lower_bound(start); test != expected_.end(); ++test) {
    if (!test->first.starts_with(start)) break;
    if (suite_of(test->first) == suite_) ids.push_back(test->second);
  }
  return ids;
}

void GtestReader::take_line(std::string_view line, std::vector<JournalEvent>& events) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  // As it stands first: what a test wrote before a mark may look like the beginning of a colour.
  bool mark = take_mark(line, events) ||
              (line.find('\x1b') != std::string_view::npos && take_mark(plain(line), events));
  if (mark) return;
  text_.add(line);
  text_.end_line();
}

bool GtestReader::take_mark(std::string_view line, std::vector<JournalEvent>& events) {
  if (!running_.empty()) return take_end(line, events);
  return take_run(line, events) || take_suite(line) || take_finish(line, events);
}

bool GtestReader::take_run(std::string_view line, std::vector<JournalEvent>& events) {
  std::size_t at = line.rfind(kRun);
  if (at == std::string_view::npos) return false;
  std::string name(line.substr(at + kRun.size()));
  auto found = expected_.find(name);
  if (found == expected_.end()) return false;
  text_.add(line.substr(0, at));
  text_.end_line();
  close_outside();
  if (suite_ != suite_of(name)) set_up_failure_.clear();
  suite_ = suite_of(name);
  setting_up_ = false;
  running_ = name;
  JournalEvent event;
  event.kind = JournalEvent::Kind::start;
  event.within = found->second;
  events.push_back(std::move(event));
  return true;
}

// A parameter that prints line feeds stands in the mark as it is: the time follows in a later line.
bool GtestReader::take_rest_of_mark(std::string_view line, std::vector<JournalEvent>& events) {
  double seconds = before_mark_ ? seconds_in(line) : -1;
  if (seconds < 0) return false;
  text_ = *std::move(before_mark_);
  end_test(Outcome::failed, seconds, events);
  return true;
}

bool GtestReader::take_end(std::string_view line, std::vector<JournalEvent>& events) {
  for (const auto& [word, outcome] : kEnds) {
    std::string mark = std::string(word) + running_;
    std::size_t at = line.rfind(mark);
    if (at == std::string_view::npos) continue;
    std::string_view rest = line.substr(at + mark.size());
    double seconds = end_seconds(rest);
    if (seconds < 0 && outcome == Outcome::failed && rest.starts_with(kParameter)) {
      before_mark_ = text_;
      before_mark_->add(line.substr(0, at));
      if (at > 0) before_mark_->end_line();
    }
    if (seconds < 0) continue;
    if (at > 0) text_.add(line.substr(0, at)), text_.end_line();
    end_test(outcome, seconds, events);
    return true;
  }
  return take_rest_of_mark(line, events);
}

// A test that gtest skips, or lets pass, though its suite could not be set up, has shown nothing.
void GtestReader::end_test(Outcome outcome, double seconds, std::vector<JournalEvent>& events) {
  JournalEvent event;
  event.kind = JournalEvent::Kind::end;
  auto ended = expected_.find(running_);
  event.within = ended->second;
  event.outcome = outcome;
  event.seconds = seconds;
  if (outcome == Outcome::skipped) event.message = text_.skip_reason();
  if (outcome == Outcome::failed) event.message = text_.message();
  if (outcome != Outcome::failed && !set_up_failure_.empty()) {
    event.outcome = Outcome::error;
    event.message = "its suite could not be set up: " + set_up_failure_;
  }
  if (is_bad(event.outcome)) {
    event.details = text_.details();
    event.output = text_.output();
    any_bad_ = true;
  }
  events.push_back(std::move(event));
  expected_.erase(ended);
  running_.clear();
  text_ = {};
  before_mark_.reset();
  ++ended_;
}

bool GtestReader::take_suite(std::string_view line) {
  if (!line.starts_with(kSuite)) return false;
  std::size_t from = line.find(" from ");
  if (from == std::string_view::npos) return false;
  std::string_view name = line.substr(from + 6);
  bool over = name.ends_with(" ms total)");
  name = name.substr(0, over ? name.rfind(" (") : name.find(", where "));
  std::string start = std::string(name) + ".";
  auto first = expected_.lower_bound(start);
  bool ours = first != expected_.end() && first->first.starts_with(start);
  if (over ? name != suite_ : !ours) return false;
  close_outside();
  set_up_failure_.clear();
  suite_ = over ? "" : name;
  setting_up_ = !over;
  return true;
}

bool GtestReader::take_finish(std::string_view line, std::vector<JournalEvent>& events) {
  if (finished_ || !line.starts_with(kWhole) || line.find(" ran.") == std::string_view::npos) return false;
  close_outside();
  finished_ = true;
  JournalEvent event;
  event.kind = JournalEvent::Kind::finish;
  events.push_back(std::move(event));
  return true;
}

// What stands between two tests is over.
void GtestReader::close_outside() {
  GtestText text = std::exchange(text_, {});
  if (!text.has_failure() || finished_) return;
  if (setting_up_ && set_up_failure_.empty()) set_up_failure_ = text.message();
  if (setting_up_ || problems_.size() >= kMostProblems) return;
  problems_.push_back({suite_, Outcome::error, "outside of a test: " + text.message(), text.details()});
}

}  // namespace hwsift::runner
