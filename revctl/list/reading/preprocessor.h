#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "revctl/list/reading/macros.h"
#include "revctl/list/reading/revision_list.h"
#include "revctl/list/reading/source.h"

namespace revctl::list::detail {

/// Tokens between two directives under a condition that cannot be decided from the file alone.
struct UndecidedTokens {
  Span span;
  std::size_t condition = 0;  ///< offset of the #if, #elif or #else with the condition
};

struct ReadDirective {
  Directive directive;
  std::string_view name;  ///< name such as `include` or `define`; empty for a lone '#'
  bool skipped = false;   ///< true if the directive is certainly not compiled
  /// true if the file alone does not show whether the directive is compiled
  bool undecided = false;
  std::string_view argument = {};  ///< the first token after the name
};

/// A file as the compiler sees it, to the extent that the file alone determines this.
struct PreprocessedFile {
  /// The tokens that are certainly compiled, with macros of this file expanded.
  std::vector<Token> tokens;
  std::vector<UndecidedTokens> undecided;
  /// Names that occur in undecided parts and directives, each with the offset after which its
  /// meaning is unclear.
  std::unordered_map<std::string_view, std::size_t> undecided_names;
  std::vector<ReadDirective> directives;
  MacroTable macros;  ///< macros at the end of the file; owns text that `tokens` point into
};

/// Evaluates #if and #define throughout the file. A macro that is an include guard or gets a
/// default (`#ifndef X`, then `#define X 34`) is assumed to be undefined up to that point, except
/// for names that compilers define, which stay undecided. Returns nullopt and sets `problem` for
/// unbalanced conditionals, an active #error, endless expansion, and unknown directives.
std::optional<PreprocessedFile> Preprocess(const LexedFile& file, Problem& problem);

/// True if the body of a `#define` before the offset `before` contains a brace or a semicolon, so
/// that the macro could begin or end a declaration.
bool DefinesDeclarations(const LexedFile& lexed, const PreprocessedFile& file, std::size_t before);

/// Returns the offset of the beginning of the declaration that contains the token at `place`.
std::size_t DeclarationBegin(std::span<const Token> tokens, std::size_t place);

}  // namespace revctl::list::detail
