// The words that make a line of Python worth a look, in a table that answers in a few nanoseconds.
//
// A name or a text of a lexicon can only be met where its last word stands in the source, or where a name
// that an import, an alias or an assignment gave to it does. The first kind is in this table; the second
// differs from file to file and is for the reader of the file to find.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/lexicon.h"

namespace hwsift::analyzer {

// Hashes of words, with few mistakes and all on one side: a word that was added is never missed.
class HashFilter {
 public:
  void add(std::uint32_t hash) { bits_[hash / 64 % bits_.size()] |= std::uint64_t{1} << hash % 64; }
  bool may_have(std::uint32_t hash) const { return (bits_[hash / 64 % bits_.size()] >> hash % 64 & 1) != 0; }

 private:
  std::array<std::uint64_t, 256> bits_ = {};
};

class Words {
 public:
  enum Mark : std::uint16_t {
    kAlways = 1,       // wherever it stands: members of devices, words that the readers of statements ask for
    kLastPart = 2,     // the last part of a dotted name of the lexicon
    kLastWord = 4,     // known by itself, as star imports leave it
    kName = 8,         // a dotted name of the lexicon
    kPrefix = 16,      // one below which every name is hardware
    kDeviceType = 32,  // a text that begins with it may be a device
    kDeviceName = 64,  // device, devices, locals: that a method reads it is a fact
    kSelf = 128,       // self, cls: which members of it are read is a fact
    kMakesFakes = 256,   // what is assigned from a call of it is a mode without real tensors
    kMakesTests = 512,   // instantiate_device_type_tests, copy_tests
    kMakesClass = 1024,  // type, globals: a call of it may make a class
    kLabel = 4096,       // hw_classification, whatever is given to it
    kGolden = 2048,      // a call of it may hold a text against what a test prints
  };

  explicit Words(const Lexicon& lexicon);

  static std::uint32_t hash(std::string_view word);

  // 0 for a word that says nothing.
  std::uint16_t marks(std::string_view word) const { return marks(word, hash(word)); }
  std::uint16_t marks(std::string_view word, std::uint32_t at) const {
    const Slot* slot = &slots_[at & mask_];
    while (slot->marks != 0 && (slot->hash != at || slot->word != word))
      slot = slot == last_ ? slots_.data() : slot + 1;
    return slot->marks;
  }
  const HashFilter& filter() const { return filter_; }
  bool has(std::string_view word, int any_of) const { return (marks(word) & any_of) != 0; }

  // Whether a dotted name is in the lexicon or below one that is. `alone`: it may be known by its last word.
  bool is_hardware(std::string_view dotted, bool alone) const;
  // Whether a text has a device type in a place that a printed tensor would have it in.
  bool mentions_device(std::string_view text) const;

 private:
  struct Slot {
    std::string_view word;
    std::uint32_t hash = 0;
    std::uint16_t marks = 0;  // 0: free
  };
  void add(std::string_view word, std::uint16_t marks);

  std::vector<std::string> texts_;
  std::vector<std::string> device_types_;
  std::vector<Slot> slots_;
  HashFilter filter_;
  const Slot* last_ = nullptr;
  std::uint32_t mask_ = 0;
};

inline std::uint32_t Words::hash(std::string_view word) {
  std::uint64_t head = 0;
  std::uint64_t tail = 0;
  std::size_t size = word.size();
  if (size >= 8) {
    std::memcpy(&head, word.data(), 8);
    std::memcpy(&tail, word.data() + size - 8, 8);
  } else if (size >= 4) {
    std::memcpy(&head, word.data(), 4);
    std::memcpy(&tail, word.data() + size - 4, 4);
  } else {
    for (char c : word) head = head << 8 | static_cast<unsigned char>(c);
  }
  std::uint64_t mixed = (head ^ (tail + size) * 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u;
  return static_cast<std::uint32_t>(mixed >> 32);
}

// "cuda:0", 'cuda' or "cuda" in quotes of its own, as a tensor's repr has them.
bool mentions(std::string_view text, std::string_view device);

}  // namespace hwsift::analyzer
