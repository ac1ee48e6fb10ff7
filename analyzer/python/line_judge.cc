#include "analyzer/python/line_judge.h"

#include <algorithm>
#include <utility>

#include "analyzer/python/literal.h"
#include "analyzer/python/names.h"

namespace hwsift::analyzer {
namespace {

constexpr std::size_t kLongestDevice = 40;

// What an import binds; of `import a.b` that is a.
std::string path_of(const PlainImport& import) {
  bool binds_root = import.alias == import.module.substr(0, import.module.find('.'));
  if (import.name.empty()) return binds_root ? import.alias : import.module;
  return import.module + (import.module.ends_with('.') ? "" : ".") + import.name;
}

// Binds names beside assignments, or holds code with names of its own.
bool may_bind(Kind kind) {
  return kind == Kind::kw_lambda || kind == Kind::kw_for || kind == Kind::kw_as || kind == Kind::kw_def ||
         kind == Kind::kw_class || kind == Kind::kw_global || kind == Kind::kw_nonlocal ||
         kind == Kind::walrus;
}

bool is_part_of_name(Kind kind) { return kind == Kind::name || kind == Kind::dot; }

bool is_comparison(Kind kind) {
  return kind == Kind::equal_equal || kind == Kind::not_equal || kind == Kind::less ||
         kind == Kind::greater || kind == Kind::less_equal || kind == Kind::greater_equal ||
         kind == Kind::kw_in || kind == Kind::kw_is;
}

}  // namespace

LineJudge::LineJudge(const std::string& text, const std::vector<Token>& tokens,
                     const std::vector<Line>& lines, const std::vector<PlainImport>& imports,
                     const Words& words)
    : text_(text), tokens_(tokens), lines_(lines), words_(words), filter_(words.filter()) {
  owners_.emplace_back();
  read_definitions();
  for (const PlainImport& import : imports) {
    if (import.name == "*") continue;
    Name& name = name_of(import.alias);
    add_path(name, path_of(import));
    name.hardware = name.hardware || words_.is_hardware(name.paths.back(), true);
    name.renamed = name.renamed || (name.hardware && import.alias != import.name);
  }
}

// Another thing that the name may stand for, by its absolute name.
void LineJudge::add_path(Name& name, std::string path) const {
  name.golden = name.golden || words_.has(last_word(path), Words::kGolden);
  name.paths.push_back(std::move(path));
}

LineJudge::Name& LineJudge::name_of(std::string_view name) {
  filter_.add(Words::hash(name));
  return names_[name];
}

void LineJudge::read_definitions() {
  std::uint32_t inside = 0;  // up to this line it is the code of a function or class
  for (std::uint32_t at = 0; at < lines_.size(); ++at) {
    std::uint32_t keyword = keyword_of(tokens_, lines_[at]);
    bool is_class = tokens_[keyword].kind == Kind::kw_class;
    if (!is_class && tokens_[keyword].kind != Kind::kw_def) continue;
    Name& name = name_of(word(keyword + 1));
    name.is_class = name.is_class || is_class;
    if (at < inside) continue;
    if (!name.definition) definitions_.push_back(word(keyword + 1));
    name.definition = true;
    inside = lines_[at].next;
  }
}

void LineJudge::enter(std::uint32_t line, Level level) {
  std::uint32_t keyword = keyword_of(tokens_, lines_[line]);
  Owner owner;
  owner.class_name = owners_.back().class_name;
  if (tokens_[keyword].kind == Kind::kw_class) owner.class_name = word(keyword + 1);
  owner.is_method = tokens_[keyword].kind == Kind::kw_def && level == Level::class_;
  for (std::uint32_t at = keyword + 2; at < lines_[line].last; ++at) {
    if (tokens_[at].kind != Kind::name) continue;
    auto named = names_.find(word(at));
    if (named != names_.end() && named->second.definition) owner.definitions[named->first] = Seen::hidden;
  }
  owners_.push_back(std::move(owner));
}

LineJudge::Read LineJudge::leave() {
  Read read = std::move(owners_.back().read);
  owners_.pop_back();
  return read;
}

// ---- what stands on a line

// The start of an f-string up to its first field, with all of its text where it has none.
std::string_view LineJudge::start_of_literal(std::uint32_t at) const {
  std::uint32_t begin = tokens_[at].end;
  while (tokens_[at].kind != Kind::fstring_end && tokens_[at].kind != Kind::lbrace) ++at;
  std::string_view start = std::string_view(text_).substr(begin, tokens_[at].begin - begin);
  return start.substr(0, start.find('{'));
}

void LineJudge::look_at_text(std::string_view text, Sight& sight) {
  if (text.size() > kLongestDevice) return;
  std::string_view type = text.substr(0, text.find(':'));
  if (words_.has(type, Words::kDeviceType)) sight.hardware = true;
  if (text == "device") sight.device = true;
}

// A name with the members asked of it: a.b.c. The token after it.
std::uint32_t LineJudge::look_at_chain(std::uint32_t first, std::uint32_t end, Sight& sight) {
  std::uint32_t last = first;
  bool may_be_known = false;
  const Name* root = nullptr;
  while (true) {
    std::string_view part = word(last);
    std::uint32_t hash = Words::hash(part);
    if (filter_.may_have(hash)) {
      int marks = look_at_part(part, hash, sight);
      may_be_known = may_be_known || (marks & (Words::kLastPart | Words::kLastWord)) != 0;
      if (last == first)
        root = look_at_root(last, marks, sight);
      else
        look_at_member(last, marks, sight);
    }
    ++last;
    if (last + 1 >= end || tokens_[last].kind != Kind::dot || tokens_[last + 1].kind != Kind::name) break;
    ++last;
  }
  if (may_be_known && !sight.hardware) sight.hardware = is_hardware({first, last}, root);
  return last;
}

// What holds of a name wherever it stands, as a member too.
int LineJudge::look_at_part(std::string_view part, std::uint32_t hash, Sight& sight) const {
  int marks = words_.marks(part, hash);
  if ((marks & Words::kAlways) != 0) sight.hardware = true;
  if ((marks & Words::kMakesFakes) != 0) sight.makes_fakes = true;
  if ((marks & Words::kMakesClass) != 0) sight.makes_classes = true;
  if ((marks & Words::kGolden) != 0) sight.golden = true;
  return marks;
}

// Of something else than a name of the file, or of a chain.
void LineJudge::look_at_member(std::uint32_t token, int marks, Sight& sight) const {
  if ((marks & Words::kDeviceType) != 0) sight.hardware = true;
  auto found = names_.find(word(token));
  if (found != names_.end() && found->second.fake) sight.hardware = true;
}

// nullptr where the file gives the name nothing.
const LineJudge::Name* LineJudge::look_at_root(std::uint32_t token, int marks, Sight& sight) {
  auto found = names_.find(word(token));
  const Name* name = found == names_.end() ? nullptr : &found->second;
  if (name != nullptr && name->hardware) sight.hardware = true;
  if (name != nullptr && name->golden) sight.golden = true;
  if ((marks & Words::kDeviceName) != 0) sight.device = true;
  bool defined = name != nullptr && (name->definition || name->is_class);
  if (defined || (marks & (Words::kDeviceName | Words::kSelf)) != 0)
    mentions_.push_back({token, marks, name});
  return name;
}

// As UseReader::look_up finds it. More parts than a dotted name may have are for the parser.
bool LineJudge::is_hardware(TokenRange chain, const Name* root) const {
  constexpr std::uint32_t kMostTokens = 48;
  if (chain.last - chain.first > kMostTokens) return true;
  std::string written;
  for (std::uint32_t at = chain.first; at < chain.last; at += 2) written.append(".").append(word(at));
  std::string rest = written.substr(1 + word(chain.first).size());
  bool imported = root != nullptr && !root->paths.empty();
  if (words_.is_hardware(std::string_view(written).substr(1), rest.empty() || imported)) return true;
  return imported && std::any_of(root->paths.begin(), root->paths.end(), [&](const std::string& path) {
           return words_.is_hardware(path + rest, true);
         });
}

// Whether a text among the tokens shows a device, as a test may expect it to be printed.
bool LineJudge::has_golden_text(TokenRange range) const {
  for (std::uint32_t at = range.first; at < range.last; ++at) {
    Kind kind = tokens_[at].kind;
    bool text = kind == Kind::string || kind == Kind::fstring_start || kind == Kind::fstring_middle;
    if (kind == Kind::fstring_start) return true;
    if (text && words_.mentions_device(word(at))) return true;
  }
  return false;
}

// What a token that is neither name, text nor bracket says of the line.
void LineJudge::look_at_mark(Kind kind, bool ends_line, Sight& sight) {
  sight.augmented = sight.augmented || kind == Kind::augmented;
  sight.several = sight.several || kind == Kind::semicolon;
  sight.imports = sight.imports || kind == Kind::kw_import;
  sight.compares = sight.compares || is_comparison(kind);
  sight.binds = sight.binds || may_bind(kind) || (kind == Kind::colon && sight.depth == 0 && !ends_line);
}

LineJudge::Sight LineJudge::look(TokenRange range) {
  Sight sight;
  mentions_.clear();
  Kind before = Kind::newline;
  sight.binds = tokens_[range.first].kind == Kind::at;  // what a decorator reads, it reads in its own way
  for (std::uint32_t at = range.first; at < range.last; ++at) {
    Kind kind = tokens_[at].kind;
    if (kind == Kind::name && before == Kind::dot) {
      // Of something in brackets, which may end with the rest of a known name: (torch.cuda).is_available
      int marks = look_at_part(word(at), Words::hash(word(at)), sight);
      look_at_member(at, marks, sight);
      if ((marks & (Words::kLastPart | Words::kLastWord)) != 0) sight.hardware = true;
    } else if (kind == Kind::name) {
      at = look_at_chain(at, range.last, sight) - 1;
    } else if (kind == Kind::string) {
      look_at_text(read_literal(word(at)).inner, sight);
    } else if (kind == Kind::fstring_start) {
      look_at_text(start_of_literal(at), sight);
    } else if (opens(kind)) {
      ++sight.depth;
    } else if (closes(kind)) {
      --sight.depth;
    } else {
      look_at_mark(kind, at + 1 == range.last, sight);
      bool assigns = (kind == Kind::equal || kind == Kind::augmented) && sight.depth == 0;
      if (assigns) sight.targets_end = at + 1, ++sight.targets;
    }
    before = kind;
  }
  if (sight.golden && !sight.hardware) sight.hardware = has_golden_text(range);
  return sight;
}

bool LineJudge::is_silent(TokenRange range) {
  if (range.first == range.last) return true;
  Sight sight = look(range);
  return !sight.hardware && !sight.device && mentions_.empty();  // ["device"] may be compared
}

bool LineJudge::may_be_pruned(TokenRange range) const {
  for (std::uint32_t at = range.first; at < range.last; ++at) {
    bool asked = tokens_[at].kind == Kind::name &&
                 words_.has(word(at), Words::kGolden | Words::kMakesTests | Words::kLabel);
    auto found = tokens_[at].kind == Kind::name ? names_.find(word(at)) : names_.end();
    bool stands_for_more = found != names_.end() && (found->second.renamed || found->second.golden);
    if (asked || stands_for_more) return false;
  }
  return true;
}

bool LineJudge::is_device(std::uint32_t token) const {
  return tokens_[token].kind == Kind::name && words_.has(word(token), Words::kDeviceName);
}

bool LineJudge::may_tell_by_call(TokenRange dotted) const {
  if (word(dotted.first) == "torch") return true;
  for (std::uint32_t at = dotted.first; at < dotted.last; ++at) {
    auto found = names_.find(word(at));
    if (found != names_.end() && found->second.renamed) return true;
    if (words_.has(word(at), Words::kMakesTests)) return true;
  }
  return false;
}

// Names that the line gives a value of which facts may be made: the last word of each target.
void LineJudge::note_targets(const Line& line, const Sight& sight) {
  for (std::uint32_t at = line.first; at + 1 < sight.targets_end; ++at) {
    Kind next = tokens_[at + 1].kind;
    bool ends_target = next == Kind::equal || next == Kind::colon;
    if (!ends_target || tokens_[at].kind != Kind::name) continue;
    Name& name = name_of(word(at));
    name.hardware = name.renamed = true;
  }
}

// Whatever is given a mode without real tensors, by the last names of each target: self.mode, modes[0].
void LineJudge::note_fakes(const Line& line, const Sight& sight) {
  for (std::uint32_t at = line.first; at + 1 < sight.targets_end; ++at)
    if (tokens_[at].kind == Kind::name) name_of(word(at)).fake = name_of(word(at)).hardware = true;
}

void LineJudge::note_aliases(const Line& line) {
  std::uint32_t first = line.first;
  for (std::uint32_t at = line.first; at <= line.last; ++at) {
    if (at < line.last && tokens_[at].kind != Kind::semicolon) continue;
    note_alias({first, at});
    first = at + 1;
  }
}

// name = module.name, where the module is imported; of several targets each, and with an annotation.
void LineJudge::note_alias(TokenRange statement) {
  std::uint32_t value = statement.last;
  while (value > statement.first && is_part_of_name(tokens_[value - 1].kind)) --value;
  if (value == statement.first || value == statement.last || tokens_[value - 1].kind != Kind::equal) return;
  auto root = names_.find(word(value));
  if (root == names_.end() || root->second.paths.empty()) return;
  std::string rest;
  for (std::uint32_t at = value + 1; at < statement.last; ++at) rest += word(at);
  std::vector<std::string> paths = root->second.paths;
  for (std::uint32_t at = statement.first; at < value; ++at) {
    bool target = tokens_[at].kind == Kind::name &&
                  (tokens_[at + 1].kind == Kind::equal || tokens_[at + 1].kind == Kind::colon);
    if (!target) continue;
    for (const std::string& path : paths) add_path(name_of(word(at)), path + rest);
  }
}

// ---- what is needed of it

Need LineJudge::need(std::uint32_t index, Level level, bool is_local) {
  const Line& line = lines_[index];
  Kind first = tokens_[line.first].kind;
  Kind keyword = tokens_[keyword_of(tokens_, line)].kind;
  Sight sight = look({line.first, line.last});
  bool is_import = first == Kind::kw_import || first == Kind::kw_from;
  if (sight.imports && is_import && !sight.several) return Need::nothing;
  if (sight.hardware && (level == Level::module || sight.makes_fakes)) note_targets(line, sight);
  if (sight.makes_fakes) note_fakes(line, sight);
  if (level == Level::module && sight.targets > 0) note_aliases(line);
  bool opens_block = line.next > index + 1;
  bool is_match = first == Kind::name && opens_block;
  sight.binds = sight.binds || is_match || is_type_alias(line);  // patterns do
  bool is_header = keyword == Kind::kw_def && level != Level::function;
  bool whole = sight.hardware || sight.imports || sight.several || is_match || keyword == Kind::kw_class;
  if (whole || is_header) hide_definitions(sight);
  if (whole) return Need::whole;
  if (is_header) return Need::nothing;
  if (level == Level::module) return need_at_module(line, sight);
  return level == Level::class_ ? need_in_class(line, sight, is_local) : need_in_function(sight);
}

// type X = ..., which runs later; no other statement begins with two names.
bool LineJudge::is_type_alias(const Line& line) const {
  return tokens_[line.first].kind == Kind::name && tokens_[line.first + 1].kind == Kind::name;
}

Need LineJudge::need_in_class(const Line& line, const Sight& sight, bool is_local) {
  if (assigns_test(line)) return Need::whole;
  if (is_local) return need_in_function(sight);
  return mentions_definition() ? Need::whole : Need::nothing;
}

Need LineJudge::need_in_function(const Sight& sight) {
  bool compares_device = sight.device && sight.compares && owners_.back().is_method;
  if (!compares_device) return need_of_mentions(sight);
  hide_definitions(sight);
  return Need::whole;
}

// Values of module-level names that are neither another name nor texts say one thing: that the name has one
// more.
Need LineJudge::need_at_module(const Line& line, const Sight& sight) const {
  Kind first = tokens_[line.first].kind;
  if (sight.makes_classes || first == Kind::kw_del || first == Kind::at) return Need::whole;
  if (sight.targets == 0) return Need::nothing;
  if (sight.augmented || sight.binds || sight.targets > 1 || may_be_filter({sight.targets_end, line.last}))
    return Need::whole;
  bool one_name = first == Kind::name && sight.targets_end == line.first + 2;
  return one_name ? Need::value : Need::nothing;
}

// A dotted name; a text, a display of texts, None.
bool LineJudge::may_be_filter(TokenRange value) const {
  bool has_names = false;
  bool has_texts = false;
  for (std::uint32_t at = value.first; at < value.last; ++at) {
    Kind kind = tokens_[at].kind;
    bool part_of_name = is_part_of_name(kind);
    bool part_of_texts =
        is_part_of_text(kind) || kind == Kind::kw_none || kind == Kind::comma || opens(kind) || closes(kind);
    if (!part_of_name && !part_of_texts) return false;
    has_names = has_names || part_of_name;
    has_texts = has_texts || part_of_texts;
  }
  return !(has_names && has_texts);
}

// test_x = make(), which the reader of a class body writes down.
bool LineJudge::assigns_test(const Line& line) const {
  for (std::uint32_t at = line.first; at + 1 < line.last; ++at) {
    Kind next = tokens_[at + 1].kind;
    bool target = next == Kind::equal || next == Kind::colon;
    if (target && tokens_[at].kind == Kind::name && word(at).starts_with("test")) return true;
  }
  return false;
}

// Definitions whose names the owner may give something else on this line.
void LineJudge::hide_definitions(const Sight& sight) {
  for (const Mention& mention : mentions_)
    if (mention.name != nullptr && mention.name->definition && !is_read(mention.token, sight))
      owners_.back().definitions[word(mention.token)] = Seen::hidden;
}

bool LineJudge::mentions_definition() const {
  return std::any_of(mentions_.begin(), mentions_.end(), [](const Mention& mention) {
    return mention.name != nullptr && mention.name->definition;
  });
}

Need LineJudge::need_of_mentions(const Sight& sight) {
  Need need = Need::nothing;
  for (const Mention& mention : mentions_) need = std::max(need, need_of(mention, sight));
  return need;
}

// f(device=1) binds nothing and reads nothing; f"{device=}" does.
bool LineJudge::is_keyword_of_call(std::uint32_t token) const {
  if (tokens_[token + 1].kind != Kind::equal) return false;
  Kind after = tokens_[token + 2].kind;
  return after != Kind::rbrace && after != Kind::exclamation && after != Kind::colon;
}

Need LineJudge::need_of(const Mention& mention, const Sight& sight) {
  bool read = is_read(mention.token, sight);
  if (read && is_keyword_of_call(mention.token)) return Need::nothing;
  Need need = Need::nothing;
  bool own_class = mention.name != nullptr && mention.name->is_class &&
                   word(mention.token) == owners_.back().class_name &&
                   tokens_[mention.token + 1].kind == Kind::dot;
  if ((mention.marks & Words::kDeviceName) != 0 && !own_class) need = need_of_device(read);
  if ((mention.marks & Words::kSelf) != 0 || own_class)
    need = std::max(need, need_of_member(mention.token, sight));
  if (mention.name != nullptr && mention.name->definition)
    need = std::max(need, need_of_definition(mention.token, read));
  return need;
}

Need LineJudge::need_of_device(bool is_read) {
  if (!is_read) return Need::whole;
  owners_.back().read.device = true;
  return Need::nothing;
}

// self.x, TestA.x; of `self` alone, self is what is read.
Need LineJudge::need_of_member(std::uint32_t token, const Sight& sight) {
  bool alone = tokens_[token + 1].kind != Kind::dot;
  std::uint32_t last = alone ? token : token + 2;
  Kind after = tokens_[last + 1].kind;
  bool is_target = token < sight.targets_end;
  bool is_self = words_.has(word(token), Words::kSelf);
  bool is_written = is_target && !alone && (after == Kind::equal || after == Kind::augmented);
  if (is_written && is_self) return Need::nothing;
  std::string_view member = word(last);
  if (!alone && member.starts_with("assert")) return Need::nothing;
  Owner& owner = owners_.back();
  bool known = owner.members.count(member) > 0;
  if (is_target || sight.binds) return known && !alone ? Need::nothing : Need::whole;
  if (known) return Need::nothing;
  owner.members.insert(member);
  owner.read.members.push_back(member);
  return Need::nothing;
}

Need LineJudge::need_of_definition(std::uint32_t token, bool is_read) {
  Owner& owner = owners_.back();
  Seen& seen = owner.definitions[word(token)];
  if (!is_read) seen = Seen::hidden;
  if (seen == Seen::no) owner.read.definitions.push_back(word(token));
  if (seen == Seen::hidden) return Need::whole;
  seen = Seen::yes;
  return Need::nothing;
}

}  // namespace hwsift::analyzer
