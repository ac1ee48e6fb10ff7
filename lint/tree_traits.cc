#include "lint/tree_traits.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/text.h"

namespace hwsift::lint {
namespace {

constexpr std::size_t kMaxBytes = 8u << 20;
constexpr char kVersion[] = "version.txt";
constexpr char kCommonUtils[] = "torch/testing/_internal/common_utils.py";
constexpr std::string_view kEnum = "class HardwareClassification(";

// "2.14" and "2.6.0a0" to their first two numbers.
std::pair<long, long> release_of(const std::string& version) {
  char* rest = nullptr;
  long major = std::strtol(version.c_str(), &rest, 10);
  long minor = *rest == '.' ? std::strtol(rest + 1, nullptr, 10) : 0;
  return {major, minor};
}

// NAME = value, indented.
std::string member_of(std::string_view line) {
  std::string_view name = trim(line.substr(0, line.find('=')));
  bool upper = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return c == '_' || is_ascii_digit(c) || (c >= 'A' && c <= 'Z');
  });
  return upper && line.find('=') != std::string_view::npos ? std::string(name) : "";
}

}  // namespace

std::vector<std::string> enum_members(const std::string& text) {
  std::vector<std::string> members;
  std::size_t at = text.find(kEnum);
  if (at == std::string::npos || (at > 0 && text[at - 1] != '\n')) return members;
  for (at = text.find('\n', at); at != std::string::npos && at + 1 < text.size();) {
    std::size_t end = std::min(text.find('\n', at + 1), text.size());
    std::string_view line = std::string_view(text).substr(at + 1, end - at - 1);
    if (!trim(line).empty() && !is_ascii_space(line.front())) break;  // the class has ended
    if (std::string member = member_of(line); !member.empty()) members.push_back(std::move(member));
    at = end;
  }
  return members;
}

std::string TreeTraits::spelling(const classifier::Category& category) const {
  if (category.kind != classifier::Category::Kind::device_generic) return category.name();
  auto defines = [&](const char* word) {
    return std::find(members.begin(), members.end(), word) != members.end();
  };
  return defines("DEVICE_GENERIC") && !defines("ACCELERATOR") ? "DEVICE_GENERIC" : "ACCELERATOR";
}

bool TreeTraits::has_release(const std::string& since) const {
  return version.empty() || since.empty() || release_of(version) >= release_of(since);
}

bool tells_traits(const std::string& path) { return path == kVersion || path == kCommonUtils; }

TreeTraits read_tree_traits(Disk& disk, const std::string& root) {
  TreeTraits traits;
  if (Result<std::string> version = disk.read(join_path(root, kVersion), kMaxBytes); version.ok())
    traits.version = std::string(trim(*version));
  Result<std::string> utils = disk.read(join_path(root, kCommonUtils), kMaxBytes);
  traits.has_common_utils = utils.ok();
  if (utils.ok()) traits.members = enum_members(*utils);
  return traits;
}

}  // namespace hwsift::lint
