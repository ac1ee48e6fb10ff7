// Reads paths from stdin, one a line; prints "path <tab> ok|bad <tab> line <tab> message <tab> tree errors'
// line" for each. With --time it prints nothing but how long decoding, our own checks and tree-sitter took.
#include <tree_sitter/api.h>

#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "analyzer/python/decode.h"
#include "analyzer/python/grammar.h"
#include "analyzer/python/syntax.h"
#include "analyzer/python/tokens.h"

extern "C" const TSLanguage* tree_sitter_python(void);

namespace {

using hwsift::analyzer::Decoded;
using hwsift::analyzer::ParsedSource;

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// The line of the first error node, or 0.
int tree_error_line(TSNode node) {
  if (!ts_node_has_error(node)) return 0;
  if (ts_node_is_error(node) || ts_node_is_missing(node))
    return static_cast<int>(ts_node_start_point(node).row) + 1;
  for (uint32_t i = 0; i < ts_node_child_count(node); ++i)
    if (int line = tree_error_line(ts_node_child(node, i))) return line;
  return static_cast<int>(ts_node_start_point(node).row) + 1;
}

void print_verdict(const std::string& path) {
  Decoded decoded = hwsift::analyzer::decode_python_source(read(path));
  if (!decoded.ok) {
    std::cout << path << "\tbad\t" << decoded.failure.line << '\t' << decoded.failure.message << "\t0\n";
    return;
  }
  ParsedSource parsed = hwsift::analyzer::parse_python(decoded.source.text);
  int tree_line = tree_error_line(ts_tree_root_node(parsed.tree.get()));
  if (parsed.errors.empty())
    std::cout << path << "\tok\t0\t\t" << tree_line << '\n';
  else
    std::cout << path << "\tbad\t" << parsed.errors[0].line << '\t' << parsed.errors[0].message << '\t'
              << tree_line << '\n';
}

template <class Work>
double milliseconds(Work work) {
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void print_times(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) files.push_back(read(path));
  std::vector<std::string> texts;
  std::size_t tokens = 0;
  std::size_t bytes = 0;
  double decode = milliseconds([&] {
    for (const std::string& file : files)
      texts.push_back(hwsift::analyzer::decode_python_source(file).source.text);
  });
  double tokenize = milliseconds([&] {
    for (const std::string& text : texts) tokens += hwsift::analyzer::tokenize(text).list.size();
  });
  double check = milliseconds([&] {
    for (const std::string& text : texts)
      tokens += hwsift::analyzer::check_grammar(text, hwsift::analyzer::tokenize(text)).faults.size();
  });
  TSParser* parser = ts_parser_new();
  ts_parser_set_language(parser, tree_sitter_python());
  double tree = milliseconds([&] {
    for (const std::string& text : texts)
      ts_tree_delete(
          ts_parser_parse_string(parser, nullptr, text.data(), static_cast<uint32_t>(text.size())));
  });
  ts_parser_delete(parser);
  double all = milliseconds([&] {
    for (const std::string& file : files)
      tokens += hwsift::analyzer::parse_python(hwsift::analyzer::decode_python_source(file).source.text)
                    .errors.size();
  });
  for (const std::string& text : texts) bytes += text.size();
  std::cout << "files " << files.size() << "\nmegabytes " << static_cast<double>(bytes) / 1e6 << "\ntokens "
            << tokens << "\ndecode ms " << decode << "\ntokens ms " << tokenize << "\ntokens and grammar ms "
            << check << "\ntree-sitter alone ms " << tree << "\ndecode and parse_python ms " << all << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> paths;
  for (std::string path; std::getline(std::cin, path);) paths.push_back(path);
  if (argc > 1 && std::string(argv[1]) == "--time") {
    print_times(paths);
    return 0;
  }
  for (const std::string& path : paths) print_verdict(path);
}
