#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <revctl/detail/visit/layout.h>

namespace revctl::harness {

// Which field of a recorded layout is which of today's, by name alone.

bool IsCounter(const revctl::LayoutField& field);
bool IsConditional(const revctl::LayoutField& field);
bool IsRem(const revctl::LayoutField& field);
/// Visited by macros of the program's own, through SerializeNamed. No line of ours mends its body.
bool HasOtherMacros(const revctl::LayoutField& field);
bool HasOtherMacros(const std::vector<revctl::LayoutField>& fields);
/// The name is the field's place in its body: `4`.
bool IsPlace(std::string_view name);

/// `Rev::SR_FOULS` and `SR_FOULS` name one revision.
std::string LastComponent(const std::string& name);
bool SameGate(const std::string& a, std::int64_t a_number, const std::string& b,
              std::int64_t b_number);

/// The first field called `name`; null where there is none.
const revctl::LayoutField* FindField(const std::vector<revctl::LayoutField>& fields,
                                     const std::string& name);

inline constexpr std::size_t kUnmatched = static_cast<std::size_t>(-1);

/// Which field of one side is which of the other; kUnmatched where it is none.
struct Matching {
  std::vector<std::size_t> to_now, to_recorded;
};
/// By the same name; what then has no partner, in order, by a name that means the `same`.
Matching Match(const std::vector<revctl::LayoutField>& recorded,
               const std::vector<revctl::LayoutField>& now,
               const std::function<bool(const std::string&, const std::string&)>& same);

/// Positions whose values do not belong to a longest increasing run, preferring to blame those in
/// `blame_first`.
std::vector<bool> OutOfOrder(const std::vector<std::size_t>& values,
                             const std::vector<bool>& blame_first);

/// Canonical wire types as people write them in C++: `i32` is `int32_t`, `vector<f32>` is
/// `std::vector<float>`.
std::string CppType(std::string_view wire);

/// What stands before the first '<': `vector` of `vector<f32>`, `i32` of `i32`.
std::string_view Outermost(std::string_view wire);

/// Whether the outermost name is a container of the library.
bool IsContainer(std::string_view wire);

/// Whether it is a plain number: `i32`, `f64`.
bool IsNumber(std::string_view wire);

// A PLAIN struct's layout holds its padding too, as bytes without a name. It follows from the
// fields around it.

bool IsPadding(const revctl::LayoutField& field);

/// The fields alone.
std::vector<revctl::LayoutField> WithoutPadding(const std::vector<revctl::LayoutField>& fields);

/// The element of `fields` that was copied to `*copy`, where that lies in `named`, which is
/// WithoutPadding(fields); else `copy`.
const revctl::LayoutField* BesidePadding(const std::vector<revctl::LayoutField>& fields,
                                         const std::vector<revctl::LayoutField>& named,
                                         const revctl::LayoutField* copy);

}  // namespace revctl::harness
