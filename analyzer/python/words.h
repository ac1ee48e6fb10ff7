// The words that make a line of Python worth a look, in a table that answers in a few nanoseconds.
//
// A name or a text in a lexicon can only be met where its last word stands in the source, or where a name
// that an import, an alias or an assignment gave to it does. The first kind is in this table; the second
// differs from file to file and is for the reader of the file to find.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/lexicon.h"

namespace hwsift::analyzer {

class Words {
 public:
  enum Mark : std::uint8_t {
    kHardware = 1,      // a line with it may hold a fact, whatever else stands there
    kDeviceType = 2,    // a text that begins with it may be a device
    kDeviceName = 4,    // device, devices, locals: that a method reads it is a fact
    kSelf = 8,          // self, cls: which members of it are read is a fact
    kMakesFakes = 16,   // what is assigned from a call of it is a mode without real tensors
    kMakesTests = 128,  // instantiate_device_type_tests, copy_tests
    kMakesClass = 64,   // type, globals: a call of it may make a class
    kPrefix = 32,       // a dotted name below which every name is hardware
  };

  explicit Words(const Lexicon& lexicon);

  static std::uint32_t hash(std::string_view word);
  // 0 for a word that says nothing.
  std::uint8_t marks(std::string_view word, std::uint32_t hash) const {
    const Slot* slot = &slots_[hash & mask_];
    while (slot->marks != 0 && (slot->hash != hash || slot->word != word))
      slot = slot == last_ ? slots_.data() : slot + 1;
    return slot->marks;
  }
  std::uint8_t marks(std::string_view word) const { return marks(word, hash(word)); }
  // Whether what this dotted name stands for, or a name below it, may be in the lexicon.
  bool is_hardware(std::string_view dotted) const;

 private:
  struct Slot {
    std::string_view word;
    std::uint32_t hash = 0;
    std::uint8_t marks = 0;  // 0: free
  };
  void add(std::string_view word, std::uint8_t marks);

  std::vector<std::string> texts_;
  std::vector<Slot> slots_;
  const Slot* last_ = nullptr;
  std::uint32_t mask_ = 0;
};

}  // namespace hwsift::analyzer
