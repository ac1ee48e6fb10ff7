// A digest of texts, the same on every machine. Not for secrets.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace hwsift {

// XXH3 with 128 bits, of one text, in the order of its canonical form.
using Hash = std::array<std::uint8_t, 16>;
Hash hash_of(std::string_view bytes);

// XXH3 with 128 bits over a sequence of texts; where one ends and the next begins counts too.
class Digest {
 public:
  Digest();
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;
  ~Digest();

  void add(std::string_view text);
  void add(long long number);
  Hash hash() const;
  std::string hex() const;  // 32 digits

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hwsift
