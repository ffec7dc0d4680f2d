#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "revctl/base/lexer.h"

// Pieces of C++ in a definition file: defaults, `from`, `older`. What they mean is the compiler's
// to say; that each ends where it ends in the definition, and goes on nowhere else in the generated
// file, is said here.
namespace revctl::generate {

/// Why `code` is not one whole expression or initializer: a bracket or quote that is not closed, a
/// comment, a `;` outside of braces, a `,` outside of all brackets, a line of the preprocessor,
/// nothing at all.
std::optional<base::Problem> WrongWithExpression(std::string_view code);

/// A name in an expression, outside of quotes.
struct Word {
  std::string_view text;
  std::size_t at = 0;
};
std::vector<Word> WordsOf(std::string_view code);

}  // namespace revctl::generate
