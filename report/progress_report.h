// How far the migration is, in every format. All print the numbers of history::Progress and compute none, so
// that they agree; history/progress.h says what each number means.
#pragma once

#include <cstddef>
#include <string>

#include "history/progress.h"
#include "report/output.h"

namespace hwsift::report {

// A page in one file: see html.h. Numbers carry data-figure="section.name.figure", the key that they have in
// the CSV (without the name where that is empty); long tables have the parts of their keys at the table
// (data-section), its rows (data-name) and its columns (data-key), or parts of cells (data-part).
std::string progress_html(const history::Progress& progress);

// For a comment or a job summary of GitHub: below 60,000 characters whatever there is, and what is left out
// is counted. No text from outside can act as Markdown or HTML.
std::string progress_md(const history::Progress& progress);

// hwsift.progress/1.
std::string progress_json(const history::Progress& progress);

// `section,name,figure,value`, a number a row. Sections: total, category, state, finding, history, burn_down,
// author, change, directory, area, owner, item, came_back, class, unlock. An empty value: there is none.
std::string progress_csv(const history::Progress& progress);

// An SVG of the size of a line: "hw_classification | 43 %".
std::string progress_badge(const history::Progress& progress);

// For a terminal; ends with the next step to take. Lines are cut or broken at `width` columns;
// std::string::npos leaves them whole.
std::string progress_text(const history::Progress& progress, std::size_t width, const Style& style);

}  // namespace hwsift::report
