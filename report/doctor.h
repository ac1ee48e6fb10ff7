// What `hwsift doctor` saw: hwsift.doctor/1, and text.
#pragma once

#include <string>
#include <vector>

#include "report/output.h"
#include "runner/interpreter.h"
#include "store/facts_cache_file.h"

namespace hwsift::report {

struct DatabaseState {
  std::string file;     // "" where there is no tree and no --db
  std::string problem;  // "" where all is well
  bool exists = false;
  long long runs = 0;
  long long points = 0;  // of the history
  long long items = 0;   // that are tracked
};

// Of facts, for all trees.
struct CacheDiagnosis {
  std::string file;  // "" where no folder for it is known
  store::CacheState state;
};

struct Diagnosis {
  std::vector<runner::Device> devices;
  std::string python;          // path, "" where none was found
  std::string python_how;      // "--python", "PATH"
  std::string python_problem;  // "" where it has torch and pytest and they work
  std::map<std::string, std::string> versions;
  std::vector<std::string> plugins;              // of pytest
  std::map<std::string, std::string> variables;  // of the environment: CUDA_VISIBLE_DEVICES and its like
  DatabaseState database;
  CacheDiagnosis cache;
};

std::string doctor_json(const Diagnosis& diagnosis);
std::string doctor_text(const Diagnosis& diagnosis, const Style& style);

}  // namespace hwsift::report
