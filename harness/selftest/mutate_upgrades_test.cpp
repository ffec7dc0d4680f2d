// Tests the row "upgrade lost" of the self-test, which counts the places that upgrade code may
// affect, and how many of these places the goldens cover.
#include <catch2/catch.hpp>

#include <revctl/serialize.h>

#include "harness/samples/reaching.h"
#include "harness/selftest/selftest.h"
#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3 };

/// Upgrade code changes only coins below a limit that no sample reaches. A sample falls below the
/// limit only if the self-test flips its sign.
struct Debt {
  std::int64_t coins = 0;
};
SERIALIZE_TYPE(Debt) {
  ADD(SR_INITIAL, coins);
  if (r.IsReading() && r.revision < SR_FOULS && d.coins < -(std::int64_t{1} << 62)) d.coins = 0;
}
SERIALIZE_END

struct Empty {
  std::int64_t coins = 1;
};
SERIALIZE_TYPE(Empty) {
  ADD(SR_INITIAL, coins);
  if (r.IsReading() && r.revision < SR_FOULS && d.coins == 0) d.coins = 100;
}
SERIALIZE_END

/// The second upgrade reverts the first upgrade.
struct BackAndForth {
  std::int32_t hp = 0;
};
SERIALIZE_TYPE(BackAndForth) {
  ADD(SR_INITIAL, hp);
  if (r.IsReading() && r.revision < SR_FOULS) d.hp ^= 1;
  if (r.IsReading() && r.revision < SR_PLAYERS) d.hp ^= 1;
}
SERIALIZE_END

}  // namespace

namespace revctl::harness::test {

namespace {

/// Returns "PLACES CAUGHT", the two counts in the self-test's row "upgrade lost". Uses far-reaching
/// goldens only if `reaching` is true.
template <class T>
std::string Lost(std::size_t revisions, bool reaching = false) {
  const Folder folder;
  for (std::size_t count = 1; count <= revisions; ++count) Program(count).Type<T>().Record(folder);
  const Program today = Program(revisions).Type<T>();
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  const revctl::ListTable list = today.List();
  const History history(list, store);
  const RootType& root = today.registry.types[0];
  SelfTestTable table;
  for (const Golden& golden : history.Goldens(root.name)) {
    if (golden.revision == 0 && (reaching || !IsReaching(golden.item->name)))
      MutateUpgrades(root, history, golden, table);
  }
  for (const auto& row : table.Rows()) {
    if (row.mutation == "upgrade lost")
      return std::to_string(row.any.places) + " " + std::to_string(row.any.caught);
  }
  return "";
}

}  // namespace

TEST_CASE("selftest: finds upgrade code by flipping signs", "[harness][selftest][upgrade]") {
  CHECK(Lost<Debt>(2) == "1 0");
  CHECK(Lost<Empty>(2) == "1 0");
  CHECK(Lost<Debt>(2, /*reaching=*/true) == "1 1");
  CHECK(Lost<Empty>(2, /*reaching=*/true) == "1 1");
}

TEST_CASE("selftest: finds two upgrades that cancel out", "[harness][selftest][upgrade]") {
  CHECK(Lost<BackAndForth>(3) == "1 1");
}

}  // namespace revctl::harness::test
