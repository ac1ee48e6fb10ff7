// Which edits would give a device the most tests: what keeps a test from running there, grouped by the places
// that would have to change.
//
// An edit is one of these, and no other: an allow flag, the device in only_for or out of except_for, and the
// portable twin that the vocabulary has for what a decorator, a guard or a test asks. Each group of edits is
// tried on the facts, which are judged anew; what is promised is what `hwsift select` then has more. A test
// that would still not run (it is declared to be about another device, or uses what has no twin) is in no
// group. Where some edits of a group give as many tests an edit as all of it, the smaller group stands for
// it: what is left comes up once that one is applied. Groups of one file may overlap: their numbers do not
// add up.
#pragma once

#include <string>
#include <vector>

#include "analyzer/facts.h"
#include "analyzer/tree_index.h"
#include "classifier/classify.h"
#include "history/edit.h"

namespace hwsift::history {

// A place to edit, and what to do there.
struct EditPlace {
  int line = 0;
  std::string text;  // "allow_xpu=True in this call", "TEST_CUDA: use TEST_ACCELERATOR"
  bool operator==(const EditPlace&) const = default;
};

struct Unlock {
  std::string device;
  std::string path;
  std::string cls;                // "" where the tests are of several classes
  long long tests = 0;            // that would run there, and do not now
  std::vector<EditPlace> places;  // all are needed; by line
  long long elsewhere = 0;        // those of the tests whose code names another accelerator all the same
  double per_edit() const {
    return places.empty() ? 0 : static_cast<double>(tests) / static_cast<double>(places.size());
  }
};

// Of all files, best first: most tests an edit, then most tests, then by path and line. `verdicts` are those
// of `files`; `index` may be nullptr, as for classify. The answer is the same for any number of threads.
std::vector<Unlock> unlocks(const std::vector<analyzer::FileFacts>& files,
                            const std::vector<std::vector<classifier::ClassVerdict>>& verdicts,
                            const EditContext& context, analyzer::TreeIndex* index, int jobs = 1);

}  // namespace hwsift::history
