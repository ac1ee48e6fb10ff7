#include "report/classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/disk.h"
#include "base/json.h"
#include "base/text.h"

namespace hwsift::report {
namespace {

using classifier::Category;
using classifier::ClassVerdict;
using classifier::Evidence;
using classifier::MethodVerdict;
using classifier::SplitPart;

double two_decimals(double value) { return std::round(value * 100) / 100; }

Json json_of(const Evidence& evidence) {
  Json json;
  json["line"] = evidence.line;
  json["symbol"] = evidence.symbol;
  json["says"] = evidence.says;
  if (!evidence.method.empty()) json["method"] = evidence.method;
  return json;
}

Json json_of(const std::vector<Evidence>& evidence) {
  Json json = Json::array();
  for (const Evidence& piece : evidence) json.push_back(json_of(piece));
  return json;
}

Json json_of(const MethodVerdict& method) {
  Json json;
  json["name"] = method.name;
  json["line"] = method.line;
  json["category"] = method.category.name();
  json["evidence"] = json_of(method.evidence);
  return json;
}

Json json_of(const SplitPart& part) {
  Json json;
  json["name"] = part.name;
  json["category"] = part.category.name();
  json["methods"] = part.methods;
  return json;
}

Json json_of(const ClassVerdict& verdict) {
  Json json;
  json["path"] = verdict.path;
  json["name"] = verdict.name;
  json["line"] = verdict.line;
  json["declared"] = verdict.declared ? Json(verdict.declared->name()) : Json(nullptr);
  json["inferred"] = verdict.inferred.name();
  json["mixed"] = verdict.mixed;
  json["own_tests"] = verdict.own_tests;
  json["confidence"] = two_decimals(verdict.confidence);
  json["evidence"] = json_of(verdict.evidence);
  json["methods"] = Json::array();
  for (const MethodVerdict& method : verdict.methods) json["methods"].push_back(json_of(method));
  json["split"] = Json::array();
  for (const SplitPart& part : verdict.split) json["split"].push_back(json_of(part));
  return json;
}

struct Tally {
  std::size_t classes = 0;
  std::size_t mixed = 0;
  std::size_t tests = 0;  // of this category, whatever their class
};

using CategoryKey = std::pair<Category::Kind, std::string>;

CategoryKey key_of(const Category& category) { return {category.kind, category.device}; }

struct Totals {
  std::map<CategoryKey, Tally> categories;
  Tally all;
  std::size_t declared = 0;
  std::size_t disagreeing = 0;  // declared otherwise than inferred
  std::size_t further = 0;      // classes without own tests, which are not counted above
};

Totals totals_of(const std::vector<ClassVerdict>& verdicts) {
  Totals totals;
  for (const ClassVerdict& verdict : verdicts) {
    if (!verdict.own_tests) {
      ++totals.further;
      continue;
    }
    for (Tally* tally : {&totals.categories[key_of(verdict.inferred)], &totals.all}) {
      ++tally->classes;
      tally->mixed += verdict.mixed ? 1 : 0;
    }
    for (const MethodVerdict& method : verdict.methods) ++totals.categories[key_of(method.category)].tests;
    totals.all.tests += verdict.methods.size();
    totals.declared += verdict.declared ? 1 : 0;
    totals.disagreeing += verdict.declared && !(*verdict.declared == verdict.inferred) ? 1 : 0;
  }
  return totals;
}

// "3 GENERIC + 2 CUDA".
std::string parts_text(const std::vector<SplitPart>& parts) {
  std::vector<std::string> texts;
  for (const SplitPart& part : parts)
    texts.push_back(fmt::format("{} {}", part.methods.size(), part.category.name()));
  return join(texts, " + ");
}

// Without the modules of the framework's test helpers, which every line would repeat.
std::string short_symbol(const std::string& symbol) {
  bool helper = symbol.compare(0, 24, "torch.testing._internal.") == 0;
  return printable(helper ? symbol.substr(symbol.rfind('.') + 1) : symbol);
}

std::string reason_text(const ClassVerdict& verdict) {
  if (verdict.evidence.empty()) return "";
  const Evidence& first = verdict.evidence.front();
  return fmt::format("{} (line {}) {}", short_symbol(first.symbol), first.line, first.says);
}

std::string remark(const ClassVerdict& verdict) {
  if (verdict.declared && !(*verdict.declared == verdict.inferred))
    return "declared " + verdict.declared->name() +
           (verdict.mixed ? ", mixed: " + parts_text(verdict.split) : "");
  return verdict.mixed ? "mixed: " + parts_text(verdict.split) : reason_text(verdict);
}

struct Widths {
  std::size_t place = 0;
  std::size_t name = 0;
};

std::string place_of(const ClassVerdict& verdict) {
  return fmt::format("{}:{}", printable(base_name(verdict.path)), verdict.line);
}

Widths widths_of(const ClassVerdict* begin, const ClassVerdict* end) {
  Widths widths;
  for (const ClassVerdict* verdict = begin; verdict != end; ++verdict) {
    widths.place = std::max(widths.place, code_points(place_of(*verdict)));
    widths.name = std::max(widths.name, code_points(printable(verdict->name)));
  }
  return widths;
}

std::string padded(const std::string& text, std::size_t width) {
  std::size_t length = code_points(text);
  return length < width ? text + std::string(width - length, ' ') : text;
}

std::string row(const ClassVerdict& verdict, const Widths& widths, const Style& style) {
  bool plain = !verdict.mixed && (!verdict.declared || *verdict.declared == verdict.inferred);
  std::string note = remark(verdict);
  std::string category = note.empty() ? verdict.inferred.name() : padded(verdict.inferred.name(), 14);
  std::string line = fmt::format("  {}  {}  {}", style.dim(padded(place_of(verdict), widths.place)),
                                 padded(printable(verdict.name), widths.name), style.cyan(category));
  if (!note.empty()) line += "  " + (plain ? style.dim(note) : style.yellow(note));
  return line + "\n";
}

std::string listing(const std::vector<ClassVerdict>& verdicts, const Style& style) {
  std::string text;
  const ClassVerdict* end = verdicts.data() + verdicts.size();
  for (const ClassVerdict* begin = verdicts.data(); begin != end;) {
    std::string folder = folder_of(begin->path);
    const ClassVerdict* next =
        std::find_if(begin, end, [&](const ClassVerdict& other) { return folder_of(other.path) != folder; });
    Widths widths = widths_of(begin, next);
    text += style.bold(printable(folder.empty() ? "." : folder)) + "\n";
    for (; begin != next; ++begin) text += row(*begin, widths, style);
    text += "\n";
  }
  return text;
}

Json counts_json(const Totals& totals) {
  return {{"classes", totals.all.classes},
          {"tests", totals.all.tests},
          {"declared", totals.declared},
          {"mixed", totals.all.mixed},
          {"without_own_tests", totals.further}};
}

std::string count_row(const std::string& name, const Tally& tally) {
  return fmt::format("{:<16}{:>8}{:>8}{:>9}\n", name, tally.classes, tally.mixed, tally.tests);
}

std::string counts_table(const Totals& totals, const Style& style) {
  std::string text =
      style.bold(fmt::format("{:<16}{:>8}{:>8}{:>9}", "category", "classes", "mixed", "tests")) + "\n";
  for (const auto& [key, tally] : totals.categories)
    text += count_row(Category{key.first, key.second}.name(), tally);
  return text + count_row("total", totals.all);
}

std::string next_step(const Totals& totals) {
  if (totals.all.classes + totals.further == 0)
    return "No test classes here. Name files or folders that hold some.\n";
  std::string text = fmt::format("{} of {} classes are declared", totals.declared, totals.all.classes);
  if (totals.disagreeing > 0) text += fmt::format(", {} otherwise than their tests say", totals.disagreeing);
  text += ".";
  if (totals.further > 0)
    text +=
        fmt::format(" {} more have no tests of their own and run inherited or copied ones.", totals.further);
  text += "\nNext: ";
  if (totals.all.mixed > 0) text += "'hwsift classify -o json' proposes how to split the mixed ones; ";
  return text + "'hwsift lint' says which labels are missing or break their contract.\n";
}

}  // namespace

// Written class by class, so that the tree of values of a whole document is never held at once.
std::string classes_json(const std::vector<ClassVerdict>& verdicts) {
  std::string text =
      "{\"schema\": \"hwsift.classes/1\",\n\"counts\": " + dump_json(counts_json(totals_of(verdicts)), -1);
  text += ",\n\"classes\": [";
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    text += (i > 0 ? ",\n" : "\n") + dump_json(json_of(verdicts[i]), -1);
  return text + "\n]}\n";
}

std::string classes_text(const std::vector<ClassVerdict>& verdicts, const Style& style) {
  Totals totals = totals_of(verdicts);
  return listing(verdicts, style) + counts_table(totals, style) + "\n" + next_step(totals);
}

}  // namespace hwsift::report
