// From uses of hardware symbols to signals: what each says about the code around it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/facts.h"
#include "classifier/classify.h"
#include "classifier/vocabulary.h"

namespace hwsift::classifier {

struct Signal {
  enum class Kind {
    subject,      // is about one device: `devices` holds it
    accelerator,  // needs or wants some accelerator; `devices` are those it names by habit
    selects,      // runs on a device it is given or picks
    restricts,    // only variants of `devices` do not skip; [] where several may stay
  };
  Kind kind = Kind::subject;
  std::vector<std::string> devices;
  Evidence evidence;
};

// Nothing for a use that is data, that excludes its device, or whose symbol says nothing.
std::optional<Signal> signal_of(const analyzer::Use& use, const Vocabulary& vocabulary);

// A test method: of the class itself or of a base in the same file.
struct TestPlace {
  int class_index = 0;
  int method_index = 0;
};

// The signals of one file, read once, and the inheritance within it.
class FileSignals {
 public:
  FileSignals(const analyzer::FileFacts& file, const Vocabulary& vocabulary);

  // Of a test's own body, decorators and defaults.
  const std::vector<Signal>& of_test(const TestPlace& test) const;
  // Of what runs around each test of the class: class body, decorators, bases, set-up, and what gates the
  // file. The first use of each symbol, at most 16.
  std::vector<Signal> around_class(int class_index) const;
  // Of the class's other methods, its bases' among them: which test calls them is not known.
  std::vector<Signal> of_helpers(int class_index) const;

  // Base classes in this file, nearest first, each once.
  std::vector<int> bases_of(int class_index) const;
  bool has_subclass(int class_index) const;
  // Own tests; where there are none, those that the bases in this file hand down.
  std::vector<TestPlace> tests_of(int class_index) const;

 private:
  void take(const analyzer::Use& use, Signal found);
  void link_bases();

  const analyzer::FileFacts& file_;
  std::vector<std::vector<Signal>> everywhere_;               // by class
  std::vector<std::vector<std::vector<Signal>>> of_methods_;  // by class and method
  std::vector<std::vector<Signal>> of_helpers_;               // by class
  std::vector<Signal> gates_;
  std::vector<std::vector<int>> direct_bases_;
  std::vector<bool> has_subclass_;
};

// Devices that words of the file's or class's own name hint at, each once.
std::vector<std::string> hinted_devices(const std::string& path, const std::string& class_name,
                                        const Vocabulary& vocabulary);

}  // namespace hwsift::classifier
