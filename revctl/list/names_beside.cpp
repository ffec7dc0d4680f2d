#include "revctl/list/names_beside.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "revctl/list/mentions.h"
#include "revctl/list/preprocessor.h"

namespace revctl::list {
namespace {

using detail::Token;

/// The tokens of a file with those that an open condition decides about, in their order.
struct AllTokens {
  std::vector<Token> tokens;
  std::vector<bool> undecided;
};

AllTokens Joined(const detail::LexedFile& lexed, const detail::PreprocessedFile& file) {
  AllTokens out;
  const auto add = [&](const Token& token, bool undecided) {
    out.tokens.push_back(token);
    out.undecided.push_back(undecided);
  };
  auto decided = file.tokens.begin();
  auto next = lexed.tokens.begin();
  for (const detail::UndecidedTokens& part : file.undecided) {
    for (; decided != file.tokens.end() && decided->span.begin < part.span.begin; ++decided)
      add(*decided, false);
    for (; next != lexed.tokens.end() && next->span.begin < part.span.begin; ++next) {
    }
    for (; next != lexed.tokens.end() && next->span.end <= part.span.end; ++next) add(*next, true);
  }
  for (; decided != file.tokens.end(); ++decided) add(*decided, false);
  return out;
}

/// Follows the braces of a file, and finds what is declared directly in the scope of a list's enum.
class ScopeWalker {
 public:
  /// `own`: where the body of the list's enum begins, if it stands in this file.
  ScopeWalker(const AllTokens& all, const std::string& scope, std::size_t own)
      : tokens_(all.tokens), undecided_(all.undecided), scope_(scope), own_(own) {}

  std::vector<const Token*> Run() {
    std::size_t head = 0;  // where the declaration begins
    int depth = 0;         // of parentheses
    std::vector<Scope> decided;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      // Braces that an open condition leaves open are closed with it.
      if (undecided_[i] && (i == 0 || !undecided_[i - 1])) decided = scopes_;
      if (!undecided_[i] && i > 0 && undecided_[i - 1]) scopes_ = decided;
      if (token.Is("(")) ++depth;
      if (token.Is(")")) --depth;
      if (token.Is("{")) scopes_.push_back(depth > 0 ? Scope{} : Opened(head, i));
      if (token.Is("}") && !scopes_.empty()) scopes_.pop_back();
      if (token.Is("{") || token.Is("}") || token.Is(";")) head = i + 1;
      const bool between = i > 0 && i + 1 < tokens_.size();
      if (!between || !token.IsName() || depth != 0 || !IsInScope()) continue;
      const bool enumerator = !scopes_.empty() && scopes_.back().kind == Scope::Kind::Enum;
      if (enumerator ? tokens_[i - 1].Is("{") || tokens_[i - 1].Is(",")
                     : !IsTag(tokens_[i - 1]) && detail::Declares(tokens_, i))
        found_.push_back(&token);
    }
    return std::move(found_);
  }

 private:
  struct Scope {
    enum class Kind { Named, Enum, Closed };
    Kind kind = Kind::Closed;
    std::string name;  ///< empty: lookup passes through it
  };

  static bool IsTag(const Token& token) {
    return token.Is("struct") || token.Is("class") || token.Is("union") || token.Is("enum");
  }

  /// What the brace at `brace` opens, by the words from `head` on.
  Scope Opened(std::size_t head, std::size_t brace) const {
    if (!scopes_.empty() && scopes_.back().kind != Scope::Kind::Named) return {};
    Scope scope;
    bool scoped = false;
    for (std::size_t i = head; i < brace && !tokens_[i].Is(":"); ++i) {
      const Token& token = tokens_[i];
      if (token.Is("=") || token.Is("(")) return {};  // a value, or a function
      if (token.Is("enum")) {
        scope.kind = Scope::Kind::Enum;
      } else if (IsTag(token) || token.Is("namespace")) {
        scoped = scope.kind == Scope::Kind::Enum;
        if (!scoped) scope.kind = Scope::Kind::Named;
      } else if (token.Is("extern")) {
        scope.kind = Scope::Kind::Named;
      } else if (scope.kind == Scope::Kind::Named && token.IsName() && !token.Is("final")) {
        if (i == 0 || !tokens_[i - 1].Is("::")) scope.name.clear();
        scope.name += (scope.name.empty() ? "" : "::") + std::string(token.text);
      }
    }
    const bool own = tokens_[brace].span.end == own_;
    return scoped || own ? Scope{} : scope;
  }

  bool IsInScope() const {
    std::string joined;
    for (const Scope& scope : scopes_) {
      if (scope.kind == Scope::Kind::Closed) return false;
      if (!scope.name.empty()) joined += (joined.empty() ? "" : "::") + scope.name;
    }
    return joined == scope_;
  }

  const std::vector<Token>& tokens_;
  const std::vector<bool>& undecided_;
  const std::string& scope_;
  std::size_t own_;
  std::vector<Scope> scopes_;
  std::vector<const Token*> found_;
};

/// `own`: where the body of the list's enum begins, if it stands in this text.
std::map<std::string, int> Declared(std::string_view text, const RevisionList& list,
                                    std::size_t own, const std::set<std::string>& names) {
  std::map<std::string, int> out;
  detail::Problem problem;
  const auto lexed = detail::Lex(text, problem);
  const auto file = lexed ? detail::Preprocess(*lexed, problem) : std::nullopt;
  if (names.empty() || !file) return out;  // a list that cannot be read has its own finding
  const detail::LineTable lines(text);
  const auto add = [&](std::string_view name, std::size_t place) {
    const auto wanted = names.find(std::string(name));
    if (wanted != names.end()) out.emplace(*wanted, lines.At(place).line);
  };
  for (const detail::ReadDirective& directive : file->directives) {
    if (directive.name != "define") continue;
    const auto defined = file->macros.IsDefined(directive.argument);
    if (defined == detail::MacroTable::Defined::Yes ||
        defined == detail::MacroTable::Defined::Undecided)
      add(directive.argument, directive.directive.span.begin);
  }
  if (list.scoped) return out;
  const AllTokens all = Joined(*lexed, *file);
  for (const Token* token : ScopeWalker(all, list.scope, own).Run())
    add(token->text, token->span.begin);
  return out;
}

}  // namespace

std::map<std::string, int> DeclaredBeside(const RevisionList& list,
                                          const std::set<std::string>& names) {
  return Declared(list.text, list, list.body.begin, names);
}

std::map<std::string, int> DeclaredIn(std::string_view header, const RevisionList& list,
                                      const std::set<std::string>& names) {
  return Declared(header, list, std::string_view::npos, names);
}

std::vector<std::string> QuotedIncludes(std::string_view text) {
  std::vector<std::string> out;
  detail::Problem problem;
  const auto lexed = detail::Lex(text, problem);
  const auto file = lexed ? detail::Preprocess(*lexed, problem) : std::nullopt;
  if (!file) return out;
  for (const detail::ReadDirective& directive : file->directives) {
    const std::string_view quoted = directive.argument;
    if (directive.name == "include" && !directive.skipped && quoted.size() > 2 &&
        quoted.front() == '"')
      out.emplace_back(quoted.substr(1, quoted.size() - 2));
  }
  return out;
}

}  // namespace revctl::list
