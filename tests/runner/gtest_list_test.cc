#include "runner/gtest_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hwsift::runner {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> listed(std::string_view output, std::string_view noise = "") {
  std::vector<std::string> names;
  for (const GtestName& test : parse_gtest_list(output, noise)) names.push_back(test.full());
  return names;
}

TEST(GtestListTest, ReadsSuitesTypesAndParameters) {
  EXPECT_THAT(listed("Running main() from gtest_main.cc\n"
                     "Plain.\n  One\n  Two\n"
                     "Typed/0.  # TypeParam = std::vector<int, x>\n  One\n"
                     "Pre/Par.\n  One/0  # GetParam() = \"a  # b.\"\n  One/name  # GetParam() = 2\n"),
              ElementsAre("Plain.One", "Plain.Two", "Typed/0.One", "Pre/Par.One/0", "Pre/Par.One/name"));
}

TEST(GtestListTest, WhatLibrariesPrintIsNoTest) {
  EXPECT_THAT(listed("CUDA is not available.\n  see the log\nLoaded.\n\n  \n   three spaces\nPlain.\n"
                     "[W] a warning\n  One\n  two words\n",
                     "CUDA is not available.\n  see the log\nLoaded.\n  \n[W] a warning\n  two words\n"),
              ElementsAre("Plain.One"));
  EXPECT_THAT(listed("  One\n"), IsEmpty()) << "no suite";
  EXPECT_THAT(listed(""), IsEmpty());
}

TEST(GtestListTest, LinesOfOtherSystemsEndInACarriageReturnToo) {
  EXPECT_THAT(listed("Plain.\r\n  One\r\n"), ElementsAre("Plain.One"));
}

TEST(GtestListTest, ANameGeneratorMayPutSpacesIntoASuite) {
  EXPECT_THAT(listed("Typed/unsigned int.  # TypeParam = unsigned int\n  One\n"),
              ElementsAre("Typed/unsigned int.One"));
}

TEST(GtestListTest, NamesMayHoldSpaces) {
  const char* list = "Loading kernels.\nA2.\n  a b\n  c\nmy suite.\n  d\n";
  EXPECT_THAT(listed(list), ElementsAre("A2.a b", "A2.c", "my suite.d"));
  EXPECT_TRUE(has_doubtful_names(list));
  EXPECT_FALSE(has_doubtful_names("Loading kernels.\nPlain.\n  One  # GetParam() = a b\n"));
  EXPECT_THAT(listed("Loaded.\n  all of it\nA2.\n  a b\n", "Loaded.\r\n  all of it\r\n"),
              ElementsAre("A2.a b"));
}

TEST(GtestListTest, IdsExtendThoseOfTheSource) {
  auto within = [](const char* suite, const char* name) { return base_of({suite, name}).within(); };
  EXPECT_EQ(within("Plain", "One"), "Plain::One");
  EXPECT_EQ(within("Typed/0", "One"), "Typed::One[0]");
  EXPECT_EQ(within("Pre/Typed/0", "One"), "Typed::One[Pre/0]");
  EXPECT_EQ(within("Pre/Par", "One/0"), "Par::One[Pre/0]");
  EXPECT_EQ(within("Par", "One/name"), "Par::One[name]");
  EXPECT_EQ(base_of({"Pre/Par", "One/0"}).test_in_file(), "Par::One");
}

}  // namespace
}  // namespace hwsift::runner
