// What the parser is given of a file: the part of it that facts can come from.
//
// Nine tenths of a test file say nothing about hardware, and a parser costs fifty times what a lexer does.
// The tokens of a file that Python accepts, which are there already, tell its statements, and a statement
// without a word that any reader of statements asks for can make no fact: it is left out. Where the shape of
// the code would change, `0` stands for what is left out, so that blocks have statements, ends of functions
// stay where they are, and a function that does something is not taken for a stub. Texts are shortened to "",
// comments and line breaks within a statement to a space. The map tells where each byte of the excerpt stands
// in the file, and all that readers see of the text is the file's.
//
// Left out is only what cannot matter; where that would take a closer look, a line is kept. The readers
// (statements in analyze.cc, values in assignments.cc, expressions in uses.cc) and the judge of lines in
// excerpt.cc belong together: a reader that asks for a new word must tell it to words.cc or to the judge. A
// fuzz target and the tests on real trees hold facts with and without excerpts against each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/facts.h"
#include "analyzer/python/tokens.h"
#include "analyzer/python/words.h"

namespace hwsift::analyzer {

class Excerpt {
 public:
  // Appends bytes [begin, end) of the file.
  void copy(const std::string& file, std::uint32_t begin, std::uint32_t end);
  // Appends `text`, which stands for bytes [begin, end) of the file as a whole.
  void put(std::string_view text, std::uint32_t begin, std::uint32_t end);
  // Appends what stands for nothing: blanks and line ends.
  void space(char c) { text_ += c; }
  void indent(int depth) { text_.append(static_cast<std::size_t>(depth), ' '); }

  // A place to go back to: what was appended since is taken away again.
  struct Mark {
    std::size_t text;
    std::size_t pieces;
    std::uint32_t last_length;
  };
  Mark mark() const;
  void take_back(const Mark& mark);

  const std::string& text() const { return text_; }
  // The place in the file of bytes [begin, end) of the excerpt, which begin and end with tokens.
  Span place(std::uint32_t begin, std::uint32_t end) const;

 private:
  struct Piece {
    std::uint32_t at;      // in the excerpt
    std::uint32_t length;  // there
    std::uint32_t begin;   // in the file
    std::uint32_t end;     // there; of copied bytes begin + length
  };
  const Piece& piece_at(std::uint32_t at) const;

  std::string text_;
  std::vector<Piece> pieces_;
};

// Of a text that Python accepts.
Excerpt make_excerpt(const std::string& text, const Tokens& tokens, const Words& words);

}  // namespace hwsift::analyzer
