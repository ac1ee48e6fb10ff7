// The unit and golden tests. HWSIFT_UPDATE_GOLDENS=1 rewrites golden files instead of comparing with them.
#include <gtest/gtest.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
