#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "revctl/list/merging/input.h"

/// Determines the order and the numbers of pending revisions in a merged list.
namespace revctl::list::detail {

/// Returns all names in an order that agrees with `orders`, except where they contradict each
/// other. If `orders` do not determine the order of two names, `comes_first`, a strict order of all
/// names, decides. The result does not depend on the order in which `orders` are passed.
std::vector<std::string> MergedOrder(
    const std::vector<std::vector<std::string>>& orders,
    const std::function<bool(const std::string&, const std::string&)>& comes_first =
        std::less<std::string>());

/// Returns orders for MergedOrder that do not contradict each other: the complete order of one
/// side, and the compatible parts of the other side's order. If the sides order two names
/// differently, the side that changed the order of `base` wins. If both sides or neither of them
/// changed it, the orders are compared at the first position in which they differ. The side whose
/// name there is first according to `comes_first` wins.
std::vector<std::vector<std::string>> Reconciled(
    const std::vector<std::string>& ours, const std::vector<std::string>& theirs,
    const std::vector<std::string>& base,
    const std::function<bool(const std::string&, const std::string&)>& comes_first);

/// A pending revision and its position in the merged list.
struct Placed {
  std::string name;
  /// Index of the conditional that contains the revision. Revisions are ordered by this index
  /// first.
  std::size_t position = 0;
  std::int64_t number = 0;    ///< number before the merge
  std::int64_t assigned = 0;  ///< number after the merge
};

/// The open reservations of the ledger, by name.
class Reservations {
 public:
  explicit Reservations(const MergeContext& context);
  std::optional<std::int64_t> Of(const std::string& name) const;
  std::int64_t high_water() const { return high_water_; }
  bool known() const { return known_; }

 private:
  std::vector<std::pair<std::string, std::int64_t>> sorted_;
  std::int64_t high_water_ = 0;
  bool known_ = false;
};

/// The names of the pending revisions in each version, in order.
struct Orders {
  std::vector<std::string> ours, theirs, base;
};

/// Orders pending revisions and assigns their numbers. Keeps the order of each side (see
/// Reconciled), because later revisions of a branch may build on earlier ones. If neither side
/// contains both of two revisions, a revision that keeps its number comes before one that does not;
/// ties are broken by the ledger's order, then by name. A reserved number is kept if it is higher
/// than all landed numbers and all numbers before it. A hand-written number is kept if it is higher
/// than every known number. All other revisions get the next numbers after the highest landed
/// number or the high-water mark, whichever is higher.
void AssignNumbers(std::vector<Placed>& pending, const Orders& orders,
                   const Reservations& reservations, std::optional<std::int64_t> highest_landed);

}  // namespace revctl::list::detail
