#include "analyzer/python/excerpt.h"

#include <algorithm>
#include <utility>

namespace hwsift::analyzer {

void Excerpt::copy(const std::string& file, std::uint32_t begin, std::uint32_t end) {
  std::uint32_t at = static_cast<std::uint32_t>(text_.size());
  text_.append(file, begin, end - begin);
  if (!pieces_.empty()) {
    Piece& last = pieces_.back();
    bool copied = last.end - last.begin == last.length;
    if (copied && begin - last.end == at - (last.at + last.length)) {
      last.length = at + (end - begin) - last.at;
      last.end = end;
      return;
    }
  }
  pieces_.push_back({at, end - begin, begin, end});
}

void Excerpt::put(std::string_view text, std::uint32_t begin, std::uint32_t end) {
  pieces_.push_back(
      {static_cast<std::uint32_t>(text_.size()), static_cast<std::uint32_t>(text.size()), begin, end});
  text_ += text;
}

void Excerpt::end_line() {
  line_ends_.push_back(text_.size());
  text_ += '\n';
}

void Excerpt::join_lines(std::size_t header_end) {
  while (line_ends_.back() > header_end) {
    line_ends_.pop_back();
    text_[line_ends_.back()] = line_ends_.back() > header_end ? ';' : ' ';
  }
  line_ends_.back() = text_.size() - 1;
}

std::size_t Excerpt::open_function() {
  functions_.emplace_back().at = static_cast<std::uint32_t>(text_.size());
  return functions_.size() - 1;
}

void Excerpt::settle_function(std::size_t place, PlainFunction function) {
  function.at = functions_[place].at;
  function.has_body = true;
  functions_[place] = std::move(function);
}

void Excerpt::put_function(PlainFunction function, std::uint32_t begin) {
  function.at = static_cast<std::uint32_t>(text_.size());
  put("0", begin, function.span.end);
  functions_.push_back(std::move(function));
}

void Excerpt::add_function(PlainFunction function) {
  function.at = functions_.back().at;
  pieces_.back().end = function.span.end;
  functions_.push_back(std::move(function));
}

void Excerpt::open_class(PlainClass cls) {
  cls.at = static_cast<std::uint32_t>(text_.size());
  classes_.push_back(std::move(cls));
}

Excerpt::Mark Excerpt::mark() const {
  return {text_.size(),
          pieces_.size(),
          functions_.size(),
          classes_.size(),
          pieces_.empty() ? 0 : pieces_.back().length,
          line_ends_.size()};
}

void Excerpt::take_back(const Mark& mark) {
  text_.resize(mark.text);
  pieces_.resize(mark.pieces);
  functions_.resize(mark.functions);
  classes_.resize(mark.classes);
  line_ends_.resize(mark.line_ends);
  if (pieces_.empty()) return;
  Piece& last = pieces_.back();
  if (last.length == mark.last_length) return;
  last.length = mark.last_length;
  last.end = last.begin + last.length;
}

// Most questions are about a place near the last one.
const Excerpt::Piece& Excerpt::piece_at(std::uint32_t at) const {
  const Piece& near = pieces_[near_];
  if (at >= near.at && at < near.at + near.length) return near;
  auto after = std::upper_bound(pieces_.begin(), pieces_.end(), at,
                                [](std::uint32_t place, const Piece& piece) { return place < piece.at; });
  near_ = after == pieces_.begin() ? 0 : static_cast<std::size_t>(after - pieces_.begin()) - 1;
  return pieces_[near_];
}

Span Excerpt::place(std::uint32_t begin, std::uint32_t end) const {
  if (pieces_.empty()) return {};
  const Piece& first = piece_at(begin);
  const Piece& last = end > begin && end > first.at + first.length ? piece_at(end - 1) : first;
  std::uint32_t from = std::min(first.begin + (begin - first.at), first.end);
  std::uint32_t to = end >= last.at + last.length ? last.end : last.begin + (end - last.at);
  return {from, std::max(from, to)};
}

std::span<const PlainFunction> Excerpt::functions_at(std::uint32_t at) const {
  auto before = [](const PlainFunction& function, std::uint32_t place) { return function.at < place; };
  auto first = std::lower_bound(functions_.begin(), functions_.end(), at, before);
  auto last = first;
  while (last != functions_.end() && last->at == at) ++last;
  return {first, last};
}

const PlainClass* Excerpt::class_at(std::uint32_t at) const {
  auto before = [](const PlainClass& cls, std::uint32_t place) { return cls.at < place; };
  auto found = std::lower_bound(classes_.begin(), classes_.end(), at, before);
  return found != classes_.end() && found->at == at ? &*found : nullptr;
}

}  // namespace hwsift::analyzer
