// Real processes on Linux. Each is the leader of a session of its own; we are the subreaper, so that what a
// group leaves behind becomes our child, and a variable in the environment tells whose it was.
#include "base/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>

#include "base/disk.h"
#include "base/text.h"

namespace hwsift {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

constexpr const char* kGroupVariable = "HWSIFT_GROUP";
constexpr std::size_t kLongestLine = 256u << 20;
constexpr std::size_t kMaxCaptured = 1u << 30;
constexpr int kWatched[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
constexpr int kWriteSignals[] = {SIGPIPE, SIGXFSZ};

int g_signal_pipe = -1;  // where the handler writes; the one thing that it can reach

void on_signal(int number) {
  int saved = errno;
  char byte = static_cast<char>(number);
  [[maybe_unused]] ssize_t ignored = ::write(g_signal_pipe, &byte, 1);
  errno = saved;
}

std::string reason(int number) { return std::generic_category().message(number); }

void close_descriptor(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

Ending ending_of(int code, int status) {
  if (code == CLD_EXITED) return {status, status > 128 && status <= 128 + 64 ? status - 128 : 0};
  return {128 + status, status};
}

// --- what the system says about processes ---

struct Listed {
  pid_t pid = 0;
  pid_t parent = 0;
  bool zombie = false;
};

std::string slurp(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

// The name in /proc/PID/stat is in parentheses and may hold anything; what follows the last ')' is state and
// parent.
std::optional<Listed> read_stat(pid_t pid) {
  std::string stat = slurp("/proc/" + std::to_string(pid) + "/stat");
  std::size_t close = stat.rfind(')');
  if (close == std::string::npos) return std::nullopt;
  std::istringstream rest(stat.substr(close + 1));
  char state = 0;
  Listed listed;
  listed.pid = pid;
  if (!(rest >> state >> listed.parent)) return std::nullopt;
  listed.zombie = state == 'Z' || state == 'X';
  return listed;
}

std::vector<Listed> list_processes() {
  std::vector<Listed> all;
  DIR* folder = ::opendir("/proc");
  if (folder == nullptr) return all;
  while (const dirent* entry = ::readdir(folder)) {
    if (!is_ascii_digit(entry->d_name[0])) continue;
    if (std::optional<Listed> listed = read_stat(static_cast<pid_t>(std::atoi(entry->d_name))))
      all.push_back(*listed);
  }
  ::closedir(folder);
  return all;
}

bool has_variable(pid_t pid, const std::string& setting) {
  std::string environment = '\0' + slurp("/proc/" + std::to_string(pid) + "/environ");
  return environment.find('\0' + setting + '\0') != std::string::npos;
}

// --- starting ---

struct Prepared {
  std::string program;
  std::vector<std::string> variables;
  std::vector<char*> arguments;
  std::vector<char*> environment;
};

std::vector<std::string> environment_for(const ProcessSpec& spec, const std::string& group, int channel) {
  std::map<std::string, std::string> values;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string_view text = *entry;
    std::size_t equals = text.find('=');
    if (equals != std::string_view::npos)
      values[std::string(text.substr(0, equals))] = text.substr(equals + 1);
  }
  for (const std::string& name : spec.unset) values.erase(name);
  for (const auto& [name, value] : spec.variables) values[name] = value;
  values[kGroupVariable] = group;
  if (channel >= 0) values[spec.channel_variable] = std::to_string(channel);
  std::vector<std::string> texts;
  for (const auto& [name, value] : values) texts.push_back(std::string(name).append("=").append(value));
  return texts;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

void default_signals() {
  for (int number : kWatched) ::signal(number, SIG_DFL);
  for (int number : kWriteSignals) ::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// In the child, where only async-signal-safe calls are allowed. Returns only when something failed, with
// errno set.
void become(const Prepared& prepared, const char* folder, const int (&streams)[2], int channel,
            pid_t parent) {
  default_signals();
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing < 0 || ::dup2(nothing, 0) < 0 || ::dup2(streams[0], 1) < 0 || ::dup2(streams[1], 2) < 0) return;
  if (nothing > 2) ::close(nothing);
  if (channel >= 0 && ::fcntl(channel, F_SETFD, 0) != 0) return;
  if (*folder != '\0' && ::chdir(folder) != 0) return;
  ::execve(prepared.program.c_str(), prepared.arguments.data(), prepared.environment.data());
}

// The ends that the child keeps are [1]; those of `failure` close by themselves when its exec goes well.
struct Pipes {
  int output[2] = {-1, -1};
  int capture[2] = {-1, -1};
  int channel[2] = {-1, -1};
  int failure[2] = {-1, -1};

  Pipes() = default;
  Pipes(const Pipes&) = delete;
  Pipes& operator=(const Pipes&) = delete;
  ~Pipes() {
    for (int* pair : {output, capture, channel, failure})
      close_descriptor(pair[0]), close_descriptor(pair[1]);
  }
  bool open(bool with_channel, bool with_capture) {
    return ::pipe2(output, O_CLOEXEC) == 0 && ::pipe2(failure, O_CLOEXEC) == 0 &&
           (!with_capture || ::pipe2(capture, O_CLOEXEC) == 0) &&
           (!with_channel || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) == 0);
  }
};

// errno of the child's exec, 0 when it went well.
int exec_failure(int pipe) {
  int number = 0;
  ssize_t n = 0;
  do n = ::read(pipe, &number, sizeof number);
  while (n < 0 && errno == EINTR);
  return n == static_cast<ssize_t>(sizeof number) ? number : 0;
}

struct Child {
  pid_t pid = -1;
  std::string group;
  int output = -1;
  int capture = -1;
  int channel = -1;
  bool output_events = false;
  std::string tail;
  std::string captured;
  std::string inbox;   // an unfinished line
  std::string outbox;  // what the channel did not take yet
  bool ended = false;
  bool aborting = false;
};

class RealProcesses : public Processes {
 public:
  RealProcesses() {
    if (::pipe2(signals_, O_CLOEXEC | O_NONBLOCK) != 0) signals_[0] = signals_[1] = -1;
    g_signal_pipe = signals_[1];
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < std::size(kWatched); ++i) {
      ::sigaction(kWatched[i], nullptr, &before_[i]);
      bool ignored =
          before_[i].sa_handler == SIG_IGN && kWatched[i] != SIGCHLD;  // nohup, a shell's background job
      if (!ignored) ::sigaction(kWatched[i], &action, nullptr);
    }
    // A reader that is gone and a full quota are errors of a write, not the end of all processes.
    for (std::size_t i = 0; i < std::size(kWriteSignals); ++i)
      write_signals_before_[i] = ::signal(kWriteSignals[i], SIG_IGN);
  }

  ~RealProcesses() override {
    for (Child& child : children_)
      if (!child.ended) ::kill(-child.pid, SIGKILL), end(child, {}, true);
    for (std::size_t i = 0; i < std::size(kWatched); ++i) ::sigaction(kWatched[i], &before_[i], nullptr);
    for (std::size_t i = 0; i < std::size(kWriteSignals); ++i)
      ::signal(kWriteSignals[i], write_signals_before_[i]);
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
    g_signal_pipe = -1;
    close_descriptor(signals_[0]);
    close_descriptor(signals_[1]);
  }

  Result<int> start(const ProcessSpec& spec) override {
    const std::string& name = spec.command.front();
    const char* path = std::getenv("PATH");
    Prepared prepared;
    prepared.program = find_program(name, path == nullptr ? "/usr/bin:/bin" : path);
    if (prepared.program.empty())
      return Error{name, "cannot start: not found on PATH", "name it with its folder"};
    Child child;
    child.group = std::to_string(::getpid()) + "." + std::to_string(children_.size());
    child.output_events = spec.output_events;
    Pipes pipes;
    bool opened = pipes.open(!spec.channel_variable.empty(), spec.capture || spec.output_events);
    int number = opened ? launch(spec, prepared, child, pipes) : errno;
    if (number != 0)
      return Error{name, "cannot start: " + reason(number),
                   "check that it is a program that runs on this machine"};
    child.output = std::exchange(pipes.output[0], -1);
    child.capture = std::exchange(pipes.capture[0], -1);
    child.channel = std::exchange(pipes.channel[0], -1);
    ::fcntl(child.output, F_SETFL, O_NONBLOCK);
    if (child.capture >= 0) ::fcntl(child.capture, F_SETFL, O_NONBLOCK);
    if (child.channel >= 0) ::fcntl(child.channel, F_SETFL, O_NONBLOCK);
    children_.push_back(std::move(child));
    return static_cast<int>(children_.size()) - 1;
  }

  ProcessEvent next(double seconds) override {
    SteadyTime deadline = std::chrono::steady_clock::now() +
                          std::chrono::milliseconds(static_cast<long>(std::clamp(seconds, 0.0, 1e6) * 1000));
    while (ready_.empty()) {
      reap();
      if (!ready_.empty()) break;
      auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
      if (left < 0) break;
      wait_for_input(static_cast<int>(std::min<long>(left, 1 << 30)));
      if (left == 0) break;
    }
    if (ready_.empty()) return {};
    ProcessEvent event = std::move(ready_.front());
    ready_.pop_front();
    return event;
  }

  void send(int process, std::string_view line) override {
    Child& child = children_[static_cast<std::size_t>(process)];
    if (child.channel < 0) return;
    child.outbox.append(line).append("\n");
    flush(child);
  }

  std::string output(int process) override { return children_[static_cast<std::size_t>(process)].tail; }

  std::string captured(int process) override {
    return std::move(children_[static_cast<std::size_t>(process)].captured);
  }

  void abort(int process) override {
    Child& child = children_[static_cast<std::size_t>(process)];
    child.aborting = true;
    if (!child.ended) ::kill(-child.pid, SIGABRT);
  }

  void kill(int process) override {
    Child& child = children_[static_cast<std::size_t>(process)];
    if (!child.ended) ::kill(-child.pid, SIGKILL);
  }

 private:
  // errno of what failed, 0 when the child runs.
  static int launch(const ProcessSpec& spec, Prepared& prepared, Child& child, Pipes& pipes) {
    prepared.variables = environment_for(spec, child.group, pipes.channel[1]);
    prepared.arguments = pointers(spec.command);
    prepared.environment = pointers(prepared.variables);
    pid_t parent = ::getpid();
    child.pid = ::fork();
    if (child.pid < 0) return errno;
    if (child.pid == 0) {
      int streams[2] = {pipes.capture[1] >= 0 ? pipes.capture[1] : pipes.output[1], pipes.output[1]};
      become(prepared, spec.folder.c_str(), streams, pipes.channel[1], parent);
      int number = errno;
      [[maybe_unused]] ssize_t ignored = ::write(pipes.failure[1], &number, sizeof number);
      ::_exit(127);
    }
    close_descriptor(pipes.failure[1]);
    int number = exec_failure(pipes.failure[0]);
    if (number != 0) ::waitpid(child.pid, nullptr, 0);
    return number;
  }

  // The leader stays a zombie until its group is gone, so that the group's number cannot come to mean another
  // one.
  void reap() {
    for (Child& child : children_) {
      if (child.ended) continue;
      siginfo_t info{};
      if (::waitid(P_PID, static_cast<id_t>(child.pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0) continue;
      if (info.si_pid != 0) end(child, ending_of(info.si_code, info.si_status), false);
    }
  }

  void end(Child& child, Ending ending, bool silently) {
    if (child.aborting) wait_for_last_words(child);
    ::kill(-child.pid, SIGKILL);
    ::waitpid(child.pid, nullptr, 0);
    child.ended = true;
    end_orphans(child);
    read_output(child);
    read_capture(child);
    read_channel(child);
    close_descriptor(child.output);
    close_descriptor(child.capture);
    close_descriptor(child.channel);
    if (silently) return;
    ProcessEvent event;
    event.kind = ProcessEvent::Kind::ended;
    event.process = index_of(child);
    event.ending = ending;
    ready_.push_back(std::move(event));
  }

  // A wrapper dies of SIGABRT at once, the Python below it after it has said where it stands.
  void wait_for_last_words(Child& child) {
    for (int i = 0; i < 100 && child.output >= 0; ++i) {
      pollfd waiting{child.output, POLLIN, 0};
      ::poll(&waiting, 1, 10);
      read_output(child);
    }
  }

  // Orphans are those that carry the group's mark, and those that were left to us while no other process
  // runs.
  void end_orphans(const Child& child) {
    std::string mark = std::string(kGroupVariable) + "=" + child.group;
    bool alone = std::all_of(children_.begin(), children_.end(), [](const Child& c) { return c.ended; });
    for (int i = 0; i < 400; ++i) {
      bool any = false;
      for (const Listed& listed : list_processes()) {
        if (is_leader(listed.pid)) continue;
        bool ours = listed.parent == ::getpid();
        if (listed.zombie) {
          if (ours) ::waitpid(listed.pid, nullptr, WNOHANG);
          continue;
        }
        if (!(ours && alone) && !has_variable(listed.pid, mark)) continue;
        ::kill(listed.pid, SIGKILL);
        any = true;
      }
      if (!any) return;
      ::usleep(2000);
    }
  }

  bool is_leader(pid_t pid) const {
    return std::any_of(children_.begin(), children_.end(),
                       [&](const Child& c) { return !c.ended && c.pid == pid; });
  }

  int index_of(const Child& child) const { return static_cast<int>(&child - children_.data()); }

  void wait_for_input(int milliseconds) {
    std::vector<pollfd> waiting{{signals_[0], POLLIN, 0}};
    enum class Stream { output, capture, channel };
    std::vector<std::pair<Child*, Stream>> whose;
    for (Child& child : children_) {
      if (child.output >= 0)
        waiting.push_back({child.output, POLLIN, 0}), whose.emplace_back(&child, Stream::output);
      if (child.capture >= 0)
        waiting.push_back({child.capture, POLLIN, 0}), whose.emplace_back(&child, Stream::capture);
      if (child.channel < 0) continue;
      short wanted = static_cast<short>(POLLIN | (child.outbox.empty() ? 0 : POLLOUT));
      waiting.push_back({child.channel, wanted, 0});
      whose.emplace_back(&child, Stream::channel);
    }
    if (::poll(waiting.data(), waiting.size(), milliseconds) <= 0) return;
    if (waiting[0].revents != 0) read_signals();
    for (std::size_t i = 0; i < whose.size(); ++i) {
      if (waiting[i + 1].revents == 0) continue;
      Child& child = *whose[i].first;
      if (whose[i].second == Stream::output) read_output(child);
      if (whose[i].second == Stream::capture) read_capture(child);
      if (whose[i].second != Stream::channel) continue;
      if (waiting[i + 1].revents & POLLOUT) flush(child);
      read_channel(child);
    }
  }

  void read_signals() {
    char bytes[64];
    ssize_t n = ::read(signals_[0], bytes, sizeof bytes);
    for (ssize_t i = 0; i < n; ++i) {
      if (bytes[i] == SIGCHLD) continue;
      ProcessEvent event;
      event.kind = ProcessEvent::Kind::signal;
      event.number = bytes[i] == SIGINT ? SIGINT : SIGTERM;
      ready_.push_front(std::move(event));
    }
  }

  // Appends what can be read now; closes the descriptor at its end. Bounded, so that one loud process cannot
  // keep the others waiting; true where there may be more.
  static bool read_some(int& descriptor, std::string& into, std::size_t at_most) {
    char buffer[1 << 16];
    std::size_t taken = 0;
    while (descriptor >= 0 && taken < at_most) {
      ssize_t n = ::read(descriptor, buffer, sizeof buffer);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN) return false;
      if (n <= 0) close_descriptor(descriptor);
      if (n > 0) into.append(buffer, static_cast<std::size_t>(n));
      taken += static_cast<std::size_t>(std::max<ssize_t>(n, 0));
    }
    return descriptor >= 0;
  }

  static void read_output(Child& child) {
    bool more = true;
    while (more) {
      more = read_some(child.output, child.tail, 1u << 20) && child.ended;
      keep_end(child.tail);
    }
  }

  static void keep_end(std::string& tail) {
    if (tail.size() > kKeptOutput) tail.erase(0, tail.size() - kKeptOutput);
  }

  void read_capture(Child& child) {
    if (child.output_events) return read_events(child);
    while (read_some(child.capture, child.captured, 1u << 20) && child.ended) continue;
    if (child.captured.size() > kMaxCaptured && !child.ended) ::kill(-child.pid, SIGKILL);
  }

  void read_events(Child& child) {
    bool more = true;
    while (more) {
      ProcessEvent event;
      event.kind = ProcessEvent::Kind::output;
      event.process = index_of(child);
      more = read_some(child.capture, event.text, 1u << 20) && child.ended;
      child.tail += event.text;
      keep_end(child.tail);
      if (!event.text.empty()) ready_.push_back(std::move(event));
    }
  }

  void read_channel(Child& child) {
    read_some(child.channel, child.inbox, child.ended ? kLongestLine : 1u << 20);
    std::size_t start = 0;
    for (std::size_t end = child.inbox.find('\n'); end != std::string::npos;
         end = child.inbox.find('\n', start)) {
      ProcessEvent event;
      event.kind = ProcessEvent::Kind::line;
      event.process = index_of(child);
      event.text = child.inbox.substr(start, end - start);
      ready_.push_back(std::move(event));
      start = end + 1;
    }
    child.inbox.erase(0, start);
    if (child.inbox.size() > kLongestLine) ::kill(-child.pid, SIGKILL);
  }

  static void flush(Child& child) {
    while (child.channel >= 0 && !child.outbox.empty()) {
      ssize_t n = ::send(child.channel, child.outbox.data(), child.outbox.size(), MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno != EAGAIN) child.outbox.clear();
      if (n < 0) return;
      child.outbox.erase(0, static_cast<std::size_t>(n));
    }
  }

  int signals_[2] = {-1, -1};
  struct sigaction before_[std::size(kWatched)]{};
  void (*write_signals_before_[std::size(kWriteSignals)])(int) = {};
  std::vector<Child> children_;
  std::deque<ProcessEvent> ready_;
};

}  // namespace

std::unique_ptr<Processes> real_processes() { return std::make_unique<RealProcesses>(); }

std::string signal_name(int number) {
  const char* name = ::sigabbrev_np(number);
  return name == nullptr ? "signal " + std::to_string(number) : std::string("SIG") + name;
}

std::string Ending::text() const {
  return signal != 0 ? signal_name(signal) : "exit code " + std::to_string(code);
}

std::string find_program(const std::string& name, const std::string& path_variable) {
  if (name.find('/') != std::string::npos) return name;
  for (const std::string& folder : split(path_variable, ':')) {
    std::string path = join_path(folder.empty() ? "." : folder, name);
    struct stat found {};
    if (::stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) && ::access(path.c_str(), X_OK) == 0)
      return path;
  }
  return "";
}

Result<Finished> run_to_end(Processes& processes, const ProcessSpec& spec, double seconds) {
  Result<int> process = processes.start(spec);
  if (!process.ok()) return process.error();
  SteadyTime start = std::chrono::steady_clock::now();
  Finished finished;
  while (true) {
    double left = seconds - std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ProcessEvent event = processes.next(std::max(0.0, left));
    if (event.kind == ProcessEvent::Kind::line) finished.lines.push_back(event.text);
    if (event.kind == ProcessEvent::Kind::ended && event.process == *process) {
      finished.ending = event.ending;
      finished.output = processes.output(*process);
      finished.captured = processes.captured(*process);
      return finished;
    }
    if (event.kind == ProcessEvent::Kind::none || event.kind == ProcessEvent::Kind::signal) {
      processes.kill(*process);
      while (processes.next(5).kind != ProcessEvent::Kind::ended) continue;
      bool asked = event.kind == ProcessEvent::Kind::signal;
      return Error{spec.command.front(),
                   asked ? kInterruptedWait : "did not end within " + std::to_string(int(seconds)) + " s",
                   ""};
    }
  }
}

}  // namespace hwsift
