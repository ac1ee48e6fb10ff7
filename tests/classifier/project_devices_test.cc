#include <gtest/gtest.h>

#include "base/text.h"
#include "base/yaml.h"
#include "classifier/vocabulary.h"

namespace hwsift::classifier {
namespace {

using Names = std::vector<std::string>;

Status add(const std::string& devices, Vocabulary& vocabulary) {
  Result<Yaml> root = parse_yaml("devices:\n" + devices, "hwsift.yaml");
  EXPECT_TRUE(root.ok());
  return add_project_devices(*root->find("devices"), vocabulary);
}

std::string error_of(const std::string& devices) {
  Vocabulary vocabulary = builtin_vocabulary();
  Status added = add(devices, vocabulary);
  return added.ok() ? "no error" : to_string(added.error());
}

Vocabulary with(const std::string& devices) {
  Vocabulary vocabulary = builtin_vocabulary();
  Status added = add(devices, vocabulary);
  EXPECT_TRUE(added.ok()) << to_string(added.error());
  return vocabulary;
}

TEST(ProjectDevices, ANameIsAPrivateUse1Backend) {
  Vocabulary vocabulary = with("  - fast\n");
  const DeviceType* type = vocabulary.device("fast");
  ASSERT_NE(type, nullptr);
  EXPECT_TRUE(type->privateuse1 && type->accelerator && type->literal);
  EXPECT_EQ(type->instantiated, Instantiated::always);
  EXPECT_EQ(type->category, "");
  EXPECT_EQ(type->members, (Names{"fast", "is_fast"}));
  EXPECT_EQ(type->words, Names{"fast"});
  const Symbol* module = vocabulary.find("torch.fast.synchronize");
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(module->meaning, Meaning::requires_accelerator);
  EXPECT_EQ(module->devices, Names{"fast"});
  EXPECT_NE(vocabulary.find("torch.cuda.synchronize"), nullptr);
  EXPECT_NE(vocabulary.version, builtin_vocabulary().version);
  EXPECT_EQ(builtin_vocabulary().device("fast"), nullptr);
}

TEST(ProjectDevices, AMappingSaysMore) {
  Vocabulary vocabulary =
      with("  - {name: fast, category: FAST, members: [fast, fast_ptr], words: [quick]}\n  - slow\n");
  EXPECT_EQ(vocabulary.device("fast")->category, "FAST");
  EXPECT_EQ(vocabulary.device("fast")->members, (Names{"fast", "fast_ptr"}));
  EXPECT_EQ(vocabulary.device("fast")->words, Names{"quick"});
  EXPECT_EQ(vocabulary.find("torch.fast.Event")->meaning, Meaning::requires_device);
  EXPECT_NE(vocabulary.device("slow"), nullptr);
}

TEST(ProjectDevices, RefusesWithPlaceAndRemedy) {
  const char* how = "(write it as torch.device has it, without an index: lower case, digits and '_')";
  for (const char* name : {"'cuda:0'", "MyDev", "''", "3d", "a-b", "täst"})
    EXPECT_NE(error_of(std::string("  - ok\n  - ") + name + "\n").find(how), std::string::npos) << name;
  EXPECT_EQ(error_of("  - ok\n  - npu\n"),
            "hwsift.yaml:3: the device type 'npu' is known already (take it off the list)");
  EXPECT_EQ(error_of("  - ok\n  - ok\n"),
            "hwsift.yaml:3: the device type 'ok' is known already (take it off the list)");
  EXPECT_EQ(error_of("  - auto\n"),
            "hwsift.yaml:2: the device type 'auto' is known already (take it off the list)");
  EXPECT_EQ(error_of("  - accelerator\n"),
            "hwsift.yaml:2: torch.accelerator is no device module (name the device as torch.device has it)");
  EXPECT_EQ(error_of("  - name: ok\n    member: [a]\n"),
            "hwsift.yaml:3: unknown key 'member' (did you mean 'members'?)");
  EXPECT_EQ(error_of("  - {words: [a]}\n"), "hwsift.yaml:2: the key 'name' is missing (add it)");
  EXPECT_EQ(error_of("  - {name: ok, category: CUDA}\n"),
            "hwsift.yaml:2: 'CUDA' is no category of ok (a category is called like its device: OK, or none)");
  EXPECT_EQ(error_of("  - {name: ok, members: [is_cuda]}\n"),
            "hwsift.yaml:2: the member 'is_cuda' belongs to cuda (leave it out)");
  EXPECT_EQ(error_of("  - {name: ok, members: [a.b]}\n"),
            "hwsift.yaml:2: 'a.b' is no name of a member (write it without a dot: is_ok)");
  EXPECT_EQ(error_of("  - {name: ok, words: [Ok]}\n"),
            "hwsift.yaml:2: 'Ok' is no word of a name (write one word in lower case)");
  EXPECT_EQ(error_of("  ok\n"), "hwsift.yaml:2: 'devices' must be a list (write devices: [NAME, ...])");
}

TEST(ProjectDevices, AWordOfPyTorchIsNoDevice) {
  for (const char* name : {"nn", "to", "data", "device", "dtype", "ops", "jit", "shape", "distributed"})
    EXPECT_EQ(error_of(std::string("  - ok\n  - ") + name + "\n"),
              std::string("hwsift.yaml:3: '") + name +
                  "' is PyTorch's own name for something else (name the device as torch.device has it)");
  EXPECT_EQ(error_of("  - {name: ok, members: [ok, to]}\n"),
            "hwsift.yaml:2: the member 'to' is PyTorch's own (leave it out)");
  EXPECT_EQ(error_of("  - {name: ok, words: [ok, test]}\n"),
            "hwsift.yaml:2: the word 'test' is in the name of nearly every test (leave it out)");
  EXPECT_EQ(
      error_of("  - test\n"),
      "hwsift.yaml:2: the word 'test' is in the name of nearly every test (give the device other words: "
      "{name: test, words: [...]})");
  for (const char* name : {"hpu2", "fakeacc", "tpu"})
    EXPECT_EQ(error_of(std::string("  - ") + name + "\n"), "no error") << name;
}

}  // namespace
}  // namespace hwsift::classifier
