// With shell scripts in the part of Python.
#include "runner/interpreter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/disk.h"
#include "runner/probe.h"
#include "tests/fake_disk.h"
#include "tests/temporary_folder.h"

namespace hwsift::runner {
namespace {

using testing::HasSubstr;

class InterpreterTest : public TemporaryFolder {
 protected:
  // An executable that puts `answer` on the channel.
  std::string script(const std::string& name, const std::string& answer) {
    std::string path = join_path(folder_, name);
    std::filesystem::create_directories(folder_of(path));
    std::ofstream(path) << "#!/bin/bash\ncat >&$HWSIFT_CHANNEL <<'END'\n" << answer << "\nEND\n";
    chmod(path.c_str(), 0755);
    return path;
  }

  std::unique_ptr<Processes> processes_ = real_processes();
};

TEST_F(InterpreterTest, TheFirstPythonOnThePathWithBothIsTaken) {
  script("a/python3", R"({"python":"3.12","torch":"2.6.0"})");
  std::string both = script("b/python3", R"({"python":"3.13","torch":"2.6.0","pytest":"8.3"})");
  Result<Interpreter> found =
      find_interpreter(*processes_, "", {"", folder_ + "/a:" + folder_ + "/none:" + folder_ + "/b", ""});
  ASSERT_TRUE(found.ok()) << to_string(found.error());
  EXPECT_EQ(found->path, both);
  EXPECT_FALSE(found->named);
}

TEST_F(InterpreterTest, NoneThatWillDoIsOneErrorThatSaysWhereItLooked) {
  std::string lacking = script("a/python3", R"({"python":"3.12"})");
  Result<Interpreter> found = find_interpreter(*processes_, "", {"", folder_ + "/a", ""});
  ASSERT_FALSE(found.ok());
  EXPECT_THAT(to_string(found.error()), HasSubstr(lacking));
  EXPECT_THAT(to_string(find_interpreter(*processes_, "", {"", "", ""}).error()),
              HasSubstr("no python3 on PATH"));
}

TEST_F(InterpreterTest, ANamedOneIsTakenAsItIs) {
  std::string named = script("python3.9", "{}");
  Result<Interpreter> found = find_interpreter(*processes_, named, {});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->how, "--python");
  EXPECT_TRUE(found->named);
  Result<Interpreter> by_variable = find_interpreter(*processes_, "", {named, "", ""});
  ASSERT_TRUE(by_variable.ok());
  EXPECT_EQ(by_variable->how, "HWSIFT_PYTHON");
  EXPECT_THAT(to_string(find_interpreter(*processes_, folder_ + "/none", {}).error()),
              HasSubstr("no such file"));
  EXPECT_FALSE(find_interpreter(*processes_, folder_, {}).ok()) << "a folder";
}

TEST_F(InterpreterTest, DevicesAreReadWhateverTheAnswerLooksLike) {
  std::string python = script(
      "p", R"({"torch":"2.6.0","devices":[{"type":"cuda","name":"GPU","count":2,"memory":7},{"type":5},)"
           R"({"type":"npu","count":-1},{"type":"xpu","count":1000000000}]})");
  Result<Introduction> told = ask_devices(*processes_, python, "");
  ASSERT_TRUE(told.ok());
  ASSERT_EQ(told->devices.size(), 2u);
  EXPECT_EQ(told->devices[0].type, "cuda");
  EXPECT_EQ(told->devices[0].count, 2);
  EXPECT_EQ(told->devices[1].type, "xpu") << "what has no count, or none below 1, is no device";
  EXPECT_EQ(told->devices[1].count, 4096);
  Result<Introduction> died = read_introduction("p", {139, 11}, "driver: lost\n", "");
  ASSERT_TRUE(died.ok()) << "a driver's death is no wrong choice of Python";
  EXPECT_EQ(died->problem, "the process died of SIGSEGV: driver: lost");
  Result<Introduction> silent = ask_devices(*processes_, "/bin/true", "");
  ASSERT_FALSE(silent.ok());
  EXPECT_THAT(to_string(silent.error()), HasSubstr("/bin/true"));
}

TEST(SystemDevices, AreReadFromNodesAndSysfs) {
  FakeDisk disk;
  for (const char* node : {"/dev/nvidia0", "/dev/nvidia1", "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/null"})
    disk.files[node] = "";
  disk.files["/sys/class/drm/renderD128/device/vendor"] = "0x8086\n";
  disk.files["/sys/class/drm/renderD129/device/vendor"] = "0x10de\n";
  disk.files["/proc/cpuinfo"] = "processor : 0\nmodel name\t: A CPU\n";
  std::vector<Device> devices = system_devices(disk);
  ASSERT_EQ(devices.size(), 3u);
  EXPECT_EQ(devices[0].type, "cpu");
  EXPECT_EQ(devices[0].name, "A CPU");
  EXPECT_EQ(devices[1].type, "cuda");
  EXPECT_EQ(devices[1].count, 2);
  EXPECT_EQ(devices[2].type, "xpu");
  EXPECT_EQ(devices[2].count, 1);
}

}  // namespace
}  // namespace hwsift::runner
