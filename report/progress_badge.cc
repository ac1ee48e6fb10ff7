// Two boxes side by side, as badges are drawn everywhere: the subject, and the share of classes with a label.
#include <fmt/format.h>

#include "report/progress_figures.h"
#include "report/progress_report.h"

namespace hwsift::report {
namespace {

constexpr const char* kSubject = "hw_classification";
constexpr double kLetter = 6.6;  // pixels; stretched to fit, whatever the font
constexpr double kMargin = 7;

struct Shade {
  int from;  // percent
  const char* colour;
};
// White letters on each have a contrast of 4.5 or more.
constexpr Shade kShades[] = {
    {100, "#1b6b43"}, {80, "#3f6b1b"}, {50, "#7a5c00"}, {20, "#9a4a12"}, {0, "#a8321a"}};

const char* colour_of(std::optional<int> share) {
  for (const Shade& shade : kShades)
    if (share && *share >= shade.from) return shade.colour;
  return "#5b6168";
}

double width_of(std::string_view text) { return static_cast<double>(text.size()) * kLetter + 2 * kMargin; }

std::string box(double x, const std::string& text, const char* colour) {
  double width = width_of(text);
  return fmt::format(
      "<rect x=\"{:.1f}\" width=\"{:.1f}\" height=\"20\" fill=\"{}\"/>"
      "<text x=\"{:.1f}\" y=\"14\" textLength=\"{:.1f}\" lengthAdjust=\"spacingAndGlyphs\">{}</text>",
      x, width, colour, x + kMargin, width - 2 * kMargin, text);
}

std::string description(const history::Progress& progress) {
  return fmt::format("{} of {} test classes have a label", progress.total.declared, progress.total.classes);
}

}  // namespace

std::string progress_badge(const history::Progress& progress) {
  std::optional<int> share = percent(progress.total.declared, progress.total.classes);
  std::string value = share ? fmt::format("{} %", *share) : "no classes";
  double left = width_of(kSubject);
  double all = left + width_of(value);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.1f}\" height=\"20\" viewBox=\"0 0 {0:.1f} 20\" "
      "role=\"img\" aria-labelledby=\"t d\"><title id=\"t\">{1}: {2}</title><desc id=\"d\">{3}</desc>"
      "<clipPath id=\"r\"><rect width=\"{0:.1f}\" height=\"20\" rx=\"3\"/></clipPath>"
      "<g clip-path=\"url(#r)\" fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" "
      "font-size=\"11\">"
      "{4}{5}</g></svg>\n",
      all, kSubject, value, description(progress), box(0, kSubject, "#3b4248"),
      box(left, value, colour_of(share)));
}

}  // namespace hwsift::report
