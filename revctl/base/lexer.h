#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Splits C++ code (version lists and other source code) into tokens.
namespace revctl::base {

/// A half-open range of byte offsets in a file.
struct Span {
  std::size_t begin = 0, end = 0;
};

/// Describes why a file cannot be split into tokens.
struct Problem {
  std::size_t offset = 0;
  std::string message;
  std::string fix;
};

inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

enum class TokenKind : std::uint8_t {
  Identifier,
  Number,      ///< a preprocessing number: `0x1f`, `1'000u`, `1.5`
  Character,   ///< with prefix and quotes
  String,      ///< with prefix and quotes; also a raw string
  Punctuator,  ///< longest match
  Unknown,     ///< a stray byte or unmatched quote; an error only if it matters
};

struct Token {
  TokenKind kind = TokenKind::Unknown;
  bool line_start = false;  ///< true for the first token of a logical line, where a '#' begins a
                            ///< directive
  bool from_macro = false;  ///< true if it comes from a macro; `span` is then the invocation
  /// True for a macro name that the preprocessor did not expand (see Macro::undecided and
  /// Macro::pastes).
  bool undecided_macro = false;
  Span span;              ///< bytes in the file, including line continuations
  std::string_view text;  ///< spelling, without line continuations

  bool Is(std::string_view spelling) const { return text == spelling && kind != TokenKind::String; }
  bool IsName() const { return kind == TokenKind::Identifier; }
};

/// A file split into tokens. Every byte belongs to a token, a comment or white space.
struct LexedFile {
  std::vector<Token> tokens;
  std::vector<Span> comments;  ///< in file order; a `//` comment excludes its line ending
  /// Spellings of tokens that contained line continuations. Token::text points into it.
  std::deque<std::string> spliced;
};

/// Default for the maximum size of a file. Real lists are far smaller.
inline constexpr std::size_t kLargestFile = std::size_t{4} << 20;

/// Splits `text` into tokens in linear time. `text` must outlive the result. Returns nullopt and
/// sets `problem` for NUL bytes, an unclosed comment or raw string, more than `largest` bytes,
/// digraphs, and anything that compilers disagree about: a lone carriage return, Unicode blanks,
/// and trigraphs.
std::optional<LexedFile> Lex(std::string_view text, Problem& problem,
                             std::size_t largest = kLargestFile);

/// True for a keyword of C++20, including alternative tokens such as `and`.
bool IsKeyword(std::string_view name);

}  // namespace revctl::base
