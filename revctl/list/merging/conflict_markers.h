#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace revctl::list {

/// Returns the 1-based line of the first conflict marker in `text`, or 0 if there is none.
int ConflictMarkerLine(std::string_view text);

namespace detail {

/// The versions that git merged into a file with conflict markers. If the file has no base sections
/// (git's default style), `base` lacks the parts in which the sides differ.
struct ConflictSides {
  std::string base, ours, theirs;
};

/// Splits a file with git's conflict markers, in merge, diff3 or zdiff3 style, with a width of
/// seven or more. Wider markers inside a base section are treated as text of that section. Returns
/// nullopt if there are no markers or the markers do not match up.
std::optional<ConflictSides> SplitConflicts(std::string_view text);

}  // namespace detail
}  // namespace revctl::list
