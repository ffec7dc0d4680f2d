#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "revctl/base/lexer.h"
#include "revctl/generate/definition.h"

namespace revctl::generate {

/// Parses a type such as `map<string, vector<Note>>` into `type`. Returns nullopt on success, or
/// the error and its offset. `known` returns true for enums and structs that are defined earlier in
/// the file.
std::optional<base::Problem> ParseType(std::string_view text,
                                       const std::function<bool(std::string_view)>& known,
                                       Type& type);

/// Returns the type as a definition spells it: `map<string, vector<Note>>`.
std::string TypeText(const Type& type);
/// Returns the type in C++: `std::map<std::string, std::vector<Note>>`.
std::string CppType(const Type& type);

/// True for numbers, bool and `enums`, which are copied rather than moved.
bool IsScalar(const Type& type, const Definition& definition);

/// True if a conversion from `from` to `to` preserves every value: the type is the same, a wider
/// number type, or an optional of `from`. Any other change requires a conversion in the definition.
bool Widens(const Type& from, const Type& to);

/// True for `int32_t`, `uint8_t` and so on, which can be the underlying type of an enum.
bool IsInteger(std::string_view name);

}  // namespace revctl::generate
