#pragma once
#include <string>
#include <string_view>

namespace revctl::harness {

/// Canonical wire types as people write them in C++: `i32` is `int32_t`, `vector<f32>` is
/// `std::vector<float>`.
std::string CppType(std::string_view wire);

/// What stands before the first '<': `vector` of `vector<f32>`, `i32` of `i32`.
std::string_view Outermost(std::string_view wire);

/// Whether the outermost name is a container of the library.
bool IsContainer(std::string_view wire);

/// Whether it is a plain number: `i32`, `f64`.
bool IsNumber(std::string_view wire);

}  // namespace revctl::harness
