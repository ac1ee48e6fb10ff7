// What `hwsift classify` decided, and what it could not: the document hwsift.classes/1, a table for
// spreadsheets (classes_csv.h), and listings for people.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "analyzer/facts.h"
#include "classifier/classify.h"
#include "classifier/vocabulary.h"
#include "report/output.h"

namespace hwsift::report {

// Below this a verdict is for a person to look at.
constexpr double kLowConfidence = 0.6;

// What needs a person.
enum class Attention {
  mixed,     // tests of different categories in one class
  disagree,  // declared otherwise than its tests say
  unknown,   // without a label, and little or nothing is known of its tests
};
const char* word(Attention attention);

// A class that has tests and gets no verdict, because no class statement of its file makes it.
struct Unclassified {
  std::string path;
  int line = 0;
  std::string name;  // "" where it cannot be told
  std::string text;  // the code that makes it, on one line
  std::string why;   // "made by type()"
};

// A test that stands in no class: it can have no label, so that a filter by it drops the test.
struct TestFunction {
  std::string path;
  int line = 0;
  std::string name;
};

struct ClassesReport {
  std::vector<classifier::ClassVerdict> verdicts;
  std::vector<Unclassified> dynamic;
  std::vector<TestFunction> functions;
  std::vector<classifier::Category> categories;  // that a class may have, in the order of columns
  std::set<Attention> show;                      // what to list; all there is where it is empty
};

// GENERIC, DEVICE_GENERIC and the devices with a category of their own.
std::vector<classifier::Category> categories_of(const classifier::Vocabulary& vocabulary);
// Adds a file's verdicts, and what of it has none.
void add_file(const analyzer::FileFacts& file, std::vector<classifier::ClassVerdict> verdicts,
              ClassesReport& report);

bool is_mixed(const classifier::ClassVerdict& verdict);
bool disagrees(const classifier::ClassVerdict& verdict);
bool is_unknown(const classifier::ClassVerdict& verdict);
bool needs(const classifier::ClassVerdict& verdict, Attention attention);
// Whether --show lists it.
bool is_shown(const ClassesReport& report, const classifier::ClassVerdict& verdict);
// Whether it lists what has no verdict at all.
bool shows_unclassified(const ClassesReport& report);

struct Totals {
  std::size_t classes = 0;  // with own tests
  std::size_t tests = 0;
  std::size_t mixed = 0;
  std::size_t declared = 0;
  std::size_t disagreeing = 0;
  std::size_t further = 0;  // classes without own tests, which are not counted above
  std::size_t shown = 0;    // of all
};
Totals totals_of(const ClassesReport& report);

// How confidence is told.
double two_decimals(double value);
// "cuda (line 12) names CUDA where an accelerator is wanted": the first piece of evidence; "" without any.
std::string reason_of(const classifier::ClassVerdict& verdict);

std::string classes_json(const ClassesReport& report);

// One line a class, grouped by folder; then the counts by directory and category and what to do next. `width`
// is that of the table, in columns; with `cut_rows`, rows of the lists are cut to it as well.
std::string classes_text(const ClassesReport& report, std::size_t width, bool cut_rows, const Style& style);

}  // namespace hwsift::report
