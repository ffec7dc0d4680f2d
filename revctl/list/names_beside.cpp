#include "revctl/list/names_beside.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "revctl/base/ascii.h"
#include "revctl/list/declarations.h"
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

/// A text that has been read; what stands in `file` points into `lexed`.
struct ReadText {
  detail::LexedFile lexed;
  detail::PreprocessedFile file;
};

/// Nothing where the text cannot be read: a list has a finding of its own then.
std::optional<ReadText> Read(std::string_view text) {
  detail::Problem problem;
  auto lexed = detail::Lex(text, problem);
  if (!lexed) return std::nullopt;
  auto file = detail::Preprocess(*lexed, problem);
  if (!file) return std::nullopt;
  return ReadText{std::move(*lexed), std::move(*file)};
}

/// `own`: where the body of the list's enum begins, if it stands in this text.
std::map<std::string, int> Declared(const ReadText& read, const detail::LineTable& lines,
                                    const RevisionList& list, std::size_t own,
                                    const std::set<std::string>& names) {
  const detail::PreprocessedFile& file = read.file;
  std::map<std::string, int> out;
  if (names.empty()) return out;
  const auto add = [&](std::string_view name, std::size_t place) {
    const auto wanted = names.find(std::string(name));
    if (wanted != names.end()) out.emplace(*wanted, lines.At(place).line);
  };
  for (const detail::ReadDirective& directive : file.directives) {
    if (directive.name != "define") continue;
    const auto defined = file.macros.IsDefined(directive.argument);
    if (defined == detail::MacroTable::Defined::Yes ||
        defined == detail::MacroTable::Defined::Undecided)
      add(directive.argument, directive.directive.span.begin);
  }
  if (list.scoped) return out;
  const AllTokens all = Joined(read.lexed, file);
  for (const Token* token : ScopeWalker(all, list.scope, own).Run())
    add(token->text, token->span.begin);
  return out;
}

bool Replaces(const detail::Macro* macro, std::string_view name) {
  return macro != nullptr && macro->Replaces(name);
}

/// Words of the list's entries that are other macros, or other constants, behind this header.
std::map<std::string, int> Changed(const ReadText& read, const detail::LineTable& lines,
                                   const WordsOfEntries& words) {
  const detail::PreprocessedFile& file = read.file;
  std::map<std::string, int> out;
  const auto add = [&](std::string_view name, std::size_t place) {
    out.emplace(name, lines.At(place).line);
  };
  const bool declares = detail::DefinesDeclarations(read.lexed, file, std::string_view::npos);
  bool pops = false;
  for (const detail::ReadDirective& directive : file.directives) {
    if (directive.skipped) continue;
    const std::size_t place = directive.directive.span.begin;
    const bool of_enum = words.all.contains(directive.argument) ||
                         (declares && words.head.contains(directive.argument));
    if (directive.name == "define" && of_enum &&
        Replaces(file.macros.Find(directive.argument), directive.argument))
      add(directive.argument, place);
    if (directive.name == "undef" && words.macros.contains(directive.argument))
      add(directive.argument, place);
    if (directive.name != "pragma" || directive.argument != "pop_macro" || pops) continue;
    pops = true;
    for (const std::string& word : words.all) {
      if (Replaces(file.macros.Find(word), word)) add(word, place);
    }
  }
  if (words.constants.empty()) return out;
  const std::vector<Token> all = Joined(read.lexed, file).tokens;
  for (std::size_t i = 1; i + 1 < all.size(); ++i) {
    if (!all[i].IsName() || !words.constants.contains(all[i].text)) continue;
    const bool enumerator = (all[i - 1].Is("{") || all[i - 1].Is(",")) &&
                            (all[i + 1].Is("=") || all[i + 1].Is(",") || all[i + 1].Is("}"));
    if (enumerator || detail::Declares(all, i)) add(all[i].text, all[i].span.begin);
  }
  return out;
}

bool IsInclude(std::string_view directive) {
  return directive == "include" || directive == "include_next" || directive == "import";
}

/// `<a/b.h>` or `"a.h"`, as it stands or as macros make it; an empty path where they do otherwise.
Include Named(std::string_view text, const detail::PreprocessedFile& file) {
  constexpr int kMostMacros = 16;
  std::string made(text);
  for (int i = 0; i < kMostMacros; ++i) {
    const std::size_t open = made.find_first_not_of(" \t");
    if (open == made.npos) break;
    const char closing = made[open] == '<' ? '>' : made[open] == '"' ? '"' : '\0';
    if (closing != '\0') {
      const std::size_t close = made.find(closing, open + 1);
      if (close == made.npos || close == open + 1) break;
      return {made.substr(open + 1, close - open - 1), closing == '"'};
    }
    std::size_t end = open;
    while (end < made.size() && base::IsWord(made[end])) ++end;
    const std::string name = made.substr(open, end - open);
    const detail::Macro* const macro = file.macros.Find(name);
    // The table has what is defined last.
    const bool once =
        std::count_if(file.directives.begin(), file.directives.end(),
                      [&](const detail::ReadDirective& one) { return one.argument == name; }) <= 2;
    if (macro == nullptr || macro->function_like || macro->undecided || !once) break;
    std::string body;
    for (const Token& token : macro->body) body += token.text;
    made = std::move(body);
  }
  return {};
}

std::vector<Include> Included(std::string_view text, const detail::PreprocessedFile& file,
                              std::size_t before) {
  std::vector<Include> out;
  for (const detail::ReadDirective& directive : file.directives) {
    const Span span = directive.directive.span;
    if (!IsInclude(directive.name) || directive.skipped || span.begin >= before) continue;
    const std::string_view line = text.substr(span.begin, span.end - span.begin);
    const std::size_t word = line.find(directive.name);
    if (word == line.npos) {
      out.emplace_back();  // a splice within it
      continue;
    }
    out.push_back(Named(line.substr(word + directive.name.size()), file));
    out.back().quoted &= directive.name != "include_next";
  }
  return out;
}

/// What a header costs that leads our reading astray: as much as the macros of one file may.
constexpr std::size_t kCostOfUnreadable = std::size_t{1} << 20;

}  // namespace

std::map<std::string, int> DeclaredBeside(const RevisionList& list,
                                          const std::set<std::string>& names) {
  const auto read = Read(list.text);
  if (!read) return {};
  return Declared(*read, detail::LineTable(list.text), list, list.body.begin, names);
}

WordsOfEntries EntryWords(const RevisionList& list) {
  WordsOfEntries out;
  const auto read = Read(list.text);
  if (!read) return out;
  for (const Token& token : read->lexed.tokens) {
    if (token.IsName() && token.span.begin >= list.body.begin && token.span.end <= list.body.end)
      out.all.emplace(token.text);
  }
  // A macro may make another enum of the head.
  std::size_t place = 0;
  for (const Token& token : read->file.tokens) {
    if (token.Is("enum") && token.span.end <= list.body.begin) place = token.span.begin;
  }
  const std::size_t head = detail::DeclarationBegin(read->file.tokens, place);
  for (const Token& token : read->file.tokens) {
    if (token.IsName() && token.span.begin >= head && token.span.end <= list.body.begin)
      out.head.emplace(token.text);
  }
  for (const std::string& word : out.all) {
    if (read->file.macros.Find(word) != nullptr) out.macros.insert(word);
  }
  const auto constant = [&](std::string_view name) {
    if (out.all.contains(name)) out.constants.emplace(name);
  };
  for (const detail::Declaration& declaration : detail::FindDeclarations(read->file.tokens)) {
    if (const auto* one = std::get_if<detail::ConstantDeclaration>(&declaration))
      constant(one->name);
    const auto* other = std::get_if<detail::EnumDeclaration>(&declaration);
    if (other == nullptr || other->open.span.end == list.body.begin) continue;
    for (const detail::Enumerator& enumerator : other->enumerators) constant(enumerator.name->text);
  }
  return out;
}

HeaderOfList ReadHeader(std::string_view header, const RevisionList& list,
                        const std::set<std::string>& names, const WordsOfEntries& words) {
  HeaderOfList out;
  const auto read = Read(header);
  out.cost = header.size() + (read ? read->file.tokens.size() : kCostOfUnreadable);
  if (!read) return out;
  const detail::LineTable lines(header);
  out.declared = Declared(*read, lines, list, std::string_view::npos, names);
  out.changed = Changed(*read, lines, words);
  out.includes = Included(header, read->file, std::string_view::npos);
  out.cost += words.all.size();
  return out;
}

std::vector<Include> IncludedFiles(std::string_view text, std::size_t before) {
  const auto read = Read(text);
  return read ? Included(text, read->file, before) : std::vector<Include>();
}

}  // namespace revctl::list
