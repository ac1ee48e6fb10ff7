#include "history/path_glob.h"

#include <gtest/gtest.h>

#include <string>

namespace hwsift::history {
namespace {

TEST(PathGlob, AStarStaysInItsFolder) {
  EXPECT_TRUE(path_glob_matches("test/test_*.py", "test/test_a.py"));
  EXPECT_FALSE(path_glob_matches("test/*.py", "test/inductor/test_a.py"));
  EXPECT_TRUE(path_glob_matches("test/*/test_?.py", "test/inductor/test_a.py"));
  EXPECT_FALSE(path_glob_matches("test?test_a.py", "test/test_a.py"));
}

TEST(PathGlob, TwoStarsGoThroughFolders) {
  EXPECT_TRUE(path_glob_matches("**", "test/inductor/test_a.py"));
  EXPECT_TRUE(path_glob_matches("test/**/test_a.py", "test/test_a.py"));
  EXPECT_TRUE(path_glob_matches("test/**/test_a.py", "test/x/y/test_a.py"));
  EXPECT_FALSE(path_glob_matches("test/**/test_a.py", "test/xtest_a.py"));
  EXPECT_TRUE(path_glob_matches("test/inductor/**", "test/inductor/test_a.py"));
  EXPECT_FALSE(path_glob_matches("test/inductor/**", "test/inductors.py"));
}

TEST(PathGlob, AllElseStandsForItself) {
  EXPECT_TRUE(path_glob_matches("test/[a].py", "test/[a].py"));
  EXPECT_FALSE(path_glob_matches("test/a.py", "test/aXpy"));
  EXPECT_FALSE(is_path_glob("test/[a].py"));
}

TEST(PathGlob, TakesNoExponentialTime) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  EXPECT_FALSE(path_glob_matches(pattern, std::string(2000, 'a') + "b"));
}

}  // namespace
}  // namespace hwsift::history
