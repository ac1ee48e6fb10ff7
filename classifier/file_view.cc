#include "classifier/file_view.h"

#include <algorithm>
#include <optional>

namespace hwsift::classifier {
namespace {

using analyzer::FileFacts;
using analyzer::FoundClass;

constexpr int kMostFiles = 4;  // from base to base; people's chains are shorter

void say_where(std::vector<Signal>& signals, std::size_t first, const std::string& path) {
  for (std::size_t i = first; i < signals.size(); ++i)
    if (signals[i].evidence.path.empty()) signals[i].evidence.path = path;
}

}  // namespace

FileView::FileView(const FileFacts& file, const Vocabulary& vocabulary, analyzer::TreeIndex* index)
    : file_(file),
      vocabulary_(vocabulary),
      index_(index),
      classes_(file),
      signals_(file, classes_.inheritance(), vocabulary,
               [this](int class_index, const std::string& member, auto& signals) {
                 return add_member(class_index, member, signals);
               }) {}

FileView::FileView(analyzer::SharedFacts file, const Vocabulary& vocabulary, analyzer::TreeIndex* index,
                   int depth)
    : FileView(*file, vocabulary, index) {
  owned_ = std::move(file);
  depth_ = depth;
}

FileView* FileView::view_of(const analyzer::SharedFacts& file) {
  std::unique_ptr<FileView>& view = views_[file->path];
  if (view == nullptr) view.reset(new FileView(file, vocabulary_, index_, depth_ + 1));
  return view.get();
}

std::vector<FileView::Elsewhere> FileView::look_up_bases(int class_index) {
  std::vector<Elsewhere> found;
  if (index_ == nullptr || depth_ >= kMostFiles) return found;
  const std::vector<int>& line = inheritance().line_of(class_index);
  for (int index : line) {
    for (const analyzer::Base& base : file_.classes[static_cast<std::size_t>(index)].bases) {
      if (base.symbol.find('.') == std::string::npos) continue;
      bool in_file = std::any_of(line.begin(), line.end(), [&](int i) {
        return file_.classes[static_cast<std::size_t>(i)].name == base.name;
      });
      if (in_file) continue;
      std::optional<FoundClass> cls = index_->find_class(file_, base.symbol);
      if (!cls || cls->file->path == file_.path) continue;
      found.push_back({view_of(cls->file), static_cast<int>(cls->cls - cls->file->classes.data())});
    }
  }
  return found;
}

std::vector<FileView::Elsewhere> FileView::bases_elsewhere(int class_index) {
  auto known = bases_.find(class_index);
  if (known == bases_.end()) known = bases_.emplace(class_index, look_up_bases(class_index)).first;
  return known->second;
}

// Whether a base elsewhere has the member; what it says is appended.
bool FileView::add_member(int class_index, const std::string& member, std::vector<Signal>& signals) {
  for (const Elsewhere& base : bases_elsewhere(class_index)) {
    std::size_t first = signals.size();
    if (!base.view->signals_.add_inherited_member(signals, member, base.class_index)) continue;
    say_where(signals, first, base.view->file_.path);
    return true;
  }
  return false;
}

std::vector<Signal> FileView::of_test(const MethodPlace& test, int class_index) {
  return signals_.of_test(test, class_index);
}

std::vector<Signal> FileView::around_class(int class_index) {
  std::vector<Signal> signals = signals_.around_class(class_index);
  for (const Elsewhere& base : bases_elsewhere(class_index)) {
    std::size_t first = signals.size();
    share_all(signals, base.view->around_class(base.class_index));
    say_where(signals, first, base.view->file_.path);
  }
  return signals;
}

std::vector<Signal> FileView::of_whole_class(int class_index) {
  std::vector<Signal> signals = signals_.of_whole_class(class_index);
  for (const Elsewhere& base : bases_elsewhere(class_index)) {
    std::size_t first = signals.size();
    share_all(signals, base.view->of_whole_class(base.class_index));
    for (const MethodPlace& test : base.view->inheritance().tests_of(base.class_index))
      share_all(signals, base.view->of_test(test, base.class_index));
    say_where(signals, first, base.view->file_.path);
  }
  return signals;
}

}  // namespace hwsift::classifier
