// The index over the files of a tree: what a name of one file means in another, and who instantiates a class.
//
// Modules are found as a test run finds them: beside the file, below test/, below the tree. PyTorch's own
// package torch/ is never read: the vocabulary of hardware symbols stands for it. Every answer is looked up
// when it is asked for and then kept; what cannot be known (a module outside the tree, a name that code
// makes) has no answer.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/facts.h"
#include "analyzer/lexicon.h"
#include "analyzer/scan.h"
#include "base/disk.h"

namespace hwsift::analyzer {

using SharedFacts = std::shared_ptr<const FileFacts>;

struct FoundClass {
  SharedFacts file;  // owns *cls
  const Class* cls = nullptr;
};

// A name of a module that another file's class is bound to.
struct ImportedClass {
  std::string name;  // as the importing module has it: "TestJit", "TestAddCPU"
  FoundClass found;
  // Of an instantiated class: by its own name it is gone where it is defined, its variants are what a star
  // brings; by the name of a variant, that one.
  bool by_star = false;
  int line = 0;  // of the import
};

struct FoundCall {
  SharedFacts file;  // owns *call
  const Instantiation* call = nullptr;
};

// The words of a text, with few mistakes and all on one side: a word that is there is never missed.
class WordFilter {
 public:
  explicit WordFilter(std::string_view text);
  bool may_have(std::string_view word) const;

 private:
  static constexpr std::size_t kBits = std::size_t{1} << 18;
  std::vector<std::uint64_t> bits_;
};

// What the answers of an index rest on, told while it is asked, by the thread that asks.
class TreeListener {
 public:
  virtual ~TreeListener() = default;
  // Whether there is a file of that path, and what stands in it.
  virtual void asked(const std::string& path) = 0;
  // Which files below test/ instantiate a class: a question that each of them may change the answer to.
  virtual void asked_for_calls() = 0;
};

// Safe to ask from many threads.
class TreeIndex {
 public:
  TreeIndex(Disk& disk, std::string root, Lexicon lexicon, ScanOptions options);

  // The class of another file that a resolved name of `from` means ("test_swa.TestSwa", ".common.Base").
  std::optional<FoundClass> find_class(const FileFacts& from, const std::string& symbol);
  // The classes that the imports of a module bind, in their order, through star imports and re-exports too.
  // `suffixes`: what the framework adds to the name of a class for a device ("CPU").
  std::vector<ImportedClass> imported_classes(const FileFacts& from,
                                              const std::vector<std::string>& suffixes);
  // Facts that the caller has already and keeps for as long as the index lives.
  void know(const FileFacts& facts);
  // Facts of a file below the tree, read at the first question.
  SharedFacts facts_of(const std::string& path);

  // Before the first question; nullptr for none. It must outlive the index.
  void set_listener(TreeListener* listener) { listener_ = listener; }
  // The file came, went or is another one now. Not while others ask.
  void forget(const std::string& path);

  // The device filter that such a name stands for, where it has one value.
  std::optional<DeviceFilter> find_constant(const FileFacts& from, const std::string& symbol);
  // Calls in other files of test/ that instantiate the class or, in that file, a subclass of it. The first
  // question reads every file below test/ once, for the words in it.
  std::vector<FoundCall> calls_elsewhere(const FileFacts& file, const Class& cls);

 private:
  std::string module_path(const FileFacts& from, const std::string& module);
  bool is_file(const std::string& path);
  std::optional<FoundClass> class_in(const SharedFacts& file, const std::string& name, int depth);
  std::optional<FoundClass> class_of(const FileFacts& from, const std::string& symbol, int depth);
  std::optional<DeviceFilter> constant_in(const SharedFacts& file, const std::string& name, int depth);
  std::optional<DeviceFilter> constant_of(const FileFacts& from, const std::string& symbol, int depth);
  void add_star(const FileFacts& from, const Import& import, const std::vector<std::string>& suffixes,
                int depth, std::vector<ImportedClass>& classes);
  void add_imports(const FileFacts& from, const std::vector<std::string>& suffixes, int depth,
                   std::vector<ImportedClass>& classes);
  bool means(const SharedFacts& from, const std::string& symbol, const FileFacts& file, const Class& cls);
  bool instantiates(const SharedFacts& from, const Instantiation& call, const FileFacts& file,
                    const Class& cls);
  // Files that call instantiate_device_type_tests, with the words in each.
  const std::map<std::string, WordFilter>& candidates();
  void look_for_calls(const std::string& path);

  Disk& disk_;
  std::string root_;
  Lexicon lexicon_;
  ScanOptions options_;
  std::mutex mutex_;
  std::unordered_map<std::string, SharedFacts> facts_;  // by path below the tree
  std::unordered_map<std::string, bool> is_file_;
  std::once_flag listed_;
  bool knows_candidates_ = false;
  std::map<std::string, WordFilter> candidates_;
  TreeListener* listener_ = nullptr;
};

}  // namespace hwsift::analyzer
