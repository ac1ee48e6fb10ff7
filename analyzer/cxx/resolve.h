// Resolves the names of a lexed file: the compiler reads it again, with its compile command and its headers.
#pragma once

#include <string>

#include "analyzer/cxx/compile_commands.h"
#include "analyzer/cxx/lexed_file.h"

namespace hwsift::analyzer::cxx {

// `file` is what lex() made of `text`, and `path` is absolute. Where the compiler cannot read it without an
// error the tokens stay as they are, and a note says why.
void resolve(const std::string& path, const std::string& text, const CompileCommands& commands,
             LexedFile& file);

}  // namespace hwsift::analyzer::cxx
