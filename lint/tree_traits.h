// What the checked tree's own PyTorch says about labels and releases: its enum's members, its version.
#pragma once

#include <string>
#include <vector>

#include "base/disk.h"
#include "classifier/category.h"

namespace hwsift::lint {

struct TreeTraits {
  std::string version;               // of version.txt: "2.6.0a0"; "" where the tree is no checkout of PyTorch
  bool has_common_utils = false;     // torch/testing/_internal/common_utils.py is there
  std::vector<std::string> members;  // of its HardwareClassification; [] where it has none

  // How the tree spells the category in source: ACCELERATOR for DEVICE_GENERIC where its enum says nothing
  // else.
  std::string spelling(const classifier::Category& category) const;
  bool defines_enum() const { return !members.empty(); }
  // Whether the tree is of this release ("2.14") or a later one; a tree without a version is.
  bool has_release(const std::string& since) const;
};

// Reads version.txt and the enum's text; what is not there stays empty.
TreeTraits read_tree_traits(Disk& disk, const std::string& root);
// Whether that file, relative to the tree, is one that tells traits.
bool tells_traits(const std::string& path);
// The members of HardwareClassification in the text of common_utils.py, in source order.
std::vector<std::string> enum_members(const std::string& text);

}  // namespace hwsift::lint
