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

}  // namespace revctl::harness
