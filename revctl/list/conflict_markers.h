#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace revctl::list::detail {

/// The versions that a file with conflict markers was made of. Without a base section (git's
/// default style) `base` has nothing where the sides differ.
struct ConflictSides {
  std::string base, ours, theirs;
};

/// Splits git's markers, in merge, diff3 or zdiff3 style, of any width from seven on; wider ones
/// inside a base section are text of that section. nullopt where there is no conflict, or the
/// markers do not fit together.
std::optional<ConflictSides> SplitConflicts(std::string_view text);

}  // namespace revctl::list::detail
