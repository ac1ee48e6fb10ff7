// What the selection means for the tests that pytest really collected.
//
//   owner         the selected test that a collected one belongs to: the same name, or the longest template
//   it extends unpredicted   a collected test without owner: inherited, generated or imported from another
//   file
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runner/journal.h"
#include "runner/selection.h"

namespace hwsift::runner {

struct Choice {
  bool run = false;
  std::optional<std::size_t> owner;  // index into Selection::tests
  // The account has it already: its own class has a test, selected or not, that stands for it; or it is
  // another part of the plan that does.
  bool known = false;
  std::string reason;  // why it does not run
  // Of one that does not run and is known: the left out template of this part that it is a real test of.
  std::string of_template = {};
};

// "TestX" of "TestX::test_add[a::b]", "" of a function.
std::string class_within(const CollectedTest& item);

// The selection, looked up by class and name. Holds references to it.
class TestIndex {
 public:
  // `root` is the tree: class names come with absolute paths.
  TestIndex(const Selection& selection, std::string root);

  // What to do with a collected test of the file `path`. An unpredicted one follows, in this order: the label
  // of its class; the test of that name of the nearest base that has one; the verdict on the nearest class of
  // its ancestry, or whether anything of that class runs. Of a class that hwsift does not know all runs on a
  // CPU, and on another device what the framework made for it.
  Choice choose(const std::string& path, const CollectedTest& item) const;
  // Indices of the selected tests of a file, in their order.
  const std::vector<std::size_t>& selected_in(const std::string& path) const;

 private:
  struct Entry {
    std::optional<std::size_t> selected;
    std::string id;
    bool expands = false;
    bool inheritable = false;
    bool elsewhere = false;
    const std::string* reason = nullptr;  // nullptr for one that is selected, here or elsewhere
  };
  struct ClassEntry {
    std::unordered_map<std::string, Entry> tests;
    bool any_runs = false;  // here or in a subclass
  };

  void add_left_out(const std::string& id, const std::string& reason, bool elsewhere);
  void add_selected(const SelectedTest& test, std::optional<std::size_t> selected);
  bool asked_for(const std::string& id, const Choice& choice) const;
  Choice choose_anywhere(const std::string& path, const CollectedTest& item) const;
  std::string class_id(const std::string& path, const std::string& told) const;
  const ClassEntry* find_class(const std::string& id) const;
  const Entry* find_test(const ClassEntry& cls, const std::string& name) const;
  std::optional<Choice> choose_by_name(const std::vector<std::string>& classes, std::size_t from,
                                       std::size_t to, const std::string& name) const;
  std::optional<Choice> choose_by_class(const std::string& id, bool labels_only) const;
  std::optional<Choice> choose_by_template(const std::string& id, const CollectedTest& item) const;
  Choice choose_unknown(const CollectedTest& item) const;

  const Selection& selection_;
  std::string root_;
  std::unordered_map<std::string, ClassEntry> classes_;  // by "path::Class", and "path::" for functions
  std::unordered_map<std::string, std::vector<std::size_t>> by_path_;
};

}  // namespace hwsift::runner
