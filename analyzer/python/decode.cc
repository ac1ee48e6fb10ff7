#include "analyzer/python/decode.h"

#include <fmt/format.h>
#include <iconv.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>

#include "base/text.h"

namespace hwsift::analyzer {
namespace {

constexpr std::string_view kBom = "\xEF\xBB\xBF";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct EncodingName {
  std::string_view python;  // as codecs normalises names: lower case, '_' between words
  const char* iconv;        // "" where iconv has no such encoding
};

constexpr EncodingName kEncodings[] = {
#include "analyzer/python/encoding_names.inc"
};

struct Cookie {
  std::string name;
  int line = 0;
  int col = 0;
};

// ---- the cookie (PEP 263)

bool is_cookie_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_ascii_digit(c) || c == '-' || c == '_' ||
         c == '.';
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find_first_of("\r\n")); }

std::optional<Cookie> cookie_in(std::string_view line, int number) {
  std::size_t start = line.find_first_not_of(" \t\f");
  if (start == std::string_view::npos || line[start] != '#') return std::nullopt;
  for (std::size_t at = line.find("coding", start); at != std::string_view::npos;
       at = line.find("coding", at + 1)) {
    std::size_t name = at + 6;
    if (name >= line.size() || (line[name] != ':' && line[name] != '=')) continue;
    name = std::min(line.find_first_not_of(" \t", name + 1), line.size());
    std::size_t end = name;
    while (end < line.size() && is_cookie_char(line[end])) ++end;
    if (end > name)
      return Cookie{std::string(line.substr(name, end - name)), number, static_cast<int>(name) + 1};
  }
  return std::nullopt;
}

std::optional<Cookie> find_cookie(std::string_view text) {
  std::string_view first = first_line(text);
  if (std::optional<Cookie> cookie = cookie_in(first, 1)) return cookie;
  std::size_t start = first.find_first_not_of(" \t\f");
  if (start != std::string_view::npos && first[start] != '#') return std::nullopt;
  std::string_view rest = text.substr(first.size());
  if (rest.empty()) return std::nullopt;
  rest.remove_prefix(rest.substr(0, 2) == "\r\n" ? 2 : 1);
  return cookie_in(first_line(rest), 2);
}

// ---- names of encodings

std::string normalised(std::string_view name) {
  std::string words;
  bool gap = false;
  for (char c : ascii_lower(name)) {
    bool letter = (c >= 'a' && c <= 'z') || is_ascii_digit(c);
    if (letter && gap && !words.empty()) words += '_';
    if (letter) words += c;
    gap = !letter;
  }
  return words;
}

// The tokenizer of CPython spells the two commonest encodings in one way.
std::string canonical(std::string_view cookie) {
  std::string name = ascii_lower(cookie.substr(0, 12));
  std::replace(name.begin(), name.end(), '_', '-');
  auto is = [&](std::string_view word) {
    return name == word ||
           (name.size() > word.size() && name.compare(0, word.size(), word) == 0 && name[word.size()] == '-');
  };
  if (is("utf-8")) return "utf-8";
  if (is("latin-1") || is("iso-8859-1") || is("iso-latin-1")) return "iso-8859-1";
  return std::string(cookie);
}

const EncodingName* find_encoding(std::string_view name) {
  std::string wanted = normalised(name);
  const EncodingName* found = std::lower_bound(
      std::begin(kEncodings), std::end(kEncodings), wanted,
      [](const EncodingName& entry, const std::string& word) { return entry.python < word; });
  return found != std::end(kEncodings) && found->python == wanted ? found : nullptr;
}

// ---- bytes to text

DecodeFailure failure_after(std::string_view text_before, std::string message) {
  std::size_t line = 1 + static_cast<std::size_t>(std::count(text_before.begin(), text_before.end(), '\n'));
  std::size_t start = text_before.rfind('\n');
  std::string_view line_before =
      start == std::string_view::npos ? text_before : text_before.substr(start + 1);
  return {static_cast<int>(line), 1 + static_cast<int>(code_points(line_before)), std::move(message)};
}

void fail(Decoded& decoded, DecodeFailure failure) {
  if (!decoded.ok) return;
  decoded.ok = false;
  decoded.failure = std::move(failure);
}

std::string bad_byte(const std::string& encoding, char byte) {
  return fmt::format("'{}' codec can't decode byte 0x{:02x}", encoding, static_cast<unsigned char>(byte));
}

void decode_utf8(std::string_view bytes, Decoded& decoded) {
  std::optional<std::size_t> bad = invalid_utf8_at(bytes);
  if (!bad) {
    decoded.source.text = bytes;
    return;
  }
  fail(decoded, failure_after(bytes.substr(0, *bad), bad_byte("utf-8", bytes[*bad])));
  decoded.source.text = valid_utf8(bytes);
}

void decode_latin1(std::string_view bytes, Decoded& decoded) {
  std::string& text = decoded.source.text;
  text.reserve(bytes.size() + bytes.size() / 8);
  for (char c : bytes) {
    unsigned char byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) text += static_cast<char>(0xC0 | (byte >> 6));
    text += byte < 0x80 ? c : static_cast<char>(0x80 | (byte & 0x3F));
  }
}

class Converter {
 public:
  explicit Converter(const char* from) : handle_(iconv_open("UTF-8", from)) {}
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;
  ~Converter() {
    if (is_open()) iconv_close(handle_);
  }
  bool is_open() const { return handle_ != reinterpret_cast<iconv_t>(-1); }

  // Appends what can be converted; false with `bytes` at the first byte that cannot.
  bool convert(std::string_view& bytes, std::string& text) {
    std::array<char, 4096> buffer;
    char* in = const_cast<char*>(bytes.data());
    std::size_t left = bytes.size();
    bool good = true;
    while (good && left > 0) {
      char* out = buffer.data();
      std::size_t room = buffer.size();
      std::size_t result = iconv(handle_, &in, &left, &out, &room);
      text.append(buffer.data(), buffer.size() - room);
      good = result != static_cast<std::size_t>(-1) || errno == E2BIG;
    }
    bytes.remove_prefix(bytes.size() - left);
    return good;
  }

 private:
  iconv_t handle_;
};

void decode_other(const char* iconv_name, std::string_view bytes, Decoded& decoded, const Cookie& cookie) {
  Converter converter(iconv_name);
  if (!converter.is_open()) {
    fail(decoded,
         {cookie.line, cookie.col, fmt::format("encoding '{}' is not known on this machine", cookie.name)});
    return;
  }
  std::string& text = decoded.source.text;
  text.reserve(bytes.size() + bytes.size() / 4);
  while (!converter.convert(bytes, text)) {
    fail(decoded, failure_after(text, bad_byte(decoded.source.encoding, bytes[0])));
    text += kReplacement;
    bytes.remove_prefix(1);
  }
}

void decode_as(const Cookie& cookie, std::string_view bytes, Decoded& decoded) {
  std::string name = canonical(cookie.name);
  decoded.source.encoding = name;
  if (name == "utf-8") return decode_utf8(bytes, decoded);
  auto reject = [&](const char* form) {
    fail(decoded, {cookie.line, cookie.col, fmt::format(fmt::runtime(form), cookie.name)});
  };
  if (decoded.source.had_bom) {
    reject("encoding problem: {} with BOM");
    return decode_utf8(bytes, decoded);
  }
  if (name == "iso-8859-1") return decode_latin1(bytes, decoded);
  const EncodingName* encoding = find_encoding(name);
  if (encoding == nullptr) return reject("unknown encoding: {}");
  if (encoding->iconv[0] == '\0') return reject("encoding '{}' of Python cannot be read by hwsift");
  if (std::string_view(encoding->iconv) == "UTF-8") return decode_utf8(bytes, decoded);
  decode_other(encoding->iconv, bytes, decoded, cookie);
}

// ---- bytes that are no text

bool reject_binary(std::string_view bytes, Decoded& decoded) {
  std::string_view mark = bytes.substr(0, 2);
  std::size_t nul = bytes.find('\0');
  if (nul == std::string_view::npos) return false;
  bool utf16 = mark == "\xFF\xFE" || mark == "\xFE\xFF";
  fail(decoded,
       failure_after(bytes.substr(0, nul), utf16 ? "UTF-16 text, which Python does not read as source"
                                                 : "binary file: source code cannot contain null bytes"));
  return true;
}

// A carriage return alone ends a line for Python.
void end_lines(std::string& text) {
  for (std::size_t at = text.find('\r'); at != std::string::npos; at = text.find('\r', at + 1))
    if (at + 1 >= text.size() || text[at + 1] != '\n') text[at] = '\n';
}

}  // namespace

Decoded decode_python_source(const std::string& bytes) {
  Decoded decoded;
  std::string_view body = bytes;
  decoded.source.had_bom = body.substr(0, kBom.size()) == kBom;
  if (decoded.source.had_bom) body.remove_prefix(kBom.size());
  if (reject_binary(body, decoded)) return decoded;
  if (std::optional<Cookie> cookie = find_cookie(body))
    decode_as(*cookie, body, decoded);
  else
    decode_utf8(body, decoded);
  end_lines(decoded.source.text);
  return decoded;
}

}  // namespace hwsift::analyzer
