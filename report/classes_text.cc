#include <fmt/format.h>

#include <algorithm>

#include "base/disk.h"
#include "base/text.h"
#include "report/classes.h"
#include "report/classes_table.h"
#include "report/output.h"

namespace hwsift::report {
namespace {

using classifier::ClassVerdict;
using classifier::SplitPart;

constexpr std::size_t kMostText = 60;  // of the code that makes a class

std::string counted(std::size_t number, const char* one, const char* many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

// "3 GENERIC + 2 CUDA".
std::string parts_text(const std::vector<SplitPart>& parts) {
  std::vector<std::string> texts;
  for (const SplitPart& part : parts)
    texts.push_back(fmt::format("{} {}", part.methods.size(), part.category.name()));
  return join(texts, " + ");
}

// "TestX, TestXCUDA".
std::string names_text(const std::vector<SplitPart>& parts) {
  std::vector<std::string> names;
  for (const SplitPart& part : parts) names.push_back(part.name);
  return join(names, ", ");
}

// Of a suite of C++ tests, which is not split: "12 GENERIC + 1 CUDA".
std::string counts_text(const ClassVerdict& verdict) {
  std::vector<std::pair<std::string, std::size_t>> counts;
  for (const classifier::MethodVerdict& method : verdict.methods) {
    std::string name = method.category.name();
    auto found =
        std::find_if(counts.begin(), counts.end(), [&](const auto& one) { return one.first == name; });
    if (found == counts.end())
      counts.emplace_back(name, 1);
    else
      ++found->second;
  }
  std::vector<std::string> texts;
  for (const auto& [name, count] : counts) texts.push_back(fmt::format("{} {}", count, name));
  return join(texts, " + ");
}

std::string mixed_text(const ClassVerdict& verdict) {
  return "mixed: " + (verdict.split.empty() ? counts_text(verdict) : parts_text(verdict.split));
}

std::string with_reason(const std::string& text, const ClassVerdict& verdict) {
  std::string reason = reason_of(verdict);
  return reason.empty() ? text : text + ": " + reason;
}

// What stands behind the category in the list of all classes.
std::string remark(const ClassVerdict& verdict) {
  if (disagrees(verdict))
    return "declared " + verdict.declared->name() + (is_mixed(verdict) ? ", " + mixed_text(verdict) : "");
  return is_mixed(verdict) ? mixed_text(verdict) : reason_of(verdict);
}

std::string mixed_remark(const ClassVerdict& verdict) {
  if (verdict.split.empty()) return counts_text(verdict);
  return parts_text(verdict.split) + ": split into " + names_text(verdict.split);
}

std::string disagree_remark(const ClassVerdict& verdict) {
  std::string declared = "declared " + verdict.declared->name();
  return is_mixed(verdict) ? declared + ", " + mixed_text(verdict) : with_reason(declared, verdict);
}

std::string unknown_remark(const ClassVerdict& verdict) {
  if (verdict.methods.empty()) return with_reason("its tests were not seen", verdict);
  return with_reason(fmt::format("confidence {:.2f}", verdict.confidence), verdict);
}

// How the page looks. Rows are cut at `row_width` columns.
struct Page {
  Style style;
  std::size_t row_width = 0;
};

using Remark = std::string (*)(const ClassVerdict&);

struct Widths {
  std::size_t place = 0;
  std::size_t name = 0;
};

std::string place_of(const std::string& path, int line) {
  return fmt::format("{}:{}", printable(base_name(path)), line);
}

Widths widths_of(const ClassVerdict* const* begin, const ClassVerdict* const* end) {
  Widths widths;
  for (const ClassVerdict* const* at = begin; at != end; ++at) {
    widths.place = std::max(widths.place, code_points(place_of((*at)->path, (*at)->line)));
    widths.name = std::max(widths.name, code_points(printable((*at)->name)));
  }
  return widths;
}

std::string row(const ClassVerdict& verdict, Remark remark_of, const Widths& widths, const Page& page) {
  const Style& style = page.style;
  bool plain = !is_mixed(verdict) && !disagrees(verdict);
  std::string note = printable(remark_of(verdict));
  std::string category = note.empty() ? verdict.inferred.name() : padded(verdict.inferred.name(), 14);
  std::string line =
      fmt::format("  {}  {}  {}", style.dim(padded(place_of(verdict.path, verdict.line), widths.place)),
                  padded(printable(verdict.name), widths.name), style.cyan(category));
  if (!note.empty()) line += "  " + (plain ? style.dim(note) : style.yellow(note));
  return cut_to(line, page.row_width) + "\n";
}

// Classes under their folders.
std::string listing(const std::vector<const ClassVerdict*>& verdicts, Remark remark_of, const Page& page) {
  std::string text;
  const ClassVerdict* const* end = verdicts.data() + verdicts.size();
  for (const ClassVerdict* const* begin = verdicts.data(); begin != end;) {
    std::string folder = folder_of((*begin)->path);
    const ClassVerdict* const* next =
        std::find_if(begin, end, [&](const ClassVerdict* other) { return folder_of(other->path) != folder; });
    Widths widths = widths_of(begin, next);
    text += page.style.bold(printable(folder.empty() ? "." : folder)) + "\n";
    for (; begin != next; ++begin) text += row(**begin, remark_of, widths, page);
    text += "\n";
  }
  return text;
}

std::string dynamic_listing(const std::vector<Unclassified>& dynamic, const Page& page) {
  const Style& style = page.style;
  if (dynamic.empty()) return "";
  std::string text =
      style.bold("dynamic, unclassified: " + counted(dynamic.size(), "place makes", "places make") +
                 " test classes without a class statement") +
      "\n";
  for (const Unclassified& made : dynamic) {
    std::string place = fmt::format("{}:{}", printable(made.path), made.line);
    std::string name = made.name.empty() ? "" : printable(made.name) + ", ";
    std::string row = fmt::format("  {}  {}{}: {}", style.dim(place), name, made.why,
                                  style.dim(cut_to(printable(made.text), kMostText)));
    text += cut_to(row, page.row_width) + "\n";
  }
  return text + "\n";
}

std::string function_listing(const std::vector<TestFunction>& functions, const Page& page) {
  const Style& style = page.style;
  if (functions.empty()) return "";
  std::string text =
      style.bold("invisible to the filter: " +
                 counted(functions.size(), "test function stands", "test functions stand") + " in no class") +
      "\n";
  for (const TestFunction& function : functions) {
    std::string place = style.dim(fmt::format("{}:{}", printable(function.path), function.line));
    text += cut_to(fmt::format("  {}  {}", place, printable(function.name)), page.row_width) + "\n";
  }
  return text + "\n";
}

std::vector<const ClassVerdict*> all_of(const ClassesReport& report) {
  std::vector<const ClassVerdict*> all;
  for (const ClassVerdict& verdict : report.verdicts) all.push_back(&verdict);
  return all;
}

std::string unseen(const ClassesReport& report) {
  std::vector<std::string> parts;
  if (!report.dynamic.empty())
    parts.push_back(counted(report.dynamic.size(), "place makes classes", "places make classes") +
                    " without a class statement: dynamic, unclassified");
  if (!report.functions.empty())
    parts.push_back(counted(report.functions.size(), "test function stands", "test functions stand") +
                    " in no class: invisible to the filter");
  return parts.empty() ? "" : join(parts, ".\n") + ".\n";
}

std::string kinds_to_show(const ClassesReport& report, const Totals& totals) {
  std::vector<std::string> kinds;
  if (totals.mixed > 0) kinds.emplace_back(word(Attention::mixed));
  if (totals.disagreeing > 0) kinds.emplace_back(word(Attention::disagree));
  bool unknown = std::any_of(report.verdicts.begin(), report.verdicts.end(), is_unknown);
  if (unknown || !report.dynamic.empty() || !report.functions.empty())
    kinds.emplace_back(word(Attention::unknown));
  return join(kinds, ",");
}

std::string next_step(const ClassesReport& report) {
  Totals totals = totals_of(report);
  if (report.verdicts.empty() && report.dynamic.empty() && report.functions.empty())
    return "No test classes here. Name files or folders that hold some.\n";
  std::string text = fmt::format("{} of {} classes are declared", totals.declared, totals.classes);
  if (totals.disagreeing > 0) text += fmt::format(", {} otherwise than their tests say", totals.disagreeing);
  text += ".\n";
  if (totals.further > 0)
    text +=
        fmt::format("{} more have no tests of their own and run inherited or copied ones.\n", totals.further);
  text += unseen(report) + "Next: ";
  std::string kinds = kinds_to_show(report, totals);
  if (!kinds.empty()) text += "'hwsift classify --show " + kinds + "' lists what needs a person;\n";
  return text + "'hwsift lint' says which labels are missing or break their contract.\n";
}

// One kind of --show: how its list begins, and what stands behind each class.
struct Kind {
  Attention attention;
  const char* says;
  Remark remark_of;
  const char* next;
};

constexpr Kind kKinds[] = {
    {Attention::mixed, "tests of different categories in one class", mixed_remark,
     "'hwsift classify --show mixed -o json' says which test goes into which part"},
    {Attention::disagree, "declared otherwise than their tests say", disagree_remark,
     "'hwsift lint' says which labels are wrong; correct them, or the tests"},
    {Attention::unknown, "not labelled, and little is known of their tests", unknown_remark,
     "label these by hand; tests in no class statement need one first"},
};

std::string section(const ClassesReport& report, const Kind& kind, const Page& page) {
  std::vector<const ClassVerdict*> those;
  for (const ClassVerdict& verdict : report.verdicts)
    if (needs(verdict, kind.attention)) those.push_back(&verdict);
  std::string head = fmt::format("{}: {}", word(kind.attention), counted(those.size(), "class", "classes"));
  if (!those.empty()) head += std::string(", ") + kind.says;
  return page.style.bold(head) + "\n\n" + listing(those, kind.remark_of, page);
}

std::string shown_text(const ClassesReport& report, const Page& page) {
  Totals totals = totals_of(report);
  std::string text;
  std::vector<std::string> next;
  for (const Kind& kind : kKinds) {
    if (report.show.count(kind.attention) == 0) continue;
    text += section(report, kind, page);
    next.emplace_back(kind.next);
  }
  if (shows_unclassified(report))
    text += dynamic_listing(report.dynamic, page) + function_listing(report.functions, page);
  text += fmt::format("{} shown; {} not.\n", counted(totals.shown, "class is", "classes are"),
                      counted(report.verdicts.size() - totals.shown, "other is", "others are"));
  return text + "Next: " + join(next, ";\n") + ".\n";
}

}  // namespace

std::string classes_text(const ClassesReport& report, std::size_t width, bool cut_rows, const Style& style) {
  Page page{style, cut_rows ? width : std::string::npos};
  if (!report.show.empty()) return shown_text(report, page);
  std::string text = listing(all_of(report), remark, page) + dynamic_listing(report.dynamic, page);
  if (!report.verdicts.empty())
    text +=
        style.bold("Classes by directory and category") + "\n" + classes_table(report, width, style) + "\n";
  return text + next_step(report);
}

}  // namespace hwsift::report
