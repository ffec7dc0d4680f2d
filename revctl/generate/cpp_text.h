#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/base/lexer.h"

namespace revctl::generate {

/// Builds the text of a C++ file. Breaks lines of more than 100 columns after a comma.
class CodeText {
 public:
  /// Adds a line. `line` includes its indentation.
  CodeText& operator()(std::string_view line);
  /// Adds a line without breaking it.
  CodeText& Whole(std::string_view line);
  /// Adds the lines of a `///` comment, broken between words.
  CodeText& Comment(std::string_view text, int indent = 0);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Returns `text` as a C++ literal with quotes.
std::string Literal(std::string_view text);

/// True for a C++ identifier that generated code can use. False for keywords, macros, names that
/// bodies and their macros use, and names reserved for the compiler (`__`, `_Big`).
bool IsUsableName(std::string_view name);

/// True if a struct or enum with this name would hide a name that generated code uses, such as
/// `std`, `string` or `Newest`.
bool IsTakenAtTop(std::string_view name);

/// Returns why `code` is not a single complete expression or initializer, or nullopt if it is one.
/// Examples of reasons are an unclosed bracket or quote, a comment, a `;` outside braces, a `,`
/// outside all brackets, a preprocessor directive, and an empty string.
std::optional<base::Problem> WrongWithExpression(std::string_view code);

/// A name in an expression, outside quotes.
struct Word {
  std::string_view text;
  std::size_t at = 0;
};
std::vector<Word> WordsOf(std::string_view code);

}  // namespace revctl::generate
