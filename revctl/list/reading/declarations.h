#pragma once
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "revctl/list/reading/source.h"

namespace revctl::list::detail {

/// An enumerator as written. The pointers and spans refer to the tokens after macro expansion.
struct Enumerator {
  const Token* name = nullptr;
  std::size_t head_end = 0;            ///< end of the name and its attributes
  const Token* assign = nullptr;       ///< the '='; null if there is none
  std::span<const Token> initializer;  ///< empty if there is none
  const Token* comma = nullptr;        ///< null if there is none
};

struct EnumDeclaration {
  std::string name;   ///< empty if anonymous
  std::string scope;  ///< `game::Save`, empty at the top
  bool scoped = false;
  bool in_class = false;              ///< the innermost named scope is a class
  std::size_t place = 0;              ///< offset of the word `enum`
  std::span<const Token> underlying;  ///< empty if there is none
  Token open, close;                  ///< the braces
  std::vector<Enumerator> enumerators;
  bool unclosed = false;  ///< the file ends before the closing brace
  /// Why the body could not be read. Only matters if this enum is the list.
  std::optional<Problem> problem;
};

/// `constexpr int kBase = 5;`, or the same with `const`.
struct ConstantDeclaration {
  std::string name, scope;
  std::span<const Token> type;  ///< empty for `auto`
  std::span<const Token> value;
};

/// `using Number = std::uint16_t;`, or the same with `typedef`.
struct TypeDeclaration {
  std::string name, scope;
  std::span<const Token> type;
};

using Declaration = std::variant<EnumDeclaration, ConstantDeclaration, TypeDeclaration>;

/// Returns the enums, integer constants and type aliases in file order and ignores everything else.
/// Never fails, because only errors in the list's own enum matter. Spans point into `tokens`.
std::vector<Declaration> FindDeclarations(std::span<const Token> tokens);

}  // namespace revctl::list::detail
