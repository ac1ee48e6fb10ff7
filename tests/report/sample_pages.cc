// sample_pages FOLDER: pages of made-up progress, for a look and for the tests in a browser.
#include <cstdio>
#include <fstream>
#include <string>

#include "report/progress_report.h"
#include "tests/report/sample_progress.h"

namespace {

using namespace hwsift;

bool write(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  return static_cast<bool>(out.flush());
}

bool write_all(const std::string& stem, const history::Progress& progress) {
  return write(stem + ".html", report::progress_html(progress)) &&
         write(stem + ".md", report::progress_md(progress)) &&
         write(stem + ".json", report::progress_json(progress)) &&
         write(stem + ".csv", report::progress_csv(progress)) &&
         write(stem + ".svg", report::progress_badge(progress)) &&
         write(stem + ".txt", report::progress_text(progress, 100, {}));
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    std::fputs("usage: sample_pages FOLDER\n", stderr);
    return 2;
  }
  std::string folder = std::string(words[1]) + "/";
  bool written = write_all(folder + "large", report::sample_progress({3000, 259, 200})) &&
                 write_all(folder + "small", report::sample_progress({12, 9, 3})) &&
                 write_all(folder + "one", report::sample_progress({12, 0, 1})) &&
                 write_all(folder + "many", report::sample_progress({12, 2000, 3})) &&
                 write_all(folder + "empty", history::Progress{}) &&
                 write_all(folder + "nasty", report::nasty_progress());
  return written ? 0 : 1;
}
