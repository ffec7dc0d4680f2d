#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace revctl::base {

/// `10 of 40 goldens, 5 a second, 6 s left`: how far a count of `what` is, `seconds` after its
/// begin. Before the first is done, nothing says how long the others take.
std::string HowFar(std::size_t done, std::size_t all, std::string_view what, double seconds);

/// `90 s`, `12 min`: seconds as a person reads them.
std::string Duration(double seconds);

}  // namespace revctl::base
