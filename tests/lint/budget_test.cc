#include "lint/budget.h"

#include <gtest/gtest.h>

namespace hwsift::lint {
namespace {

TEST(Budget, IsOneWholeNumber) {
  EXPECT_EQ(*parse_budget("12\n", "b"), 12u);
  EXPECT_EQ(*parse_budget(" 0 ", "b"), 0u);
  for (const char* text : {"", "-1", "1.5", "twelve", "1 2", "99999999999999999999999"}) {
    Result<std::size_t> budget = parse_budget(text, "b");
    ASSERT_FALSE(budget.ok()) << text;
    EXPECT_EQ(budget.error().where, "b:1:1");
  }
  EXPECT_EQ(budget_text(3), "3\n");
}

TEST(Budget, MayNotBeExceededNorRaised) {
  EXPECT_TRUE(budget_faults({"b", 3, {}}, 3).empty());
  EXPECT_TRUE(budget_faults({"b", 3, 4}, 3).empty());
  EXPECT_EQ(to_string(budget_faults({"b", 3, {}}, 5).at(0)),
            "b: the allowlist has 5 entries, the budget is 3 (mend 2 of them, or take back what was added)");
  EXPECT_EQ(to_string(budget_faults({"b", 5, 3}, 3).at(0)),
            "b: the budget was raised from 3 to 5 (it may only fall: put 3 back)");
  EXPECT_EQ(budget_faults({"b", 5, 3}, 4).size(), 2u);
}

TEST(Budget, OnlyFalls) {
  EXPECT_EQ(lower_budget({"b", 5, {}}, 3), 3u);
  EXPECT_EQ(lower_budget({"b", 5, {}}, 5), std::nullopt);
  EXPECT_EQ(lower_budget({"b", 5, {}}, 7), std::nullopt);
  EXPECT_EQ(lower_budget({"b", 5, 4}, 7), 4u);
  EXPECT_EQ(lower_budget({"b", 5, 6}, 7), std::nullopt);
}

}  // namespace
}  // namespace hwsift::lint
