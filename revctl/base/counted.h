#pragma once
#include <fmt/core.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace revctl::base {

/// Returns a count and a noun in the right form, such as `1 type` or `2 types`.
inline std::string Counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace revctl::base
