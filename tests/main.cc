// The unit and golden tests. HWSIFT_UPDATE_GOLDENS=1 rewrites golden files instead of comparing with them.
#include <gtest/gtest.h>

// Matching a regular expression that does not match leaks a block in libgit2 (git_regexp_match, 1.5).
extern "C" const char* __lsan_default_suppressions();   // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "leak:_pcre2_memctl_malloc_8\nleak:pcre2_match_8\n";
}

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
