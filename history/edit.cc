#include "history/edit.h"

#include <algorithm>

#include "base/text.h"

namespace hwsift::history {
namespace {

using analyzer::Decorator;
using analyzer::DeviceFilter;
using analyzer::FileFacts;
using analyzer::Instantiation;
using analyzer::Span;
using analyzer::Tri;
using analyzer::Use;
using classifier::Instantiated;
using classifier::last_word;
using classifier::Meaning;
using classifier::Reason;
using classifier::Symbol;

bool holds(const Span& outer, const Span& inner) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

// --- twins ---

// One that the tree's PyTorch has. A decorator that goes by the device of a variant does nothing for a class
// that has none.
const Symbol* twin_of(const std::string& name, bool is_template, const EditContext& context) {
  const Symbol* symbol = context.vocabulary.find(name);
  if (symbol == nullptr || symbol->twin.empty()) return nullptr;
  const Symbol* twin = context.vocabulary.find(symbol->twin);
  if (twin == nullptr || !context.traits.has_release(twin->since)) return nullptr;
  return (twin->meaning == Meaning::restricts_variants && !is_template) ? nullptr : twin;
}

bool is_for_others(const Use& use, const EditContext& context) {
  return !use.devices.empty() &&
         std::find(use.devices.begin(), use.devices.end(), context.device) == use.devices.end();
}

std::string twin_text(const Use& use, const Symbol& twin, const EditContext& context) {
  std::string old(last_word(use.symbol));
  std::string text = old + ": use " +
                     std::string(twin.module == "torch" || twin.name.starts_with("torch.accelerator")
                                     ? twin.name
                                     : std::string(last_word(twin.name)));
  bool is_certain = twin.since.empty() || !context.traits.version.empty();
  return is_certain ? text : text + ", which PyTorch has from " + twin.since + " on";
}

// One edit a use; false where one of them has no twin.
bool add_twins(const std::vector<const Use*>& uses, bool is_template, const EditContext& context,
               Edits& edits) {
  bool any = false;
  for (const Use* use : uses) {
    if (!is_for_others(*use, context)) continue;
    const Symbol* twin = twin_of(use->symbol, is_template, context);
    if (twin == nullptr) return false;
    edits.insert({use->line, Edit::Kind::twin, use->span.begin, twin_text(*use, *twin, context)});
    any = true;
  }
  return any;
}

// --- what a reason stands at ---

void add_uses_in(const FileFacts& file, const std::vector<Decorator>& decorators, const Reason& reason,
                 std::vector<const Use*>& uses) {
  for (const Decorator& decorator : decorators) {
    if (decorator.line != reason.line || decorator.name != reason.symbol) continue;
    for (const Use& use : file.uses)
      if (holds(decorator.span, use.span)) uses.push_back(&use);
  }
}

std::vector<const Use*> uses_of_skip(const FileFacts& file, const Reason& reason) {
  std::vector<const Use*> uses;
  for (const analyzer::Class& cls : file.classes) {
    add_uses_in(file, cls.decorators, reason, uses);
    for (const analyzer::Method& method : cls.methods) add_uses_in(file, method.decorators, reason, uses);
  }
  if (!uses.empty()) return uses;
  for (const Use& use : file.uses)
    if (use.role == analyzer::Role::guard && use.line == reason.line &&
        last_word(use.symbol) == last_word(reason.symbol))
      uses.push_back(&use);
  return uses;
}

// What makes a test need another device: its own uses that are bound to it.
std::vector<const Use*> uses_of_test(const FileFacts& file, const classifier::ClassTest& test,
                                     const EditContext& context) {
  std::vector<const Use*> uses;
  for (const Use& use : file.uses) {
    if (use.class_index != test.owner_index || use.method_index != test.method_index) continue;
    const Symbol* symbol = context.vocabulary.find(use.symbol);
    if (symbol != nullptr && symbol->meaning == Meaning::requires_device) uses.push_back(&use);
  }
  return uses;
}

// --- calls ---

const Instantiation* call_at(const FileFacts& file, int line) {
  for (const Instantiation& call : file.instantiations)
    if (call.line == line) return &call;
  return nullptr;
}

bool means_device(const std::string& word, const EditContext& context) {
  const classifier::DeviceType* type = context.vocabulary.device(context.device);
  return word == context.device || (word == "privateuse1" && (type == nullptr || type->privateuse1));
}

std::string shown(const DeviceFilter& filter) {
  std::vector<std::string> quoted;
  for (const std::string& value : filter.values) quoted.push_back("\"" + value + "\"");
  return "(" + join(quoted, ", ") + (quoted.size() == 1 ? ",)" : ")");
}

DeviceFilter with_device(DeviceFilter filter, const EditContext& context) {
  filter.values.push_back(context.device);
  filter.single_text = false;
  return filter;
}

// A single text filters by substring; as a display it names devices.
DeviceFilter without_device(DeviceFilter filter, const EditContext& context) {
  if (filter.single_text) filter.values = split(filter.values.front(), ',');
  filter.single_text = false;
  std::erase_if(filter.values, [&](const std::string& value) { return means_device(value, context); });
  if (filter.values.empty()) filter.state = DeviceFilter::State::none;
  return filter;
}

// A filter that names one accelerator says that the tests are about it, but for the one that is named by
// habit.
bool declares_one_vendor(const DeviceFilter& filter, const EditContext& context) {
  if (filter.values.size() != 1) return false;
  const classifier::DeviceType* type = context.vocabulary.device(filter.values.front());
  return type == nullptr || (type->accelerator && !type->stands_for_any);
}

bool add_call_edit(const FileFacts& file, const Reason& reason, const EditContext& context, Edits& edits) {
  const Instantiation* call = call_at(file, reason.line);
  if (call == nullptr) return false;
  const classifier::DeviceType* type = context.vocabulary.device(context.device);
  using Kind = Edit::Kind;
  if (reason.kind == Reason::Kind::allow_flag) {
    bool has_flag = type != nullptr && (type->instantiated == Instantiated::allow_xpu ||
                                        type->instantiated == Instantiated::allow_mps);
    if (!has_flag) return false;
    std::string flag = type->instantiated == Instantiated::allow_xpu ? "allow_xpu" : "allow_mps";
    edits.insert({reason.line, Kind::allow_flag, 0, flag + "=True in this call"});
    return true;
  }
  bool only = reason.kind == Reason::Kind::only_for;
  const DeviceFilter& filter = only ? call->only_for : call->except_for;
  if (filter.state != DeviceFilter::State::literal || filter.values.empty()) return false;
  if (only && declares_one_vendor(filter, context)) return false;
  DeviceFilter wanted = only ? with_device(filter, context) : without_device(filter, context);
  std::string text = only ? "only_for=" + shown(wanted) + " in this call"
                          : (wanted.values.empty() ? "no except_for in this call"
                                                   : "except_for=" + shown(wanted) + " in this call");
  edits.insert({reason.line, only ? Kind::only_for : Kind::except_for, 0, text});
  return true;
}

bool changes_call(const Edits& edits) {
  return std::any_of(edits.begin(), edits.end(),
                     [](const Edit& edit) { return edit.kind != Edit::Kind::twin; });
}

bool add_edits(const FileFacts& file, const classifier::ClassTest& test,
               const classifier::Eligibility& answer, const Reason& reason, bool is_template,
               const EditContext& context, Edits& edits) {
  if (!reason.path.empty()) return false;
  switch (reason.kind) {
    case Reason::Kind::allow_flag:
    case Reason::Kind::only_for:
    case Reason::Kind::except_for:
      return add_call_edit(file, reason, context, edits);
    case Reason::Kind::category:
      if (answer.counted.declared) return false;
      // A filter may be all that the category comes from: it is judged anew once the call is another one.
      return add_twins(uses_of_test(file, test, context), is_template, context, edits) || changes_call(edits);
    case Reason::Kind::decorator:
    case Reason::Kind::guard:
    case Reason::Kind::count:
    case Reason::Kind::capability:
    case Reason::Kind::library:
      return add_twins(uses_of_skip(file, reason), is_template, context, edits);
    default:
      return false;
  }
}

// --- the facts ---

bool is_name_char(char c) { return is_word_char(c) || c == '.'; }

// In the text of a condition: the dotted name that ends in this word. A call keeps its parentheses, and a
// flag gets none.
void replace_name(const std::string& word, const std::string& name, std::string& text) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
    std::size_t begin = at;
    while (begin > 0 && is_name_char(text[begin - 1])) --begin;
    std::size_t end = at + word.size();
    bool whole = (at == begin || text[at - 1] == '.') && (end == text.size() || !is_name_char(text[end]));
    if (!whole) {
      at = end;
      continue;
    }
    text.replace(begin, end - begin, name);
    at = begin + name.size();
  }
}

void swap_in(std::vector<Decorator>& decorators, const Use& use, const Symbol& twin) {
  for (Decorator& decorator : decorators) {
    if (!holds(decorator.span, use.span)) continue;
    std::string old(last_word(use.symbol));
    if (decorator.symbol == use.symbol) {
      decorator.symbol = twin.name;
      decorator.name = std::string(last_word(twin.name));
    }
    replace_name(old, std::string(last_word(twin.name)), decorator.text);
  }
}

void swap(std::uint32_t begin, const EditContext& context, FileFacts& file) {
  for (Use& use : file.uses) {
    if (use.span.begin != begin || !is_for_others(use, context)) continue;
    const Symbol* twin = twin_of(use.symbol, true, context);
    if (twin == nullptr) continue;
    for (analyzer::Class& cls : file.classes) {
      swap_in(cls.decorators, use, *twin);
      for (analyzer::Method& method : cls.methods) swap_in(method.decorators, use, *twin);
    }
    use.symbol = twin->name;
    use.devices = twin->devices;
    use.kind = twin->kind;
  }
}

void change(const Edit& edit, const EditContext& context, Instantiation& call) {
  const classifier::DeviceType* type = context.vocabulary.device(context.device);
  if (edit.kind == Edit::Kind::only_for) call.only_for = with_device(call.only_for, context);
  if (edit.kind == Edit::Kind::except_for) call.except_for = without_device(call.except_for, context);
  if (edit.kind != Edit::Kind::allow_flag || type == nullptr) return;
  bool xpu = type->instantiated == Instantiated::allow_xpu;
  (xpu ? call.allow_xpu : call.allow_mps) = Tri::yes;
  (xpu ? call.allow_xpu_given : call.allow_mps_given) = true;
}

}  // namespace

std::optional<Edits> edits_for(const FileFacts& file, const classifier::ClassTest& test,
                               const classifier::Eligibility& answer, bool is_template,
                               const EditContext& context) {
  Edits edits;
  for (const Reason& reason : answer.reasons)
    if (reason.effect == Reason::Effect::prevents &&
        !add_edits(file, test, answer, reason, is_template, context, edits))
      return std::nullopt;
  return edits;
}

void apply(const Edits& edits, const EditContext& context, FileFacts& file) {
  for (const Edit& edit : edits) {
    if (edit.kind == Edit::Kind::twin) swap(edit.begin, context, file);
    for (Instantiation& call : file.instantiations)
      if (edit.kind != Edit::Kind::twin && call.line == edit.line) change(edit, context, call);
  }
}

}  // namespace hwsift::history
