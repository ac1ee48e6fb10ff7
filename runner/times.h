// How long tests take, from files that others keep. Two shapes are read, those of PyTorch's test-times.json
// and test-class-times.json:
//
//   job > configuration > file > seconds
//   job > configuration > file > class > seconds
//
// A file is named as below test/ and without ".py". The job and the configuration "default" hold what holds
// for any.
#pragma once

#include <map>
#include <string>

#include "base/result.h"

namespace hwsift::runner {

struct KnownTimes {
  std::map<std::string, double> tests;    // seconds, by pytest's id
  std::map<std::string, double> classes;  // by "path::Class", as the class is called when it runs
  std::map<std::string, double> files;    // by path

  bool empty() const { return tests.empty() && classes.empty() && files.empty(); }
};

struct ReadTimes {
  KnownTimes times;
  std::string table;  // which of the tables was taken: "linux-cuda > default"
};

// No time is longer; a number beyond it is an error, so that sums of them are exact.
inline constexpr double kLongestTime = 1e6;

// The table of `job` and `configuration` ("" for default); where it is not there the one of default and
// `configuration`, then the one of default and default. Errors name the file and the place in it.
Result<ReadTimes> parse_times(const std::string& bytes, const std::string& file, const std::string& job,
                              const std::string& configuration);

// Puts `more` into `known`; of two times for the same thing the one of `more` stays.
void add_times(const KnownTimes& more, KnownTimes& known);

}  // namespace hwsift::runner
