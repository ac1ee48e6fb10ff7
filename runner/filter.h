// The language of -E: which tests, said by sets.
//
//   predicate   file(), class(), test(), hw(), owner(), slow(), failed(), changed(), all(), none()
//   operators   ! (not) binds tightest, then & (and) and - (without) alike from the left, then | (or)
//   argument    any text with balanced parentheses, or quoted; =text is exact, ~text contained, #text a glob
//
// docs/filters.md says what each predicate looks at.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hwsift::runner {

// What a filter may ask about a test. Views into what the caller holds.
struct TestTraits {
  std::string_view id;
  std::string_view path;       // relative to the tree
  std::string_view cls;        // the template or plain class, "" for a function
  std::string_view run_class;  // the class at run time
  std::string_view method;     // as the source names it
  std::string_view name;       // the id after the class
  std::string_view category;   // "CUDA"
  const std::vector<std::string>* owners = nullptr;
  bool slow = false;              // known to be slow
  std::optional<double> seconds;  // recorded
  bool failed = false;            // bad in the last recorded run
};

// By what they are compared with, "" for the default: the paths that differ.
using ChangedFiles = std::map<std::string, std::set<std::string, std::less<>>, std::less<>>;

enum class Predicate { file, cls, test, hw, owner, slow, failed, changed, all, none };
enum class Matcher { path, exact, contains, glob };  // path: a glob over a file or a folder above it

struct FilterTerm {
  Predicate predicate = Predicate::all;
  Matcher matcher = Matcher::exact;
  std::string text;
  std::vector<std::string> categories;  // of hw()
  double seconds = 0;                   // of slow(TIME)
};

// A filter in postfix order: no depth of nesting costs stack.
struct FilterStep {
  enum class Op { term, not_, and_, minus, or_ };
  Op op = Op::term;
  FilterTerm term = {};
};

class Filter {
 public:
  // `categories` are the names that hw() knows. An error's place is "-E: column N" (in characters from 1);
  // `fault_at` gets the same place in bytes from 0, for caret().
  static Result<Filter> parse(std::string_view text, const std::vector<std::string>& categories,
                              std::size_t* fault_at = nullptr);

  bool matches(const TestTraits& test, const ChangedFiles& changed) const;
  bool needs_history() const;  // asks for recorded times
  bool needs_failed() const;   // asks for the last recorded run
  // What changed() compares with, each once and sorted; "" for the default.
  std::vector<std::string> changed_bases() const;
  // One text for one meaning of the operators; parses to the same filter.
  std::string to_text() const;

 private:
  std::vector<FilterStep> steps_;
};

// The expression on one line and a caret below the place, both indented; of a long one the part around it.
std::string caret(std::string_view text, std::size_t at);

}  // namespace hwsift::runner
