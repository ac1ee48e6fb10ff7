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

// The signals of a class's code, by where they count.
struct ClassSignals {
  std::vector<Signal> everywhere;               // bases, decorators, class body, set-up: count for each test
  std::vector<std::vector<Signal>> of_methods;  // parallel to Class::methods
};

// Nothing for a use that is data, that excludes its device, or whose symbol says nothing.
std::optional<Signal> signal_of(const analyzer::Use& use, const Vocabulary& vocabulary);

ClassSignals signals_of(const analyzer::FileFacts& file, int class_index, const Vocabulary& vocabulary);

// Devices that words of the file's or class's own name hint at, each once.
std::vector<std::string> hinted_devices(const std::string& path, const std::string& class_name,
                                        const Vocabulary& vocabulary);

}  // namespace hwsift::classifier
