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

/// Orders for MergedOrder that contradict each other nowhere: all of one side's, and as much of the
/// other side's as that leaves. Where the sides order two names in different ways, the side that
/// changed the order of `base` goes first. Where both changed it, or neither, that side does whose
/// first such name comes first.
std::vector<std::vector<std::string>> Reconciled(
    const std::vector<std::string>& ours, const std::vector<std::string>& theirs,
    const std::vector<std::string>& base,
    const std::function<bool(const std::string&, const std::string&)>& comes_first);

}  // namespace revctl::list::detail
