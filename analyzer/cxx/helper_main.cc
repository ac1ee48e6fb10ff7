// hwsift-cxx: lexes C++ files for hwsift. A program of its own, so that hwsift does not load LLVM, and so
// that a file that brings the compiler down costs that file alone.
//
//   hwsift-cxx [-DMACRO ...] [--compile-commands PATH] [--seconds N] [--megabytes N] FILE ...
//
// Prints a line of JSON a file, in order (wire.h); with compile commands, names are resolved by the compiler.
// A file that takes longer than N seconds, or more memory, ends the program: the file is the first without a
// line.
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/cxx/compile_commands.h"
#include "analyzer/cxx/lex.h"
#include "analyzer/cxx/resolve.h"
#include "analyzer/cxx/wire.h"

namespace {

using namespace hwsift::analyzer::cxx;  // NOLINT(google-build-using-namespace): a program of one purpose

struct Arguments {
  LexOptions options;
  std::string compile_commands;
  unsigned seconds = 20;
  unsigned long megabytes = 2048;
  std::uintmax_t bytes = 16u << 20;
  std::vector<std::string> files;
};

template <class Number>
bool read_number(const char* text, Number& out) {
  const char* end = text + std::strlen(text);
  auto [stop, failure] = std::from_chars(text, end, out);
  return failure == std::errc() && stop == end && out > 0;
}

bool read_limit(const std::string& word, const char* text, Arguments& out) {
  if (word == "--seconds") return read_number(text, out.seconds);
  if (word == "--megabytes") return read_number(text, out.megabytes);
  return read_number(text, out.bytes);
}

bool read_arguments(int count, char** values, Arguments& out) {
  for (int i = 1; i < count; ++i) {
    std::string word = values[i];
    if (word.starts_with("-D")) {
      out.options.macros.push_back(word.substr(2));
    } else if (word == "--seconds" || word == "--megabytes" || word == "--bytes") {
      if (++i == count || !read_limit(word, values[i], out)) return false;
    } else if (word == "--compile-commands") {
      if (++i == count) return false;
      out.compile_commands = values[i];
    } else if (word == "--") {
      out.files.insert(out.files.end(), values + i + 1, values + count);
      return true;
    } else if (word.starts_with("-")) {
      return false;
    } else {
      out.files.push_back(word);
    }
  }
  return true;
}

// AddressSanitizer takes terabytes of addresses for itself.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kLimitsMemory = false;
#elif defined(__has_feature)
constexpr bool kLimitsMemory = !__has_feature(address_sanitizer);
#else
constexpr bool kLimitsMemory = true;
#endif

void limit_memory(unsigned long megabytes) {
  if (!kLimitsMemory) return;
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = megabytes << 20;
  setrlimit(RLIMIT_AS, &limit);
}

// The signal ends the program wherever the compiler hangs. On a machine that is busy with other things a file
// may take many times its processor time.
void limit_time(unsigned seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  setitimer(ITIMER_PROF, &timer, nullptr);
  alarm(seconds * 10);
}

// Why a file is not read at all; "" where it is. A pipe would never end.
std::string refusal(const std::string& path, std::uintmax_t most_bytes) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure))
    return "not a regular file (name a file, or a folder of files)";
  if (std::filesystem::file_size(path, failure) > most_bytes)
    return "larger than " + std::to_string(most_bytes) +
           " bytes (raise max_file_bytes in hwsift.yaml, or name the path under exclude)";
  return "";
}

LexedFile unread(const std::string& why) {
  LexedFile lexed;
  lexed.errors.push_back({0, 0, why});
  return lexed;
}

LexedFile read(const std::string& path, const Arguments& arguments,
               const std::optional<CompileCommands>& commands) {
  if (std::string why = refusal(path, arguments.bytes); !why.empty()) return unread(why);
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad() || !file.is_open()) return unread("cannot be read");
  LexedFile lexed = lex(text, arguments.options);
  if (commands) resolve(std::filesystem::absolute(path).lexically_normal(), text, *commands, lexed);
  return lexed;
}

int fail(const std::string& message) {
  std::fputs((message + "\n").c_str(), stderr);
  return 2;
}

}  // namespace

int main(int count, char** values) {
  Arguments arguments;
  if (!read_arguments(count, values, arguments))
    return fail(
        "usage: hwsift-cxx [-DMACRO ...] [--compile-commands PATH] [--seconds N] [--megabytes N] [--bytes N] "
        "[--] FILE "
        "...");
  limit_memory(arguments.megabytes);
  std::optional<CompileCommands> commands;
  if (!arguments.compile_commands.empty()) {
    hwsift::Result<CompileCommands> loaded = CompileCommands::load(arguments.compile_commands);
    if (!loaded.ok()) return fail(to_string(loaded.error()));
    commands = *loaded;
  }
  for (const std::string& path : arguments.files) {
    limit_time(arguments.seconds);
    std::puts(to_line({path, read(path, arguments, commands)}).c_str());
    std::fflush(stdout);
  }
}
