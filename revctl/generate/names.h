#pragma once
#include <string_view>

// Names that a definition file gives to things of generated C++.
namespace revctl::generate {

/// Whether it can be a name in generated code: a C++ identifier that is no keyword or macro, nor
/// what bodies and their macros call their own, nor the compiler's (`__`, `_Big`).
bool IsUsableName(std::string_view name);

/// Whether a struct or enum of this name would hide what generated code says: `std`, `string`,
/// `Newest`.
bool IsTakenAtTop(std::string_view name);

}  // namespace revctl::generate
