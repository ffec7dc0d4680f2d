#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "revctl/list/merge.h"

namespace revctl::list::detail {

/// A pending revision as the merge places it.
struct Placed {
  std::string name;
  std::size_t position =
      0;  ///< among the places that conditionals leave; first of all an order in the file
  std::int64_t number = 0;    ///< the number that the sides give it
  std::int64_t assigned = 0;  ///< the number that it gets
};

/// What numbers the ledger holds, by name.
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

/// What the sides of a merge, and their base, have in which order.
struct Orders {
  std::vector<std::string> ours, theirs, base;
};

/// Orders pending revisions and gives each its number. A side's stay in their order (see
/// Reconciled): what a branch has in one order may build on each other. Of two that no branch
/// orders, one that keeps its number comes first, then the ledger's order, ties by name. A reserved
/// number stays where it is above all landed ones and those before it. So does a number in writing
/// above everything known. All others count on from the highest of landed numbers and high-water
/// mark.
void AssignNumbers(std::vector<Placed>& pending, const Orders& orders,
                   const Reservations& reservations, std::optional<std::int64_t> highest_landed);

}  // namespace revctl::list::detail
