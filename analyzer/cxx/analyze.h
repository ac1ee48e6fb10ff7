// The facts of a C++ file, from its tokens.
#pragma once

#include <string>
#include <vector>

#include "analyzer/cxx/lexed_file.h"
#include "analyzer/cxx/outline.h"
#include "analyzer/facts.h"
#include "analyzer/lexicon.h"

namespace hwsift::analyzer::cxx {

// A class stands for a test suite: its methods are the tests, in source order, then the members of the
// fixture of that name where the file defines it. Functions outside classes and members of other classes are
// functions. Tests that gtest names DISABLED_ are tests like others.
FileFacts analyze(const std::string& path, const LexedFile& file, const std::vector<TestMacro>& macros,
                  const Lexicon& lexicon);

}  // namespace hwsift::analyzer::cxx
