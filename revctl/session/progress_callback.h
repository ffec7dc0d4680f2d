#pragma once
#include <cstddef>
#include <functional>
#include <string_view>

namespace revctl::commands {

/// Told of each step of a long command: what they are (`sources`), how many are done, of how many.
/// Empty where no one looks.
using HowManyAreDone =
    std::function<void(std::string_view what, std::size_t done, std::size_t all)>;

}  // namespace revctl::commands
