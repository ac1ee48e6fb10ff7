#include "bench/micro/input.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "analyzer/python/decode.h"
#include "base/text.h"

namespace hwsift::micro {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSampleBytes = 200'000;

Source read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::cerr << "hwsift_micro: cannot read " << path << "; check HWSIFT_MICRO_FILES\n";
    std::exit(2);
  }
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  std::string text = analyzer::decode_python_source(bytes).source.text;
  return {"test/" + fs::path(path).filename().string(), bytes, text};
}

std::vector<std::string> fixtures() {
  std::vector<std::string> paths;
  for (const char* folder : {"sample/test", "cases", "facts", "lint", "vendor"})
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(fs::path(HWSIFT_FIXTURES) / folder))
      if (entry.path().extension() == ".py") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<Source> make_sample() {
  std::vector<std::string> paths = fixtures();
  std::vector<Source> sample;
  std::size_t bytes = 0;
  for (std::size_t i = 0; bytes < kSampleBytes; ++i) {
    sample.push_back(read(paths[i % paths.size()]));
    bytes += sample.back().bytes.size();
  }
  return sample;
}

std::vector<Source> read_sources() {
  const char* named = std::getenv("HWSIFT_MICRO_FILES");
  if (named == nullptr || *named == '\0') return make_sample();
  std::vector<Source> sources;
  for (const std::string& path : split(named, ':')) sources.push_back(read(path));
  return sources;
}

}  // namespace

const std::vector<Source>& sources() {
  static const std::vector<Source> kSources = read_sources();
  return kSources;
}

const Source& largest_source() {
  return *std::max_element(sources().begin(), sources().end(),
                           [](const Source& a, const Source& b) { return a.bytes.size() < b.bytes.size(); });
}

}  // namespace hwsift::micro
