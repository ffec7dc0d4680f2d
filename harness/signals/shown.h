#pragma once
#include <cstddef>
#include <optional>
#include <string>

// How the signals about values show what changed.
namespace harness {

/// As many changes of a golden are written out; a finding counts the rest.
constexpr std::size_t kShown = 6;

inline std::string Side(const std::optional<std::string>& side) { return side ? *side : "not there"; }

}  // namespace harness
