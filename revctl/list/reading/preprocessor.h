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

/// Tokens between two directives under a condition that the file does not decide.
struct UndecidedTokens {
  Span span;
  std::size_t condition = 0;  ///< offset of the #if, #elif or #else
};

struct ReadDirective {
  Directive directive;
  std::string_view name;           ///< `include`, `define`, ...; empty for a lone '#'
  bool skipped = false;            ///< certainly not compiled
  bool undecided = false;          ///< compiled or not, which this file does not decide
  std::string_view argument = {};  ///< the text after the name, up to the first blank
};

/// The compiler's view of a file, as far as the file alone decides it.
struct PreprocessedFile {
  /// With macros of this file expanded, without undecided and skipped parts.
  std::vector<Token> tokens;
  std::vector<UndecidedTokens> undecided;
  /// Names in undecided parts and directives, with the offset after which their meaning is unclear.
  std::unordered_map<std::string_view, std::size_t> undecided_names;
  std::vector<ReadDirective> directives;
  MacroTable macros;  ///< state at the end of the file; owns text that `tokens` point into
};

/// Follows #if and #define through the file. A macro that is an include guard or gets a default
/// (`#ifndef X`, then `#define X 34`) is assumed to be undefined before that, except for names that
/// compilers define, which are undecided. Returns nullopt and sets `problem` for conditionals that
/// are not nested properly, an active #error, endless expansions, and unknown directives.
std::optional<PreprocessedFile> Preprocess(const LexedFile& file, Problem& problem);

/// True if the body of a `#define` above `before` contains a brace or a semicolon, so that a macro
/// could begin or end a declaration.
bool DefinesDeclarations(const LexedFile& lexed, const PreprocessedFile& file, std::size_t before);

/// Returns where the declaration begins that contains the token at `place`.
std::size_t DeclarationBegin(std::span<const Token> tokens, std::size_t place);

}  // namespace revctl::list::detail
