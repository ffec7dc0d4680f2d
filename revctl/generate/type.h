#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "revctl/base/lexer.h"
#include "revctl/generate/definition.h"

// Types of fields: from text, and to C++.
namespace revctl::generate {

/// Parses `map<string, vector<Note>>`. `known` says whether a name is an enum or struct that is
/// defined above. Gives what is wrong with the text, and where in it.
std::optional<base::Problem> ParseType(std::string_view text,
                                       const std::function<bool(std::string_view)>& known,
                                       Type& type);

/// `map<string, vector<Note>>`, as the definition has it.
std::string TypeText(const Type& type);
/// `std::map<std::string, std::vector<Note>>`.
std::string CppType(const Type& type);

/// Whether it is a number, a bool, or one of `enums`: copied rather than moved.
bool IsScalar(const Type& type, const Definition& definition);

/// Whether a value of `from` becomes one of `to` by itself, and stays what it is: the same type, a
/// number in a wider one, or a value in an optional of its type. Anything else the author has to
/// say in words.
bool Widens(const Type& from, const Type& to);

/// `int32_t`, `uint8_t`...: what an enum may have underneath.
bool IsInteger(std::string_view name);

}  // namespace revctl::generate
