#include "analyzer/python/line_judge.h"

#include <algorithm>

#include "analyzer/python/literal.h"

namespace hwsift::analyzer {
namespace {

constexpr std::size_t kLongestDevice = 40;

bool is_statement_end(Kind kind) {
  return kind == Kind::newline || kind == Kind::semicolon || kind == Kind::colon || kind == Kind::indent ||
         kind == Kind::dedent;
}

}  // namespace

LineJudge::LineJudge(const std::string& text, const std::vector<Token>& tokens,
                     const std::vector<Line>& lines, const Words& words)
    : text_(text), tokens_(tokens), lines_(lines), words_(words) {
  owners_.emplace_back();
  read_imports();
  read_definitions();
}

// ---- names that hold in the whole file

void LineJudge::read_imports() {
  for (const Line& line : lines_)
    for (std::uint32_t at = line.first; at < line.last; ++at) {
      if (tokens_[at].kind != Kind::kw_import) continue;
      std::uint32_t first = at;
      while (first > line.first && !is_statement_end(tokens_[first - 1].kind)) --first;
      read_import(at, first);
    }
}

// import a.b, c as d; from a import b, c as d; from a import (b, c)
void LineJudge::read_import(std::uint32_t import_token, std::uint32_t first) {
  std::string module;
  for (std::uint32_t at = first + 1; at < import_token; ++at) module += word(at);
  std::string path = module;
  std::string_view alias;
  for (std::uint32_t at = import_token + 1;; ++at) {
    Kind kind = tokens_[at].kind;
    if (kind == Kind::name && tokens_[at - 1].kind == Kind::kw_as) {
      alias = word(at);
    } else if (kind == Kind::name) {
      if (alias.empty()) alias = word(at);
      path += (path.empty() || path.back() == '.' ? "" : ".") + std::string(word(at));
    } else if (kind != Kind::dot && kind != Kind::lparen && kind != Kind::kw_as) {
      bool binds_root = import_token == first && tokens_[at - 2].kind != Kind::kw_as;
      bind_import(alias, binds_root ? std::string(alias) : path);
      if (kind != Kind::comma) return;
      path = module;
      alias = {};
    }
  }
}

void LineJudge::bind_import(std::string_view alias, const std::string& path) {
  if (!alias.empty() && words_.is_hardware(path)) names_[alias].hardware = true;
}

void LineJudge::read_definitions() {
  std::uint32_t inside = 0;  // up to this line it is the code of a function or class
  for (std::uint32_t at = 0; at < lines_.size(); ++at) {
    const Token* first = &tokens_[lines_[at].first];
    if (first->kind == Kind::kw_async) ++first;
    bool is_class = first->kind == Kind::kw_class;
    if (!is_class && first->kind != Kind::kw_def) continue;
    Name& name = names_[word(static_cast<std::uint32_t>(first + 1 - tokens_.data()))];
    name.is_class = name.is_class || is_class;
    if (at < inside) continue;
    name.definition = true;
    inside = lines_[at].next;
  }
}

void LineJudge::enter(std::uint32_t line, Level level) {
  const Token* first = &tokens_[lines_[line].first];
  if (first->kind == Kind::kw_async) ++first;
  Owner owner;
  owner.class_name = owners_.back().class_name;
  owner.is_function = first->kind == Kind::kw_def;
  owner.is_method = owner.is_function && level == Level::class_;
  if (!owner.is_function) owner.class_name = word(static_cast<std::uint32_t>(first + 1 - tokens_.data()));
  for (const Token* part = first + 2; part->kind != Kind::newline; ++part) {
    auto named = names_.find(word(static_cast<std::uint32_t>(part - tokens_.data())));
    if (part->kind == Kind::name && named != names_.end()) owner.definitions[named->first] = Seen::hidden;
  }
  owners_.push_back(std::move(owner));
}

// ---- one line

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
  if ((words_.marks(type) & Words::kDeviceType) != 0) sight.hardware = true;
  if (text == "device") sight.device = true;
}

void LineJudge::look_at_name(std::uint32_t token, bool is_member, Sight& sight) {
  std::string_view text = word(token);
  std::uint8_t marks = words_.marks(text);
  if ((marks & Words::kHardware) != 0) sight.hardware = true;
  if ((marks & Words::kMakesFakes) != 0) sight.makes_fakes = true;
  auto found = names_.find(text);
  const Name* name = found == names_.end() ? nullptr : &found->second;
  if (name != nullptr && name->hardware) sight.hardware = true;
  if (is_member || (name == nullptr && (marks & (Words::kDeviceName | Words::kSelf)) == 0)) return;
  if ((marks & Words::kDeviceName) != 0) sight.device = true;
  mentions_.push_back({token, marks, name});
}

LineJudge::Sight LineJudge::look(const Line& line) {
  Sight sight;
  mentions_.clear();
  int depth = 0;
  Kind before = Kind::newline;
  sight.binds =
      tokens_[line.first].kind == Kind::at;  // a decorator is no expression that is read as others are
  for (std::uint32_t at = line.first; at < line.last; ++at) {
    const Token& token = tokens_[at];
    switch (token.kind) {
      case Kind::name:
        look_at_name(at, before == Kind::dot, sight);
        break;
      case Kind::string:
        look_at_text(read_literal(word(at)).inner, sight);
        break;
      case Kind::fstring_start:
        look_at_text(start_of_literal(at), sight);
        break;
      case Kind::lparen:
      case Kind::lbracket:
      case Kind::lbrace:
        ++depth;
        break;
      case Kind::rparen:
      case Kind::rbracket:
      case Kind::rbrace:
        --depth;
        break;
      case Kind::augmented:
        sight.augmented = true;
        [[fallthrough]];
      case Kind::equal:
        if (depth == 0) sight.targets_end = at + 1;
        break;
      case Kind::colon:
        if (depth == 0 && at + 1 < line.last) sight.binds = true;
        break;
      case Kind::kw_lambda:
      case Kind::kw_for:
      case Kind::kw_as:
      case Kind::kw_def:
      case Kind::kw_class:
      case Kind::kw_global:
      case Kind::kw_nonlocal:
      case Kind::walrus:
        sight.binds = true;
        break;
      case Kind::kw_import:
      case Kind::semicolon:
        sight.hardware = true;
        break;
      case Kind::equal_equal:
      case Kind::not_equal:
      case Kind::less:
      case Kind::greater:
      case Kind::less_equal:
      case Kind::greater_equal:
      case Kind::kw_in:
      case Kind::kw_is:
        sight.compares = true;
        break;
      default:
        break;
    }
    before = token.kind;
  }
  return sight;
}

// Names that the line gives a value of which facts may be made: the last word of each target.
void LineJudge::note_targets(const Line& line, const Sight& sight) {
  for (std::uint32_t at = line.first; at + 1 < sight.targets_end; ++at) {
    Kind next = tokens_[at + 1].kind;
    bool ends_target = next == Kind::equal || next == Kind::colon;
    if (ends_target && tokens_[at].kind == Kind::name) names_[word(at)].hardware = true;
  }
}

bool LineJudge::matters(std::uint32_t index, Level level) {
  const Line& line = lines_[index];
  Sight sight = look(line);
  if (sight.hardware && (level == Level::module || sight.makes_fakes)) note_targets(line, sight);
  bool opens_block = line.next > index + 1;
  bool is_match = opens_block && tokens_[line.first].kind == Kind::name;
  if (level != Level::function || sight.hardware || is_match) return true;
  if (sight.device && sight.compares && owners_.back().is_method) return true;
  bool matters = false;
  for (const Mention& mention : mentions_) matters |= changes(mention, sight);
  return matters;
}

// f(device=1) binds nothing and reads nothing; f"{device=}" does.
bool LineJudge::is_keyword_of_call(std::uint32_t token) const {
  if (tokens_[token + 1].kind != Kind::equal) return false;
  Kind after = tokens_[token + 2].kind;
  return after != Kind::rbrace && after != Kind::exclamation && after != Kind::colon;
}

// Whether a name on the line makes a fact that is not known yet, or hides what others make facts of.
bool LineJudge::changes(const Mention& mention, const Sight& sight) {
  bool is_target = mention.token < sight.targets_end;
  bool is_read = !is_target && !sight.binds;
  Owner& owner = owners_.back();
  if (!is_target && !sight.binds && is_keyword_of_call(mention.token)) return false;
  bool matters = false;
  if ((mention.marks & Words::kDeviceName) != 0) {
    matters = !is_read || (owner.is_method && !owner.reads_device);
    if (is_read) owner.reads_device = true;
  }
  if ((mention.marks & Words::kSelf) != 0) matters |= reads_member(mention.token, sight);
  if (mention.name == nullptr) return matters;
  bool own_class = mention.name->is_class && word(mention.token) == owner.class_name;
  if (own_class && tokens_[mention.token + 1].kind == Kind::dot)
    matters |= reads_member(mention.token, sight);
  if (mention.name->definition) matters |= reads_definition(mention.token, sight);
  return matters;
}

// self.x, TestA.x; of `self` alone, self is what is read.
bool LineJudge::reads_member(std::uint32_t token, const Sight& sight) {
  bool alone = tokens_[token + 1].kind != Kind::dot;
  std::uint32_t last = alone ? token : token + 2;
  Kind after = tokens_[last + 1].kind;
  bool is_target = token < sight.targets_end;
  if (is_target && !alone && (after == Kind::equal || after == Kind::augmented)) return false;
  std::string_view member = word(last);
  if (member.starts_with("assert")) return false;
  Owner& owner = owners_.back();
  if (owner.members.count(member) > 0) return is_target && alone;
  if (!is_target && !sight.binds) owner.members.insert(member);
  return true;
}

bool LineJudge::reads_definition(std::uint32_t token, const Sight& sight) {
  Seen& seen = owners_.back().definitions[word(token)];
  if (token < sight.targets_end || sight.binds) seen = Seen::hidden;
  if (seen != Seen::no) return seen == Seen::hidden;
  seen = Seen::yes;
  return true;
}

}  // namespace hwsift::analyzer
