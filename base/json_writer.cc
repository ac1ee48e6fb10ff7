#include "base/json_writer.h"

#include <algorithm>

namespace hwsift {
namespace {

// What stands in a JSON text as it is.
bool is_plain(char c) {
  auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

}  // namespace

void JsonWriter::key(std::string_view name) {
  next();
  quote(name);
  text_ += indent_ < 0 ? ":" : ": ";
  after_key_ = true;
}

void JsonWriter::value(std::string_view text) {
  next();
  quote(text);
}

void JsonWriter::value(const std::vector<std::string>& texts) {
  begin_array();
  for (const std::string& text : texts) value(text);
  end_array();
}

void JsonWriter::value(const Json& json) {
  std::string dumped = dump_json(json, indent_);
  next();
  for (char c : dumped)
    if (c == '\n')
      new_line();  // one in a text is escaped
    else
      text_ += c;
}

void JsonWriter::begin(char bracket) {
  next();
  text_ += bracket;
  ++depth_;
  first_ = true;
}

void JsonWriter::end(char bracket) {
  --depth_;
  if (!first_) new_line();
  text_ += bracket;
  first_ = false;
}

void JsonWriter::next() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (!first_) text_ += ',';
  if (depth_ > 0) new_line();
  first_ = false;
}

void JsonWriter::word(std::string_view text) {
  next();
  text_ += text;
}

void JsonWriter::quote(std::string_view text) {
  const char* special = std::find_if_not(text.begin(), text.end(), is_plain);
  if (special != text.end()) {
    text_ += dump_json(Json(text), -1);
    return;
  }
  text_ += '"';
  text_ += text;
  text_ += '"';
}

void JsonWriter::new_line() {
  if (indent_ < 0) return;
  text_ += '\n';
  text_.append(depth_ * static_cast<std::size_t>(indent_), ' ');
}

}  // namespace hwsift
