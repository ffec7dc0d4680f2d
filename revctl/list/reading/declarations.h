#pragma once
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "revctl/list/reading/source.h"

namespace revctl::list::detail {

/// One enumerator in the source. The pointers and spans refer to tokens after macro expansion.
struct Enumerator {
  const Token* name = nullptr;
  std::size_t head_end = 0;            ///< end of the name and its attributes
  const Token* assign = nullptr;       ///< the '=', or null
  std::span<const Token> initializer;  ///< empty if there is no initializer
  const Token* comma = nullptr;        ///< the ',' after the enumerator, or null
};

struct EnumDeclaration {
  std::string name;   ///< empty if the enum is anonymous
  std::string scope;  ///< such as `game::Save`; empty at the top level
  bool scoped = false;
  bool in_class = false;              ///< true if the innermost named scope is a class
  std::size_t place = 0;              ///< offset of the keyword `enum`
  std::span<const Token> underlying;  ///< empty if the enum does not specify a type
  Token open, close;                  ///< the braces
  std::vector<Enumerator> enumerators;
  bool unclosed = false;  ///< true if the file ends before the closing brace
  /// Why the body could not be read. This only matters if the config selects this enum as the list.
  std::optional<Problem> problem;

  /// Returns the qualified name, such as `game::Save::Revision`, or "" if the enum is anonymous.
  std::string QualifiedName() const;
};

/// A `constexpr` or `const` declaration, such as `constexpr int kBase = 5;`.
struct ConstantDeclaration {
  std::string name, scope;
  std::span<const Token> type;  ///< empty for `auto`
  std::span<const Token> value;
};

/// A type alias, such as `using Number = std::uint16_t;` or the equivalent `typedef`.
struct TypeDeclaration {
  std::string name, scope;
  std::span<const Token> type;
};

using Declaration = std::variant<EnumDeclaration, ConstantDeclaration, TypeDeclaration>;

/// Returns the enums, integer constants and type aliases in file order, and ignores everything
/// else. Never fails, because only errors in the list's own enum matter. Spans point into `tokens`.
std::vector<Declaration> FindDeclarations(std::span<const Token> tokens);

}  // namespace revctl::list::detail
