// Which lines of a file may hold a fact. See excerpt.h for what depends on it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analyzer/python/lines.h"
#include "analyzer/python/tokens.h"
#include "analyzer/python/words.h"

namespace hwsift::analyzer {

// Lines are asked about in the order of the file, each once.
class LineJudge {
 public:
  enum class Level { module, class_, function };

  LineJudge(const std::string& text, const std::vector<Token>& tokens, const std::vector<Line>& lines,
            const Words& words);

  // Whether a fact may come from the line, by itself or by what it does to names.
  bool matters(std::uint32_t line, Level level);
  // What follows is the code of a function or class that stands at that level and in no function.
  void enter(std::uint32_t line, Level level);
  void leave() { owners_.pop_back(); }

 private:
  // What a name of the file stands for.
  struct Name {
    bool hardware = false;    // it was given something that lines with it may make facts of
    bool definition = false;  // a function or class of the module
    bool is_class = false;
  };
  // Whether a definition of the module is known to have been read in the code of the owner.
  enum class Seen : std::uint8_t { no, yes, hidden };  // hidden: the owner binds the name by itself, perhaps
  // The code whose reads count as one: a method with all that stands in it, a function of the module.
  struct Owner {
    std::string_view class_name;  // of a class, and of its methods
    bool is_function = false;
    bool is_method = false;
    bool reads_device = false;
    std::unordered_set<std::string_view> members = {};
    std::unordered_map<std::string_view, Seen> definitions = {};
  };
  // A name on the line that is looked at once the whole line is known.
  struct Mention {
    std::uint32_t token = 0;
    std::uint8_t marks = 0;
    const Name* name = nullptr;
  };
  // What was seen on the line at hand.
  struct Sight {
    bool hardware = false;
    bool makes_fakes = false;
    bool binds = false;  // or may, beside assignments: lambda, for, as, :=, annotations
    bool compares = false;
    bool device = false;  // the name or the key
    bool augmented = false;
    std::uint32_t targets_end = 0;  // token after the last `=` of the statement; 0 without one
  };

  std::string_view word(std::uint32_t token) const {
    return std::string_view(text_).substr(tokens_[token].begin, tokens_[token].end - tokens_[token].begin);
  }
  void read_imports();
  void read_import(std::uint32_t import_token, std::uint32_t first);
  void bind_import(std::string_view alias, const std::string& path);
  void read_definitions();
  Sight look(const Line& line);
  void look_at_name(std::uint32_t token, bool is_member, Sight& sight);
  void look_at_text(std::string_view literal, Sight& sight);
  std::string_view start_of_literal(std::uint32_t token) const;
  void note_targets(const Line& line, const Sight& sight);
  bool changes(const Mention& mention, const Sight& sight);
  bool reads_member(std::uint32_t token, const Sight& sight);
  bool reads_definition(std::uint32_t token, const Sight& sight);
  bool is_keyword_of_call(std::uint32_t token) const;

  const std::string& text_;
  const std::vector<Token>& tokens_;
  const std::vector<Line>& lines_;
  const Words& words_;
  std::unordered_map<std::string_view, Name> names_;
  std::vector<Owner> owners_;
  std::vector<Mention> mentions_;  // of the line at hand
};

}  // namespace hwsift::analyzer
