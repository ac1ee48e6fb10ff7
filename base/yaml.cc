#include "base/yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/text.h"

namespace hwsift {
namespace {

// Thrown inside this file only, where yaml-cpp calls us back.
struct Refused {
  Error error;
};

// Builds the tree from yaml-cpp's events. A map's children arrive as key, value, key, value.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const std::string& file) : file_(file) {}
  Yaml take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    add(node_at(mark, Yaml::Kind::null));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Refused{{place(mark), "aliases (*name) are not allowed", "write the value out"}};
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    Yaml node = node_at(mark, Yaml::Kind::scalar);
    node.scalar = value;
    node.quoted = tag == "!";
    add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, anchor, Yaml::Kind::list);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, anchor, Yaml::Kind::map);
  }
  void OnMapEnd() override { close(); }

 private:
  std::string place(const YAML::Mark& mark) const { return file_ + ":" + std::to_string(mark.line + 1); }

  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) const {
    if (anchor != 0) throw Refused{{place(mark), "anchors (&name) are not allowed", "write the value out"}};
  }

  Yaml node_at(const YAML::Mark& mark, Yaml::Kind kind) const {
    Yaml node;
    node.kind = kind;
    node.file = file_;
    node.line = mark.line + 1;
    node.col = mark.column + 1;
    return node;
  }

  void open(const YAML::Mark& mark, YAML::anchor_t anchor, Yaml::Kind kind) {
    refuse_anchor(mark, anchor);
    open_.push_back({node_at(mark, kind), {}, false});
  }

  void close() {
    Yaml done = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(done));
  }

  void add(Yaml node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == Yaml::Kind::list) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.has_key) {
      take_key(parent, node);
    } else {
      parent.node.entries.push_back({std::move(parent.key), std::move(node)});
      parent.has_key = false;
    }
  }

  struct Open {
    Yaml node;
    std::string key;
    bool has_key;
  };

  void take_key(Open& parent, const Yaml& key) {
    if (key.kind != Yaml::Kind::scalar) throw Refused{{key.place(), "a key must be plain text", "quote it"}};
    if (parent.node.find(key.scalar) != nullptr)
      throw Refused{{key.place(), "the key '" + key.scalar + "' stands twice", "remove one"}};
    parent.key = key.scalar;
    parent.has_key = true;
  }

  const std::string& file_;
  Yaml root_;
  std::vector<Open> open_;
};

}  // namespace

std::string Yaml::place() const { return file + ":" + std::to_string(line); }

const Yaml* Yaml::find(std::string_view key) const {
  for (const auto& [name, value] : entries)
    if (name == key) return &value;
  return nullptr;
}

Result<Yaml> parse_yaml(const std::string& bytes, const std::string& file) {
  if (std::optional<std::size_t> bad = invalid_utf8_at(bytes)) {
    auto lines = std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(*bad), '\n');
    return Error{file + ":" + std::to_string(lines + 1), "not valid UTF-8", "save the file as UTF-8"};
  }
  try {
    std::istringstream stream(bytes);
    YAML::Parser parser(stream);
    TreeBuilder builder(file);
    bool found = parser.HandleNextDocument(builder);
    Yaml root = builder.take();
    root.file = file;
    if (found && parser.HandleNextDocument(builder))
      return Error{file, "holds more than one YAML document", "keep one document a file"};
    return root;
  } catch (const Refused& refused) {
    return refused.error;
  } catch (const YAML::Exception& e) {
    std::string where = e.mark.is_null() ? file : file + ":" + std::to_string(e.mark.line + 1);
    return Error{where, "not valid YAML: " + e.msg, "check quotes and indentation"};
  }
}

YamlMap::YamlMap(const Yaml& node, std::vector<Error>& errors) : node_(node), errors_(errors) {
  if (node.kind != Yaml::Kind::map) fail(node, "expected a map of keys and values");
}

void YamlMap::fail(const Yaml& at, const std::string& what, const std::string& hint) {
  errors_.push_back({at.place(), what, hint});
}

const Yaml* YamlMap::ask(const std::string& key) {
  asked_.push_back(key);
  return node_.find(key);
}

std::string YamlMap::text(const std::string& key) {
  if (node_.find(key) == nullptr) fail(node_, "the key '" + key + "' is missing", "add it");
  return text_or(key, "");
}

std::string YamlMap::text_or(const std::string& key, const std::string& otherwise) {
  const Yaml* found = ask(key);
  if (found == nullptr) return otherwise;
  if (found->kind == Yaml::Kind::scalar) return found->scalar;
  fail(*found, "'" + key + "' must be text");
  return otherwise;
}

bool YamlMap::flag_or(const std::string& key, bool otherwise) {
  const Yaml* found = ask(key);
  if (found == nullptr) return otherwise;
  if (found->kind == Yaml::Kind::scalar && found->scalar == "true") return true;
  if (found->kind == Yaml::Kind::scalar && found->scalar == "false") return false;
  fail(*found, "'" + key + "' must be true or false");
  return otherwise;
}

long long YamlMap::number_or(const std::string& key, long long otherwise, long long least, long long most) {
  const Yaml* found = ask(key);
  if (found == nullptr) return otherwise;
  long long value = 0;
  const std::string& text = found->scalar;
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool whole =
      found->kind == Yaml::Kind::scalar && failure == std::errc() && end == text.data() + text.size();
  if (whole && value >= least && value <= most) return value;
  fail(*found,
       "'" + key + "' must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return otherwise;
}

std::vector<std::string> YamlMap::texts(const std::string& key) {
  const Yaml* found = ask(key);
  if (found == nullptr) return {};
  if (found->kind == Yaml::Kind::scalar) return {found->scalar};
  std::vector<std::string> values;
  if (found->kind != Yaml::Kind::list) fail(*found, "'" + key + "' must be a list of texts");
  for (const Yaml& item : found->items) {
    if (item.kind != Yaml::Kind::scalar) fail(item, "'" + key + "' must hold texts only");
    values.push_back(item.scalar);
  }
  return values;
}

const std::vector<Yaml>& YamlMap::items(const std::string& key) {
  static const std::vector<Yaml> none;
  const Yaml* found = ask(key);
  if (found == nullptr) return none;
  if (found->kind != Yaml::Kind::list) fail(*found, "'" + key + "' must be a list");
  return found->items;
}

const Yaml* YamlMap::node(const std::string& key) { return ask(key); }

void YamlMap::finish() {
  for (const auto& [key, value] : node_.entries) {
    if (std::find(asked_.begin(), asked_.end(), key) != asked_.end()) continue;
    std::optional<std::string> near = closest(key, asked_);
    std::string known = "known keys: " + join(asked_, ", ");
    fail(value, "unknown key '" + key + "'", near ? "did you mean '" + *near + "'?" : known);
  }
}

}  // namespace hwsift
