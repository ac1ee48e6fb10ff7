// What a parser must be given of the lines of a file. See excerpt.h for what depends on it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analyzer/python/excerpt.h"
#include "analyzer/python/lines.h"
#include "analyzer/python/tokens.h"
#include "analyzer/python/words.h"

namespace hwsift::analyzer {

enum class Need : std::uint8_t {
  nothing,  // no fact comes from it, but for names that are read
  value,    // that its one name gets a value, whichever
  whole,
};

// Lines are asked about in the order of the file, each once.
class LineJudge {
 public:
  // Where a line stands.
  enum class Level { module, class_, function };

  // All of these must outlive the judge.
  LineJudge(const std::string& text, const std::vector<Token>& tokens, const std::vector<Line>& lines,
            const std::vector<PlainImport>& imports, const Words& words);

  // `is_local`: of a function, whatever class of it the line is in.
  Need need(std::uint32_t line, Level level, bool is_local);
  // Whether tokens of an expression may be left out: no word of hardware, no name that code of the file
  // defines.
  bool is_silent(TokenRange range);
  // Whether nothing asks how many arguments a call on this line has.
  bool may_be_pruned(TokenRange line) const;
  bool is_device(std::uint32_t token) const;
  // Whether the call of a dotted name can be a fact itself: of a member of torch, or one that makes tests.
  bool may_tell_by_call(TokenRange dotted) const;

  // What follows is the code of a function or class that stands at that level and in no function.
  void enter(std::uint32_t line, Level level);
  // What the function reads on lines of which nothing is needed, members of self and definitions; some that
  // it reads on other lines may be among them.
  struct Read {
    bool device = false;
    std::vector<std::string_view> members;
    std::vector<std::string_view> definitions;
  };
  Read leave();

  const std::vector<std::string_view>& definitions() const { return definitions_; }

 private:
  // What a name of the file stands for.
  struct Name {
    std::vector<std::string> paths = {};  // what imports bind it to
    bool hardware = false;                // it was given something that lines with it may make facts of
    bool renamed = false;                 // and what that is cannot be told by it
    bool definition = false;              // a function or class of the module
    bool is_class = false;
    bool fake = false;    // a mode without real tensors, perhaps as a member
    bool golden = false;  // what holds a text against what a test prints
  };
  // Whether a definition of the module is known to have been read in the code of the owner.
  enum class Seen : std::uint8_t { no, yes, hidden };  // hidden: the owner binds the name by itself, perhaps
  // The code whose reads count as one: a method with all that stands in it, a function of the module.
  struct Owner {
    std::string_view class_name;  // of a class, and of its methods
    bool is_method = false;
    Read read = {};
    std::unordered_set<std::string_view> members = {};
    std::unordered_map<std::string_view, Seen> definitions = {};
  };
  // A name on the line that is looked at once the whole line is known.
  struct Mention {
    std::uint32_t token = 0;
    int marks = 0;
    const Name* name = nullptr;
  };
  // What was seen on the line at hand.
  struct Sight {
    bool hardware = false;
    bool golden = false;
    bool makes_fakes = false;
    bool makes_classes = false;  // perhaps: type(...), globals()
    bool imports = false;
    bool several = false;  // statements, with semicolons between
    bool binds = false;    // or may, beside assignments: lambda, for, as, :=, annotations
    bool compares = false;
    bool device = false;  // the name or the key
    bool augmented = false;
    int depth = 0;                  // of brackets, at the token at hand
    int targets = 0;                // of the assignment
    std::uint32_t targets_end = 0;  // token after the last `=` of the statement; 0 without one
  };

  std::string_view word(std::uint32_t token) const {
    return std::string_view(text_).substr(tokens_[token].begin, tokens_[token].end - tokens_[token].begin);
  }
  Name& name_of(std::string_view name);
  void read_definitions();
  static void look_at_mark(Kind kind, bool ends_line, Sight& sight);
  Sight look(TokenRange range);
  std::uint32_t look_at_chain(std::uint32_t first, std::uint32_t end, Sight& sight);
  void look_at_member(std::uint32_t token, int marks, Sight& sight) const;
  const Name* look_at_root(std::uint32_t token, int marks, Sight& sight);
  int look_at_part(std::string_view part, std::uint32_t hash, Sight& sight) const;
  bool is_hardware(TokenRange chain, const Name* root) const;
  bool has_golden_text(TokenRange range) const;
  void look_at_text(std::string_view literal, Sight& sight);
  std::string_view start_of_literal(std::uint32_t token) const;
  void note_targets(const Line& line, const Sight& sight);
  void note_fakes(const Line& line, const Sight& sight);
  void note_aliases(const Line& line);
  void note_alias(TokenRange statement);
  void add_path(Name& name, std::string path) const;
  Need need_at_module(const Line& line, const Sight& sight) const;
  Need need_in_class(const Line& line, const Sight& sight, bool is_local);
  Need need_in_function(const Sight& sight);
  bool is_type_alias(const Line& line) const;
  bool may_be_filter(TokenRange value) const;
  bool assigns_test(const Line& line) const;
  void hide_definitions(const Sight& sight);
  bool mentions_definition() const;
  // Notes what is read; whole where names are bound, or where it takes a closer look.
  Need need_of_mentions(const Sight& sight);
  Need need_of(const Mention& mention, const Sight& sight);
  Need need_of_device(bool is_read);
  Need need_of_member(std::uint32_t token, const Sight& sight);
  Need need_of_definition(std::uint32_t token, bool is_read);
  bool is_read(std::uint32_t token, const Sight& sight) const {
    return token >= sight.targets_end && !sight.binds;
  }
  bool is_keyword_of_call(std::uint32_t token) const;

  const std::string& text_;
  const std::vector<Token>& tokens_;
  const std::vector<Line>& lines_;
  const Words& words_;
  HashFilter filter_;  // of the words and of `names_`
  struct WordHash {
    std::size_t operator()(std::string_view word) const { return Words::hash(word); }
  };
  std::unordered_map<std::string_view, Name, WordHash> names_;
  std::vector<std::string_view> definitions_;
  std::vector<Owner> owners_;
  std::vector<Mention> mentions_;  // of the line at hand
};

}  // namespace hwsift::analyzer
