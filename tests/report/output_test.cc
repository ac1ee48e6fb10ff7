#include "report/output.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

namespace hwsift::report {
namespace {

TEST(Output, WhatCannotBeWrittenIsKnownBeforeTheWork) {
  std::string folder = "/tmp/hwsift-output-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  EXPECT_TRUE(check_writable({"json", ""}).ok()) << "standard output";
  EXPECT_TRUE(check_writable({"json", folder + "/new.json"}).ok());
  EXPECT_FALSE(std::filesystem::exists(folder + "/new.json")) << "a look leaves nothing";
  EXPECT_TRUE(check_writable({"json", "/dev/null"}).ok());
  EXPECT_FALSE(check_writable({"json", folder}).ok()) << "a folder";
  Status missing = check_writable({"json", folder + "/no/such.json"});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().where, folder + "/no/such.json");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace hwsift::report
