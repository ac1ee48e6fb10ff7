// hwsift-cxx: lexes C++ files for hwsift. A program of its own, so that hwsift does not load LLVM, and so
// that a file that brings the compiler down costs that file alone.
//
//   hwsift-cxx [-DMACRO ...] [--compile-commands PATH] [--seconds N] [--megabytes N] FILE ...
//
// Prints a line of JSON a file, in order (wire.h); with compile commands, names are resolved by the compiler.
// A file that takes longer than N seconds, or more memory, ends the program: the file is the first without a
// line.
#include <sys/resource.h>
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
  std::vector<std::string> files;
};

template <class Number>
bool read_number(const char* text, Number& out) {
  const char* end = text + std::strlen(text);
  auto [stop, failure] = std::from_chars(text, end, out);
  return failure == std::errc() && stop == end && out > 0;
}

bool read_arguments(int count, char** values, Arguments& out) {
  for (int i = 1; i < count; ++i) {
    std::string word = values[i];
    if (word.starts_with("-D")) {
      out.options.macros.push_back(word.substr(2));
    } else if (word == "--seconds" || word == "--megabytes") {
      bool seconds = word == "--seconds";
      if (++i == count) return false;
      if (!(seconds ? read_number(values[i], out.seconds) : read_number(values[i], out.megabytes)))
        return false;
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

LexedFile read(const std::string& path, const LexOptions& options,
               const std::optional<CompileCommands>& commands) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  LexedFile lexed;
  if (file.bad() || !file.is_open()) {
    lexed.errors.push_back({0, 0, "cannot be read"});
    return lexed;
  }
  lexed = lex(text, options);
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
        "usage: hwsift-cxx [-DMACRO ...] [--compile-commands PATH] [--seconds N] [--megabytes N] [--] FILE "
        "...");
  limit_memory(arguments.megabytes);
  std::optional<CompileCommands> commands;
  if (!arguments.compile_commands.empty()) {
    hwsift::Result<CompileCommands> loaded = CompileCommands::load(arguments.compile_commands);
    if (!loaded.ok()) return fail(to_string(loaded.error()));
    commands = *loaded;
  }
  for (const std::string& path : arguments.files) {
    alarm(arguments.seconds);  // its signal ends the program, wherever the compiler hangs
    std::puts(to_line({path, read(path, arguments.options, commands)}).c_str());
    std::fflush(stdout);
  }
}
