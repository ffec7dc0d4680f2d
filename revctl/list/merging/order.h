#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "revctl/list/merging/input.h"

/// The order of pending revisions in a merged list, and their numbers.
namespace revctl::list::detail {

/// Returns all names in an order that agrees with each of `orders` as far as those agree with each
/// other. `comes_first`, a strict order of all names, decides the rest, so that the order of
/// `orders` does not matter.
std::vector<std::string> MergedOrder(
    const std::vector<std::vector<std::string>>& orders,
    const std::function<bool(const std::string&, const std::string&)>& comes_first =
        std::less<std::string>());

/// Returns orders for MergedOrder without contradictions: the whole order of one side, and as much
/// of the other side's order as does not contradict it. If the sides order two names in different
/// ways, the side that changed the order of `base` wins. If both changed it, or neither did, the
/// side whose first such name comes first wins.
std::vector<std::vector<std::string>> Reconciled(
    const std::vector<std::string>& ours, const std::vector<std::string>& theirs,
    const std::vector<std::string>& base,
    const std::function<bool(const std::string&, const std::string&)>& comes_first);

/// A pending revision and its place in the merged list.
struct Placed {
  std::string name;
  /// Index of the place between conditionals. Revisions are ordered by it before anything else.
  std::size_t position = 0;
  std::int64_t number = 0;    ///< on the sides
  std::int64_t assigned = 0;  ///< in the merged list
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

/// The pending revisions of each version, in its order.
struct Orders {
  std::vector<std::string> ours, theirs, base;
};

/// Orders pending revisions and gives each its number. The order of a side is kept (see
/// Reconciled), because later revisions of a branch may build on earlier ones. If no side orders
/// two revisions, a revision that keeps its number comes first; otherwise the ledger's order
/// decides, then the name. A reserved number is kept if it is higher than all landed numbers and
/// those before it, and so is a written number higher than every known one. All others count on
/// from the highest landed number or the high-water mark, whichever is higher.
void AssignNumbers(std::vector<Placed>& pending, const Orders& orders,
                   const Reservations& reservations, std::optional<std::int64_t> highest_landed);

}  // namespace revctl::list::detail
