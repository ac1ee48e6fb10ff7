#include "analyzer/python/owners.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/python/analyze.h"

namespace hwsift::analyzer {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Owners, AreReadFromTheFirstLineThatHasThem) {
  EXPECT_THAT(read_owners("# Owner(s): [\"module: nn\", \"oncall: quantization\"]\r\nimport torch\n"),
              ElementsAre("module: nn", "oncall: quantization"));
  EXPECT_THAT(read_owners("#!/usr/bin/env python\n\"\"\"Text.\"\"\"\n# Owner(s): [\"NNC\"]\n"
                          "# Owner(s): [\"module: later\"]"),
              ElementsAre("NNC"));
}

TEST(Owners, StandAtTheStartOfTheirLine) {
  EXPECT_THAT(read_owners("x = 1  # Owner(s): [\"module: nn\"]\n  # Owner(s): [\"module: nn\"]\n"),
              IsEmpty());
  EXPECT_THAT(read_owners("x = 1  # Owner(s): [\"module: a\"]\n# Owner(s): [\"module: b\"]\n"),
              ElementsAre("module: b"));
}

TEST(Owners, ThatAreMalformedAreNone) {
  for (const char* text :
       {"", "# Owner(s): ", "# Owner(s): []", "# Owner(s): module: nn", "# Owner(s): [\"module: nn\"",
        "# Owner(s): ['module: nn']", "# Owner(s): [\"a\", 1]", "# Owner(s): {\"a\": \"b\"}",
        "# Owner(s): \"module: nn\"", "# Owner(s): [\"\xff\"]", "# Owner(s):[\"module: nn\"]"})
    EXPECT_THAT(read_owners(text), IsEmpty()) << text;
  EXPECT_THAT(read_owners("# Owner(s): " + std::string(100000, '[')), IsEmpty());
}

TEST(Owners, AreFactsOfTheFile) {
  FileFacts facts =
      analyze_python("test/test_x.py", "# Owner(s): [\"module: nn\"]\nimport torch\n", Lexicon{});
  EXPECT_THAT(facts.owners, ElementsAre("module: nn"));
}

}  // namespace
}  // namespace hwsift::analyzer
