// A folder of its own for each test, which is gone afterwards.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace hwsift {

class TemporaryFolder : public testing::Test {
 protected:
  ~TemporaryFolder() override { std::filesystem::remove_all(folder_); }

  const std::string folder_ = made();

 private:
  // A test without a folder would write to the one it was started in, and take things away there.
  static std::string made() {
    std::string pattern = testing::TempDir() + "hwsift-test-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) {
      std::perror(pattern.c_str());
      std::abort();
    }
    return pattern;
  }
};

}  // namespace hwsift
