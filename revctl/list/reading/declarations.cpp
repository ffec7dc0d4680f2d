#include "revctl/list/reading/declarations.h"

#include <fmt/core.h>
#include <algorithm>
#include <utility>

namespace revctl::list::detail {
namespace {

bool Opens(const Token& token) { return token.Is("(") || token.Is("[") || token.Is("{"); }
bool Closes(const Token& token) { return token.Is(")") || token.Is("]") || token.Is("}"); }

class Scanner {
 public:
  explicit Scanner(std::span<const Token> tokens) : tokens_(tokens) {}

  std::vector<Declaration> Run() {
    while (at_ < tokens_.size()) Step();
    return std::move(found_);
  }

 private:
  bool Next(std::string_view spelling, std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].Is(spelling);
  }

  bool NextIsName() const { return at_ < tokens_.size() && tokens_[at_].IsName(); }

  bool Take(std::string_view spelling) {
    if (!Next(spelling)) return false;
    ++at_;
    return true;
  }

  struct OpenScope {
    std::string name;  ///< empty for a block, because name lookup ignores blocks
    bool is_class = false;
  };

  std::string Scope() const {
    std::string joined;
    for (const OpenScope& scope : scopes_) {
      if (!scope.name.empty()) joined += (joined.empty() ? "" : "::") + scope.name;
    }
    return joined;
  }

  bool InClass() const {
    return std::any_of(scopes_.begin(), scopes_.end(),
                       [](const OpenScope& scope) { return scope.is_class; });
  }

  void Step() {
    if (Next("enum")) return Enum();
    if (Take("namespace")) return Namespace();
    if (Next("struct") || Next("class") || Next("union")) return Class();
    if (Take("using")) return Using();
    if (Take("typedef")) return Typedef();
    if (Next("constexpr") || Next("const")) return Constant();
    if (Next("{")) scopes_.emplace_back();
    if (Next("}") && !scopes_.empty()) scopes_.pop_back();
    ++at_;
  }

  /// Skips `[[...]]`, `alignas(...)`, `__attribute__((...))`, `__declspec(...)` and Unreal's
  /// `UMETA(...)`.
  bool SkipAttribute() {
    if (Next("[") && Next("[", 1)) {
      SkipBalanced();
      return true;
    }
    for (std::string_view word : {"alignas", "__attribute__", "__declspec", "UMETA"}) {
      if (Next(word) && Next("(", 1)) {
        ++at_;
        SkipBalanced();
        return true;
      }
    }
    return false;
  }

  /// Moves from an opening bracket past its closing bracket. Returns false if there is no closing
  /// bracket.
  bool SkipBalanced() {
    int depth = 0;
    do {
      if (Opens(tokens_[at_])) ++depth;
      if (Closes(tokens_[at_])) --depth;
      ++at_;
    } while (at_ < tokens_.size() && depth > 0);
    return depth <= 0;
  }

  std::string QualifiedName() {
    std::string name;
    while (NextIsName()) {
      name += tokens_[at_++].text;
      if (!Next("::")) break;
      name += "::";
      ++at_;
      Take("inline");
    }
    return name;
  }

  void Namespace() {
    while (SkipAttribute()) {
    }
    const std::string name = QualifiedName();
    while (SkipAttribute()) {
    }
    if (!Take("{")) return;  // a namespace alias or `using namespace`
    scopes_.push_back({name, false});
  }

  void Class() {
    ++at_;
    std::string name;
    while (SkipAttribute() || NextIsName()) {
      if (Next("final")) break;
      // The class name is the last name, because export macros come before it.
      if (NextIsName()) name = QualifiedName();
    }
    Take("final");
    if (Next(":")) {
      while (at_ < tokens_.size() && !Next("{") && !Next(";")) ++at_;
    }
    if (Take("{")) scopes_.push_back({name, true});
  }

  void Using() {
    if (!NextIsName() || Next("namespace")) return;
    TypeDeclaration type;
    type.name = tokens_[at_].text;
    type.scope = Scope();
    ++at_;
    while (SkipAttribute()) {
    }
    if (!Take("=")) return;
    type.type = Until(";");
    found_.emplace_back(std::move(type));
  }

  void Typedef() {
    if (Next("enum")) {
      const std::size_t before = found_.size();
      Enum();
      if (found_.size() == before || !NextIsName()) return;
      // In C, a typedef names the enum after its closing brace. A name before the opening brace
      // takes precedence.
      auto& declaration = std::get<EnumDeclaration>(found_.back());
      if (declaration.name.empty()) declaration.name = tokens_[at_].text;
      return;
    }
    if (Next("struct") || Next("class") || Next("union")) return;
    const std::span<const Token> all = Until(";");
    if (all.size() < 2 || !all.back().IsName()) return;
    found_.emplace_back(
        TypeDeclaration{std::string(all.back().text), Scope(), all.first(all.size() - 1)});
  }

  std::span<const Token> Until(std::string_view end) {
    const std::size_t begin = at_;
    while (at_ < tokens_.size() && !Next(end) && !Next("{") && !Next("}")) ++at_;
    return tokens_.subspan(begin, at_ - begin);
  }

  /// Reads `constexpr T name = value;` or `constexpr T name{value};`. T must consist of names only.
  void Constant() {
    while (Next("constexpr") || Next("const") || Next("static") || Next("inline")) ++at_;
    const std::size_t type_begin = at_;
    std::size_t last_name = tokens_.size();
    while (NextIsName() || Next("::")) {
      if (Next("struct") || Next("class") || Next("union") || Next("enum") || Next("operator"))
        return;
      last_name = at_++;
    }
    if (last_name == tokens_.size() || last_name == type_begin || !tokens_[last_name].IsName())
      return;
    ConstantDeclaration constant;
    constant.name = tokens_[last_name].text;
    constant.scope = Scope();
    constant.type = tokens_.subspan(type_begin, last_name - type_begin);
    while (!constant.type.empty() && constant.type.back().Is("const"))
      constant.type = constant.type.first(constant.type.size() - 1);
    if (constant.type.size() == 1 && constant.type[0].Is("auto")) constant.type = {};
    std::string_view end = ";";
    if (Next("{")) end = "}";
    else if (!Next("=")) return;
    const std::size_t begin = ++at_;
    int depth = 0;
    while (at_ < tokens_.size() && (depth > 0 || (!Next(end) && !Next(",")))) {
      if (Opens(tokens_[at_])) ++depth;
      if (Closes(tokens_[at_]) && --depth < 0) return;
      ++at_;
    }
    constant.value = tokens_.subspan(begin, at_ - begin);
    if (end == "}" && at_ < tokens_.size()) ++at_;
    found_.emplace_back(std::move(constant));
  }

  void Enum() {
    EnumDeclaration declaration;
    declaration.place = tokens_[at_++].span.begin;
    declaration.scope = Scope();
    declaration.in_class = InClass();
    declaration.scoped = Take("class") || Take("struct");
    while (SkipAttribute() || NextIsName()) {
      if (NextIsName()) declaration.name = QualifiedName();  // export macros come first
    }
    if (Take(":")) {
      const std::size_t begin = at_;
      while (at_ < tokens_.size() && !Next("{") && !Next(";") && !Next("}")) ++at_;
      declaration.underlying = tokens_.subspan(begin, at_ - begin);
    }
    if (!Next("{")) return;  // a forward declaration, or a use of the type
    declaration.open = tokens_[at_];
    const std::size_t body = at_ + 1;
    const bool closed = SkipBalanced() && tokens_[at_ - 1].Is("}");
    declaration.close = tokens_[at_ - 1];
    if (closed) {
      Body(declaration, tokens_.subspan(body, at_ - 1 - body));
    } else {
      declaration.unclosed = true;
      declaration.problem = Problem{declaration.open.span.begin, "this brace is never closed",
                                    "close the enum with };"};
    }
    found_.emplace_back(std::move(declaration));
  }

  static void Body(EnumDeclaration& declaration, std::span<const Token> body) {
    const auto fail = [&](const Token& at, std::string message) {
      declaration.problem = Problem{at.span.begin, std::move(message), {}};
    };
    declaration.enumerators.reserve(body.size() / 2 + 1);
    for (std::size_t i = 0; i < body.size();) {
      Enumerator one;
      one.name = &body[i];
      if (!one.name->IsName())
        return fail(*one.name,
                    fmt::format("expected the name of an entry, found '{}'", one.name->text));
      one.head_end = one.name->span.end;
      if (++i < body.size() && !body[i].Is(",") && !body[i].Is("=")) {
        Scanner attributes(body);
        attributes.at_ = i;
        while (attributes.SkipAttribute()) one.head_end = body[attributes.at_ - 1].span.end;
        i = attributes.at_;
      }
      if (i < body.size() && body[i].Is("=")) {
        one.assign = &body[i];
        const std::size_t begin = ++i;
        int depth = 0;
        for (; i < body.size() && (depth > 0 || !body[i].Is(",")); ++i) {
          if (Opens(body[i])) ++depth;
          if (Closes(body[i])) --depth;
        }
        one.initializer = body.subspan(begin, i - begin);
      }
      if (i < body.size() && body[i].Is(",")) one.comma = &body[i];
      declaration.enumerators.push_back(one);
      if (one.assign && one.initializer.empty())
        return fail(*one.assign, "expected a number after '='");
      if (i < body.size()) {
        if (!body[i].Is(",")) {
          return fail(body[i], fmt::format("unexpected '{}' after {}: a ',' is missing, or a macro "
                                           "is defined in another file",
                                           body[i].text, one.name->text));
        }
        ++i;
      }
    }
  }

  std::span<const Token> tokens_;
  std::size_t at_ = 0;
  std::vector<OpenScope> scopes_;
  std::vector<Declaration> found_;
};

}  // namespace

std::string EnumDeclaration::QualifiedName() const {
  return name.empty() || scope.empty() ? name : fmt::format("{}::{}", scope, name);
}

std::vector<Declaration> FindDeclarations(std::span<const Token> tokens) {
  return Scanner(tokens).Run();
}

}  // namespace revctl::list::detail
