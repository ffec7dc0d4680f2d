#pragma once
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "revctl/list/reading/source.h"

namespace revctl::list::detail {

/// One enumerator as written; `name` and what follows it are tokens after macro expansion, and
/// point into those.
struct Enumerator {
  const Token* name = nullptr;
  std::size_t head_end = 0;            ///< end of the name and its attributes
  const Token* assign = nullptr;       ///< the '='; null where there is none
  std::span<const Token> initializer;  ///< empty where there is none
  const Token* comma = nullptr;        ///< null where there is none
};

struct EnumDeclaration {
  std::string name;   ///< empty where anonymous
  std::string scope;  ///< `game::Save`, empty at the top
  bool scoped = false;
  bool in_class = false;              ///< the innermost named scope is a class
  std::size_t place = 0;              ///< of the word `enum`
  std::span<const Token> underlying;  ///< empty where there is none
  Token open, close;                  ///< the braces
  std::vector<Enumerator> enumerators;
  bool unclosed = false;  ///< the file ends inside it
  /// why its body could not be read; only matters where the enum is the list
  std::optional<Problem> problem;
};

/// `constexpr int kBase = 5;`, also `const`.
struct ConstantDeclaration {
  std::string name, scope;
  std::span<const Token> type;  ///< empty for `auto`
  std::span<const Token> value;
};

/// `using Number = std::uint16_t;`, also `typedef`.
struct TypeDeclaration {
  std::string name, scope;
  std::span<const Token> type;
};

using Declaration = std::variant<EnumDeclaration, ConstantDeclaration, TypeDeclaration>;

/// Finds enums, integer constants and names of types in file order; everything else is passed over.
/// Never fails: what is odd outside the list's own enum is not this tool's to judge. Spans point
/// into `tokens`.
std::vector<Declaration> FindDeclarations(std::span<const Token> tokens);

}  // namespace revctl::list::detail
