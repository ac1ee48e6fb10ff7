#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hwsift {

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

std::string Digest::hex() const {
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, XXH3_128bits_digest(&state_->hash));
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (unsigned char byte : bytes.digest) text += {kDigits[byte >> 4], kDigits[byte & 15]};
  return text;
}

}  // namespace hwsift
