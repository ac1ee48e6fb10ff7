// Measures files of a tree, on a disk or in a commit, and knows what each measure rests on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analyzer/tree_index.h"
#include "base/disk.h"
#include "history/ruler.h"
#include "history/timeline.h"
#include "lint/surroundings.h"

namespace hwsift::history {

// What a measure holds for: as long as the file and these stay as they are.
struct Needs {
  std::vector<std::string> paths;  // of other files that were asked for, there or not; sorted
  bool calls = false;              // which files instantiate a class: any test file may change that
  bool operator==(const Needs&) const = default;
};

struct Measured {
  SharedMeasure measure;
  Needs needs;
};

class Measurer {
 public:
  // The files below `root` of the disk, which may show another state of them later: see forget.
  Measurer(Disk& disk, std::string root, const Ruler& ruler);
  ~Measurer();
  Measurer(const Measurer&) = delete;
  Measurer& operator=(const Measurer&) = delete;

  // Facts of a file as it stands now, which need not be read again. They must outlive the measurer.
  void know(const analyzer::FileFacts& facts) { index_.know(facts); }
  // One a path, in their order; on as many threads as the ruler says.
  std::vector<Measured> measure(const std::vector<std::string>& paths);
  // These came, went or are others now.
  void forget(const std::vector<std::string>& paths);
  // What the tree says about itself (its version, its enum's members), which every measure rests on, as text.
  std::string traits() const;
  // Reads them again; whether they are others now.
  bool read_traits();

 private:
  class Trace;
  Measured measure_one(const std::string& path);

  Disk& disk_;
  std::string root_;
  const Ruler& ruler_;
  std::unique_ptr<Trace> trace_;
  analyzer::TreeIndex index_;
  lint::Surroundings around_;
};

}  // namespace hwsift::history
