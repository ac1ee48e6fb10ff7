// What the parser is given of a file: the part of it that facts can come from.
//
// Nine tenths of a test file say nothing about hardware, and a parser costs twenty times what a lexer does.
// The tokens of a file that Python accepts, which are there already, tell its statements. Of these
//   - one without a word that a reader of statements asks for is left out,
//   - one that only reads members of self or functions of the module is, too: its function gets these names,
//   - imports, and headers of functions that say nothing else, are read from their tokens,
//   - a number stands for functions in a row of which nothing else is left,
//   - `class f:` stands for other headers of functions, and simple statements stand on their header's line:
//     each token costs the parser a microsecond.
// Where the shape of the code would change, `0` stands for what is left out, so that every block has a
// statement. Where functions and classes end, tokens tell. Texts are shortened to "", comments and line
// breaks within a statement to a blank. The map tells where each byte of the excerpt stands in the file, and
// all that readers see of the text is the file's.
//
// Left out is only what cannot matter; where that would take a closer look, a line is kept. The readers
// (statements in analyze.cc, values in assignments.cc, expressions in uses.cc) and the judge of lines
// (line_judge.h) belong together: a reader that asks for a new word must tell it to words.cc or to the judge.
// A fuzz target and a test on a real tree hold facts with and without excerpts against each other.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts.h"
#include "analyzer/python/tokens.h"
#include "analyzer/python/words.h"

namespace hwsift::analyzer {

// "@skipIf(...)" above a function: a dotted name, perhaps called.
struct PlainDecorator {
  bool in_excerpt = false;  // it is more than that, and stands there
  Span span;                // with its '@'
  Span expression;          // without it
  Span name;
  bool called = false;
};

// What tokens tell of a function.
struct PlainFunction {
  std::uint32_t at = 0;     // in the excerpt: of its definition, or of the number that stands for it
  bool has_body = false;    // in the excerpt: a definition stands there
  bool has_header = false;  // what follows up to `decorators` is known; else the definition there tells it
  bool async = false;
  Span span;  // from `def` or `async` to the end of its last line with code
  Span name;
  Span param_list;
  std::vector<Parameter> params;
  std::vector<PlainDecorator> decorators;
  bool acts = false;     // something that is not in the excerpt does more than a stub
  bool is_stub = false;  // where it has no body in the excerpt
  // By what is not in the excerpt, as Method has them; in any order.
  bool reads_device = false;
  std::vector<std::string_view> self_reads;
  std::vector<std::string_view> names_read;
};

// What tokens tell of a class with a block.
struct PlainClass {
  std::uint32_t at = 0;     // of its definition in the excerpt
  bool has_bases = false;   // they are known; else the definition there tells them
  std::vector<Span> bases;  // dotted names; without keyword arguments
  Span span;                // from `class`
  Span body;
  Span docstring;
};

struct PlainImport {
  std::string module;
  std::string name;   // "" for `import module`, "*" for a star import
  std::string alias;  // the name bound in the file
  bool top_level = false;
  Span span;
  Span statement;
};

class Excerpt {
 public:
  // Appends bytes [begin, end) of the file.
  void copy(const std::string& file, std::uint32_t begin, std::uint32_t end);
  // Appends `text`, which stands for bytes [begin, end) of the file as a whole.
  void put(std::string_view text, std::uint32_t begin, std::uint32_t end);
  // Appends what stands for nothing: blanks and brackets.
  void pad(std::string_view text) { text_ += text; }
  void end_line();
  // Makes one line of a header, which ends at `header_end`, and the simple statements of its block below it.
  void join_lines(std::size_t header_end);
  void indent(int depth) { text_.append(static_cast<std::size_t>(depth), ' '); }
  // A function whose definition begins here. Its place among the functions.
  std::size_t open_function();
  void settle_function(std::size_t place, PlainFunction function);
  // A class whose definition begins here.
  void open_class(PlainClass cls);
  // Appends a number that stands for the function, its decorators and all that is in it, from `begin` on; or
  // lets the number that was appended last stand for it too.
  void put_function(PlainFunction function, std::uint32_t begin);
  void add_function(PlainFunction function);

  // A place to go back to: what was appended since is taken away again.
  struct Mark {
    std::size_t text;
    std::size_t pieces;
    std::size_t functions;
    std::size_t classes;
    std::uint32_t last_length;
    std::size_t line_ends;
  };
  Mark mark() const;
  void take_back(const Mark& mark);

  const std::string& text() const { return text_; }
  // The place in the file of bytes [begin, end) of the excerpt, which begin and end with tokens.
  Span place(std::uint32_t begin, std::uint32_t end) const;
  // The function whose definition, or the functions whose number stands at this place.
  std::span<const PlainFunction> functions_at(std::uint32_t at) const;
  // nullptr where no class with a block is defined.
  const PlainClass* class_at(std::uint32_t at) const;

  std::vector<PlainImport> imports;           // in the order of the file
  std::vector<std::string_view> definitions;  // names of functions and classes of the module

 private:
  struct Piece {
    std::uint32_t at;      // in the excerpt
    std::uint32_t length;  // there
    std::uint32_t begin;   // in the file
    std::uint32_t end;     // there; of copied bytes begin + length
  };
  const Piece& piece_at(std::uint32_t at) const;

  std::string text_;
  std::vector<std::size_t> line_ends_;  // of lines that stand by themselves; a text may hold others
  std::vector<Piece> pieces_;
  mutable std::size_t near_ = 0;  // piece
  std::vector<PlainFunction> functions_;
  std::vector<PlainClass> classes_;
};

// Of a text that Python accepts, which must outlive the excerpt.
Excerpt make_excerpt(const std::string& text, const Tokens& tokens, const Words& words);

}  // namespace hwsift::analyzer
