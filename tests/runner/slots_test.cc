#include "runner/slots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hwsift::runner {
namespace {

using testing::ElementsAre;

TEST(Slots, TheCallersOwnDevicesAreSharedOut) {
  EXPECT_THAT(visible_devices(std::nullopt, 2), ElementsAre("0", "1"));
  EXPECT_THAT(visible_devices("2,3", 2), ElementsAre("2", "3"));
  EXPECT_THAT(visible_devices("GPU-8932, GPU-77", 2), ElementsAre("GPU-8932", "GPU-77"));
  EXPECT_THAT(visible_devices("2,3,9", 2), ElementsAre("0", "1")) << "PyTorch sees other ones than it names";
  EXPECT_THAT(visible_devices("", 0), ElementsAre());
}

TEST(Slots, EachWorkerHasADeviceOfItsOwn) {
  Slots slots(4, {"CUDA_VISIBLE_DEVICES", {"2", "3"}, 1});
  Slot first = *slots.take(false);
  Slot second = *slots.take(false);
  EXPECT_EQ(first.visible, "2");
  EXPECT_EQ(second.visible, "3");
  EXPECT_NE(first.worker, second.worker);
  EXPECT_FALSE(slots.take(false).has_value()) << "one a device";
  slots.give_back(first);
  EXPECT_EQ(slots.take(false)->visible, "2");
}

TEST(Slots, SeveralMayShareADevice) {
  Slots slots(8, {"CUDA_VISIBLE_DEVICES", {"0", "1"}, 2});
  std::vector<std::string> seen;
  while (std::optional<Slot> slot = slots.take(false)) seen.push_back(slot->visible);
  EXPECT_THAT(seen, ElementsAre("0", "1", "0", "1"));
}

TEST(Slots, WhatNeedsAllDevicesHasThemToItself) {
  Slots slots(2, {"CUDA_VISIBLE_DEVICES", {"0", "1"}, 1});
  Slot one = *slots.take(false);
  EXPECT_FALSE(slots.take(true).has_value());
  slots.give_back(one);
  Slot all = *slots.take(true);
  EXPECT_EQ(all.visible, "") << "it sees what the caller lets it see";
  EXPECT_FALSE(slots.take(false).has_value());
  slots.give_back(all);
  EXPECT_TRUE(slots.take(false).has_value());
}

TEST(Slots, WithoutAVariableWorkersAreCountedAlone) {
  Slots slots(2, {"", {"0", "1"}, 1});
  EXPECT_EQ(slots.take(true)->visible, "");
  EXPECT_EQ(slots.take(true)->visible, "");
  EXPECT_FALSE(slots.take(false).has_value());
}

}  // namespace
}  // namespace hwsift::runner
