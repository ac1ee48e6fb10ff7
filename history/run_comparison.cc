#include "history/run_comparison.h"

#include <algorithm>
#include <map>

#include "history/run_pairs.h"

namespace hwsift::history {
namespace {

using runner::Outcome;
using runner::RunRecord;

std::size_t index(TestState state) { return static_cast<std::size_t>(state); }

// What a reader looks for first: what was lost, by how badly; then what was gained.
int rank(const Difference& difference) {
  if (difference.there_state != TestState::passed)
    return difference.here_state == TestState::failed ? 10 : 20;
  switch (difference.here_state) {
    case TestState::failed:
      return 0;
    case TestState::missing:
      return 1;
    case TestState::not_run:
      return 2;
    case TestState::skipped:
      return 3;
    default:
      return 4;
  }
}

const std::string& id_of(const Difference& difference) {
  return difference.here.empty() ? difference.there : difference.here;
}

class Comparer {
 public:
  Comparer(const RunPairs& pairs, const CompareOptions& options, Comparison& made)
      : pairs_(pairs), options_(options), made_(made) {}

  void count() {
    for (const RunPair& pair : pairs_.pairs) {
      TestState here = state(pair, pair.here, pairs_.here);
      TestState there = state(pair, pair.there, pairs_.there);
      count_pair(pair, here, there);
      if (there == TestState::passed) count_parity(pairs_.there[*pair.there], here);
      if (is_listed(here, there)) list(pair, here, there);
    }
    settle();
  }

  void name_groups(const classifier::Vocabulary& vocabulary) {
    for (const std::string& name : category_order(vocabulary))
      if (auto found = categories_.find(name); found != categories_.end()) {
        made_.categories.push_back(found->second);
        categories_.erase(found);
      }
    for (auto& [name, group] : categories_) made_.categories.push_back(group);
    for (auto& [name, group] : directories_) made_.directories.push_back(group);
    for (auto& [name, group] : files_) made_.files.push_back(group);
  }

 private:
  static TestState state(const RunPair& pair, const std::optional<std::size_t>& at,
                         const std::vector<RunEntry>& entries) {
    if (at) return entries[*at].state;
    return pair.ambiguous ? TestState::ambiguous : TestState::missing;
  }

  void count_pair(const RunPair& pair, TestState here, TestState there) {
    ++made_.matrix[index(here)][index(there)];
    ++made_.relations[static_cast<std::size_t>(relation_of(here, there))];
    ++made_.matches[static_cast<std::size_t>(pair.match)];
    ++made_.pairs;
  }

  void count_parity(const RunEntry& there, TestState here) {
    std::string path(there.parts.path);
    const std::string& category = there.result->category;
    std::string directory = directory_of(path);
    ParityGroup* groups[] = {&categories_[category], &directories_[directory], &files_[path]};
    groups[0]->name = category;
    groups[1]->name = directory;
    groups[2]->name = path;
    for (ParityGroup* group : groups) ++group->here[index(here)];
  }

  bool is_listed(TestState here, TestState there) const {
    Relation relation = relation_of(here, there);
    bool differs = relation != Relation::agree && relation != Relation::neither;
    return differs && (!options_.only_if_passed || there == TestState::passed);
  }

  void list(const RunPair& pair, TestState here, TestState there) {
    Difference one;
    one.here_state = here;
    one.there_state = there;
    one.match = pair.match;
    if (pair.here) one.here = *pairs_.here[*pair.here].id;
    if (pair.there) one.there = *pairs_.there[*pair.there].id;
    if (pair.here) one.here_text = line_of(*pairs_.here[*pair.here].text);
    if (pair.there) one.there_text = line_of(*pairs_.there[*pair.there].text);
    add_reasons(one);
    made_.differences.push_back(std::move(one));
  }

  // The word of the state where nobody said why.
  static void add_reason(TestState state, const std::string& text, const std::string& id,
                         ReasonClusters& reasons) {
    reasons.add(text.empty() ? word(state) : text, id);
  }

  void add_reasons(const Difference& one) {
    Relation relation = relation_of(one.here_state, one.there_state);
    if (one.here_state == TestState::failed)
      add_reason(one.here_state, one.here_text, one.here, failures_here_);
    if (one.here_state == TestState::skipped)
      add_reason(one.here_state, one.here_text, one.here, skips_here_);
    if (one.there_state == TestState::skipped)
      add_reason(one.there_state, one.there_text, one.there, skips_there_);
    if (relation == Relation::not_run_here)
      add_reason(one.here_state, one.here_text, one.here, not_run_here_);
    if (relation == Relation::not_run_there)
      add_reason(one.there_state, one.there_text, one.there, not_run_there_);
  }

  void settle() {
    std::stable_sort(made_.differences.begin(), made_.differences.end(),
                     [](const Difference& a, const Difference& b) {
                       int left = rank(a), right = rank(b);
                       return left != right ? left < right : id_of(a) < id_of(b);
                     });
    made_.failures_here = failures_here_.take();
    made_.skips_here = skips_here_.take();
    made_.not_run_here = not_run_here_.take();
    made_.skips_there = skips_there_.take();
    made_.not_run_there = not_run_there_.take();
    made_.parity = {made_.cell(TestState::passed, TestState::passed), made_.there_in(TestState::passed)};
    made_.agreement = {made_.of(Relation::agree), made_.of(Relation::agree) + made_.of(Relation::disagree)};
  }

  const RunPairs& pairs_;
  const CompareOptions& options_;
  Comparison& made_;
  std::map<std::string, ParityGroup> categories_, directories_, files_;
  ReasonClusters failures_here_, skips_here_, not_run_here_, skips_there_, not_run_there_;
};

std::size_t paired_by_template(const RunPairs& pairs, bool template_here) {
  return static_cast<std::size_t>(
      std::count_if(pairs.pairs.begin(), pairs.pairs.end(), [&](const RunPair& pair) {
        return pair.match == Match::template_name && (template_here == (pair.template_here));
      }));
}

}  // namespace

const char* word(TestState state) {
  switch (state) {
    case TestState::passed:
      return "passed";
    case TestState::failed:
      return "failed";
    case TestState::skipped:
      return "skipped";
    case TestState::xfailed:
      return "xfailed";
    case TestState::xpassed:
      return "xpassed";
    case TestState::not_run:
      return "not_run";
    case TestState::missing:
      return "missing";
    case TestState::ambiguous:
      return "ambiguous";
  }
  return "";
}

TestState state_of(Outcome outcome) {
  if (is_bad(outcome)) return TestState::failed;
  if (outcome == Outcome::skipped) return TestState::skipped;
  if (outcome == Outcome::xfailed) return TestState::xfailed;
  return outcome == Outcome::xpassed ? TestState::xpassed : TestState::passed;
}

bool is_result(TestState state) { return index(state) < index(TestState::not_run); }

const char* word(Match match) {
  switch (match) {
    case Match::none:
      return "";
    case Match::exact:
      return "exact";
    case Match::device:
      return "device";
    case Match::name:
      return "name";
    case Match::template_name:
      return "template";
    case Match::rename:
      return "rename";
  }
  return "";
}

const char* word(Relation relation) {
  switch (relation) {
    case Relation::agree:
      return "agree";
    case Relation::disagree:
      return "disagree";
    case Relation::not_run_here:
      return "not_run_here";
    case Relation::not_run_there:
      return "not_run_there";
    case Relation::neither:
      return "neither";
    case Relation::only_here:
      return "only_here";
    case Relation::only_there:
      return "only_there";
    case Relation::ambiguous:
      return "ambiguous";
  }
  return "";
}

Relation relation_of(TestState here, TestState there) {
  if (here == TestState::ambiguous || there == TestState::ambiguous) return Relation::ambiguous;
  if (there == TestState::missing) return Relation::only_here;
  if (here == TestState::missing) return Relation::only_there;
  if (is_result(here) && is_result(there)) return here == there ? Relation::agree : Relation::disagree;
  if (is_result(here)) return Relation::not_run_there;
  return is_result(there) ? Relation::not_run_here : Relation::neither;
}

Share ParityGroup::parity() const {
  Share share{here[index(TestState::passed)], 0};
  for (std::size_t number : here) share.whole += number;
  return share;
}

std::size_t Comparison::here_in(TestState state) const {
  std::size_t sum = 0;
  for (TestState t : kAllTestStates) sum += cell(state, t);
  return sum;
}

std::size_t Comparison::there_in(TestState state) const {
  std::size_t sum = 0;
  for (TestState h : kAllTestStates) sum += cell(h, state);
  return sum;
}

Comparison compare(const RunRecord& here, std::vector<std::string> here_documents, const RunRecord& there,
                   std::vector<std::string> there_documents, const classifier::Vocabulary& vocabulary,
                   const CompareOptions& options) {
  RunPairs pairs = pair_runs(here, there, vocabulary);
  Comparison made;
  made.only_if_passed = options.only_if_passed;
  made.here = {head_of(here, std::move(here_documents)), pairs.here.size(), pairs.templates_here,
               paired_by_template(pairs, true)};
  made.there = {head_of(there, std::move(there_documents)), pairs.there.size(), pairs.templates_there,
                paired_by_template(pairs, false)};
  made.renames = std::move(pairs.renames);
  made.possible_renames = std::move(pairs.possible_renames);
  made.same_method = pairs.same_method;
  Comparer comparer(pairs, options, made);
  comparer.count();
  comparer.name_groups(vocabulary);
  return made;
}

}  // namespace hwsift::history
