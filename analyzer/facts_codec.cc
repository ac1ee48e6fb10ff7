#include "analyzer/facts_codec.h"

#include <cstdint>
#include <unordered_map>

#include "analyzer/facts_fields.h"

namespace hwsift::analyzer {
namespace {

// Anything that changes what bytes mean gets another number.
constexpr char kFormat = 1;

void put_number(std::string& bytes, std::uint32_t number) {
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>(number | 0x80);
  bytes += static_cast<char>(number);
}

// Keeps views of the texts: what it writes must outlive it.
class Writer {
 public:
  static constexpr bool kReads = false;

  void text(const std::string& value) {
    auto [known, is_new] = places_.emplace(value, static_cast<std::uint32_t>(places_.size()));
    if (is_new) {
      put_number(lengths_, static_cast<std::uint32_t>(value.size()));
      characters_ += value;
    }
    put_number(body_, known->second);
  }
  void texts(const std::vector<std::string>& values) {
    put_number(body_, static_cast<std::uint32_t>(values.size()));
    for (const std::string& value : values) text(value);
  }
  template <class T>
  void list(const std::vector<T>& values) {
    put_number(body_, static_cast<std::uint32_t>(values.size()));
    for (const T& value : values) fields(*this, value);
  }
  template <class... Ints>
  void numbers(Ints... values) {
    (put_number(body_, static_cast<std::uint32_t>(values)), ...);
  }
  void index(int value) { put_number(body_, static_cast<std::uint32_t>(value) + 1); }
  void range(std::uint32_t begin, std::uint32_t end) {
    put_number(body_, begin);
    put_number(body_, end - begin);
  }
  template <class Enum>
  void choice(Enum value, Enum) {
    put_number(body_, static_cast<std::uint32_t>(value));
  }
  template <class... Bools>
  void flags(Bools... values) {
    std::uint32_t bits = 0;
    int at = 0;
    ((bits |= static_cast<std::uint32_t>(values) << at++), ...);
    put_number(body_, bits);
  }

  std::string bytes() const {
    std::string all(1, kFormat);
    all.reserve(1 + 5 + lengths_.size() + characters_.size() + body_.size());
    put_number(all, static_cast<std::uint32_t>(places_.size()));
    return all += lengths_ + characters_ + body_;
  }

 private:
  std::unordered_map<std::string_view, std::uint32_t> places_;
  std::string lengths_;
  std::string characters_;
  std::string body_;
};

// How few bytes a struct can take, so that no count is believed that the bytes left cannot hold.
class Least {
 public:
  static constexpr bool kReads = false;

  void text(const std::string&) { ++bytes_; }
  void texts(const std::vector<std::string>&) { ++bytes_; }
  template <class T>
  void list(const std::vector<T>&) {
    ++bytes_;
  }
  template <class... Ints>
  void numbers(Ints...) {
    bytes_ += sizeof...(Ints);
  }
  void index(int) { ++bytes_; }
  void range(std::uint32_t, std::uint32_t) { bytes_ += 2; }
  template <class Enum>
  void choice(Enum, Enum) {
    ++bytes_;
  }
  template <class... Bools>
  void flags(Bools...) {
    ++bytes_;
  }

  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

template <class T>
std::size_t least_bytes() {
  static const std::size_t bytes = [] {
    Least least;
    fields(least, T());
    return least.bytes();
  }();
  return bytes;
}

// After the first fault all that is read is zero or empty, and `whole` is false.
class Reader {
 public:
  static constexpr bool kReads = true;

  explicit Reader(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {
    if (bytes.empty() || *at_++ != kFormat) fail();
    std::size_t count = this->count(1);
    texts_.reserve(count);
    std::vector<std::uint32_t> lengths(count);
    for (std::uint32_t& length : lengths) length = number();
    for (std::uint32_t length : lengths) texts_.push_back(characters(length));
  }

  bool whole() const { return !failed_ && at_ == end_; }

  void text(std::string& value) {
    std::uint32_t place = number();
    if (place >= texts_.size()) return fail();
    value.assign(texts_[place]);
  }
  void texts(std::vector<std::string>& values) {
    values.resize(count(1));
    for (std::string& value : values) text(value);
  }
  template <class T>
  void list(std::vector<T>& values) {
    std::size_t count = this->count(least_bytes<T>());
    values.resize(count);
    for (T& value : values) fields(*this, value);
  }
  template <class... Ints>
  void numbers(Ints&... values) {
    ((values = static_cast<int>(number())), ...);
  }
  void index(int& value) { value = static_cast<int>(number() - 1); }
  void range(std::uint32_t& begin, std::uint32_t& end) {
    begin = number();
    end = begin + number();
    if (end < begin) fail();
  }
  template <class Enum>
  void choice(Enum& value, Enum last) {
    std::uint32_t chosen = number();
    if (chosen > static_cast<std::uint32_t>(last)) return fail();
    value = static_cast<Enum>(chosen);
  }
  template <class... Bools>
  void flags(Bools&... values) {
    std::uint32_t bits = number();
    ((values = (bits & 1) != 0, bits >>= 1), ...);
    if (bits != 0) fail();
  }

 private:
  void fail() {
    failed_ = true;
    at_ = end_;
  }
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

  std::uint32_t number() {
    if (at_ == end_) return fail(), 0;
    auto byte = static_cast<unsigned char>(*at_++);
    return byte < 0x80 ? byte : long_number(byte & 0x7F);
  }
  std::uint32_t long_number(std::uint32_t value) {
    for (int shift = 7; shift <= 28 && at_ != end_; shift += 7) {
      auto byte = static_cast<unsigned char>(*at_++);
      if (shift == 28 && byte > 0x0F) break;
      value |= static_cast<std::uint32_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    return fail(), 0;
  }
  std::size_t count(std::size_t least) {
    std::size_t count = number();
    if (count > left() / least) return fail(), 0;
    return count;
  }
  std::string_view characters(std::size_t length) {
    if (length > left()) return fail(), std::string_view();
    std::string_view text(at_, length);
    at_ += length;
    return text;
  }

  const char* at_;
  const char* end_;
  bool failed_ = false;
  std::vector<std::string_view> texts_;
};

bool is_place(int index, std::size_t size) {
  return index == -1 || (index >= 0 && static_cast<std::size_t>(index) < size);
}

bool is_scope(const FileFacts& facts, int class_index, int method_index) {
  if (!is_place(class_index, facts.classes.size())) return false;
  if (class_index < 0) return method_index == -1;
  return is_place(method_index, facts.classes[static_cast<std::size_t>(class_index)].methods.size());
}

bool holds_together(const FileFacts& facts) {
  for (const Class& cls : facts.classes) {
    if (!is_place(cls.label_from, facts.classes.size())) return false;
    if (inherited_label(facts, cls).from != nullptr && inherited_label(facts, cls).label == nullptr)
      return false;
  }
  for (const Use& use : facts.uses)
    if (!is_scope(facts, use.class_index, use.method_index) ||
        !is_place(use.function_index, facts.functions.size()))
      return false;
  for (const DeviceComparison& comparison : facts.comparisons)
    if (!is_scope(facts, comparison.class_index, comparison.method_index)) return false;
  for (const GoldenText& golden : facts.golden_texts)
    if (!is_scope(facts, golden.class_index, golden.method_index)) return false;
  return true;
}

}  // namespace

std::string encode_facts(const FileFacts& facts) {
  Writer writer;
  fields(writer, facts);
  return writer.bytes();
}

std::optional<FileFacts> decode_facts(std::string_view bytes) {
  std::optional<FileFacts> facts(std::in_place);
  Reader reader(bytes);
  fields(reader, *facts);
  if (!reader.whole() || !holds_together(*facts)) return std::nullopt;
  return facts;
}

}  // namespace hwsift::analyzer
