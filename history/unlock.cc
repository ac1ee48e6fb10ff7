#include "history/unlock.h"

#include <algorithm>
#include <map>

#include "base/threads.h"
#include "classifier/eligibility.h"
#include "runner/selection.h"

namespace hwsift::history {
namespace {

using analyzer::FileFacts;
using classifier::ClassTest;
using classifier::ClassVerdict;
using classifier::Eligibilities;
using classifier::Eligibility;
using classifier::Reason;

// One edit may show the next reason: a flag is asked for before a filter.
constexpr int kMostRounds = 4;

using Tests = std::vector<ClassTest>;
using Groups = std::map<Edits, Tests>;

bool prevents(const Reason& reason) { return reason.effect == Reason::Effect::prevents; }

bool runs(const Eligibility& answer) {
  return std::none_of(answer.reasons.begin(), answer.reasons.end(), prevents);
}

// Its code moves tensors to one other accelerator, whatever device it is given.
bool works_elsewhere(const Eligibility& answer) {
  return std::any_of(answer.reasons.begin(), answer.reasons.end(), [](const Reason& reason) {
    return reason.effect == Reason::Effect::note && reason.kind == Reason::Kind::category;
  });
}

// The facts of one file as they would be after edits, and what is then said of its tests.
class Edited {
 public:
  Edited(const FileFacts& file, const Edits& edits, const EditContext& context, analyzer::TreeIndex* index)
      : facts_(file), context_(context) {
    apply(edits, context, facts_);
    verdicts_ = classifier::classify(facts_, context.vocabulary, index);
    answers_.emplace(facts_, verdicts_, classifier::Machine{context.device, context.vocabulary});
  }
  Edited(const Edited&) = delete;
  Edited& operator=(const Edited&) = delete;

  Eligibility of(const ClassTest& test) const { return answers_->of(test); }
  std::optional<Edits> edits_for(const ClassTest& test, const Eligibility& answer) const {
    return history::edits_for(facts_, test, answer, answers_->classes().is_template(test.class_index),
                              context_);
  }
  // As many as `hwsift select` has of this file.
  long long count() const {
    runner::SelectOptions options{classifier::Machine{context_.device, context_.vocabulary}};
    std::vector<FileFacts> one = {facts_};
    return static_cast<long long>(runner::select(one, {verdicts_}, options).tests.size());
  }

 private:
  FileFacts facts_;
  const EditContext& context_;
  std::vector<ClassVerdict> verdicts_;
  std::optional<Eligibilities> answers_;
};

class FileUnlocks {
 public:
  FileUnlocks(const FileFacts& file, const std::vector<ClassVerdict>& verdicts, const EditContext& context,
              analyzer::TreeIndex* index)
      : file_(file), verdicts_(verdicts), context_(context), index_(index) {}

  std::vector<Unlock> find() {
    Groups open = first_groups();
    for (int round = 0; round < kMostRounds && !open.empty(); ++round) open = try_out(open);
    std::vector<Unlock> unlocks;
    for (const Found& found : found_)
      if (!is_stood_for(found)) unlocks.push_back(found.unlock);
    return unlocks;
  }

 private:
  // Of the tests that do not run now, by the edits that what is said of them asks for.
  Groups first_groups() const {
    Groups groups;
    Eligibilities answers(file_, verdicts_, classifier::Machine{context_.device, context_.vocabulary});
    for (int i = 0; i < static_cast<int>(file_.classes.size()); ++i) {
      if (!answers.classes().uncollected(i).empty()) continue;
      for (const ClassTest& test : answers.classes().tests_of(i)) {
        Eligibility answer = answers.of(test);
        if (runs(answer)) continue;
        std::optional<Edits> edits =
            edits_for(file_, test, answer, answers.classes().is_template(i), context_);
        if (edits) groups[*edits].push_back(test);
      }
    }
    return groups;
  }

  // Keeps what then runs; for the rest, the edits that they need besides.
  Groups try_out(const Groups& groups) {
    Groups next;
    for (const auto& [edits, tests] : groups) {
      Edited edited(file_, edits, context_, index_);
      Tests running;
      long long elsewhere = 0;
      for (const ClassTest& test : tests) {
        Eligibility answer = edited.of(test);
        if (runs(answer)) {
          running.push_back(test);
          elsewhere += works_elsewhere(answer) ? 1 : 0;
          continue;
        }
        std::optional<Edits> more = edited.edits_for(test, answer);
        if (!more || more->empty()) continue;
        more->insert(edits.begin(), edits.end());
        if (*more != edits) next[*more].push_back(test);
      }
      if (!running.empty()) keep(edits, running, elsewhere, edited.count() - count_now());
    }
    return next;
  }

  void keep(const Edits& edits, const Tests& running, long long elsewhere, long long tests) {
    if (tests <= 0) return;
    Found found{edits, {}};
    Unlock& unlock = found.unlock;
    unlock.device = context_.device;
    unlock.path = file_.path;
    bool one_class = std::all_of(running.begin(), running.end(), [&](const ClassTest& test) {
      return test.class_index == running.front().class_index;
    });
    if (one_class)
      unlock.cls = file_.classes[static_cast<std::size_t>(running.front().class_index)].qualified_name;
    unlock.tests = tests;
    unlock.elsewhere = std::min(elsewhere, tests);
    for (const Edit& edit : edits) unlock.places.push_back({edit.line, edit.text});
    found_.push_back(std::move(found));
  }

  struct Found {
    Edits edits;
    Unlock unlock;
  };

  bool is_stood_for(const Found& large) const {
    return std::any_of(found_.begin(), found_.end(), [&](const Found& small) {
      return small.edits.size() < large.edits.size() && small.unlock.per_edit() >= large.unlock.per_edit() &&
             std::includes(large.edits.begin(), large.edits.end(), small.edits.begin(), small.edits.end());
    });
  }

  long long count_now() {
    if (!now_) now_ = Edited(file_, {}, context_, index_).count();
    return *now_;
  }

  const FileFacts& file_;
  const std::vector<ClassVerdict>& verdicts_;
  const EditContext& context_;
  analyzer::TreeIndex* index_;
  std::optional<long long> now_;
  std::vector<Found> found_;
};

bool is_better(const Unlock& a, const Unlock& b) {
  if (a.per_edit() != b.per_edit()) return a.per_edit() > b.per_edit();
  if (a.tests != b.tests) return a.tests > b.tests;
  if (a.path != b.path) return a.path < b.path;
  return a.places.front().line < b.places.front().line;
}

}  // namespace

std::vector<Unlock> unlocks(const std::vector<FileFacts>& files,
                            const std::vector<std::vector<ClassVerdict>>& verdicts,
                            const EditContext& context, analyzer::TreeIndex* index, int jobs) {
  std::vector<std::vector<Unlock>> by_file(files.size());
  for_each_index(files.size(), jobs, [&](std::size_t i) {
    if (files[i].language == "cpp") return;
    by_file[i] = FileUnlocks(files[i], verdicts[i], context, index).find();
  });
  std::vector<Unlock> all;
  for (std::vector<Unlock>& found : by_file)
    for (Unlock& unlock : found) all.push_back(std::move(unlock));
  std::stable_sort(all.begin(), all.end(), is_better);
  return all;
}

}  // namespace hwsift::history
