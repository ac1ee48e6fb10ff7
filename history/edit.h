// Edits of a test file for a device, and the same made to its facts, so that they can be judged as if the
// source had been edited.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "analyzer/facts.h"
#include "classifier/eligibility.h"
#include "classifier/vocabulary.h"
#include "lint/tree_traits.h"

namespace hwsift::history {

struct Edit {
  enum class Kind {
    allow_flag,  // allow_xpu=True
    only_for,    // the device among those of only_for
    except_for,  // the device no longer among those of except_for
    twin,        // the portable twin in the place of a symbol
  };
  int line = 0;
  Kind kind = Kind::twin;
  std::uint32_t begin = 0;  // of the use, for twins
  std::string text;         // what to do there
  auto operator<=>(const Edit&) const = default;
};
using Edits = std::set<Edit>;

// What an edit is about: for this device, in a tree whose PyTorch has these.
struct EditContext {
  const std::string& device;
  const classifier::Vocabulary& vocabulary;
  const lint::TreeTraits& traits;
};

// The edits that take away what prevents this test; nullopt where no edit does.
std::optional<Edits> edits_for(const analyzer::FileFacts& file, const classifier::ClassTest& test,
                               const classifier::Eligibility& answer, bool is_template,
                               const EditContext& context);

void apply(const Edits& edits, const EditContext& context, analyzer::FileFacts& file);

}  // namespace hwsift::history
