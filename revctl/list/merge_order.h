#pragma once
#include <functional>
#include <string>
#include <vector>

namespace revctl::list::detail {

/// One order in which all names stand that keeps each of `orders` where they agree. Where they say
/// nothing, or contradict each other, `comes_first` decides, a strict order of all names; so it
/// does not matter which of `orders` is given first.
std::vector<std::string> MergedOrder(
    const std::vector<std::vector<std::string>>& orders,
    const std::function<bool(const std::string&, const std::string&)>& comes_first =
        std::less<std::string>());

/// `side`, cut in two wherever the two neighbours stand the other way round in `other`, which
/// changed that: they stand in `base` as they do in `side`.
std::vector<std::vector<std::string>> WithoutReversed(const std::vector<std::string>& side,
                                                      const std::vector<std::string>& other,
                                                      const std::vector<std::string>& base);

}  // namespace revctl::list::detail
