#pragma once
#include <string>
#include <vector>

namespace revctl::list::detail {

/// One order in which all names stand that keeps each of `orders` where they agree. Where they say
/// nothing, or contradict each other, names decide, so that it does not matter which order is given
/// first.
std::vector<std::string> MergedOrder(const std::vector<std::vector<std::string>>& orders);

}  // namespace revctl::list::detail
