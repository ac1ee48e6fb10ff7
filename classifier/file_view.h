// One file as the decision sees it: what its own code says, and what base classes of other files add.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/tree_index.h"
#include "classifier/file_classes.h"
#include "classifier/file_signals.h"
#include "classifier/inheritance.h"

namespace hwsift::classifier {

class FileView {
 public:
  // Without an index each file stands alone. `file`, `vocabulary` and `index` must outlive the view.
  FileView(const analyzer::FileFacts& file, const Vocabulary& vocabulary, analyzer::TreeIndex* index);

  const FileClasses& classes() const { return classes_; }
  const Inheritance& inheritance() const { return classes_.inheritance(); }
  // As FileSignals has them, with what bases elsewhere bring.
  std::vector<Signal> of_test(const MethodPlace& test, int class_index);
  std::vector<Signal> around_class(int class_index);
  std::vector<std::string> own_helpers_of(const MethodPlace& test, int class_index) const {
    return signals_.own_helpers_of(test, class_index);
  }
  std::vector<Signal> of_whole_class(int class_index);

 private:
  struct Elsewhere {
    FileView* view = nullptr;
    int class_index = 0;
  };

  FileView(analyzer::SharedFacts file, const Vocabulary& vocabulary, analyzer::TreeIndex* index, int depth);
  std::vector<Elsewhere> bases_elsewhere(int class_index);
  std::vector<Elsewhere> look_up_bases(int class_index);
  FileView* view_of(const analyzer::SharedFacts& file);
  bool add_member(int class_index, const std::string& member, std::vector<Signal>& signals);

  analyzer::SharedFacts owned_;  // of a file that the index has read; else nullptr
  const analyzer::FileFacts& file_;
  const Vocabulary& vocabulary_;
  analyzer::TreeIndex* index_;
  int depth_ = 0;
  FileClasses classes_;
  FileSignals signals_;
  std::map<int, std::vector<Elsewhere>> bases_;             // by class
  std::map<std::string, std::unique_ptr<FileView>> views_;  // by path
};

}  // namespace hwsift::classifier
