// What a test is, whatever device its class was made for: "TestAddCUDA::test_add_cuda_float32" and
// "TestAddXPU::test_add_xpu_float32" are one. See classifier/variants.h for how the framework makes the
// names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "classifier/vocabulary.h"

namespace hwsift::history {

// The parts of "path::Class::name[parameters]"; what is not there is "".
struct TestIdParts {
  std::string_view path;
  std::string_view cls;
  std::string_view name;
  std::string_view parameters;  // with the brackets
};
TestIdParts parts_of(std::string_view id);

// The names under which the tests of one device run.
class DeviceNames {
 public:
  // ROCm is cuda; a backend behind PrivateUse1 has its own name and that of the key, in any mixture.
  DeviceNames(const std::string& device, const classifier::Vocabulary& vocabulary);

  // "TestAdd" of "TestAddCUDA"; "" where the class is not one of the device.
  std::string_view class_without(std::string_view cls) const;
  // "test_add_float32" of "test_add_cuda_float32", with `mark` in its stead; "" where it does not name the
  // device. Of several places the last counts: the framework puts it behind the name of the template.
  std::string name_without(std::string_view name, std::string_view mark = "") const;
  const std::string& device() const { return names_.front(); }

 private:
  std::vector<std::string> names_;     // the first is the device's own
  std::vector<std::string> suffixes_;  // upper case
};

// The device that the names of a variant say, "" where there is none.
std::string device_in(const TestIdParts& id, const std::vector<DeviceNames>& devices);
// Those of `device`, then of all that the vocabulary knows.
std::vector<DeviceNames> all_devices(const std::string& device, const classifier::Vocabulary& vocabulary);

}  // namespace hwsift::history
