#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// C++ cut into tokens: the one reader of a list, of code, and of pieces of code.
namespace revctl::base {

/// Half-open range of bytes in the file.
struct Span {
  std::size_t begin = 0, end = 0;
};

/// What stands in the way of reading a file: where, and why. Offsets are bytes from the start of
/// the file.
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
  String,      ///< with prefix and quotes; raw strings too
  Punctuator,  ///< longest match
  Unknown,  ///< a stray byte, or a quote without its partner: an error only where it would have to
            ///< be understood
};

struct Token {
  TokenKind kind = TokenKind::Unknown;
  bool line_start = false;  ///< first on its logical line: a '#' here begins a directive
  bool from_macro = false;  ///< `span` is the macro's invocation
  /// The name of a macro that is not expanded: Macro::undecided or Macro::pastes.
  bool undecided_macro = false;
  Span span;              ///< bytes in the file, line continuations included
  std::string_view text;  ///< spelling without line continuations

  bool Is(std::string_view spelling) const { return text == spelling && kind != TokenKind::String; }
  bool IsName() const { return kind == TokenKind::Identifier; }
};

/// A file cut into tokens. Every byte is in a token, in a comment, or white space.
struct LexedFile {
  std::vector<Token> tokens;
  std::vector<Span> comments;  ///< in file order, without the line ending of a `//` comment
  /// spellings that line continuations interrupt; tokens point into it
  std::deque<std::string> spliced;
};

/// Largest file that is read. Real lists are far below; what is above is no list, and costs no
/// memory.
inline constexpr std::size_t kLargestFile = std::size_t{4} << 20;

/// Cuts `text` in linear time. Fails on NUL bytes, on a comment or raw string without an end, above
/// `largest` bytes, and on what compilers read in different ways: a carriage return alone, blanks
/// of Unicode, trigraphs, and on digraphs, which no list needs. `text` must outlive the result.
std::optional<LexedFile> Lex(std::string_view text, Problem& problem,
                             std::size_t largest = kLargestFile);

/// A keyword of C++20, alternative tokens (`and`) too: [lex.key], [lex.digraph].
bool IsKeyword(std::string_view name);

}  // namespace revctl::base
