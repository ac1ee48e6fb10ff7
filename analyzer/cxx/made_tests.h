// Joins the tests that the compiler finds to those that the file shows as written.
#pragma once

#include "analyzer/cxx/brackets.h"
#include "analyzer/cxx/lexed_file.h"
#include "analyzer/cxx/outline.h"

namespace hwsift::analyzer::cxx {

// A test that both have stands once. One that a macro of a header makes, MAKE_TEST(A, B) { ... }, has the
// body that is written there, or else what the macro is given. Tests are in source order afterwards.
void add_made_tests(const LexedFile& file, const Brackets& brackets, Outline& outline);

}  // namespace hwsift::analyzer::cxx
