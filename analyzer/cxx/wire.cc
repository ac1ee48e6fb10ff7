#include "analyzer/cxx/wire.h"

#include <utility>

#include "base/json.h"

namespace hwsift::analyzer::cxx {
namespace {

constexpr char kSource[] = "hwsift-cxx";

Token token_from(const SortedJson& json) {
  Token token;
  int kind = json.at(0).get<int>();
  if (kind < 0 || kind > static_cast<int>(TokenKind::punctuator)) throw std::out_of_range("kind of a token");
  token.kind = static_cast<TokenKind>(kind);
  token.text = json.at(1).get<std::string>();
  token.line = json.at(2).get<int>();
  token.col = json.at(3).get<int>();
  token.condition = json.at(4).get<int>();
  token.from_macro = json.at(5).get<int>() != 0;
  return token;
}

void read_resolved(const SortedJson& json, LexedFile& file) {
  file.origin = Origin::full;
  for (const SortedJson& one : json.at("resolved"))
    file.tokens.at(one.at(0).get<std::size_t>()).resolved = one.at(1).get<std::string>();
  for (const SortedJson& one : json.at("made_tests"))
    file.made_tests.push_back({one.at(0).get<std::string>(), one.at(1).get<std::string>(),
                               one.at(2).get<bool>(), one.at(3).get<int>(), one.at(4).get<int>()});
}

LexedLine line_from(const SortedJson& json) {
  LexedLine lexed;
  lexed.path = json.at("path").get<std::string>();
  for (const SortedJson& token : json.at("tokens")) lexed.file.tokens.push_back(token_from(token));
  for (const SortedJson& one : json.at("conditions"))
    lexed.file.conditions.push_back(
        {one.at(0).get<std::string>(), one.at(1).get<bool>(), one.at(2).get<int>(), one.at(3).get<int>()});
  for (const SortedJson& one : json.at("comments"))
    lexed.file.comments.push_back(
        {one.at(0).get<std::string>(), one.at(1).get<int>(), one.at(2).get<int>(), one.at(3).get<bool>()});
  for (const SortedJson& one : json.at("includes"))
    lexed.file.includes.push_back({one.at(0).get<std::string>(), one.at(1).get<int>(), one.at(2).get<int>()});
  for (const SortedJson& one : json.at("errors"))
    lexed.file.errors.push_back({one.at(0).get<int>(), one.at(1).get<int>(), one.at(2).get<std::string>()});
  lexed.file.notes = json.at("notes").get<std::vector<std::string>>();
  if (json.contains("resolved")) read_resolved(json, lexed.file);
  return lexed;
}

// Whoever follows a condition must come to an end.
bool is_sound(const LexedFile& file) {
  int count = static_cast<int>(file.conditions.size());
  for (int i = 0; i < count; ++i)
    if (file.conditions[static_cast<std::size_t>(i)].parent < -1 ||
        file.conditions[static_cast<std::size_t>(i)].parent >= i)
      return false;
  for (const Token& token : file.tokens)
    if (token.condition < -1 || token.condition >= count) return false;
  return true;
}

Json resolved_json(const std::vector<Token>& tokens) {
  Json list = Json::array();
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (!tokens[i].resolved.empty()) list.push_back(Json::array({i, tokens[i].resolved}));
  return list;
}

Json made_tests_json(const std::vector<MadeTest>& tests) {
  Json list = Json::array();
  for (const MadeTest& test : tests)
    list.push_back(Json::array({test.suite, test.name, test.expands, test.line, test.col}));
  return list;
}

}  // namespace

std::string to_line(const LexedLine& lexed) {
  Json tokens = Json::array();
  for (const Token& token : lexed.file.tokens)
    tokens.push_back(Json::array({static_cast<int>(token.kind), token.text, token.line, token.col,
                                  token.condition, token.from_macro ? 1 : 0}));
  Json conditions = Json::array();
  for (const Condition& one : lexed.file.conditions)
    conditions.push_back(Json::array({one.text, one.negated, one.line, one.parent}));
  Json comments = Json::array();
  for (const Comment& one : lexed.file.comments)
    comments.push_back(Json::array({one.text, one.line, one.col, one.own_line}));
  Json includes = Json::array();
  for (const Include& one : lexed.file.includes)
    includes.push_back(Json::array({one.path, one.line, one.condition}));
  Json errors = Json::array();
  for (const LexError& one : lexed.file.errors)
    errors.push_back(Json::array({one.line, one.col, one.message}));
  Json line = {{"path", lexed.path}};
  line["tokens"] = std::move(tokens);
  line["conditions"] = std::move(conditions);
  line["comments"] = std::move(comments);
  line["includes"] = std::move(includes);
  line["errors"] = std::move(errors);
  line["notes"] = lexed.file.notes;
  if (lexed.file.origin == Origin::full) {
    line["resolved"] = resolved_json(lexed.file.tokens);
    line["made_tests"] = made_tests_json(lexed.file.made_tests);
  }
  return dump_json(line, -1);
}

Result<LexedLine> from_line(const std::string& line) {
  Error bad{kSource, "it wrote a line that hwsift does not understand",
            "install hwsift-cxx of the same version as hwsift"};
  Result<SortedJson> json = parse_sorted_json(line, kSource);
  if (!json.ok()) return bad;
  try {
    LexedLine lexed = line_from(*json);
    if (is_sound(lexed.file)) return lexed;
  } catch (const std::exception&) {
    return bad;
  }
  return bad;
}

}  // namespace hwsift::analyzer::cxx
