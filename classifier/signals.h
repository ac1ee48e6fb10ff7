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
    fakes,        // what it sets up runs on no device: a fake process group, a mock
    absent,       // runs only where none of `devices` is there: skipIf(TEST_CUDA)
  };
  Kind kind = Kind::subject;
  std::vector<std::string> devices;
  bool has_alternative = false;  // does without the device where there is none
  Evidence evidence;
};

// "CUDA", "CUDA and XPU".
std::string spoken(const std::vector<std::string>& devices);
// Those of the devices that are accelerators, as one that nobody knows is taken for.
std::vector<std::string> accelerators_among(const std::vector<std::string>& devices,
                                            const Vocabulary& vocabulary);

// Nothing for a use that is data, that excludes its device, or whose symbol says nothing.
std::optional<Signal> signal_of(const analyzer::Use& use, const Vocabulary& vocabulary);

// Adds a signal to those that count for every test of a class, which are kept short: the first use of each
// symbol, a few for one meaning. Otherwise a made-up file could hand thousands of signals to thousands of
// tests.
void share(std::vector<Signal>& shared, Signal signal);
void share_all(std::vector<Signal>& shared, const std::vector<Signal>& signals);

// Devices that words of the file's or class's own name hint at, each once.
std::vector<std::string> hinted_devices(const std::string& path, const std::string& class_name,
                                        const Vocabulary& vocabulary);

}  // namespace hwsift::classifier
