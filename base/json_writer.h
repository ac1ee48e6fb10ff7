// JSON written as it is made, for documents of tens of thousands of objects, where a tree of values takes
// longer than the work that it tells of. The text is the one that dump_json gives for the same values.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace hwsift {

class JsonWriter {
 public:
  // Appends to `text`, which outlives the writer. indent < 0 is one line.
  explicit JsonWriter(std::string& text, int indent) : text_(text), indent_(indent) {}

  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void begin_array() { begin('['); }
  void end_array() { end(']'); }

  // Of an object, before each of its values.
  void key(std::string_view name);

  void value(std::string_view text);  // malformed UTF-8 becomes U+FFFD
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(const char* text) { value(std::string_view(text)); }
  void value(bool truth) { word(truth ? "true" : "false"); }
  void value(std::nullptr_t) { word("null"); }
  template <std::integral Number>
  void value(Number number) {
    word(std::to_string(number));
  }
  void value(double number) { value(Json(number)); }
  void value(const std::vector<std::string>& texts);
  void value(const Json& json);

  template <class Value>
  void member(std::string_view name, const Value& of_it) {
    key(name);
    value(of_it);
  }
  // null where there is no text.
  void text_or_null(std::string_view name, std::string_view text) {
    key(name);
    text.empty() ? value(nullptr) : value(text);
  }
  // An object of its own, whose members `write` writes.
  template <class Write>
  void object(Write write) {
    begin_object();
    write();
    end_object();
  }
  // An array of what `write` writes of each item.
  template <class Items, class Write>
  void list(std::string_view name, const Items& items, Write write) {
    key(name);
    begin_array();
    for (const auto& item : items) write(item);
    end_array();
  }

 private:
  void begin(char bracket);
  void end(char bracket);
  void next();
  void word(std::string_view text);
  void quote(std::string_view text);
  void new_line();

  std::string& text_;
  int indent_;
  std::size_t depth_ = 0;
  bool first_ = true;  // nothing yet in the innermost object or array
  bool after_key_ = false;
};

}  // namespace hwsift
