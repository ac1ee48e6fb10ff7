#include "analyzer/cxx/references.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace hwsift::analyzer::cxx {
namespace {

std::string word_of(const clang::NamedDecl& declaration) {
  const clang::IdentifierInfo* word = declaration.getIdentifier();
  return word == nullptr ? "" : word->getName().str();
}

// The name by which a scope shows in those of its members; "" where it does not.
std::string scope_word(const clang::DeclContext& scope) {
  if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(&scope))
    return space->isInline() ? "" : word_of(*space);
  if (const auto* list = llvm::dyn_cast<clang::EnumDecl>(&scope))
    return list->isScoped() ? word_of(*list) : "";
  const auto* cls = llvm::dyn_cast<clang::RecordDecl>(&scope);
  return cls == nullptr ? "" : word_of(*cls);
}

std::string dotted_name(const clang::NamedDecl& declaration) {
  std::string name = word_of(declaration);
  for (const clang::DeclContext* scope = declaration.getDeclContext(); scope != nullptr;
       scope = scope->getParent()) {
    if (scope->isFunctionOrMethod()) break;
    std::string word = scope_word(*scope);
    if (!word.empty()) name.insert(0, word + ".");
  }
  return name;
}

// The class or enumeration behind an alias; the alias itself where it stands for anything else.
const clang::NamedDecl& behind_alias(const clang::NamedDecl& declaration) {
  const auto* alias = llvm::dyn_cast<clang::TypedefNameDecl>(&declaration);
  if (alias == nullptr) return declaration;
  const clang::TagDecl* tag = alias->getUnderlyingType().getCanonicalType()->getAsTagDecl();
  return tag == nullptr || tag->getIdentifier() == nullptr ? declaration : *tag;
}

// How each of GoogleTest's macros registers its test: the call, and which arguments name suite and test.
struct Registration {
  std::string_view scope;  // "" for any
  std::string_view function;
  unsigned suite;
  unsigned name;
  bool expands;
};
constexpr Registration kRegistrations[] = {
    {"", "MakeAndRegisterTestInfo", 0, 1, false},          // TEST, TEST_F
    {"", "AddTestPattern", 0, 1, true},                    // TEST_P
    {"TypeParameterizedTest", "Register", 2, 3, true},     // TYPED_TEST
    {"TypedTestSuitePState", "AddTestName", 2, 3, true}};  // TYPED_TEST_P

const Registration* registration_by(const clang::FunctionDecl& function) {
  std::string name = dotted_name(function);
  if (name.rfind("testing.internal.", 0) != 0) return nullptr;
  for (const Registration& one : kRegistrations) {
    std::string end = (one.scope.empty() ? "" : std::string(one.scope) + ".") + std::string(one.function);
    if (name.size() > end.size() &&
        name.compare(name.size() - end.size() - 1, std::string::npos, "." + end) == 0)
      return &one;
  }
  return nullptr;
}

// The literal that an argument is made of, through whatever converts it.
std::string text_in(const clang::Stmt* expression) {
  if (expression == nullptr) return "";
  if (const auto* literal = llvm::dyn_cast<clang::StringLiteral>(expression))
    return literal->getCharByteWidth() == 1 ? literal->getString().str() : "";
  for (const clang::Stmt* child : expression->children())
    if (std::string text = text_in(child); !text.empty()) return text;
  return "";
}

class Reader : public clang::RecursiveASTVisitor<Reader> {
 public:
  explicit Reader(const clang::SourceManager& sources) : sources_(sources) {}

  bool VisitDeclRefExpr(const clang::DeclRefExpr* expression) {
    add(expression->getLocation(), *expression->getDecl());
    return true;
  }

  bool VisitMemberExpr(const clang::MemberExpr* expression) {
    add(expression->getMemberLoc(), *expression->getMemberDecl());
    return true;
  }

  // A call in a template, of one of several functions that share a name.
  bool VisitOverloadExpr(const clang::OverloadExpr* expression) {
    for (const clang::NamedDecl* one : expression->decls())
      add(expression->getNameLoc(), *one->getUnderlyingDecl());
    return true;
  }

  bool VisitTypeLoc(clang::TypeLoc type) {
    if (auto alias = type.getAs<clang::TypedefTypeLoc>())
      add(alias.getNameLoc(), *alias.getTypedefNameDecl());
    if (auto used = type.getAs<clang::UsingTypeLoc>())
      add(used.getNameLoc(), *used.getFoundDecl()->getTargetDecl());
    if (auto tag = type.getAs<clang::TagTypeLoc>()) add(tag.getNameLoc(), *tag.getDecl());
    if (auto made = type.getAs<clang::TemplateSpecializationTypeLoc>())
      if (const clang::NamedDecl* of = made.getTypePtr()->getTemplateName().getAsTemplateDecl())
        add(made.getTemplateNameLoc(), *of);
    return true;
  }

  bool VisitCallExpr(const clang::CallExpr* call) {
    const clang::FunctionDecl* function = call->getDirectCallee();
    const Registration* found = function == nullptr ? nullptr : registration_by(*function);
    if (found == nullptr || call->getNumArgs() <= found->name) return true;
    std::optional<std::size_t> offset = offset_of(sources_.getExpansionLoc(call->getBeginLoc()));
    if (!offset) return true;
    out.tests.push_back(
        {text_in(call->getArg(found->suite)), text_in(call->getArg(found->name)), found->expands, *offset});
    return true;
  }

  References out;

 private:
  void add(clang::SourceLocation place, const clang::NamedDecl& declaration) {
    std::string word = word_of(declaration);
    if (word.empty() || place.isInvalid()) return;
    std::string name = dotted_name(behind_alias(declaration));
    add_at(sources_.getFileLoc(place), word, name);
    if (place.isMacroID()) add_at(sources_.getExpansionLoc(place), word, name);
  }

  void add_at(clang::SourceLocation place, const std::string& word, const std::string& name) {
    std::optional<std::size_t> offset = offset_of(place);
    if (!offset) return;
    auto [known, fresh] = out.names.try_emplace({*offset, word}, name);
    if (!fresh && known->second != name) known->second = "";
  }

  std::optional<std::size_t> offset_of(clang::SourceLocation place) const {
    auto [file, offset] = sources_.getDecomposedLoc(place);
    if (file != sources_.getMainFileID()) return std::nullopt;
    return offset;
  }

  const clang::SourceManager& sources_;
};

}  // namespace

References read_references(clang::ASTContext& context) {
  const clang::SourceManager& sources = context.getSourceManager();
  Reader reader(sources);
  for (clang::Decl* declaration : context.getTranslationUnitDecl()->decls())
    if (sources.isInMainFile(sources.getExpansionLoc(declaration->getLocation())))
      reader.TraverseDecl(declaration);
  return std::move(reader.out);
}

}  // namespace hwsift::analyzer::cxx
