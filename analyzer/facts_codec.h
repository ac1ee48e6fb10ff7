// Facts of a file as bytes, for a cache: small, and quick to read.
//
// A byte with the number of the format, the texts (each once), then the facts field by field: numbers with
// seven bits a byte, texts as places in the list of texts, the flags of a struct in one number.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analyzer/facts.h"

namespace hwsift::analyzer {

// All but path and test_file: they say where the content stands, not what is in it.
std::string encode_facts(const FileFacts& facts);

// nullopt for bytes that no encode_facts of this format wrote. Whatever the bytes are, what is there holds
// together: indexes are within their lists, enumerators are ones that exist, and memory is taken in
// proportion to the bytes alone.
std::optional<FileFacts> decode_facts(std::string_view bytes);

}  // namespace hwsift::analyzer
