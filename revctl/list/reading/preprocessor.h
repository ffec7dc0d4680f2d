#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "revctl/list/reading/macros.h"
#include "revctl/list/reading/revision_list.h"
#include "revctl/list/reading/source.h"

namespace revctl::list::detail {

/// Tokens between two directives that are compiled or not depending on something that the file does
/// not say.
struct UndecidedTokens {
  Span span;
  std::size_t condition = 0;  ///< offset of the #if, #elif or #else
};

struct ReadDirective {
  Directive directive;
  std::string_view name;           ///< `include`, `define`...; empty for a lone '#'
  bool skipped = false;            ///< not compiled in for certain
  bool undecided = false;          ///< compiled in or not, which the file does not say
  std::string_view argument = {};  ///< what stands behind the name, up to the first blank
};

/// What the compiler sees of a file, as far as the file alone decides it.
struct PreprocessedFile {
  /// macros of this file expanded; undecided and skipped parts left out
  std::vector<Token> tokens;
  std::vector<UndecidedTokens> undecided;
  /// names in those parts, and in directives there: from that offset on they may be declared or
  /// defined otherwise
  std::unordered_map<std::string_view, std::size_t> undecided_names;
  std::vector<ReadDirective> directives;
  MacroTable macros;  ///< as they stand at the end; owns spellings that `tokens` point into
};

/// Follows #if and #define through the file. An include guard, and a default (`#ifndef X`, then
/// `#define X 34`), count as not defined before; a default of a name that compilers define is
/// undecided. Fails on conditionals that do not nest, on an
/// active #error, on endless expansions, on directives that revctl does not know.
std::optional<PreprocessedFile> Preprocess(const LexedFile& file, Problem& problem);

/// Whether a `#define` above `before` has a brace or a semicolon: a macro may then make a
/// declaration of a word, or end one. `__declspec(dllexport)` does not.
bool DefinesDeclarations(const LexedFile& lexed, const PreprocessedFile& file, std::size_t before);

/// Where the declaration begins in which the token at `place` stands.
std::size_t DeclarationBegin(std::span<const Token> tokens, std::size_t place);

}  // namespace revctl::list::detail
