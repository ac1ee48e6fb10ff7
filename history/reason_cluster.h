// Reasons and messages that say the same of different tests, counted as one.
//
//   cluster  the texts that are equal once numbers, addresses, quoted names, ids of tests and paths are taken
//   out pattern  such a text with what was taken out as '#' (numbers) and '…' (names)
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hwsift::history {

inline constexpr std::size_t kMostExamples = 3;
inline constexpr std::size_t kMostTextBytes = 300;  // of a line that is kept

// The first line that holds something, at most kMostTextBytes of it and an ellipsis; valid UTF-8.
std::string line_of(std::string_view message);
std::string pattern_of(std::string_view line);

struct ClusterExample {
  std::string id;
  std::string text;
  bool operator==(const ClusterExample&) const = default;
};

struct ReasonCluster {
  std::string text;                      // the pattern; where all texts of it are equal, the text
  std::size_t tests = 0;                 // that have one of them
  std::size_t texts = 0;                 // that differ
  std::vector<ClusterExample> examples;  // of different texts first
  bool operator==(const ReasonCluster&) const = default;
};

class ReasonClusters {
 public:
  // `message` may have several lines; the first one counts.
  void add(std::string_view message, const std::string& id);
  // Most tests first, then by text.
  std::vector<ReasonCluster> take();

 private:
  struct Open {
    std::size_t tests = 0;
    std::set<std::string> texts;
    std::vector<ClusterExample> different;
    std::vector<ClusterExample> further;  // of texts that have an example
  };
  std::map<std::string, Open> open_;
};

}  // namespace hwsift::history
