#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "analyzer/discover.h"
#include "base/text.h"
#include "report/evidence.h"
#include "report/explanation.h"

namespace hwsift::report {
namespace {

using classifier::ClassVerdict;
using classifier::Eligibility;
using classifier::Evidence;
using classifier::Reason;
using Effect = Reason::Effect;
using State = Eligibility::State;

// --- words ---

std::string s(std::size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

const char* word_for(double confidence) {
  if (confidence >= 0.9) return "high";
  if (confidence >= 0.75) return "good";
  return confidence >= 0.55 ? "fair" : "low";
}

std::string confidence_words(double confidence) {
  return fmt::format("{} ({:.2f})", word_for(confidence), confidence);
}

// The lines of a text at most `width` wide; all but the first are indented by `hanging`. Words stay whole.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t hanging, std::size_t width) {
  std::string result(indent, ' ');
  std::size_t column = indent;
  bool starts = true;
  for (const std::string& word : split(text, ' ')) {
    std::size_t length = code_points(word);
    if (!starts && column + 1 + length > width) {
      result += "\n" + std::string(hanging, ' ');
      column = hanging;
      starts = true;
    }
    if (!starts) result += " ", ++column;
    result += word;
    column += length;
    starts = false;
  }
  return result + "\n";
}

// "4", "4, 8 and 12"; the first of many.
std::string numbers_text(const std::vector<int>& numbers) {
  constexpr std::size_t kMost = 6;
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(numbers.size(), kMost); ++i)
    words.push_back(std::to_string(numbers[i]));
  if (numbers.size() > kMost) return fmt::format("{} and {} more", join(words, ", "), numbers.size() - kMost);
  std::string last = words.back();
  words.pop_back();
  return words.empty() ? last : fmt::format("{} and {}", join(words, ", "), last);
}

// --- reasons ---

std::string reason_place(const Reason& reason) { return printable(place_text(reason.path, reason.line)); }

std::string reason_text(const Reason& reason) {
  std::string text = printable(reason.text) + " at " + reason_place(reason);
  return reason.remedy.empty() ? text : text + " (" + reason.remedy + ")";
}

std::vector<const Reason*> with_effect(const Eligibility& answer, Effect effect) {
  std::vector<const Reason*> found;
  for (const Reason& reason : answer.reasons)
    if (reason.effect == effect) found.push_back(&reason);
  return found;
}

// "not generated", "skipped", "not for it".
const char* state_words(State state) {
  static const char* const words[] = {"runs", "skipped", "not generated", "not for it", "runs if"};
  return words[static_cast<int>(state)];
}

bool does_run(const Eligibility& answer) {
  return answer.state == State::runs || answer.state == State::unknown;
}

std::string verb_text(const std::string& path, const Eligibility& answer) {
  std::string id = printable(run_id(path, answer));
  if (does_run(answer)) return (answer.expands ? "runs as tests that start with " : "runs as ") + id;
  std::string text = "does not run on " + printable(answer.device);
  return answer.state == State::skips ? text + ": " + id + " is skipped" : text;
}

std::vector<std::string> conditions_of(const Eligibility& answer) {
  std::vector<std::string> parts;
  for (const Reason* reason : with_effect(answer, Effect::condition)) parts.push_back(reason_text(*reason));
  return parts;
}

// What comes first decides; what would stand in the way next follows.
std::string answer_sentence(const std::string& path, const std::string& name, const Eligibility& answer) {
  std::vector<const Reason*> against = with_effect(answer, Effect::prevents);
  std::vector<std::string> conditions = conditions_of(answer);
  std::string text = printable(name) + " " + verb_text(path, answer);
  if (!against.empty())
    return text + (answer.state == State::skips ? ", since " : ": ") + reason_text(*against.front()) + ".";
  if (conditions.size() == 1) return text + ", if " + conditions.front() + ".";
  return text + (conditions.empty() ? "." : ", if");
}

std::string conditions_block(const Eligibility& answer, std::size_t width) {
  std::vector<std::string> conditions = conditions_of(answer);
  std::string text;
  if (does_run(answer) && conditions.size() > 1)
    for (const std::string& condition : conditions) text += wrapped("- " + condition, 4, 6, width);
  if (!does_run(answer))
    for (const std::string& condition : conditions)
      text += wrapped("Besides, it runs only if " + condition + ".", 2, 4, width);
  return text;
}

std::string answer_block(const std::string& path, const std::string& name, const Eligibility& answer,
                         const Style& style, std::size_t width) {
  std::vector<const Reason*> against = with_effect(answer, Effect::prevents);
  std::string block = wrapped(answer_sentence(path, name, answer), 2, 4, width);
  for (std::size_t i = 1; i < against.size(); ++i)
    block += wrapped("Besides, " + reason_text(*against[i]) + ".", 2, 4, width);
  block += conditions_block(answer, width);
  for (const Reason* note : with_effect(answer, Effect::note))
    block += style.dim(wrapped("Note: " + reason_text(*note) + ".", 2, 4, width));
  return style.bold("On " + printable(answer.device)) + "\n" + block;
}

// --- evidence ---

// "line 4, .cuda: names CUDA where an accelerator is wanted; ..."
std::string evidence_sentence(const std::vector<Evidence>& evidence) {
  constexpr std::size_t kMost = 5;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(evidence.size(), kMost); ++i)
    parts.push_back(fmt::format("{}, {}: {}", printable(place_of(evidence[i])),
                                printable(short_symbol(evidence[i].symbol)), printable(evidence[i].says)));
  std::string text = join(parts, "; ");
  if (evidence.size() > kMost) text += fmt::format("; and {} more", evidence.size() - kMost);
  return text;
}

struct SymbolLines {
  std::string symbol;
  std::string path;  // of another file
  std::vector<int> lines;
};

// "line 4", "lines 4 and 8"; of another file "test/common.py:4 and 8".
std::string lines_text(const SymbolLines& found) {
  std::string numbers = numbers_text(found.lines);
  if (!found.path.empty()) return printable(found.path) + ":" + numbers;
  return (found.lines.size() == 1 ? "line " : "lines ") + numbers;
}

struct EvidenceGroup {
  std::string says;
  std::vector<SymbolLines> symbols;
};

void add(EvidenceGroup& group, const Evidence& piece) {
  std::string symbol = printable(short_symbol(piece.symbol));
  auto found = std::find_if(group.symbols.begin(), group.symbols.end(), [&](const SymbolLines& lines) {
    return lines.symbol == symbol && lines.path == piece.path;
  });
  if (found == group.symbols.end()) found = group.symbols.insert(found, {symbol, piece.path, {}});
  if (found->lines.empty() || found->lines.back() != piece.line) found->lines.push_back(piece.line);
}

std::vector<EvidenceGroup> grouped(const std::vector<Evidence>& evidence) {
  std::vector<EvidenceGroup> groups;
  for (const Evidence& piece : evidence) {
    auto found = std::find_if(groups.begin(), groups.end(),
                              [&](const EvidenceGroup& group) { return group.says == piece.says; });
    if (found == groups.end()) found = groups.insert(found, {piece.says, {}});
    add(*found, piece);
  }
  return groups;
}

std::string evidence_block(const std::vector<Evidence>& evidence, const Style& style, std::size_t width) {
  std::string text = style.bold("Evidence") + "\n";
  if (evidence.empty()) return text + "  none: nothing in it names hardware\n";
  std::vector<EvidenceGroup> groups = grouped(evidence);
  std::size_t symbol = 0;
  for (const EvidenceGroup& group : groups)
    for (const SymbolLines& lines : group.symbols) symbol = std::max(symbol, code_points(lines.symbol));
  for (const EvidenceGroup& group : groups) {
    text += "  " + printable(group.says) + "\n";
    for (const SymbolLines& lines : group.symbols)
      text += wrapped(padded(lines.symbol, symbol) + "  " + lines_text(lines), 4, symbol + 6, width);
  }
  return text;
}

// --- what a class says of itself ---

// No label is right for tests of several categories.
bool is_contradicted(const ClassVerdict& verdict) {
  return verdict.declared && (verdict.mixed || !(*verdict.declared == verdict.inferred));
}

std::string declared_text(const ClassExplanation& told) {
  if (told.label == nullptr) return "no label";
  std::string place = fmt::format("at line {}", told.label->line);
  if (told.label_from != nullptr) place += " of its base " + printable(told.label_from->name);
  if (told.verdict == nullptr || (!told.verdict->declared && told.label_from == nullptr))
    return fmt::format("{} {}, which is no category", printable(told.label->text), place);
  if (told.label_from != nullptr) return fmt::format("{} {}", printable(told.label->value), place);
  std::string text = fmt::format("{} {}", told.verdict->declared->name(), place);
  return text +
         (is_contradicted(*told.verdict) ? ", which disagrees with its tests" : ", which its tests bear out");
}

std::string category_text(const ClassVerdict& verdict) {
  std::string text = verdict.inferred.name();
  if (verdict.mixed) text += ", mixed: its tests belong to different categories";
  return text;
}

std::string call_text(const analyzer::Instantiation& call) {
  std::string text = fmt::format("made by instantiate_device_type_tests at line {}", call.line);
  if (call.only_for.state != analyzer::DeviceFilter::State::absent)
    text += ", only_for=" + call.only_for.text;
  if (call.except_for.state != analyzer::DeviceFilter::State::absent)
    text += ", except_for=" + call.except_for.text;
  if (call.allow_mps == analyzer::Tri::yes) text += ", allow_mps";
  if (call.allow_xpu == analyzer::Tri::yes) text += ", allow_xpu";
  return printable(text);
}

std::string class_head(const Explanation& explanation, const ClassExplanation& told, const Style& style,
                       std::size_t width) {
  auto row = [&](const char* name, const std::string& value) {
    return wrapped(fmt::format("{:<12}{}", name, value), 2, 14, width);
  };
  std::string text = style.bold("class " + printable(told.cls->qualified_name)) +
                     style.dim(fmt::format("  {}:{}", printable(explanation.path), told.cls->line)) + "\n";
  if (told.verdict == nullptr)
    return text +
           wrapped("It has no tests of its own and pytest sees none in it, so no category is inferred.", 2, 2,
                   width);
  text += row("category", category_text(*told.verdict));
  text += row("confidence", confidence_words(told.verdict->confidence));
  std::string declared = row("declared", declared_text(told));
  text += is_contradicted(*told.verdict) ? style.yellow(declared) : declared;
  for (const analyzer::Instantiation* call : told.calls) text += row("variants", call_text(*call));
  std::size_t inherited = 0;
  for (const TestExplanation& test : told.tests) inherited += test.inherited_from.empty() ? 0 : 1;
  std::string tests = std::to_string(told.tests.size());
  if (inherited > 0) tests += fmt::format(", {} of them inherited", inherited);
  if (told.tests.empty()) tests = "none in this file; it runs inherited, copied or generated ones";
  return text + row("tests", tests);
}

struct Columns {
  std::size_t line = 4;
  std::size_t name = 4;
  std::size_t category = 8;
};

Columns columns_of(const std::vector<TestExplanation>& tests) {
  Columns columns;
  for (const TestExplanation& test : tests) {
    columns.line = std::max(columns.line, std::to_string(test.line).size());
    columns.name = std::max(columns.name, code_points(printable(test.name)));
    columns.category = std::max(columns.category, test.inferred.name().size());
  }
  return columns;
}

// The rest of a row goes on the next line where it would not fit.
std::string table_row(const std::string& head, std::size_t head_width, const std::string& rest,
                      std::size_t width) {
  if (rest.empty()) return head.substr(0, head.find_last_not_of(' ') + 1) + "\n";
  if (head_width + code_points(rest) <= width) return head + rest + "\n";
  std::size_t indent = std::min<std::size_t>(head_width, 8);
  return head.substr(0, head.find_last_not_of(' ') + 1) + "\n" + wrapped(rest, indent, indent, width);
}

std::string methods_table(const std::vector<TestExplanation>& tests, const Style& style, std::size_t width) {
  Columns columns = columns_of(tests);
  std::string text = style.bold("Tests") + "\n";
  for (const TestExplanation& test : tests) {
    std::string why;
    if (!test.evidence.empty())
      why = printable(short_symbol(test.evidence.front().symbol)) + ": " +
            printable(test.evidence.front().says);
    std::string category = test.inferred.name();
    std::size_t head_width = 8 + columns.line + columns.name + columns.category;
    bool fits = !why.empty() && head_width + code_points(why) <= width;
    if (fits) category = padded(category, columns.category) + "  ";
    std::string head = fmt::format("  {:>{}}  {}  {}", test.line, columns.line,
                                   padded(printable(test.name), columns.name), style.cyan(category));
    text += table_row(head, head_width, why, width);
  }
  return text;
}

std::string split_block(const ClassVerdict& verdict, const Style& style, std::size_t width) {
  std::size_t name = 0;
  std::size_t category = 0;
  for (const classifier::SplitPart& part : verdict.split) {
    name = std::max(name, code_points(printable(part.name)));
    category = std::max(category, part.category.name().size());
  }
  std::string text = style.bold("Split it into") + "\n";
  for (const classifier::SplitPart& part : verdict.split)
    text += wrapped(fmt::format("{}  {}  {}", padded(printable(part.name), name),
                                padded(part.category.name(), category), printable(join(part.methods, ", "))),
                    2, 6, width);
  return text;
}

// --- many tests on a device ---

// Tests with the same answer, whatever line it hangs on.
struct Outcome {
  std::string text;
  std::string remedy;
  std::vector<const TestExplanation*> tests;
};

// The reason that decides, nullptr where it simply runs.
const Reason* decisive(const Eligibility& answer) {
  Effect effect = answer.state == State::unknown ? Effect::condition : Effect::prevents;
  std::vector<const Reason*> found = with_effect(answer, effect);
  return found.empty() ? nullptr : found.front();
}

std::string outcome_text(const Eligibility& answer) {
  if (answer.state == State::runs) return "run";
  std::vector<std::string> conditions;
  for (const Reason* reason : with_effect(answer, Effect::condition))
    conditions.push_back(printable(reason->text));
  if (answer.state == State::unknown) return "run if " + join(conditions, ", and if ");
  return fmt::format("{}: {}", state_words(answer.state), printable(decisive(answer)->text));
}

// Those of most tests first.
std::vector<Outcome> outcomes_of(const std::vector<TestExplanation>& tests) {
  std::vector<Outcome> outcomes;
  std::map<std::string, std::size_t> places;
  for (const TestExplanation& test : tests) {
    std::string text = outcome_text(*test.on_device);
    auto [place, is_new] = places.emplace(text, outcomes.size());
    const Reason* reason = decisive(*test.on_device);
    if (is_new) outcomes.push_back({text, reason == nullptr ? "" : reason->remedy, {}});
    outcomes[place->second].tests.push_back(&test);
  }
  std::stable_sort(outcomes.begin(), outcomes.end(),
                   [](const Outcome& a, const Outcome& b) { return a.tests.size() > b.tests.size(); });
  return outcomes;
}

std::size_t count_of(const std::vector<TestExplanation>& tests, State state) {
  return static_cast<std::size_t>(std::count_if(tests.begin(), tests.end(), [&](const TestExplanation& test) {
    return test.on_device->state == state;
  }));
}

// "2 of 8 tests run, 3 more under conditions".
std::string running_text(const std::vector<TestExplanation>& tests) {
  std::string text = fmt::format("{} of {} run", count_of(tests, State::runs), s(tests.size(), "test"));
  std::size_t uncertain = count_of(tests, State::unknown);
  return uncertain == 0 ? text : text + fmt::format(", {} more under conditions", uncertain);
}

// The one line that the answers of all these tests hang on, else "".
std::string shared_place(const Outcome& outcome) {
  std::string place;
  for (const TestExplanation* test : outcome.tests) {
    const Reason* reason = decisive(*test->on_device);
    std::string here = reason == nullptr ? "" : reason_place(*reason);
    if (here.empty() || (!place.empty() && place != here)) return "";
    place = here;
  }
  return place;
}

// What the framework makes of the name; "" where it leaves it as it is.
std::string made_name(const TestExplanation& test) {
  const Eligibility& answer = *test.on_device;
  if (answer.expands) return "as " + printable(answer.test) + "_...";
  return answer.test == test.name ? "" : "as " + printable(answer.test);
}

std::string outcome_row(const TestExplanation& test, bool names_line, const Columns& columns,
                        std::size_t width) {
  const Eligibility& answer = *test.on_device;
  std::string head =
      fmt::format("    {:>{}}  {}  ", test.line, columns.line, padded(printable(test.name), columns.name));
  std::string rest = does_run(answer) ? made_name(test) : "";
  const Reason* reason = decisive(answer);
  if (names_line && reason != nullptr) rest += (rest.empty() ? "" : ", ") + reason_place(*reason);
  return table_row(head, 8 + columns.line + columns.name, rest, width);
}

std::string outcome_block(const Outcome& outcome, const Columns& columns, const Style& style,
                          std::size_t width) {
  std::string place = shared_place(outcome);
  std::string text = fmt::format("{} {}", outcome.tests.size(), outcome.text);
  bool of_one_reason = with_effect(*outcome.tests.front()->on_device, Effect::condition).size() < 2 ||
                       !does_run(*outcome.tests.front()->on_device);
  bool shares_line = !place.empty() && of_one_reason;
  if (shares_line) text += " at " + place;
  if (!outcome.remedy.empty()) text += " (" + outcome.remedy + ")";
  text = wrapped(text, 2, 4, width);
  bool runs = does_run(*outcome.tests.front()->on_device);
  text = runs ? style.green(text) : style.yellow(text);
  for (const TestExplanation* test : outcome.tests)
    text += outcome_row(*test, of_one_reason && !shares_line, columns, width);
  return text;
}

// ", in TestAddCUDA".
std::string made_class(const ClassExplanation& told) {
  const std::string& name = told.tests.front().on_device->run_class;
  bool made = told.cls != nullptr && name != told.cls->name && name != told.cls->qualified_name;
  return made ? ", in " + printable(name) : "";
}

std::string device_table(const ClassExplanation& told, const std::string& device, const Style& style,
                         std::size_t width) {
  if (told.tests.empty()) return "";
  Columns columns = columns_of(told.tests);
  std::string text = style.bold("On " + printable(device)) +
                     fmt::format(": {}{}\n", running_text(told.tests), made_class(told));
  for (const Outcome& outcome : outcomes_of(told.tests))
    text += outcome_block(outcome, columns, style, width);
  return text;
}

// --- the next step ---

std::string remedy_of(const TestExplanation& test) {
  if (!test.on_device) return "";
  for (const Reason& reason : test.on_device->reasons)
    if (reason.effect == Effect::prevents && !reason.remedy.empty())
      return reason.remedy + " at " + reason_place(reason);
  return "";
}

// Where a device was asked about.
std::string next_on_device(const Explanation& explanation, const ClassExplanation& told) {
  for (const TestExplanation& test : told.tests)
    if (std::string remedy = remedy_of(test); !remedy.empty()) return remedy + ".";
  if (std::any_of(told.tests.begin(), told.tests.end(),
                  [](const TestExplanation& test) { return does_run(*test.on_device); }))
    return fmt::format("'hwsift run --device {} {}{}' runs the file.", printable(explanation.device),
                       analyzer::is_cxx_file(explanation.path) ? "--gtest BINARY:" : "",
                       printable(explanation.path));
  return fmt::format("'hwsift explain {}' without --device says why it has its category.",
                     printable(explanation.id));
}

std::string next_for_class(const Explanation& explanation, const ClassExplanation& told) {
  std::string path = printable(explanation.path);
  if (told.verdict == nullptr) return fmt::format("'hwsift explain {}' says which classes have tests.", path);
  if (!explanation.device.empty()) return next_on_device(explanation, told);
  if (told.verdict->mixed && !told.verdict->split.empty())
    return fmt::format("split it and label the parts; 'hwsift lint {}' shows the place.", path);
  if (told.verdict->mixed)
    return "split the base that its tests come from, as 'hwsift explain' of that class says.";
  if (is_contradicted(*told.verdict))
    return "'hwsift explain label_mismatch' says what to do about such a label.";
  if (told.label == nullptr)
    return fmt::format("label it {}; 'hwsift lint --fix=review --diff {}' shows the edit.",
                       told.verdict->inferred.name(), path);
  return fmt::format("'hwsift explain {} --device cuda' says which of its tests run there.",
                     printable(explanation.id));
}

std::string next_for_test(const Explanation& explanation) {
  const ClassExplanation& told = explanation.classes.front();
  if (!explanation.device.empty()) return next_on_device(explanation, told);
  return fmt::format("'hwsift explain {} --device cuda' says whether it runs there.",
                     printable(explanation.id));
}

// --- the three subjects ---

std::string category_sentence(const ClassExplanation& told, const TestExplanation& test) {
  std::string name = printable(test.name);
  bool by_label = test.counted.declared;
  std::string text;
  if (by_label)
    text = fmt::format("{} counts as {}, by the label of {} at line {}. By its source it is {}", name,
                       test.counted.category.name(), printable(told.cls->name), told.label->line,
                       test.inferred.name());
  else
    text = fmt::format("{} is {}", name, test.inferred.name());
  if (!test.seen && told.cls != nullptr && told.verdict != nullptr && !test.evidence.empty())
    text += ", as its class is";
  if (test.evidence.empty()) return text + ": nothing in it or around it names hardware.";
  return text + ": " + evidence_sentence(test.evidence) + ".";
}

std::string test_body(const Explanation& explanation, const Style& style, std::size_t width) {
  const ClassExplanation& told = explanation.classes.front();
  const TestExplanation& test = told.tests.front();
  std::string text =
      style.bold(printable(explanation.id)) + style.dim(fmt::format("  line {}", test.line)) + "\n";
  text += wrapped(category_sentence(told, test), 2, 4, width);
  if (!test.inherited_from.empty())
    text += wrapped(
        fmt::format("{} inherits it from {}.", printable(told.cls->name), printable(test.inherited_from)), 2,
        4, width);
  if (told.verdict != nullptr)
    text += wrapped(fmt::format("The class: {}; {}; confidence {}.", category_text(*told.verdict),
                                declared_text(told), confidence_words(told.verdict->confidence)),
                    2, 4, width);
  if (test.on_device) text += "\n" + answer_block(explanation.path, test.name, *test.on_device, style, width);
  return text + "\nNext: " + wrapped(next_for_test(explanation), 0, 2, width - 6);
}

std::string class_body(const Explanation& explanation, const Style& style, std::size_t width) {
  const ClassExplanation& told = explanation.classes.front();
  std::string text = class_head(explanation, told, style, width);
  if (told.verdict != nullptr) {
    text += "\n" + evidence_block(told.verdict->evidence, style, width);
    if (told.verdict->mixed) text += "\n" + methods_table(told.tests, style, width);
    if (!told.verdict->split.empty()) text += "\n" + split_block(*told.verdict, style, width);
  }
  if (!explanation.device.empty()) text += "\n" + device_table(told, explanation.device, style, width);
  return text + "\nNext: " + wrapped(next_for_class(explanation, told), 0, 2, width - 6);
}

std::string file_remark(const ClassExplanation& told) {
  const ClassVerdict& verdict = *told.verdict;
  if (verdict.mixed) return "mixed";
  if (is_contradicted(verdict)) return "declared " + verdict.declared->name();
  if (verdict.evidence.empty()) return "nothing in it names hardware";
  const Evidence& first = verdict.evidence.front();
  return fmt::format("{}, {}: {}", printable(place_of(first)), printable(short_symbol(first.symbol)),
                     printable(first.says));
}

std::string file_row(const Explanation& explanation, const ClassExplanation& told, std::size_t name_width,
                     const Style& style, std::size_t width) {
  std::string name = told.cls != nullptr ? printable(told.cls->qualified_name) : "(functions)";
  int line = told.cls != nullptr ? told.cls->line : told.tests.front().line;
  std::string category = told.verdict != nullptr ? told.verdict->inferred.name() : "";
  if (told.cls == nullptr) category = "by test";
  std::string head =
      fmt::format("  {:>5}  {}  {}", line, padded(name, name_width), style.cyan(padded(category, 14)));
  std::string rest = told.verdict != nullptr ? file_remark(told) : s(told.tests.size(), "test");
  if (!explanation.device.empty()) rest = running_text(told.tests);
  return table_row(head + "  ", 25 + name_width, rest, width);
}

std::string file_body(const Explanation& explanation, const Style& style, std::size_t width) {
  std::string text = style.bold(printable(explanation.path)) + ": " + s(explanation.classes.size(), "class");
  if (explanation.classes.size() != 1) text.insert(text.size() - 1, "e");
  if (!explanation.device.empty()) text += ", on " + printable(explanation.device);
  text += "\n";
  std::size_t name_width = 0;
  for (const ClassExplanation& told : explanation.classes)
    if (told.cls != nullptr)
      name_width = std::max(name_width, code_points(printable(told.cls->qualified_name)));
  for (const ClassExplanation& told : explanation.classes)
    text += file_row(explanation, told, std::max<std::size_t>(name_width, 11), style, width);
  if (explanation.classes.empty()) return text + "Next: name a file that has test classes.\n";
  const ClassExplanation& first = explanation.classes.front();
  std::string name = first.cls != nullptr ? first.cls->qualified_name : first.tests.front().name;
  return text + "\nNext: " +
         wrapped(
             fmt::format("'hwsift explain {}::{}' says why.", printable(explanation.path), printable(name)),
             0, 2, width - 6);
}

// --- what to know before reading on ---

std::string remarks(const Explanation& explanation, const Style& style, std::size_t width) {
  std::string text;
  auto add = [&](const std::string& remark) { text += wrapped(remark, 0, 2, width); };
  if (!explanation.asked_device.empty())
    add(fmt::format("{} is the variant for {} of {}; what follows is about {}.", printable(explanation.asked),
                    printable(explanation.asked_device), printable(explanation.id),
                    printable(explanation.device)));
  else if (!explanation.asked.empty())
    add(fmt::format("{} is what PyTorch or pytest makes of {}.", printable(explanation.asked),
                    printable(explanation.id)));
  if (!explanation.parse_errors.empty())
    add(fmt::format("The file has syntax errors ({}), so parts of it may be missing here.",
                    printable(explanation.parse_errors.front())));
  if (!explanation.test_file) add("The file is no test_*.py or *_test.py, so pytest collects nothing in it.");
  if (!explanation.excluded_by.empty())
    add(fmt::format("Filtered: {} leaves the file out where no path is given.",
                    printable(explanation.excluded_by)));
  return text.empty() ? "" : style.yellow(text) + "\n";
}

}  // namespace

std::string explanation_text(const Explanation& explanation, const Style& style, std::size_t width) {
  std::string text = remarks(explanation, style, width);
  switch (explanation.subject) {
    case Explanation::Subject::test:
      return text + test_body(explanation, style, width);
    case Explanation::Subject::cls:
      return text + class_body(explanation, style, width);
    case Explanation::Subject::file:
      return text + file_body(explanation, style, width);
  }
  return text;
}

}  // namespace hwsift::report
