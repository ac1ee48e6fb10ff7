// Processes as hwsift needs them: one interface, the real system behind it, a scripted fake in the tests.
//
//   group    a process and what it starts; it is ended as a whole, and nothing of it outlives it
//   channel  a socket that a process inherits; lines go both ways
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace hwsift {

struct ProcessSpec {
  std::vector<std::string> command;  // the program is a path, or a name that is looked up on PATH
  std::string folder;                // working folder; "" is ours
  std::vector<std::pair<std::string, std::string>> variables;  // set on top of our environment
  std::vector<std::string> unset;
  std::string channel_variable;  // gets the number of the channel's descriptor; "" for a process without one
  bool capture = false;          // keep the whole output stream, apart from the error stream
  bool output_events =
      false;  // the output stream, apart from the error stream, comes as events; not with capture
};

// How a process ended. A shell or wrapper reports the signal that ended its child as 128 + number: that
// counts too.
struct Ending {
  int code = 0;    // exit code; 128 + signal where there is one
  int signal = 0;  // 0 where no signal ended it

  std::string text() const;  // "exit code 3", "SIGSEGV"
};

struct ProcessEvent {
  enum class Kind {
    none,    // the time is up
    line,    // `text` came over the channel, without its line feed
    output,  // `text` came from the output stream: bytes as they were read, cut anywhere
    ended,   // the process ended; nothing more comes from it, and its group is gone
    signal,  // we were asked to stop: `number` is SIGINT or SIGTERM
  };
  Kind kind = Kind::none;
  int process = -1;
  std::string text;
  Ending ending;
  int number = 0;
};

// Not for use by several threads.
class Processes {
 public:
  virtual ~Processes() = default;

  // Starts a process in a group of its own, with empty input. The number names it from then on.
  virtual Result<int> start(const ProcessSpec& spec) = 0;
  // Waits for the next event, at most `seconds`.
  virtual ProcessEvent next(double seconds) = 0;
  // Puts a line on the channel (the line feed is added). A process that is gone takes it silently.
  virtual void send(int process, std::string_view line) = 0;
  // The end of what a process wrote to its output and error streams, at most kKeptOutput bytes.
  virtual std::string output(int process) = 0;
  // All of the output stream of a process that is captured; one that writes more than 1 GiB is ended.
  virtual std::string captured(int) { return ""; }
  // Asks a group to abort, so that Python says where it stands; `kill` ends it at once. `ended` follows.
  virtual void abort(int process) = 0;
  virtual void kill(int process) = 0;
};

inline constexpr std::size_t kKeptOutput = 64u << 10;

// The real ones. While the object lives, SIGINT and SIGTERM are events, and orphans of our processes are ours
// to end; processes that still run when it goes are ended. One at a time.
std::unique_ptr<Processes> real_processes();

// Runs a process to its end, at most `seconds`; an Error where it cannot start, takes longer, or we were
// asked to stop (`what` is kInterruptedWait).
inline constexpr char kInterruptedWait[] = "interrupted";
struct Finished {
  Ending ending;
  std::string output;              // both streams; the error stream alone where the other is captured
  std::string captured;            // the output stream, where that was asked for
  std::vector<std::string> lines;  // of the channel
};
Result<Finished> run_to_end(Processes& processes, const ProcessSpec& spec, double seconds);

// "SIGSEGV"; "signal 77" for one without a name.
std::string signal_name(int number);
// A program as a path: itself where it has a '/', else the first that PATH holds; "" where there is none.
std::string find_program(const std::string& name, const std::string& path_variable);

}  // namespace hwsift
