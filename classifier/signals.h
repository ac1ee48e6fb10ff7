// From uses of hardware symbols to signals: what each says about the code around it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/facts.h"
#include "classifier/classify.h"
#include "classifier/inheritance.h"
#include "classifier/reach.h"
#include "classifier/vocabulary.h"

namespace hwsift::classifier {

struct Signal {
  enum class Kind {
    subject,      // is about one device: `devices` holds it
    accelerator,  // needs or wants some accelerator; `devices` are those it names by habit
    selects,      // runs on a device it is given or picks
    restricts,    // only variants of `devices` do not skip; [] where several may stay
    fakes,        // what it sets up runs on no device: a fake process group, a mock
    absent,       // runs only where none of `devices` is there: skipIf(TEST_CUDA)
  };
  Kind kind = Kind::subject;
  std::vector<std::string> devices;
  bool has_alternative = false;  // does without the device where there is none
  Evidence evidence;
};

// Nothing for a use that is data, that excludes its device, or whose symbol says nothing.
std::optional<Signal> signal_of(const analyzer::Use& use, const Vocabulary& vocabulary);

// Adds a signal to those that count for every test of a class, which are kept short: the first use of each
// symbol, a few for one meaning. Otherwise a made-up file could hand thousands of signals to thousands of
// tests.
void share(std::vector<Signal>& shared, Signal signal);
void share_all(std::vector<Signal>& shared, const std::vector<Signal>& signals);

// The signals of one file, read once, by what they belong to.
class FileSignals {
 public:
  // Asked of a member that no class of the file has: appends what it says, and tells whether it is known.
  using MemberElsewhere =
      std::function<bool(int class_index, const std::string& member, std::vector<Signal>& signals)>;

  FileSignals(const analyzer::FileFacts& file, const Inheritance& inheritance, const Vocabulary& vocabulary,
              MemberElsewhere elsewhere);

  // Of a test's own body, decorators and defaults, and of what it reaches in an object of the class.
  std::vector<Signal> of_test(const MethodPlace& test, int class_index) const;
  // The helper methods that the test runs, in that class itself.
  std::vector<std::string> own_helpers_of(const MethodPlace& test, int class_index) const;
  // Of what runs around each test of the class: class body, decorators, bases, set-up, and what gates the
  // file. The first use of each symbol, at most 16.
  std::vector<Signal> around_class(int class_index) const;
  // Of all that a class without known tests could run: around it, its attributes and its helper methods.
  std::vector<Signal> of_whole_class(int class_index) const;
  // What a subclass in another file gets with a method or attribute; false where the class has none of that
  // name.
  bool add_inherited_member(std::vector<Signal>& signals, const std::string& member, int class_index) const;

 private:
  // By the name of an attribute; an empty list for one that a plain value was given.
  using Attributes = std::map<std::string, std::vector<Signal>, std::less<>>;

  void take(const analyzer::Use& use, std::optional<Signal> found);
  void take_in_class(const analyzer::Use& use, std::optional<Signal> found);
  void add_reached(std::vector<Signal>& signals, const Reached& reached, int class_index) const;
  void add_member(std::vector<Signal>& signals, const std::string& member, int class_index) const;
  void add_attributes(std::vector<Signal>& signals, int class_index) const;
  bool is_copied(const std::string& class_name, std::string analyzer::CopiedTests::*side) const;
  void add_given_device(std::vector<Signal>& signals, int class_index) const;
  void add_handed_over(std::vector<Signal>& signals, int class_index) const;

  const analyzer::FileFacts& file_;
  const Inheritance& inheritance_;
  MemberElsewhere elsewhere_;
  bool follow_helpers_;
  Reach reach_;
  std::vector<std::vector<Signal>> everywhere_;               // by class
  std::vector<Attributes> attributes_;                        // by class
  std::vector<std::vector<std::vector<Signal>>> of_methods_;  // by class and method
  std::vector<std::vector<Signal>> of_functions_;
  std::vector<Signal> gates_;
};

// Devices that words of the file's or class's own name hint at, each once.
std::vector<std::string> hinted_devices(const std::string& path, const std::string& class_name,
                                        const Vocabulary& vocabulary);

}  // namespace hwsift::classifier
