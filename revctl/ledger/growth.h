#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/// Cost by counted steps: each basic block of what is compiled for it calls a counter.
namespace revctl::growth {

/// A text of n parts.
using Make = std::function<std::string(std::size_t n)>;

/// Large enough for the square of it to stand out, small enough for a second.
inline constexpr std::size_t kSmall = 100;

/// Steps and bytes of `work` for n, 2n and 4n; empty where they grow no faster than n log n does.
std::string Growth(const std::function<void(std::size_t n)>& work, std::size_t n);

/// one(0), one(1)... n of them.
std::string Repeated(std::size_t n, const Make& one);
inline std::string Text(std::size_t i) { return std::to_string(i); }

/// Hostile version lists, each with a title.
const std::vector<std::pair<std::string, Make>>& Lists();

}  // namespace revctl::growth
