#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace revctl::list {

/// Returns the line (1-based) of the first conflict marker in `text`, or 0 if there is none.
int ConflictMarkerLine(std::string_view text);

namespace detail {

/// The versions from which git made a file with conflict markers. Without base sections (git's
/// default style), `base` lacks the parts in which the sides differ.
struct ConflictSides {
  std::string base, ours, theirs;
};

/// Splits a file at git's markers in merge, diff3 or zdiff3 style, of width seven or more. Wider
/// markers inside a base section are text of that section. Returns nullopt if there are no markers
/// or they do not fit together.
std::optional<ConflictSides> SplitConflicts(std::string_view text);

}  // namespace detail
}  // namespace revctl::list
