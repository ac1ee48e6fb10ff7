#include "base/disk.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "tests/temporary_folder.h"

namespace hwsift {
namespace {

class RealDiskTest : public TemporaryFolder {
 protected:
  std::string path(const std::string& name) const { return join_path(folder_, name); }
};

TEST_F(RealDiskTest, WritesReplaceTheWholeFileAndKeepItsMode) {
  ASSERT_TRUE(real_disk().write(path("a"), "one").ok());
  ASSERT_EQ(chmod(path("a").c_str(), 0750), 0);
  ASSERT_TRUE(real_disk().write(path("a"), "two").ok());
  EXPECT_EQ(real_disk().read(path("a"), 100).value(), "two");
  EXPECT_EQ(std::filesystem::status(path("a")).permissions(), std::filesystem::perms(0750));
  EXPECT_EQ(real_disk().list(folder_).value(), std::vector<std::string>{"a"}) << "no temporary file is left";
}

TEST_F(RealDiskTest, AWriteThroughALinkKeepsTheLink) {
  ASSERT_TRUE(real_disk().write(path("target"), "one").ok());
  std::filesystem::create_symlink(path("target"), path("link"));
  ASSERT_TRUE(real_disk().write(path("link"), "two").ok());
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(real_disk().read(path("target"), 100).value(), "two");
}

TEST_F(RealDiskTest, APipeIsWrittenInPlace) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = real_disk().read(path("pipe"), 100).value(); });
  EXPECT_TRUE(real_disk().write(path("pipe"), "data").ok());
  reader.join();
  EXPECT_EQ(got, "data");
  EXPECT_TRUE(real_disk().write("/dev/null", "data").ok());
}

TEST_F(RealDiskTest, ErrorsNameThePlaceAndTheRemedy) {
  Result<std::string> gone = real_disk().read(path("gone"), 100);
  ASSERT_FALSE(gone.ok());
  EXPECT_EQ(gone.error().where, path("gone"));
  EXPECT_NE(gone.error().hint, "");
  EXPECT_FALSE(real_disk().read(folder_, 100).ok());
  EXPECT_FALSE(real_disk().write(path("no/such/folder"), "x").ok());
  EXPECT_FALSE(real_disk().write("/dev/full", "x").ok());
}

TEST_F(RealDiskTest, AFileOverTheLimitIsNotRead) {
  ASSERT_TRUE(real_disk().write(path("a"), std::string(101, 'x')).ok());
  EXPECT_FALSE(real_disk().read(path("a"), 100).ok());
  EXPECT_TRUE(real_disk().read(path("a"), 101).ok());
}

TEST(Paths, AreTextWithSlashes) {
  EXPECT_EQ(normal_path("a//b/./c/../d/"), "a/b/d");
  EXPECT_EQ(normal_path(""), ".");
  EXPECT_EQ(path_below("/tree/test/x.py", "/tree"), "test/x.py");
  EXPECT_EQ(path_below("/treehouse/x.py", "/tree"), "/treehouse/x.py");
  EXPECT_EQ(path_below("/x", "/"), "x");
  EXPECT_EQ(base_name("a/b.py"), "b.py");
  EXPECT_EQ(folder_of("/x"), "/");
}

}  // namespace
}  // namespace hwsift
