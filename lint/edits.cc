#include "lint/edits.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace hwsift::lint {

using analyzer::Class;
using analyzer::Import;
using analyzer::Span;

namespace {

std::size_t line_start(std::string_view text, std::size_t at) {
  std::size_t feed = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return feed == std::string_view::npos ? 0 : feed + 1;
}

// The end of the line that holds `at`, without its line feed.
std::size_t line_end(std::string_view text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

// What stands before `at` on its line, where that is only blanks; nullopt where something else does.
std::optional<std::string> indent_at(std::string_view text, std::size_t at) {
  std::string_view before = text.substr(line_start(text, at), at - line_start(text, at));
  if (!trim(before).empty()) return std::nullopt;
  return std::string(before);
}

// The first of the comment lines that stand right above the line that starts at `start`: they are about it.
std::size_t above_comments(std::string_view text, std::size_t start) {
  while (start > 0) {
    std::size_t above = line_start(text, start - 1);
    if (!trim(text.substr(above, start - above)).starts_with('#')) break;
    start = above;
  }
  return start;
}

// As the file ends its lines.
std::string line_feed(std::string_view text) {
  std::size_t feed = text.find('\n');
  return feed != std::string_view::npos && feed > 0 && text[feed - 1] == '\r' ? "\r\n" : "\n";
}

}  // namespace

void add_edit(Finding& finding, Safety safety, Edit edit) {
  if (!finding.fix) finding.fix = Fix{safety, {}};
  if (safety == Safety::review) finding.fix->safety = Safety::review;
  std::vector<Edit>& edits = finding.fix->edits;
  auto after = std::upper_bound(edits.begin(), edits.end(), edit.begin,
                                [](std::size_t begin, const Edit& other) { return begin < other.begin; });
  edits.insert(after, std::move(edit));
}

void replace(Finding& finding, Safety safety, Span span, const std::string& text) {
  add_edit(finding, safety, {span.begin, span.end, text});
}

void add_argument(Finding& finding, Safety safety, std::string_view text, const analyzer::Instantiation& call,
                  const std::string& argument) {
  if (text.empty() || call.last_argument.empty()) return;
  std::optional<std::string> indent = indent_at(text, call.last_argument.begin);
  std::string separator = indent ? "," + line_feed(text) + *indent : ", ";
  add_edit(finding, safety, {call.last_argument.end, call.last_argument.end, separator + argument});
}

void add_flag(Finding& finding, Safety safety, std::string_view text, const analyzer::Instantiation& call,
              const std::string& flag) {
  bool given = flag == "allow_xpu" ? call.allow_xpu_given : call.allow_mps_given;
  if (!given) add_argument(finding, safety, text, call, flag + "=True");
}

void remove_argument(Finding& finding, Safety safety, std::string_view text, Span argument) {
  if (text.empty() || argument.empty()) return;
  std::size_t comma = argument.begin;
  while (comma > 0 && is_ascii_space(text[comma - 1])) --comma;
  if (comma == 0 || text[comma - 1] != ',') return;  // the first argument, or a comment in between
  add_edit(finding, safety, {comma - 1, argument.end, ""});
}

namespace {

// --- joining an import ---

std::string folded(const std::string& name) { return ascii_lower(name); }

// isort's order_by_type: CONSTANTS, then Classes, then the rest.
int type_of(const std::string& name) {
  bool upper = name == ascii_upper(name) && name.size() > 1;
  if (upper) return 0;
  return name.front() >= 'A' && name.front() <= 'Z' ? 1 : 2;
}

using Order = bool (*)(const std::string& a, const std::string& b);

// How people sort imports; the first that holds for the names of a statement is taken for its order.
constexpr Order kOrders[] = {
    [](const std::string& a, const std::string& b) { return folded(a) < folded(b); },
    [](const std::string& a, const std::string& b) {
      return std::pair(type_of(a), folded(a)) < std::pair(type_of(b), folded(b));
    },
    [](const std::string& a, const std::string& b) { return a < b; },
};

// The index before which `name` goes; the size of the list for its end.
std::size_t place_among(const std::vector<const Import*>& items, const std::string& name) {
  for (Order order : kOrders) {
    auto by = [&](const Import* a, const Import* b) { return order(a->name, b->name); };
    if (!std::is_sorted(items.begin(), items.end(), by)) continue;
    auto at =
        std::find_if(items.begin(), items.end(), [&](const Import* item) { return order(name, item->name); });
    return static_cast<std::size_t>(at - items.begin());
  }
  return items.size();
}

// What stands between two items: ", " or a comma, a line feed and an indent.
std::string separator_of(std::string_view text, const std::vector<const Import*>& items) {
  if (items.size() < 2) {  // a lone name on a line of its own stays on one
    std::optional<std::string> indent = indent_at(text, items.front()->span.begin);
    return indent ? "," + line_feed(text) + *indent : ", ";
  }
  std::string_view between = text.substr(items[0]->span.end, items[1]->span.begin - items[0]->span.end);
  bool plain = between.find_first_not_of(", \t\r\n") == std::string_view::npos;
  return plain ? std::string(between) : ", ";
}

void join_import(Finding& finding, Safety safety, std::string_view text,
                 const std::vector<const Import*>& items, const std::string& name) {
  std::size_t place = place_among(items, name);
  std::string separator = separator_of(text, items);
  if (place < items.size()) {
    std::size_t at = items[place]->span.begin;
    return add_edit(finding, safety, {at, at, name + separator});
  }
  std::size_t at = items.back()->span.end;
  add_edit(finding, safety, {at, at, separator + name});
}

bool starts_line(std::string_view text, std::size_t at) { return at == line_start(text, at); }

// Where the first class with tests stands: what its body needs must be imported above it.
std::size_t first_test_class(const Subject& subject) {
  for (const Class& cls : subject.file.classes)
    if (cls.has_tests()) return cls.span.begin;
  return subject.text.size();
}

// The names of the first import from `module` that is a statement of the module itself.
std::vector<const Import*> import_to_join(const Subject& subject, const std::string& module) {
  std::vector<const Import*> items;
  std::size_t limit = first_test_class(subject);
  for (const Import& import : subject.file.imports) {
    bool fits = import.module == module && !import.name.empty() && import.name != "*" && import.top_level &&
                import.statement.end <= limit && starts_line(subject.text, import.statement.begin);
    if (!fits || (!items.empty() && items.front()->statement.begin != import.statement.begin)) continue;
    items.push_back(&import);
  }
  return items;
}

// Where a new import line goes: below the last import of the head of the file whose module sorts before it.
// `from __future__` and imports of other packages count as before.
std::size_t import_line_at(const Subject& subject, const std::string& module) {
  std::size_t limit = subject.text.size();
  for (const Class& cls : subject.file.classes) limit = std::min<std::size_t>(limit, cls.span.begin);
  std::size_t after_sorted = std::string_view::npos;
  std::size_t after_any = std::string_view::npos;
  std::string package = module.substr(0, module.find('.'));
  for (const Import& import : subject.file.imports) {
    bool head = import.top_level && import.statement.end <= limit &&
                starts_line(subject.text, import.statement.begin);
    if (!head) continue;
    std::size_t next = std::min(line_end(subject.text, import.statement.end) + 1, subject.text.size());
    after_any = next;
    bool related = import.module == package || import.module.starts_with(package + ".");
    if (related && import.module < module) after_sorted = next;
  }
  return after_sorted != std::string_view::npos ? after_sorted : after_any;
}

bool is_known(const Subject& subject, const std::string& module, const std::string& name) {
  auto makes_known = [&](const Import& import) {
    bool runs_always = import.top_level && import.statement.end <= first_test_class(subject) &&
                       starts_line(subject.text, import.statement.begin);
    if (!runs_always) return false;
    return import.alias == name || (import.module == module && import.name == "*");
  };
  return std::any_of(subject.file.imports.begin(), subject.file.imports.end(), makes_known);
}

bool first_class_is_indented(const Subject& subject) {
  return !subject.file.classes.empty() && !starts_line(subject.text, subject.file.classes.front().span.begin);
}

// A file without imports: above its first class with its decorators and comments, but not above a #! line.
std::size_t above_first_class(const Subject& subject) {
  if (subject.file.classes.empty()) return 0;
  const Class& first = subject.file.classes.front();
  std::size_t at = first.decorators.empty() ? first.span.begin : first.decorators.front().span.begin;
  std::size_t start = line_start(subject.text, at);
  std::size_t with_comments = above_comments(subject.text, start);
  return with_comments == 0 ? start : with_comments;
}

// The end of a docstring with the comment behind it; a statement may follow on the same line.
std::size_t docstring_end(std::string_view text, const Class& cls) {
  std::size_t end = line_end(text, cls.docstring.end);
  std::string_view rest = text.substr(cls.docstring.end, end - cls.docstring.end);
  if (!trim(rest).starts_with('#')) return cls.docstring.end;
  return text[end - 1] == '\r' ? end - 1 : end;
}

}  // namespace

void add_import(Finding& finding, Safety safety, const Subject& subject, const std::string& module,
                const std::string& name) {
  if (subject.text.empty() || is_known(subject, module, name)) return;
  std::vector<const Import*> items = import_to_join(subject, module);
  if (!items.empty()) return join_import(finding, safety, subject.text, items, name);
  std::string feed = line_feed(subject.text);
  std::string line = "from " + module + " import " + name + feed;
  std::size_t at = import_line_at(subject, module);
  if (at == std::string_view::npos && first_class_is_indented(subject)) {
    finding.fix.reset();  // no place at module level that is sure to run before the class
    return;
  }
  if (at == std::string_view::npos)
    at = above_first_class(subject), line += feed + feed;
  else if (at > 0 && subject.text[at - 1] != '\n')
    line = feed + line;
  add_edit(finding, safety, {at, at, line});
}

void add_to_body(Finding& finding, Safety safety, std::string_view text, const Class& cls,
                 const std::string& statement) {
  if (text.empty() || cls.body.empty()) return;
  std::optional<std::string> indent = indent_at(text, cls.body.begin);
  if (!indent) {  // class A(TestCase): pass
    add_edit(finding, safety, {cls.body.begin, cls.body.begin, statement + "; "});
    return;
  }
  std::string feed = line_feed(text);
  if (!cls.docstring.empty()) {
    std::size_t end = docstring_end(text, cls);
    add_edit(finding, safety, {end, end, feed + feed + *indent + statement});
    return;
  }
  std::string_view first = text.substr(cls.body.begin);
  bool blank = first.starts_with("def ") || first.starts_with("async ") || first.starts_with("@") ||
               first.starts_with("class ");
  std::size_t at = above_comments(text, line_start(text, cls.body.begin));
  add_edit(finding, safety, {at, at, *indent + statement + feed + (blank ? feed : "")});
}

namespace {

bool has_word(std::string_view text, std::string_view wanted) {
  bool found = false;
  for_each_word(text, [&](std::string_view word) { found = found || word == wanted; });
  return found;
}

// The end of the last of the comments below a class that are indented as its body is.
std::size_t below_comments(std::string_view text, std::size_t class_end) {
  std::size_t end = line_end(text, class_end);
  for (std::size_t at = end; at < text.size(); at = line_end(text, at + 1)) {
    std::string_view line = text.substr(at + 1, line_end(text, at + 1) - at - 1);
    std::string_view said = trim(line);
    bool is_comment = said.starts_with('#') && is_ascii_space(line.front());
    if (is_comment) end = line_end(text, at + 1);
    if (!is_comment && !said.empty()) break;
  }
  return end;
}

}  // namespace

void add_after_class(Finding& finding, Safety safety, std::string_view text, const Class& cls,
                     const std::string& statement) {
  if (text.empty() || cls.span.empty() || !starts_line(text, cls.span.begin)) return;
  if (has_word(text.substr(cls.span.end), cls.name)) return;  // the call would take it away from what follows
  std::string feed = line_feed(text);
  std::size_t end = below_comments(text, cls.span.end);
  if (end > 0 && text[end - 1] == '\r') --end;
  add_edit(finding, safety, {end, end, feed + feed + feed + statement});
}

}  // namespace hwsift::lint
