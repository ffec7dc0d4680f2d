#include "revctl/list/merging/order.h"

#include <catch2/catch.hpp>

namespace revctl::list::detail {
namespace {

using Names = std::vector<std::string>;

/// Sorts names in reverse, so that no test passes by accident because of alphabetical order.
bool Later(const std::string& a, const std::string& b) { return a > b; }

Names Merged(const Names& ours, const Names& theirs, const Names& base = {}) {
  const Names merged = MergedOrder(Reconciled(ours, theirs, base, Later), Later);
  CHECK(MergedOrder(Reconciled(theirs, ours, base, Later), Later) == merged);
  return merged;
}

}  // namespace

TEST_CASE("order: sides that agree keep their order", "[list][merge][order]") {
  CHECK(Merged({"A", "B"}, {}) == Names{"A", "B"});
  CHECK(Merged({"A", "C"}, {"A", "B"}) == Names{"A", "C", "B"});
  CHECK(Merged({"A", "X", "B"}, {"A", "Y", "B"}) == Names{"A", "Y", "X", "B"});
}

TEST_CASE("order: contradicting sides keep what they agree on", "[list][merge][order]") {
  // The result must not depend on the direction of the merge. Z is first by name, but last on both
  // sides.
  CHECK(Merged({"Q", "J", "K", "Z"}, {"K", "Z", "Q", "J"}) == Names{"Q", "J", "K", "Z"});
  CHECK(Merged({"Q", "K"}, {"K", "Q"}) == Names{"Q", "K"});
  // The side that changed the order of the base wins, regardless of names.
  CHECK(Merged({"Q", "K"}, {"K", "Q"}, {"Q", "K"}) == Names{"K", "Q"});
  CHECK(Merged({"Q", "K"}, {"K", "Q"}, {"K", "Q"}) == Names{"Q", "K"});
  // A name that only one side has stays after its predecessor on that side, and otherwise comes as
  // early as possible.
  CHECK(Merged({"Q", "K", "L"}, {"K", "B", "Q", "C", "L", "D"}) ==
        Names{"Q", "K", "B", "C", "L", "D"});
}

}  // namespace revctl::list::detail
