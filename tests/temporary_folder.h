// A folder of its own for each test, which is gone afterwards.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace hwsift {

class TemporaryFolder : public testing::Test {
 protected:
  TemporaryFolder() {
    std::string pattern = testing::TempDir() + "hwsift-test-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
};

}  // namespace hwsift
