#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "revctl/base/lexer.h"

namespace revctl::generate {

/// Text of a C++ file, line by line, none wider than 100 columns where it can be broken behind a
/// comma.
class CodeText {
 public:
  /// One line, indented by blanks of its own. An empty one is written as it is.
  CodeText& operator()(std::string_view line);
  /// One line that is never broken.
  CodeText& Whole(std::string_view line);
  /// `/// text`, broken between words.
  CodeText& Comment(std::string_view text, int indent = 0);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// As a literal of C++, with its quotes.
std::string Literal(std::string_view text);

/// Whether it can be a name in generated code: a C++ identifier that is no keyword or macro, nor
/// what bodies and their macros call their own, nor the compiler's (`__`, `_Big`).
bool IsUsableName(std::string_view name);

/// Whether a struct or enum of this name would hide what generated code says: `std`, `string`,
/// `Newest`.
bool IsTakenAtTop(std::string_view name);

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
