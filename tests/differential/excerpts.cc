// excerpts FILE...: holds the facts of each file, read by an excerpt, against those of its whole text. Prints
// the first differences of each file, and which files Python accepts and no excerpt is enough for; exit code
// 1 where there is a difference. `@LIST` reads names from a file.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "analyzer/python/analyze.h"
#include "analyzer/python/decode.h"
#include "analyzer/python/syntax.h"
#include "base/threads.h"
#include "classifier/vocabulary.h"

using namespace hwsift;
using namespace hwsift::analyzer;

namespace {

template <class Fact>
void compare(const char* what, const std::vector<Fact>& excerpt, const std::vector<Fact>& whole,
             int (*line_of)(const Fact&), std::string& report) {
  if (excerpt == whole) return;
  std::size_t at = 0;
  while (at < excerpt.size() && at < whole.size() && excerpt[at] == whole[at]) ++at;
  report += "  " + std::string(what) + ": " + std::to_string(excerpt.size()) + " by excerpt, " +
            std::to_string(whole.size()) + " by whole; the first that differs is at line";
  report += " " + (at < excerpt.size() ? std::to_string(line_of(excerpt[at])) : "-");
  report += " and " + (at < whole.size() ? std::to_string(line_of(whole[at])) : "-") + "\n";
}

template <class Fact>
int line_of(const Fact& fact) {
  if constexpr (requires { fact.line; })
    return fact.line;
  else
    return 0;
}

std::string join_words(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += word + " ";
  return all;
}

std::string text_of(Span span) { return std::to_string(span.begin) + "-" + std::to_string(span.end); }

void compare_methods(const Class& excerpt, const Class& whole, std::string& report) {
  report += "    " + excerpt.name + ": lines to " + std::to_string(excerpt.end_line) + "/" +
            std::to_string(whole.end_line) + " span " + text_of(excerpt.span) + "/" + text_of(whole.span) +
            " body " + text_of(excerpt.body) + "/" + text_of(whole.body) + " names " +
            join_words(excerpt.names_read) + "/ " + join_words(whole.names_read) + "\n";
  for (std::size_t i = 0; i < excerpt.methods.size() && i < whole.methods.size(); ++i) {
    const Method& a = excerpt.methods[i];
    const Method& b = whole.methods[i];
    if (a == b) continue;
    report += "    " + a.name + ": end " + std::to_string(a.end_line) + "/" + std::to_string(b.end_line) +
              " device " + std::to_string(a.reads_device) + "/" + std::to_string(b.reads_device) + " stub " +
              std::to_string(a.is_stub) + "/" + std::to_string(b.is_stub) + " self " +
              join_words(a.self_reads) + "/ " + join_words(b.self_reads) + " names " +
              join_words(a.names_read) + "/ " + join_words(b.names_read) + "\n";
    return;
  }
}

std::string difference(const FileFacts& a, const FileFacts& b) {
  std::string report;
#define COMPARE(member) compare(#member, a.member, b.member, line_of, report)
  COMPARE(imports);
  COMPARE(classes);
  COMPARE(functions);
  COMPARE(instantiations);
  COMPARE(uses);
  COMPARE(torch_calls);
  COMPARE(comparisons);
  COMPARE(golden_texts);
  COMPARE(dynamic_classes);
  COMPARE(copied_tests);
  COMPARE(constants);
  COMPARE(aliases);
  COMPARE(suppressions);
#undef COMPARE
  for (std::size_t i = 0; i < a.classes.size() && i < b.classes.size(); ++i)
    if (a.classes[i] != b.classes[i]) {
      compare_methods(a.classes[i], b.classes[i], report);
      break;
    }
  if (report.empty() && !(a == b)) report = "  something else\n";
  return report;
}

std::string read(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void add_files(const std::string& name, std::vector<std::string>& files) {
  if (!std::filesystem::is_directory(name)) return files.push_back(name);
  auto skip = std::filesystem::directory_options::skip_permission_denied;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(name, skip))
    if (std::error_code bad; entry.path().extension() == ".py" && entry.is_regular_file(bad))
      files.push_back(entry.path());
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> names;
  for (int i = 1; i < count; ++i) add_files(arguments[i], names);
  Lexicon lexicon = classifier::builtin_vocabulary().lexicon();
  std::vector<std::string> reports(names.size());
  std::vector<char> whole(names.size());
  for_each_index(names.size(), usable_cores(), [&](std::size_t i) {
    Decoded decoded = decode_python_source(read(names[i]));
    reports[i] = difference(analyze_python("test/test_a.py", decoded, lexicon, Reading::excerpt),
                            analyze_python("test/test_a.py", decoded, lexicon, Reading::whole));
    ParsedSource parsed = parse_python(decoded.source.text, lexicon.words.get());
    whole[i] = decoded.ok && parsed.errors.empty() && !parsed.excerpt;
  });
  std::size_t different = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (reports[i].empty()) continue;
    ++different;
    std::printf("%s\n%s", names[i].c_str(), reports[i].c_str());
  }
  std::size_t read_whole = 0;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (whole[i]) std::printf("%s is read whole\n", names[i].c_str()), ++read_whole;
  std::printf("%zu files, %zu with other facts by their excerpt, %zu read whole\n", names.size(), different,
              read_whole);
  return different > 0 || names.empty() ? 1 : 0;
}
