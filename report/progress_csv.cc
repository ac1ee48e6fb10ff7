#include "base/csv.h"
#include "report/progress_figures.h"
#include "report/progress_report.h"

namespace hwsift::report {

std::string progress_csv(const history::Progress& progress) {
  std::string text = csv_row({"section", "name", "figure", "value"});
  for (const Figure& figure : figures(progress))
    text += csv_row({figure.section, figure.name, figure.figure, figure.value});
  return text;
}

}  // namespace hwsift::report
