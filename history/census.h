// The measures of all test files of a tree, kept up to date from one state of it to the next: only what a
// change touches is measured again. Each content is read once, whatever commits it appears in.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/repository.h"
#include "history/measurer.h"

namespace hwsift::history {

// A measure that was kept, with what it rests on.
struct KeptMeasure {
  long long id = 0;  // where it is kept
  SharedMeasure measure;
  std::map<std::string, std::string> needs;  // path to the name of its content, "" where there was no file
  bool calls = false;
  std::string traits;
};

// A file of the present state.
struct CountedFile {
  std::string blob;  // name of its content
  SharedMeasure measure;
  Needs needs;
  long long id = 0;  // of the measure where it is kept, 0 for one that is not
};

struct CensusStep {
  std::string path;
  const CountedFile* file = nullptr;  // nullptr: it is gone
  std::string moved_from;
};

class Census {
 public:
  // Kept measures of a file's content; and the name of what stands at a path of the present state, "" where
  // there is no file.
  using FindKept = std::function<std::vector<KeptMeasure>(const std::string& path, const std::string& blob)>;
  using BlobOf = std::function<std::string(const std::string& path)>;

  Census(const Ruler& ruler, Measurer& measurer, FindKept find_kept, BlobOf blob_of);

  // Takes over a state that was kept: nothing is measured. Only before the first `apply`.
  void resume(const std::string& path, const std::string& blob, KeptMeasure kept);
  // What that state's tree said about itself: where this one says something else, no measure holds.
  void resume_traits(const std::string& traits) { other_traits_ = traits != traits_; }
  // The tree shows the state that was taken over: what measures rest on is looked up there.
  void look_up_needs();
  // What differs between the state that is known and that of a tree with these test files; for states that no
  // list of changes connects.
  std::vector<FileChange> differences(const std::map<std::string, std::string>& test_files) const;
  // The tree is in a new state. Which files' measures are others now, sorted by path; pointers are good until
  // the next step.
  std::vector<CensusStep> apply(const std::vector<FileChange>& changes);

  const std::map<std::string, CountedFile>& files() const { return files_; }
  const Tally& tally() const { return tally_; }
  const std::string& traits() const { return traits_; }
  // The name of what stands at a path that a measure rests on, as of the present state.
  std::string known_blob(const std::string& path) const;
  std::size_t measured() const { return measured_; }
  // Where many files are measured at a time, `keeper` gets the paths of each few that are done: what it keeps
  // (see keep) is not lost when the work is stopped.
  void set_keeper(std::function<void(const std::vector<std::string>&)> keeper) {
    keeper_ = std::move(keeper);
  }
  // The present file has its measure kept now.
  void keep(const std::string& path, long long id) { files_.at(path).id = id; }

 private:
  std::set<std::string> touched_by(const std::vector<FileChange>& changes);
  void put(const std::string& path, CountedFile file);
  static CountedFile counted(const std::string& blob, KeptMeasure kept);
  void remove(const std::string& path);
  std::optional<CountedFile> kept(const std::string& path, const std::string& blob) const;
  // Takes out what is gone; what is left to count, by path, with the names of the contents.
  std::map<std::string, std::string> take_out(const std::set<std::string>& touched,
                                              const std::map<std::string, std::string>& after);
  void count(const std::map<std::string, std::string>& blobs);
  void measure(const std::vector<std::string>& paths, const std::map<std::string, std::string>& blobs);
  void measure_some(const std::vector<std::string>& paths, const std::map<std::string, std::string>& blobs);

  const Ruler& ruler_;
  Measurer& measurer_;
  FindKept find_kept_;
  BlobOf blob_of_;
  std::string traits_;
  bool other_traits_ = false;  // the state that was taken over has others
  std::map<std::string, CountedFile> files_;
  std::map<std::string, std::set<std::string>> dependents_;  // of a path: the files whose measures rest on it
  std::map<std::string, std::string> known_;                 // blobs of paths that measures rest on
  std::set<std::string> callers_;                            // files whose measures rest on all calls
  Tally tally_;
  std::size_t measured_ = 0;
  std::function<void(const std::vector<std::string>&)> keeper_;
  bool has_measured_ = false;  // before, the measurer knows of nothing that a change could make untrue
};

}  // namespace hwsift::history
