// tree_sitter_parse FILE ...: reads each file, makes tree-sitter's tree of it and drops that. What any tool
// built on this grammar pays before it knows anything. --version says which grammar.
#include <tree_sitter/api.h>

#include <cstdint>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>

extern "C" const TSLanguage* tree_sitter_python(void);

namespace {

bool read(const std::string& name, std::string& bytes) {
  std::ifstream file(name, std::ios::binary | std::ios::ate);
  if (!file) return false;
  bytes.resize(static_cast<std::size_t>(file.tellg()));
  file.seekg(0);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return !file.fail();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--version") {
    std::cout << "tree-sitter-python " << HWSIFT_GRAMMAR_VERSION << '\n';
    return 0;
  }
  std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(ts_parser_new(), ts_parser_delete);
  if (!ts_parser_set_language(parser.get(), tree_sitter_python())) return 2;
  std::string bytes;
  for (int i = 1; i < argc; ++i) {
    if (!read(argv[i], bytes)) {
      std::cerr << "tree_sitter_parse: cannot read " << argv[i] << '\n';
      return 2;
    }
    auto size = static_cast<std::uint32_t>(bytes.size());
    ts_tree_delete(ts_parser_parse_string(parser.get(), nullptr, bytes.data(), size));
  }
}
