#include "revctl/list/reading/preprocessor.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "revctl/base/ascii.h"
#include "revctl/list/reading/expression.h"

namespace revctl::list::detail {
namespace {

enum class Activity { Skipped, Undecided, Active };

/// True for names that compilers or builds may define, such as `__GNUC__`. An `#ifndef` of such a
/// name does not introduce a default.
bool MayBePredefined(std::string_view name) {
  static constexpr std::string_view kPlain[] = {"linux", "unix",   "i386",   "arm",   "mips",
                                                "sparc", "sun",    "WIN32",  "WIN64", "WINNT",
                                                "DEBUG", "NDEBUG", "UNICODE"};
  return name.starts_with("__") || (name.size() > 1 && name[0] == '_' && base::IsUpper(name[1])) ||
         std::find(std::begin(kPlain), std::end(kPlain), name) != std::end(kPlain);
}

/// The state of one open #if.
struct Level {
  std::size_t place = 0;   ///< offset of the directive that opened the #if
  std::size_t branch = 0;  ///< offset of the directive that opened the current branch
  Activity parent = Activity::Active, activity = Activity::Active;
  /// true if an earlier condition is true, which rules out all later branches
  bool taken = false;
  bool undecided = false;  ///< true if some condition so far is unknown
  bool had_else = false;
};

class Preprocessor {
 public:
  Preprocessor(const LexedFile& file, Problem& problem) : tokens_(file.tokens), problem_(problem) {}

  std::optional<PreprocessedFile> Run() {
    while (at_ < tokens_.size()) {
      const bool ok = IsDirective(at_) ? Directive() : Text();
      if (!ok) return std::nullopt;
    }
    if (!levels_.empty()) {
      Fail(levels_.back().place, "this conditional has no #endif");
      return std::nullopt;
    }
    return std::move(out_);
  }

 private:
  bool Fail(std::size_t offset, std::string message) {
    problem_ = {offset, std::move(message), {}};
    return false;
  }

  bool IsDirective(std::size_t i) const { return tokens_[i].line_start && tokens_[i].Is("#"); }
  Activity Now() const { return levels_.empty() ? Activity::Active : levels_.back().activity; }

  std::size_t LineEnd(std::size_t i) const {
    do ++i;
    while (i < tokens_.size() && !tokens_[i].line_start);
    return i;
  }

  bool Text() {
    const std::size_t begin = at_;
    while (at_ < tokens_.size() && !IsDirective(at_)) ++at_;
    const std::span<const Token> run(tokens_.data() + begin, at_ - begin);
    if (Now() == Activity::Active) {
      const std::size_t before = out_.tokens.size();
      return out_.macros.Expand(run, out_.tokens, problem_) && Pragmas(before);
    }
    if (Now() == Activity::Undecided) {
      NoteUndecided(run);
      out_.undecided.push_back(
          {{run.front().span.begin, run.back().span.end}, levels_.back().branch});
    }
    return true;
  }

  void NoteUndecided(std::span<const Token> tokens) {
    for (const Token& token : tokens) {
      if (token.IsName()) out_.undecided_names.emplace(token.text, token.span.begin);
    }
  }

  /// Rejects `_Pragma("pop_macro(...)")` and similar pragmas in expanded tokens. Such a pragma may
  /// come from a macro, and revctl does not track its effect.
  bool Pragmas(std::size_t from) {
    for (std::size_t i = from; i < out_.tokens.size(); ++i) {
      const Token& token = out_.tokens[i];
      if (!token.Is("_Pragma") && !token.Is("__pragma")) continue;
      for (std::size_t j = i + 1; j < out_.tokens.size() && j < i + 4; ++j) {
        // Remove any line continuations inside the string.
        std::string text(out_.tokens[j].text);
        std::erase_if(text, [](char c) { return c == '\\' || c == '\n' || c == '\r'; });
        if (text.find("_macro") != text.npos)
          return Fail(token.span.begin,
                      "this pragma changes macros, which revctl does not support");
      }
    }
    return true;
  }

  /// Handles `#pragma push_macro("X")` and `pop_macro("X")`. After a pop_macro, the meaning of X
  /// cannot be determined from this file alone.
  bool Pragma(std::span<const Token> rest, std::size_t place) {
    if (rest.empty() || (!rest[0].Is("push_macro") && !rest[0].Is("pop_macro"))) return true;
    if (rest.size() < 4 || !rest[1].Is("(") || rest[2].kind != TokenKind::String ||
        rest[2].text.size() < 3 || rest[2].text.front() != '"')
      return Fail(place, "this pragma does not name a macro");
    const std::string_view name = rest[2].text.substr(1, rest[2].text.size() - 2);
    if (name.find_first_of("\\\"") != name.npos)
      return Fail(place, "this pragma does not name a macro");
    if (rest[0].Is("pop_macro")) out_.macros.MakeUndecided(name);
    return true;
  }

  bool Directive() {
    const std::size_t begin = at_;
    at_ = LineEnd(begin);
    const std::span<const Token> line(tokens_.data() + begin + 1, at_ - begin - 1);
    const std::string_view name = line.empty() ? std::string_view() : line[0].text;
    const std::size_t place = tokens_[begin].span.begin;
    const std::span<const Token> rest = line.empty() ? line : line.subspan(1);
    using Kind = list::Directive::Kind;
    Kind kind = Kind::Other;
    const bool skipped = Now() == Activity::Skipped;
    const bool undecided = Now() == Activity::Undecided;
    bool ok = true;
    if (name == "if" || name == "ifdef" || name == "ifndef") {
      kind = Kind::If;
      ok = Open(name, rest, place);
    } else if (name == "elif" || name == "elifdef" || name == "elifndef") {
      kind = Kind::Else;
      ok = Alternative(name, rest, place);
    } else if (name == "else") {
      kind = Kind::Else;
      ok = Otherwise(place);
    } else if (name == "endif") {
      kind = Kind::Endif;
      if (levels_.empty()) return Fail(place, "#endif without #if");
      levels_.pop_back();
    } else if (Now() != Activity::Skipped) {
      ok = Simple(name, rest, place);
    }
    out_.directives.push_back({{kind, {place, tokens_[at_ - 1].span.end}},
                               name,
                               skipped,
                               undecided,
                               rest.empty() ? std::string_view() : rest[0].text});
    return ok;
  }

  bool Simple(std::string_view name, std::span<const Token> rest, std::size_t place) {
    const bool undecided = Now() == Activity::Undecided;
    if (undecided) NoteUndecided(rest);
    if (name == "pragma") return Pragma(rest, place);
    if (name == "define") {
      problem_.offset = place;
      return out_.macros.Define(rest, undecided, problem_);
    }
    if (name == "undef" && !rest.empty()) out_.macros.Undefine(rest[0].text, undecided);
    if (name == "error" && !undecided)
      return Fail(place, "this file stops compilation with an #error");
    static constexpr std::string_view kOthers[] = {
        "",        "undef",        "error",  "warning", "line",   "ident",   "sccs",
        "include", "include_next", "import", "embed",   "assert", "unassert"};
    const bool known = std::find(std::begin(kOthers), std::end(kOthers), name) != std::end(kOthers);
    if (!known && !base::IsDigit(name[0]))
      return Fail(place, "unknown directive #" + std::string(name.substr(0, 40)));
    return true;
  }

  bool Open(std::string_view name, std::span<const Token> rest, std::size_t place) {
    Level level;
    level.place = place;
    level.parent = Now();
    levels_.push_back(level);
    return Branch(name, rest, place);
  }

  bool Alternative(std::string_view name, std::span<const Token> rest, std::size_t place) {
    if (levels_.empty() || levels_.back().had_else) return Fail(place, "#elif without #if");
    const bool ok = Branch(name.substr(2), rest, place);
    // Compilers before C++23 ignore #elifdef as an unknown directive, so the branch is undecided.
    if (ok && name != "elif" && levels_.back().activity == Activity::Active) {
      levels_.back().activity = Activity::Undecided;
      levels_.back().undecided = true;
    }
    return ok;
  }

  bool Otherwise(std::size_t place) {
    if (levels_.empty() || levels_.back().had_else) return Fail(place, "#else without #if");
    levels_.back().had_else = true;
    Choose(Truth::True, place);
    return true;
  }

  /// Enters a branch with the condition `rest`. Evaluates the condition only if its value matters.
  bool Branch(std::string_view name, std::span<const Token> rest, std::size_t place) {
    const Level& level = levels_.back();
    if (level.parent == Activity::Skipped || level.taken) {
      Choose(Truth::False, place);
      return true;
    }
    const auto truth =
        name == "if" ? Condition(rest, place) : IfDefined(name == "ifdef", rest, place);
    if (!truth) return false;
    Choose(*truth, place);
    return true;
  }

  void Choose(Truth truth, std::size_t place) {
    Level& level = levels_.back();
    level.branch = place;
    Activity own = Activity::Skipped;
    if (!level.taken && truth != Truth::False) {
      own = truth == Truth::True && !level.undecided ? Activity::Active : Activity::Undecided;
    }
    if (truth == Truth::True) level.taken = true;
    if (truth == Truth::Unknown) level.undecided = true;
    level.activity = std::min(own, level.parent);
  }

  std::optional<Truth> IfDefined(bool wanted, std::span<const Token> rest, std::size_t place) {
    if (rest.empty() || !rest[0].IsName()) {
      Fail(place, "expected a name");
      return std::nullopt;
    }
    const Truth truth = DefinedTruth(rest[0].text);
    if (truth == Truth::Unknown) {
      if (!wanted && DefinesNext(rest[0].text) &&
          (!MayBePredefined(rest[0].text) || GuardsTheRest()))
        return Truth::True;
      return Truth::Unknown;
    }
    return (truth == Truth::True) == wanted ? Truth::True : Truth::False;
  }

  Truth DefinedTruth(std::string_view name) const {
    switch (out_.macros.IsDefined(name)) {
      case MacroTable::Defined::Yes:
        return Truth::True;
      case MacroTable::Defined::No:
        return Truth::False;
      case MacroTable::Defined::Undecided:
        return Truth::Unknown;
      case MacroTable::Defined::Unknown:
        break;
    }
    return name == "__cplusplus" ? Truth::True : Truth::Unknown;
  }

  /// True if the branch that begins at `at_` first defines `name`, as an include guard or a default
  /// does.
  bool DefinesNext(std::string_view name) const {
    for (std::size_t i = at_; i + 2 < tokens_.size() && IsDirective(i); i = LineEnd(i)) {
      if (tokens_[i + 1].Is("define") && tokens_[i + 2].IsName() && tokens_[i + 2].text == name)
        return true;
      if (!tokens_[i + 1].Is("pragma")) return false;
    }
    return false;
  }

  /// True if the branch that begins at `at_` is the rest of the file. In this case, the compiler
  /// sees either this list or no list at all, but never a different one.
  bool GuardsTheRest() const {
    if (levels_.size() > 1) return false;  // scan each part of a file only once
    std::size_t depth = 1;
    for (std::size_t i = at_; i < tokens_.size(); ++i) {
      if (!IsDirective(i) || i + 1 == tokens_.size()) continue;
      const std::string_view name = tokens_[i + 1].text;
      if (name.starts_with("if")) ++depth;
      if (name.starts_with("el") && depth == 1) return false;
      if (name == "endif" && --depth == 0) return LineEnd(i) == tokens_.size();
    }
    return false;
  }

  std::optional<Truth> Condition(std::span<const Token> rest, std::size_t place) {
    // Recognize an include guard in the form `#if !defined(X)`.
    if (rest.size() >= 3 && rest[0].Is("!") && rest[1].Is("defined")) {
      const bool parentheses = rest[2].Is("(");
      const std::size_t name = parentheses ? 3 : 2;
      if (rest.size() == name + (parentheses ? 2 : 1))
        return IfDefined(false, rest.subspan(name), place);
    }
    std::vector<Token> decided, expanded;
    if (!ReplaceDefined(rest, decided, place)) return std::nullopt;
    if (!out_.macros.Expand(decided, expanded, problem_)) return std::nullopt;
    problem_.offset = place;
    // The build chooses the C++ standard, so a condition that uses __cplusplus is known only if it
    // has the same value for every standard.
    static constexpr std::string_view kStandards[] = {"201103L", "201402L", "201500L", "201703L",
                                                      "201709L", "202002L", "202100L", "202101L",
                                                      "202302L", "202400L", "202600L"};
    std::optional<Truth> all;
    for (const std::string_view standard : kStandards) {
      bool asked = false;
      for (Token& token : expanded) {
        if (!token.Is("__cplusplus") && token.span.begin != kStandard) continue;
        token.kind = TokenKind::Number;
        token.text = standard;
        token.span.begin = kStandard;
        asked = true;
      }
      const auto truth = EvaluateCondition(expanded, problem_);
      if (!truth || !asked) return truth;
      if (all && *all != *truth) return Truth::Unknown;
      all = truth;
    }
    return all;
  }

  bool ReplaceDefined(std::span<const Token> rest, std::vector<Token>& decided, std::size_t place) {
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (rest[i].Is("__has_include") && i + 1 < rest.size() && rest[i + 1].Is("(")) {
        // Leave __has_include undecided, because this file alone does not show which other files
        // exist.
        Token result = rest[i];
        result.kind = TokenKind::Identifier;
        result.text = kUndecided;
        decided.push_back(result);
        while (i < rest.size() && !rest[i].Is(")")) ++i;
        continue;
      }
      if (!rest[i].Is("defined")) {
        decided.push_back(rest[i]);
        continue;
      }
      const bool parentheses = i + 1 < rest.size() && rest[i + 1].Is("(");
      const std::size_t name = i + (parentheses ? 2 : 1);
      const std::size_t last = name + (parentheses ? 1 : 0);
      if (last >= rest.size() || !rest[name].IsName() || (parentheses && !rest[last].Is(")"))) {
        return Fail(place, "`defined` without a name");
      }
      Token result = rest[name];
      const Truth truth = DefinedTruth(rest[name].text);
      result.kind = truth == Truth::Unknown ? TokenKind::Identifier : TokenKind::Number;
      result.text = truth == Truth::Unknown ? kUndecided : truth == Truth::True ? "1" : "0";
      decided.push_back(result);
      i = last;
    }
    return true;
  }

  /// Marks tokens that replace __cplusplus. No other token can have this offset.
  static constexpr std::size_t kStandard = ~std::size_t{0};

  std::span<const Token> tokens_;
  Problem& problem_;
  std::size_t at_ = 0;
  std::vector<Level> levels_;
  PreprocessedFile out_;
};

}  // namespace

std::optional<PreprocessedFile> Preprocess(const LexedFile& file, Problem& problem) {
  return Preprocessor(file, problem).Run();
}

bool DefinesDeclarations(const LexedFile& lexed, const PreprocessedFile& file, std::size_t before) {
  auto token = lexed.tokens.begin();
  for (const ReadDirective& directive : file.directives) {
    const Span& span = directive.directive.span;
    if (span.begin >= before) break;
    if (directive.name != "define" || directive.skipped) continue;
    for (; token != lexed.tokens.end() && token->span.begin < span.end; ++token) {
      if (token->span.begin >= span.begin && (token->Is("{") || token->Is("}") || token->Is(";")))
        return true;
    }
  }
  return false;
}

std::size_t DeclarationBegin(std::span<const Token> tokens, std::size_t place) {
  std::size_t begin = 0;
  for (const Token& token : tokens) {
    if (token.span.begin >= place) break;
    if (token.Is("{") || token.Is("}") || token.Is(";")) begin = token.span.end;
  }
  return begin;
}

}  // namespace revctl::list::detail
