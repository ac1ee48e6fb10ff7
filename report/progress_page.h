// The sections of the progress page; progress_html.cc puts them in order.
#pragma once

#include "history/progress.h"
#include "report/html.h"

namespace hwsift::report::page {

html::Section burn_downs(const history::Progress& progress);
html::Section came_back(const history::Progress& progress);
html::Section items(const history::Progress& progress);
html::Section unlocks(const history::Progress& progress);
html::Section classes(const history::Progress& progress);

// A paragraph in place of what is empty: why, and the command that fills it.
html::Markup missing(std::string_view why, std::string_view command);
// A commit as its short hash, with its subject where a mouse rests.
html::Markup commit(const history::Commit& commit);

}  // namespace hwsift::report::page
