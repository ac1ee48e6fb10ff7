// Whatever happens to a tree, the census that is kept up to date says what one made from scratch says.
#include "history/census.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>

#include "lint/profile.h"
#include "tests/fake_disk.h"

namespace hwsift::history {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Ruler some_ruler() {
  Ruler ruler;
  ruler.vocabulary = &classifier::builtin_vocabulary();
  ruler.profile = lint::builtin_lint_rules().profile("recommended");
  ruler.excluded = {"test/left_out"};
  return ruler;
}

// A tree that changes, in which each content has a name.
class ChangingTree {
 public:
  FakeDisk disk;

  std::string blob_of(const std::string& path) const {
    auto found = disk.files.find("/" + path);
    return found == disk.files.end() ? "" : blob_hash(found->second);
  }
  std::map<std::string, std::string> test_files(const Ruler& ruler) const {
    std::map<std::string, std::string> files;
    for (const auto& [path, bytes] : disk.files)
      if (ruler.covers(path.substr(1))) files[path.substr(1)] = blob_hash(bytes);
    return files;
  }
  // What git would say of the two states.
  static std::vector<FileChange> changes(const std::map<std::string, std::string>& before,
                                         const std::map<std::string, std::string>& after) {
    std::map<std::string, FileChange> changes;
    for (const auto& [path, bytes] : before) changes[path].before = blob_hash(bytes);
    for (const auto& [path, bytes] : after) changes[path].after = blob_hash(bytes);
    std::vector<FileChange> list;
    for (auto& [path, change] : changes) {
      change.path = path.substr(1);
      if (change.before != change.after) list.push_back(change);
    }
    return list;
  }
};

// A census as a backfill runs it: what it measures is kept, and found again.
class KeepingCensus {
 public:
  KeepingCensus(ChangingTree& tree, const Ruler& ruler) : tree_(tree), ruler_(ruler) { start(); }

  // As another process would that goes on here: the tree shows the state that was recorded last.
  void restart() {
    start();
    resume();
    census->look_up_needs();
  }
  // The same where nobody knows what happened in between.
  std::vector<CensusStep> restart_elsewhere() {
    start();
    resume();
    return record(census->apply(census->differences(tree_.test_files(ruler_))));
  }
  std::vector<CensusStep> apply(const std::vector<FileChange>& changes) {
    return record(census->apply(changes));
  }

  std::unique_ptr<Measurer> measurer;
  std::unique_ptr<Census> census;

 private:
  struct Kept {
    std::string path;
    std::string blob;
    KeptMeasure measure;
  };

  void start() {
    measurer = std::make_unique<Measurer>(tree_.disk, "/", ruler_);
    census = std::make_unique<Census>(
        ruler_, *measurer,
        [this](const std::string& path, const std::string& blob) {
          std::vector<KeptMeasure> found;
          for (const Kept& kept : kept_)
            if (kept.path == path && kept.blob == blob) found.push_back(kept.measure);
          return found;
        },
        [this](const std::string& path) { return tree_.blob_of(path); });
  }
  void resume() {
    for (const auto& [path, id] : end_) {
      const Kept& kept = kept_[static_cast<std::size_t>(id - 1)];
      census->resume(path, kept.blob, kept.measure);
    }
    census->resume_traits(traits_);
  }
  // As store/ does.
  std::vector<CensusStep> record(std::vector<CensusStep> steps) {
    for (const CensusStep& step : steps) {
      if (step.file == nullptr) {
        end_.erase(step.path);
        continue;
      }
      if (step.file->id == 0) {
        KeptMeasure kept;
        kept.id = static_cast<long long>(kept_.size()) + 1;
        kept.measure = step.file->measure;
        for (const std::string& need : step.file->needs.paths) kept.needs[need] = census->known_blob(need);
        kept.calls = step.file->needs.calls;
        kept.traits = census->traits();
        kept_.push_back({step.path, step.file->blob, kept});
        census->keep(step.path, kept.id);
      }
      end_[step.path] = step.file->id;
    }
    traits_ = census->traits();
    return steps;
  }

  ChangingTree& tree_;
  const Ruler& ruler_;
  std::vector<Kept> kept_;
  std::map<std::string, long long> end_;
  std::string traits_;
};

std::map<std::string, FileMeasure> measures_of(const Census& census) {
  std::map<std::string, FileMeasure> measures;
  for (const auto& [path, file] : census.files()) measures[path] = *file.measure;
  return measures;
}

std::string text_of(const FileMeasure& file) {
  std::string text;
  for (const ClassMeasure& cls : file.classes)
    text += cls.name + ":" + std::to_string(cls.line) + " " + std::to_string(cls.tests) + " [" +
            cls.declared + "] " + cls.inferred + (cls.mixed ? " mixed" : "") + " uses " +
            std::to_string(cls.uses) + "; ";
  for (const auto& [rule, count] : file.findings) text += rule + "=" + std::to_string(count) + " ";
  return text + "outside " + std::to_string(file.outside_uses);
}

// What a census from scratch says of the tree, and that the other one says the same.
testing::AssertionResult is_right(ChangingTree& tree, const Ruler& ruler, const Census& census) {
  Measurer measurer(tree.disk, "/", ruler);
  Census fresh(
      ruler, measurer, [](const std::string&, const std::string&) { return std::vector<KeptMeasure>(); },
      [&](const std::string& path) { return tree.blob_of(path); });
  fresh.apply(fresh.differences(tree.test_files(ruler)));
  std::map<std::string, FileMeasure> wanted = measures_of(fresh);
  std::map<std::string, FileMeasure> found = measures_of(census);
  for (const auto& [path, measure] : wanted) {
    if (found.count(path) == 0) return testing::AssertionFailure() << path << " is missing";
    if (!(found[path] == measure))
      return testing::AssertionFailure()
             << path << "\n  says   " << text_of(found[path]) << "\n  wanted " << text_of(measure) << "\n"
             << tree.disk.files.at("/" + path);
    if (census.files().at(path).blob != tree.blob_of(path))
      return testing::AssertionFailure() << path << ": blob";
  }
  if (found.size() != wanted.size()) return testing::AssertionFailure() << "files that are gone are counted";
  Tally sum;
  for (const auto& [path, measure] : found) add(measure, sum);
  if (!(census.tally() == sum)) return testing::AssertionFailure() << "the tally is not the sum of the files";
  if (census.traits() != fresh.traits()) return testing::AssertionFailure() << "traits " << census.traits();
  return testing::AssertionSuccess();
}

// --- a tree of a few files that lean on one another ---

constexpr const char* kModules[] = {"common_a",   "common_b",   "test_a",       "test_b",
                                    "sub.test_c", "tools.help", "left_out.aid", "hidden.aid"};

std::string path_of(const std::string& module) {
  if (module == "tools.help") return "/tools/help.py";
  if (module == "sub.test_c") return "/test/sub/test_c.py";
  if (module == "left_out.aid") return "/test/left_out/aid.py";
  if (module == "hidden.aid") return "/test/.hidden/aid.py";
  return "/test/" + module + ".py";
}

class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}

  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  bool chance(int percent) { return below(100) < percent; }
  std::string module() { return kModules[below(static_cast<int>(std::size(kModules)))]; }
  std::string cls() { return std::string("Test") + "ABC"[below(3)]; }

  std::string file() {
    std::string text = "import torch\nfrom torch.testing._internal.common_utils import TestCase\n";
    std::vector<std::string> bases = {"TestCase"};
    for (int i = below(3); i > 0; --i) {
      std::string from = module();
      std::string name = chance(20) ? "*" : cls();
      text += "from " + std::string(chance(15) ? "." : "") + from + " import " + name;
      std::string bound = name == "*" ? cls() : name;
      if (name != "*" && chance(40)) text += " as " + (bound = name + "Base");
      text += "\n";
      bases.push_back(bound);
    }
    if (chance(30)) text += "DEVICES = (\"cuda\",)\n";
    for (int i = below(3); i > 0; --i)
      text += a_class(bases[static_cast<std::size_t>(below(static_cast<int>(bases.size())))]);
    for (int i = below(3); i > 0; --i)
      text += "instantiate_device_type_tests(" + cls() + ", globals()" +
              (chance(30)   ? ", only_for=(\"cuda\",)"
               : chance(20) ? ", only_for=DEVICES"
                            : "") +
              ")\n";
    if (chance(20)) text += "torch.zeros(1, device=\"cuda\")\n";
    return text;
  }

 private:
  std::string a_class(const std::string& base) {
    std::string text = "class " + cls() + "(" + base + "):\n";
    constexpr const char* kLabels[] = {"GENERIC", "CUDA", "ACCELERATOR", "DEVICE_GENERIC"};
    if (chance(40))
      text += std::string("    hw_classification = HardwareClassification.") + kLabels[below(4)] + "\n";
    if (chance(30)) text += "    def setUp(self): self.x = torch.ones(1, device=\"cuda\")\n";
    if (chance(20)) text += "    def help(self): torch.cuda.synchronize()\n";
    for (int i = below(3); i > 0; --i)
      text += "    def test_" + std::to_string(i) + "(self" + (chance(50) ? ", device" : "") + "): " +
              (chance(40)   ? "torch.ones(1, device=\"cuda\")"
               : chance(30) ? "self.help()"
                            : "pass") +
              "\n";
    return text + "    pass\n";
  }

  std::mt19937 random_;
};

constexpr char kUtils[] = "/torch/testing/_internal/common_utils.py";

void edit(Writer& writer, std::map<std::string, std::string>& files,
          const std::vector<std::map<std::string, std::string>>& past) {
  std::string path = path_of(writer.module());
  switch (writer.below(10)) {
    case 0:
      files.erase(path);
      break;
    case 1: {  // a rename, perhaps over another file
      auto found = files.find(path);
      if (found == files.end()) break;
      std::string bytes = found->second;
      files.erase(found);
      files[path_of(writer.module())] = bytes;
      break;
    }
    case 2:
      if (!past.empty()) files = past[static_cast<std::size_t>(writer.below(static_cast<int>(past.size())))];
      break;
    case 3:
      if (writer.chance(30))
        files.erase("/version.txt");
      else
        files["/version.txt"] = writer.chance(50) ? "2.6.0a0\n" : "2.14.0\n";
      break;
    case 4:
      if (writer.chance(30))
        files.erase(kUtils);
      else
        files[kUtils] = writer.chance(50)
                            ? "class HardwareClassification(Enum):\n    GENERIC = 1\n    ACCELERATOR = 2\n"
                            : "class HardwareClassification(Enum):\n    DEVICE_GENERIC = 1\n";
      break;
    default:
      files[path] = writer.file();
  }
}

class AnySequence : public testing::TestWithParam<unsigned> {};

TEST_P(AnySequence, OfEditsEndsInTheCensusFromScratch) {
  Ruler ruler = some_ruler();
  ChangingTree tree;
  Writer writer(GetParam());
  for (const char* module : kModules) tree.disk.files[path_of(module)] = writer.file();
  KeepingCensus census(tree, ruler);
  census.apply(ChangingTree::changes({}, tree.disk.files));
  ASSERT_TRUE(is_right(tree, ruler, *census.census)) << "the first state";
  std::vector<std::map<std::string, std::string>> past;
  for (int step = 0; step < 120; ++step) {
    past.push_back(tree.disk.files);
    std::map<std::string, std::string> before = tree.disk.files;
    if (writer.chance(8)) census.restart();
    for (int edits = 1 + writer.below(3); edits > 0; --edits) edit(writer, tree.disk.files, past);
    if (writer.chance(8))
      census.restart_elsewhere();
    else
      census.apply(ChangingTree::changes(before, tree.disk.files));
    ASSERT_TRUE(is_right(tree, ruler, *census.census)) << "seed " << GetParam() << ", step " << step;
  }
}

// Seeds that found something once, and a few more.
INSTANTIATE_TEST_SUITE_P(Census, AnySequence, testing::Values(1, 2, 3, 4, 5, 6, 8, 61, 64, 77, 175, 247));

// --- what is measured, and told ---

constexpr char kPlain[] = "class TestA(TestCase):\n    def test_a(self): pass\n";

struct CensusTest : testing::Test {
  void write(const std::string& path, const std::string& bytes) { tree.disk.files["/" + path] = bytes; }
  std::vector<std::string> step() {
    std::vector<std::string> paths;
    for (const CensusStep& step : census.apply(ChangingTree::changes(before, tree.disk.files)))
      paths.push_back(step.path + (step.file == nullptr ? " gone" : ""));
    before = tree.disk.files;
    return paths;
  }

  Ruler ruler = some_ruler();
  ChangingTree tree;
  std::map<std::string, std::string> before;
  KeepingCensus census{tree, ruler};
};

TEST_F(CensusTest, OnlyWhatAChangeTouchesIsMeasured) {
  write("test/base.py",
        "class Base(TestCase):\n    def setUp(self): self.x = torch.ones(1, device='cuda')\n");
  write("test/test_a.py", "from base import Base\nclass TestA(Base):\n    def test_a(self): pass\n");
  write("test/test_b.py", kPlain);
  EXPECT_THAT(step(), ElementsAre("test/base.py", "test/test_a.py", "test/test_b.py"));
  EXPECT_EQ(census.census->measured(), 3u);
  write("test/base.py", "class Base(TestCase):\n    def setUp(self): pass\n");
  EXPECT_THAT(step(), ElementsAre("test/base.py", "test/test_a.py"));
  EXPECT_EQ(census.census->measured(), 5u);
  write("test/base.py", "class Base(TestCase):\n    def setUp(self): return\n");
  EXPECT_THAT(step(), ElementsAre("test/base.py")) << "test_a.py says what it said before";
  write("docs/readme.md", "text");
  EXPECT_THAT(step(), IsEmpty());
}

TEST_F(CensusTest, AContentThatComesBackIsNotMeasuredAgain) {
  write("test/test_a.py", kPlain);
  step();
  write("test/test_a.py", std::string(kPlain) + "    def test_b(self): pass\n");
  step();
  std::size_t measured = census.census->measured();
  write("test/test_a.py", kPlain);
  EXPECT_THAT(step(), ElementsAre("test/test_a.py"));
  tree.disk.files.erase("/test/test_a.py");
  EXPECT_THAT(step(), ElementsAre("test/test_a.py gone"));
  write("test/test_a.py", kPlain);
  step();
  EXPECT_EQ(census.census->measured(), measured);
}

TEST_F(CensusTest, WhatIsNoTestFileIsNotCounted) {
  write("test/.hidden/test_a.py", kPlain);
  write("test/left_out/test_a.py", kPlain);
  write("test/__pycache__/test_a.py", kPlain);
  write("test_a.py", kPlain);
  write("test/test_a.txt", kPlain);
  EXPECT_THAT(step(), IsEmpty());
  EXPECT_EQ(census.census->tally(), Tally());
}

TEST_F(CensusTest, OnAnyNumberOfThreads) {
  for (int i = 0; i < 40; ++i) write("test/test_" + std::to_string(i) + ".py", kPlain);
  ruler.scan.jobs = 4;
  EXPECT_EQ(step().size(), 40u);
  EXPECT_TRUE(is_right(tree, ruler, *census.census));
}

}  // namespace
}  // namespace hwsift::history
