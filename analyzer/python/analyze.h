// Facts of one Python source file, from its bytes alone.
#pragma once

#include <string>

#include "analyzer/facts.h"
#include "analyzer/lexicon.h"
#include "analyzer/python/decode.h"
#include "base/meter.h"

namespace hwsift::analyzer {

// How much of a file the parser is given. The facts are the same.
enum class Reading {
  excerpt,  // what facts may come from
  whole,    // every byte, to hold excerpts against
};

// Parts of the work that a meter tells apart. Bytes are those that a part is given.
enum ReadingPart : std::size_t {
  kReadFile,
  kAskCache,
  kDecode,
  kLex,
  kExcerpt,
  kParse,
  kFacts,
  kReadingParts
};
inline constexpr const char* kReadingPartNames[] = {"read",    "cache", "decode", "lex",
                                                    "excerpt", "parse", "facts"};

// Never fails: what is wrong with the file stands in parse, and the facts that could be read are there.
FileFacts analyze_python(const std::string& path, const Decoded& decoded, const Lexicon& lexicon,
                         Reading reading = Reading::excerpt, Meter* meter = nullptr);
FileFacts analyze_python(const std::string& path, const std::string& bytes, const Lexicon& lexicon);

}  // namespace hwsift::analyzer
