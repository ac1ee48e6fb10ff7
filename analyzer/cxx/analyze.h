// The facts of a C++ file, from its tokens.
#pragma once

#include <string>

#include "analyzer/cxx/lexed_file.h"
#include "analyzer/cxx/lexicon.h"
#include "analyzer/facts.h"

namespace hwsift::analyzer::cxx {

// A class stands for a test suite: its methods are its tests, in source order, its bases those of its fixture
// and of what that derives from in the file. All other functions are functions, members with their class:
// "Fixture::SetUp". Headers are imports, of the top level where no condition is around them. Tests that gtest
// names DISABLED_ are tests like others.
FileFacts analyze(const std::string& path, const LexedFile& file, const CxxLexicon& lexicon);

}  // namespace hwsift::analyzer::cxx
