// The tests of a C++ file for a device. A suite is a plain class: no template, no mixin, and nobody
// instantiates it for a device.
#pragma once

#include <vector>

#include "analyzer/facts.h"
#include "classifier/classify.h"
#include "classifier/cxx_vocabulary.h"
#include "runner/selection.h"

namespace hwsift::runner {

inline constexpr char kDisabledByName[] = "disabled by its name (DISABLED_)";

bool is_cxx(const analyzer::FileFacts& file);

// Why a test with this suffix has too few devices; "" where they are there, or where that is not known.
std::string lacking_devices(const classifier::NameSuffix& suffix, const SelectOptions& options);

// Of one file, as a part of a selection: ids are "path::Suite::Name"; typed and parametrized tests expand.
Selection select_cxx(const analyzer::FileFacts& file, const std::vector<classifier::ClassVerdict>& verdicts,
                     const SelectOptions& options);

}  // namespace hwsift::runner
