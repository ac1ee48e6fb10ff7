#include "history/run_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "history/run_pairs.h"

namespace hwsift::history {
namespace {

using classifier::builtin_vocabulary;
using runner::Outcome;
using runner::RunRecord;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct Maker {
  explicit Maker(const std::string& device) { record.device = device; }
  Maker& with(const std::string& within, Outcome outcome = Outcome::passed, const std::string& message = "") {
    runner::TestResult one;
    one.id = "test/test_x.py::" + within;
    one.path = "test/test_x.py";
    one.outcome = outcome;
    one.message = message;
    one.category = "DEVICE_GENERIC";
    record.results.push_back(one);
    return *this;
  }
  Maker& without(const std::string& within, const std::string& reason) {
    record.not_run[reason].push_back("test/test_x.py::" + within);
    return *this;
  }
  RunRecord record;
};

Comparison compared(const Maker& here, const Maker& there, bool only_if_passed = false) {
  return compare(here.record, {"here.json"}, there.record, {"there.json"}, builtin_vocabulary(),
                 {only_if_passed});
}

TEST(RunComparison, VariantsOfTwoDevicesAreOneTest) {
  Comparison made =
      compared(Maker("xpu").with("TestAddXPU::test_add_xpu_float32").with("TestPlain::test_a"),
               Maker("cuda").with("TestAddCUDA::test_add_cuda_float32").with("TestPlain::test_a"));
  EXPECT_EQ(made.of(Relation::agree), 2u);
  EXPECT_EQ(made.of(Match::device), 1u);
  EXPECT_EQ(made.of(Match::exact), 1u);
  EXPECT_EQ(made.pairs, 2u);
  EXPECT_THAT(made.differences, IsEmpty());
}

TEST(RunComparison, PrivateUse1UnderAnyOfItsNames) {
  for (const char* id : {"TestAddNPU::test_add_npu", "TestAddPRIVATEUSE1::test_add_npu",
                         "TestAddPRIVATEUSE1::test_add_privateuse1"}) {
    Comparison made = compared(Maker("npu").with(id), Maker("cuda").with("TestAddCUDA::test_add_cuda"));
    EXPECT_EQ(made.of(Match::device), 1u) << id;
  }
}

TEST(RunComparison, RocmIsCuda) {
  Comparison made = compared(Maker("rocm").with("TestAddCUDA::test_add_cuda"),
                             Maker("xpu").with("TestAddXPU::test_add_xpu"));
  EXPECT_EQ(made.of(Match::device), 1u);
}

TEST(RunComparison, TheOwnVariantGoesBeforeTheSameId) {
  // On cuda the CPU variant is known, and left out.
  Comparison made = compared(Maker("cpu").with("TestAddCPU::test_add_cpu"),
                             Maker("cuda")
                                 .with("TestAddCUDA::test_add_cuda", Outcome::failed)
                                 .without("TestAddCPU::test_add_cpu", "another device"));
  EXPECT_EQ(made.cell(TestState::passed, TestState::failed), 1u);
  EXPECT_EQ(made.cell(TestState::missing, TestState::not_run), 1u);
}

TEST(RunComparison, NamesThatDifferInTheDeviceAlone) {
  Comparison made =
      compared(Maker("xpu").with("GPUTests::test_abs_xpu"), Maker("cuda").with("GPUTests::test_abs_cuda"));
  EXPECT_EQ(made.of(Match::name), 1u);
}

TEST(RunComparison, MissingIsNotSkippedAndNotNotRun) {
  Maker cuda("cuda");
  for (const char* name : {"a", "b", "c", "d"}) cuda.with(std::string("TestXCUDA::test_") + name + "_cuda");
  Maker xpu("xpu");
  xpu.with("TestXXPU::test_a_xpu", Outcome::skipped, "no fp64")
      .without("TestXXPU::test_b_xpu", "skipXPU")
      .with("TestXXPU::test_d_xpu");
  Comparison made = compared(xpu, cuda);
  EXPECT_EQ(made.cell(TestState::skipped, TestState::passed), 1u);
  EXPECT_EQ(made.cell(TestState::not_run, TestState::passed), 1u);
  EXPECT_EQ(made.cell(TestState::missing, TestState::passed), 1u);
  EXPECT_EQ(made.parity, (Share{1, 4}));
  EXPECT_EQ(made.agreement, (Share{1, 2}));
  ASSERT_THAT(made.differences, SizeIs(3));
  EXPECT_EQ(made.differences[0].here_state, TestState::missing);
  EXPECT_EQ(made.differences[0].here, "");
  EXPECT_EQ(made.skips_here.at(0).text, "no fp64");
  EXPECT_EQ(made.not_run_here.at(0).text, "skipXPU");
}

TEST(RunComparison, ATemplateThatDidNotRunStandsForItsTests) {
  Maker cuda("cuda");
  cuda.with("TestAddCUDA::test_add_cuda_float32").with("TestAddCUDA::test_add_cuda_int64");
  for (const char* name : {"TestAdd::test_add", "TestAddXPU::test_add", "TestAddXPU::test_add_xpu"}) {
    Comparison made = compared(Maker("xpu").without(name, "allow_xpu is missing"), cuda);
    EXPECT_EQ(made.cell(TestState::not_run, TestState::passed), 2u) << name;
    EXPECT_EQ(made.pairs, 2u) << name;
    EXPECT_EQ(made.here.templates, 1u);
    EXPECT_EQ(made.here.stood_for, 2u);
    EXPECT_EQ(made.of(Match::template_name), 2u);
  }
  Comparison other = compared(cuda, Maker("xpu").without("TestAdd::test_add", "allow_xpu is missing"));
  EXPECT_EQ(other.cell(TestState::passed, TestState::not_run), 2u);
  EXPECT_EQ(other.there.templates, 1u);
}

TEST(RunComparison, RenamesAreMappedAndListed) {
  Maker before("cpu"), after("cpu");
  before.with("TestX::test_a").with("TestX::test_b").with("TestX::test_c");
  after.with("TestX::test_a").with("TestXDevice::test_b").with("TestXDeviceCPU::test_c_cpu");
  Comparison made = compared(after, before);
  EXPECT_EQ(made.of(Relation::agree), 3u);
  EXPECT_THAT(made.renames, ElementsAre(Rename{"test/test_x.py", "TestX", "TestXDevice", 2}));
}

TEST(RunComparison, APlainClassThatIsInstantiatedNowIsMappedAndListed) {
  Comparison made = compared(Maker("cpu").with("TestXCPU::test_a_cpu"), Maker("cpu").with("TestX::test_a"));
  EXPECT_EQ(made.of(Match::rename), 1u);
  EXPECT_THAT(made.renames, SizeIs(1));
}

TEST(RunComparison, ARenameThatIsNotSureIsToldAndNotTaken) {
  Comparison made =
      compared(Maker("cpu").with("TestNew::test_basic"), Maker("cpu").with("TestOld::test_basic"));
  EXPECT_EQ(made.of(Relation::only_here), 1u);
  EXPECT_EQ(made.of(Relation::only_there), 1u);
  EXPECT_THAT(made.possible_renames, ElementsAre(Rename{"test/test_x.py", "TestOld", "TestNew", 1}));
  // Two methods that go together, and no other class they could have gone to.
  Comparison sure = compared(Maker("cpu").with("TestNew::test_basic").with("TestNew::test_more"),
                             Maker("cpu").with("TestOld::test_basic").with("TestOld::test_more"));
  EXPECT_EQ(sure.of(Match::rename), 2u);
  // One method that two classes of the other side have.
  Comparison several =
      compared(Maker("cpu").with("TestA::test_x").with("TestB::test_x"), Maker("cpu").with("TestC::test_x"));
  EXPECT_EQ(several.of(Match::rename), 0u);
  EXPECT_EQ(several.same_method, 3u);
}

TEST(RunComparison, SeveralCounterpartsAreAmbiguousAndCounted) {
  Maker npu("npu");
  npu.with("TestXNPU::test_a_npu").with("TestXPRIVATEUSE1::test_a_privateuse1", Outcome::failed);
  Comparison made = compared(npu, Maker("cuda").with("TestXCUDA::test_a_cuda"));
  EXPECT_EQ(made.of(Relation::ambiguous), 3u);
  EXPECT_EQ(made.parity, (Share{0, 1}));
  Comparison same = compared(npu, npu);
  EXPECT_EQ(same.of(Relation::agree), 2u) << "one id goes before";
}

TEST(RunComparison, OnlyIfPassedRestrictsListsNotNumbers) {
  Maker here("cpu"), there("cpu");
  here.with("T::test_a", Outcome::failed, "bad")
      .with("T::test_b", Outcome::passed)
      .with("T::test_c", Outcome::skipped);
  there.with("T::test_a").with("T::test_b", Outcome::failed, "bad there").with("T::test_c", Outcome::failed);
  Comparison all = compared(here, there);
  Comparison some = compared(here, there, true);
  EXPECT_THAT(all.differences, SizeIs(3));
  EXPECT_THAT(some.differences, SizeIs(1));
  EXPECT_THAT(some.skips_here, IsEmpty());
  EXPECT_EQ(all.matrix, some.matrix);
  EXPECT_EQ(all.parity, some.parity);
}

TEST(RunComparison, ReasonsAreThoseOfTheSideThatHasThem) {
  Maker cpu("cpu"), cuda("cuda");
  cpu.with("T::test_a")
      .with("T::test_b")
      .with("T::test_c", Outcome::crashed)
      .without("T::test_d", "only there");
  cuda.with("T::test_a", Outcome::skipped, "small memory")
      .without("T::test_b", "runs on a CPU")
      .with("T::test_c");
  Comparison made = compared(cpu, cuda);
  EXPECT_EQ(made.skips_there.at(0).text, "small memory");
  EXPECT_EQ(made.not_run_there.at(0).text, "runs on a CPU");
  EXPECT_EQ(made.failures_here.at(0).text, "failed") << "no message";
  EXPECT_THAT(made.skips_here, IsEmpty());
  EXPECT_THAT(made.not_run_here, IsEmpty()) << "the other side does not know it: that is another table";
}

TEST(RunComparison, TheOrderMatters) {
  Maker a("cpu"), b("cpu");
  a.with("T::test_a").with("T::test_b");
  b.with("T::test_a");
  EXPECT_EQ(compared(a, b).parity, (Share{1, 1}));
  EXPECT_EQ(compared(b, a).parity, (Share{1, 2}));
}

// --- what holds for any two documents ---

using Random = std::mt19937;

std::size_t below(std::size_t limit, Random& random) { return random() % limit; }

// Few names, so that they meet: variants, plain classes, templates, renamed and doubled ones.
// NOLINTNEXTLINE(readability-function-cognitive-complexity)
Maker random_run(const std::string& device, Random& random) {
  static const std::vector<std::string> classes = {"TestA", "TestB", "TestADevice", "GPUTests"};
  std::string upper = device == "cpu" ? "CPU" : device == "cuda" ? "CUDA" : device == "npu" ? "NPU" : "XPU";
  std::set<std::string> ids;
  Maker made(device);
  for (std::size_t i = below(40, random); i > 0; --i) {
    std::string cls = classes[below(classes.size(), random)];
    std::string name = "test_" + std::string(1, static_cast<char>('a' + below(4, random)));
    std::size_t form = below(6, random);
    bool not_run = below(4, random) == 0;
    if (form < 3) cls += form == 2 && device == "npu" ? "PRIVATEUSE1" : upper;
    if (form < 4) name += "_" + device;
    if (form == 1) name += below(2, random) == 0 ? "_float32" : "_int64";
    if (form == 5) name += "[" + std::to_string(below(2, random)) + "]";
    std::string id = cls;
    id += "::";
    id += name;
    if (!ids.insert(id).second) continue;
    if (not_run)
      made.without(id, "reason " + std::to_string(below(3, random)));
    else
      made.with(id, runner::kOutcomes[below(std::size(runner::kOutcomes), random)], "m");
  }
  return made;
}

// Each entry of a side is in exactly one pair, a template that stands for others aside.
void expect_each_once(const std::vector<RunEntry>& entries, const RunPairs& pairs,
                      std::optional<std::size_t> RunPair::*side, std::size_t templates, bool here) {
  std::vector<std::size_t> seen(entries.size());
  std::size_t stood = 0;
  std::set<std::size_t> stand;
  for (const RunPair& pair : pairs.pairs) {
    if (!(pair.*side)) continue;
    ++seen[*(pair.*side)];
    if (pair.match != Match::template_name || pair.template_here != here) continue;
    ++stood;
    stand.insert(*(pair.*side));
  }
  std::size_t several = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_GE(seen[i], 1u) << *entries[i].id;
    several += seen[i] - std::min<std::size_t>(seen[i], 1);
  }
  EXPECT_EQ(stand.size(), templates);
  EXPECT_EQ(several, stood - templates);
}

void expect_sums(const Comparison& made) {
  std::size_t cells = 0, relations = 0, matches = 0, here = 0, there = 0;
  for (TestState h : kAllTestStates)
    for (TestState t : kAllTestStates) {
      std::size_t cell = made.cell(h, t);
      cells += cell;
      bool is_here = h != TestState::missing && h != TestState::ambiguous;
      bool is_there = t != TestState::missing && t != TestState::ambiguous;
      here += is_here ? cell : 0;
      there += is_there ? cell : 0;
      EXPECT_TRUE(cell == 0 || is_here || is_there);
    }
  for (Relation relation : kRelations) relations += made.of(relation);
  for (std::size_t number : made.matches) matches += number;
  EXPECT_EQ(cells, made.pairs);
  EXPECT_EQ(relations, made.pairs);
  EXPECT_EQ(matches, made.pairs);
  EXPECT_EQ(here, made.here.tests - made.here.templates + made.here.stood_for);
  EXPECT_EQ(there, made.there.tests - made.there.templates + made.there.stood_for);
  for (const std::vector<ParityGroup>* groups : {&made.categories, &made.directories, &made.files}) {
    Share sum;
    for (const ParityGroup& group : *groups)
      sum.part += group.parity().part, sum.whole += group.parity().whole;
    EXPECT_EQ(sum, made.parity);
  }
  EXPECT_EQ(made.differences.size(), made.pairs - made.of(Relation::agree) - made.of(Relation::neither));
  std::size_t renamed = 0;
  for (const Rename& rename : made.renames) renamed += rename.tests;
  EXPECT_LE(made.of(Match::rename), renamed) << "none silently; one of one id is exact";
}

TEST(RunComparison, EveryTestOfBothIsInOneBucket) {
  const std::vector<std::string> devices = {"cpu", "cuda", "xpu", "npu"};
  Random random(7);
  for (int round = 0; round < 600; ++round) {
    SCOPED_TRACE(round);
    Maker here = random_run(devices[below(4, random)], random);
    Maker there = random_run(devices[below(4, random)], random);
    RunPairs pairs = pair_runs(here.record, there.record, builtin_vocabulary());
    expect_each_once(pairs.here, pairs, &RunPair::here, pairs.templates_here, true);
    expect_each_once(pairs.there, pairs, &RunPair::there, pairs.templates_there, false);
    Comparison made = compared(here, there);
    expect_sums(made);
    EXPECT_EQ(made.here.tests, pairs.here.size());
    Comparison same = compared(here, here);
    EXPECT_EQ(same.pairs, same.of(Relation::agree) + same.of(Relation::neither))
        << "a run agrees with itself";
  }
}

}  // namespace
}  // namespace hwsift::history
