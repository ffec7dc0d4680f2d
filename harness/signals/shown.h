#pragma once
#include <cstddef>
#include <optional>
#include <string>

// How the signals about values show what changed.
namespace harness {

/// As many changes of a golden are written out; a finding counts the rest.
constexpr std::size_t kShown = 6;

inline std::string Side(const std::optional<std::string>& side) { return side ? *side : "not there"; }

/// ", and 2 more values differ": of `differing` values the first was told.
inline std::string AndMore(std::size_t differing) {
  if (differing <= 1) return "";
  return ", and " + std::to_string(differing - 1) + (differing == 2 ? " more value differs" : " more values differ");
}

}  // namespace harness
