#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <iterator>
#include <string>

namespace hwsift {
namespace {

Hash canonical(XXH128_hash_t hash) {
  static_assert(sizeof(XXH128_canonical_t) == sizeof(Hash));
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, hash);
  Hash copied{};
  std::copy(std::begin(bytes.digest), std::end(bytes.digest), copied.begin());
  return copied;
}

}  // namespace

Hash hash_of(std::string_view bytes) { return canonical(XXH3_128bits(bytes.data(), bytes.size())); }

struct Digest::State {
  XXH3_state_t hash;
};

Digest::Digest() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->hash); }
Digest::~Digest() = default;

void Digest::add(std::string_view text) {
  add(static_cast<long long>(text.size()));
  XXH3_128bits_update(&state_->hash, text.data(), text.size());
}

void Digest::add(long long number) {
  std::string digits = std::to_string(number) + " ";
  XXH3_128bits_update(&state_->hash, digits.data(), digits.size());
}

Hash Digest::hash() const { return canonical(XXH3_128bits_digest(&state_->hash)); }

std::string Digest::hex() const {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::uint8_t byte : hash()) text += {kDigits[byte >> 4], kDigits[byte & 15]};
  return text;
}

}  // namespace hwsift
