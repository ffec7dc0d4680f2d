#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <revctl/detail/visit/layout.h>

namespace revctl::harness {

// Matches the fields of a recorded layout with the current fields, by name.

bool IsCounter(const revctl::LayoutField& field);
bool IsConditional(const revctl::LayoutField& field);
bool IsRem(const revctl::LayoutField& field);
/// True if the program's own macros visited the field, through SerializeNamed. The harness cannot
/// suggest lines for a body with such fields.
bool HasOtherMacros(const revctl::LayoutField& field);
bool HasOtherMacros(const std::vector<revctl::LayoutField>& fields);
/// True if the name is just the position of the field in its body, such as `4`.
bool IsPlace(std::string_view name);

/// Returns the name without qualifiers, for example `SR_FOULS` for `Rev::SR_FOULS`.
std::string LastComponent(const std::string& name);
bool SameGate(const std::string& a, std::int64_t a_number, const std::string& b,
              std::int64_t b_number);

/// Returns the first field called `name`, or null. The pointer is valid as long as `fields` is.
const revctl::LayoutField* FindField(const std::vector<revctl::LayoutField>& fields,
                                     const std::string& name);

inline constexpr std::size_t kUnmatched = static_cast<std::size_t>(-1);

/// For each field, the index of its partner on the other side, or kUnmatched.
struct Matching {
  std::vector<std::size_t> to_now, to_recorded;
};
/// Matches fields with equal names. Then matches the remaining fields, in order, if `same` accepts
/// their two names.
Matching Match(const std::vector<revctl::LayoutField>& recorded,
               const std::vector<revctl::LayoutField>& now,
               const std::function<bool(const std::string&, const std::string&)>& same);

/// Marks the positions that are not in the longest increasing subsequence of `values`. If there are
/// several such subsequences, chooses one that leaves out positions in `blame_first`.
std::vector<bool> OutOfOrder(const std::vector<std::size_t>& values,
                             const std::vector<bool>& blame_first);

/// Returns a canonical wire type in C++ spelling: `int32_t` for `i32`, `std::vector<float>` for
/// `vector<f32>`.
std::string CppType(std::string_view wire);

/// Returns the part before the first '<': `vector` for `vector<f32>`, `i32` for `i32`.
std::string_view Outermost(std::string_view wire);

/// True if the outermost type is a container of the standard library.
bool IsContainer(std::string_view wire);

/// True for a plain number, such as `i32` or `f64`.
bool IsNumber(std::string_view wire);

// The layout of a PLAIN struct contains its padding as unnamed bytes. The fields around the padding
// determine the number of bytes.

bool IsPadding(const revctl::LayoutField& field);

std::vector<revctl::LayoutField> WithoutPadding(const std::vector<revctl::LayoutField>& fields);

/// If `copy` points into `named` = WithoutPadding(fields), returns the element of `fields` from
/// which `*copy` was copied. Otherwise returns `copy`.
const revctl::LayoutField* BesidePadding(const std::vector<revctl::LayoutField>& fields,
                                         const std::vector<revctl::LayoutField>& named,
                                         const revctl::LayoutField* copy);

}  // namespace revctl::harness
