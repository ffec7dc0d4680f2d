// Tests bodies that visit unnamed values in a loop. Layouts do not record the number of such
// visits.
#include <array>
#include <catch2/catch.hpp>

#include <revctl/serialize.h>

#include "harness/testdata/named.h"
#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1 };

struct Item {
  std::int16_t kind = 1, count = 2;
};
SERIALIZE_TYPE(Item) {
  ADD(SR_INITIAL, kind);
  ADD(SR_INITIAL, count);
}
SERIALIZE_END

template <std::size_t slots>
struct Bag {
  std::int32_t gold = 5;
  std::array<std::int32_t, slots> slot{};
  std::int32_t weight = 6;
};
SERIALIZE_TEMPLATE((std::size_t slots), Bag<slots>) {
  ADD(SR_INITIAL, gold);
  for (std::size_t i = 0; i < slots; ++i) Serialize(r, d.slot[i]);
  ADD(SR_INITIAL, weight);
}
SERIALIZE_END

template <std::size_t items>
struct Chest {
  std::int32_t gold = 5;
  std::array<Item, items> item{};
};
SERIALIZE_TEMPLATE((std::size_t items), Chest<items>) {
  ADD(SR_INITIAL, gold);
  for (Item& one : d.item) Serialize(r, one);
}
SERIALIZE_END

template <std::size_t slots>
struct Party {
  std::vector<Bag<slots>> bags;
};
SERIALIZE_TEMPLATE((std::size_t slots), Party<slots>) { ADD(SR_INITIAL, bags); }
SERIALIZE_END

}  // namespace

template <std::size_t n>
struct revctl::NameOf<Bag<n>> {
  static std::string Name() { return "Bag"; }
};
template <std::size_t n>
struct revctl::NameOf<Chest<n>> {
  static std::string Name() { return "Chest"; }
};
template <std::size_t n>
struct revctl::NameOf<Party<n>> {
  static std::string Name() { return "Party"; }
};

namespace revctl::harness::test {
namespace {

template <class Before, class After>
Finding TheOne() {
  const Folder folder;
  Program(1).Type<Before>().Record(folder);
  CHECK_FALSE(Program(1).Type<Before>().Check(folder).errors);
  const CheckResult result = Program(1).Type<After>().Check(folder);
  INFO(Text(result));
  REQUIRE(result.findings.size() == 1);
  return result.findings[0];
}

}  // namespace

TEST_CASE("loops: a different number of unnamed visits is reported with its line",
          "[harness][signals][loop]") {
  const Finding fewer = TheOne<Bag<11>, Bag<10>>();
  CHECK(findings::NameOf(fewer.rule) == "GH002");
  CHECK_THAT(fewer.message,
             Catch::StartsWith("Bag: 11 elements were recorded, but 10 are read now"));
  CHECK_THAT(SourceLine(fewer), Catch::Contains("Serialize(r, d.slot[i])"));
  const Finding more = TheOne<Bag<10>, Bag<11>>();
  CHECK_THAT(more.message,
             Catch::StartsWith("Bag: 10 elements were recorded, but 11 are read now"));
}

TEST_CASE("loops: elements that are records, and loops in lists", "[harness][signals][loop]") {
  const Finding chest = TheOne<Chest<3>, Chest<4>>();
  CHECK_THAT(chest.message,
             Catch::StartsWith("Chest.kind: 3 elements were recorded, but 4 are read now"));
  CHECK_THAT(SourceLine(chest), Catch::Contains("Serialize(r, one)"));
  const Finding party = TheOne<Party<3>, Party<4>>();
  CHECK_THAT(party.message, Catch::Contains("3 elements were recorded, but 4 are read now"));
  CHECK_THAT(SourceLine(party), Catch::Contains("Serialize(r, d.slot[i])"));
}

}  // namespace revctl::harness::test
