// The tests that are handed a device, and the devices that may arrive.
#pragma once

#include <string>
#include <vector>

#include "lint/contract.h"
#include "lint/python_view.h"

namespace hwsift::lint {

// A test with a parameter device or devices, in a class that is instantiated for devices or labelled so.
struct DeviceTest {
  const analyzer::Class* cls = nullptr;
  const analyzer::Method* method = nullptr;
  int class_index = -1;
  int method_index = -1;
  // Device types whose variant may exist and does not skip the test.
  std::vector<std::string> devices;
  bool certain = true;  // the filters of the call could be read

  // Whether it is handed several kinds of device, so that it must not work on one of its own choice. A test
  // that is kept to one device may do with others what it likes: they are then its subject.
  bool is_open() const { return certain && devices.size() > 1; }
};

class DeviceTests {
 public:
  DeviceTests(const Subject& subject, const PythonView& view);

  const std::vector<DeviceTest>& all() const { return tests_; }  // in source order
  // The test whose code a place is in; nullptr where it is no such test's.
  const DeviceTest* at(int class_index, int method_index) const;

 private:
  std::vector<DeviceTest> tests_;
};

}  // namespace hwsift::lint
