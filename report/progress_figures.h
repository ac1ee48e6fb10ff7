// The keys of the numbers of a progress report (`section.name.figure`), and how a share and a date are
// written: what its printers have in common.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "history/progress.h"

namespace hwsift::report {

struct Figure {
  std::string section;  // "category"
  std::string name;     // "CUDA"; "" for what there is one of
  std::string figure;   // "classes"
  std::string value;    // "" where there is none
};

// All of a report, in the order of its sections.
std::vector<Figure> figures(const history::Progress& progress);

// The names of a tally's numbers and the numbers, in one order for all formats.
std::vector<std::pair<const char*, long long>> tally_figures(const history::Tally& tally);
std::vector<std::pair<const char*, long long>> parts_figures(const history::Parts& parts);

// Names in keys.
std::string group_name(const history::Group& group);     // "(none)" for files that have none
std::string commit_name(const history::Commit& commit);  // its hash, or "work tree"
// A name for each row of Progress::classes: "test/test_a.py::TestA", with ":LINE" from the second of a name
// on.
std::vector<std::string> class_names(const history::Progress& progress);
std::string unlock_name(const history::Progress& progress,
                        std::size_t index);  // "XPU.2": its rank for the device
// "burn_down" names a point: "undeclared@HASH".
std::string point_name(const history::BurnDown& burn, const history::Point& point);
std::string author_name(const history::BurnDown& burn, const history::Actor& actor);  // "undeclared@Ada"
std::string change_name(const history::BurnDown& burn, std::size_t index);            // "undeclared.1"

// In whole percent, rounded down: 100 only where all are. nullopt where there are none.
std::optional<int> percent(long long part, long long whole);
std::string percent_text(long long part, long long whole);  // "43 %", "-"

std::string short_hash(const std::string& hash);  // ten digits; "work tree" for ""
std::string day_of(const std::string& utc);       // "2026-03-14"
// "between 2027-01-01 and 2027-06-01", "2027-01-01 at the earliest", "no date can be given".
std::string forecast_text(const history::Forecast& forecast);
// nullptr where the commit is not known.
const history::Commit* commit_at(const history::Progress& progress, std::size_t index);
// "2026-03-14 1a2b3c4d5e": "" where the commit is not known.
const char* sentence(history::Change::What what);  // "came without a label"
bool is_done(history::State state);                // clean or graduated
bool needs_attention(const history::TrackedItem& item);
// The command that fills what is empty.
inline constexpr const char* kBackfill = "hwsift history backfill --from REF";
inline constexpr const char* kImport = "hwsift track import FILE";
// What to do next, from what there is; a sentence with a command in it.
std::string next_step(const history::Progress& progress);

}  // namespace hwsift::report
