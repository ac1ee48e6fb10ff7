#include "history/measurer.h"

#include <set>
#include <utility>

#include "base/text.h"
#include "base/threads.h"
#include "classifier/classify.h"
#include "lint/lint.h"

namespace hwsift::history {
namespace {

analyzer::ScanOptions one_thread(analyzer::ScanOptions options) {
  options.jobs = 1;
  return options;
}

struct Asked {
  std::set<std::string> paths;
  bool calls = false;
};

// Of the file that this thread measures.
thread_local Asked* asked_now = nullptr;

}  // namespace

class Measurer::Trace : public analyzer::TreeListener {
 public:
  void asked(const std::string& path) override {
    if (asked_now != nullptr) asked_now->paths.insert(path);
  }
  void asked_for_calls() override {
    if (asked_now != nullptr) asked_now->calls = true;
  }
};

Measurer::Measurer(Disk& disk, std::string root, const Ruler& ruler)
    : disk_(disk),
      root_(std::move(root)),
      ruler_(ruler),
      trace_(std::make_unique<Trace>()),
      index_(disk, root_, ruler.vocabulary->lexicon(), one_thread(ruler.scan)),
      around_{&index_, {}} {
  index_.set_listener(trace_.get());
  read_traits();
}

Measurer::~Measurer() = default;

Measured Measurer::measure_one(const std::string& path) {
  Asked asked;
  asked_now = &asked;
  analyzer::SharedFacts facts = index_.facts_of(path);
  std::vector<classifier::ClassVerdict> verdicts = classifier::classify(*facts, *ruler_.vocabulary, &index_);
  std::vector<lint::Finding> findings;
  if (lint::covers(*ruler_.profile, path))
    findings = lint::lint_file({*ruler_.profile, *facts, verdicts, *ruler_.vocabulary, around_, "", 0});
  asked_now = nullptr;
  asked.paths.erase(path);
  return {
      std::make_shared<const FileMeasure>(history::measure(*facts, verdicts, findings, *ruler_.vocabulary)),
      {{asked.paths.begin(), asked.paths.end()}, asked.calls}};
}

std::vector<Measured> Measurer::measure(const std::vector<std::string>& paths) {
  std::vector<Measured> measured(paths.size());
  for_each_index(paths.size(), ruler_.scan.jobs, [&](std::size_t i) { measured[i] = measure_one(paths[i]); });
  return measured;
}

void Measurer::forget(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) index_.forget(path);
}

std::string Measurer::traits() const {
  const lint::TreeTraits& traits = around_.traits;
  return traits.version + (traits.has_common_utils ? " utils " : " ") + join(traits.members, ",");
}

bool Measurer::read_traits() {
  std::string before = traits();
  around_.traits = lint::read_tree_traits(disk_, root_);
  return traits() != before;
}

}  // namespace hwsift::history
