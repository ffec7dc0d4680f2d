// GH005 must report results that depend on memory: uninitialized members, and tables that are
// written in hash order.
#include <catch2/catch.hpp>
#include <unordered_map>

#include <revctl/serialize.h>

#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2 };

/// SR_FOULS adds the second member. When an older file is read, this member stays uninitialized
/// unless the constructor sets it.
template <int revisions, bool initialised = true>
struct Unit {
  Unit() : hp(1) {
    if (initialised) armour = 5;
  }
  std::int32_t hp;
  std::int32_t armour;
};
SERIALIZE_TEMPLATE((int revisions, bool initialised), Unit<revisions, initialised>) {
  ADD(SR_INITIAL, hp);
  if constexpr (revisions > 1) {
    ADD(SR_FOULS, armour);
  } else {
    SERIALIZE_IGNORE(armour);
  }
}
SERIALIZE_END

template <int revisions, bool initialised = true>
struct Army {
  std::vector<Unit<revisions, initialised>> units;
};
SERIALIZE_TEMPLATE((int revisions, bool initialised), Army<revisions, initialised>) {
  ADD(SR_INITIAL, units);
}
SERIALIZE_END

/// A type that writes its table in hash order instead of key order.
struct Bag {
  std::unordered_map<std::int32_t, std::int32_t> coins;
};
SERIALIZE_TYPE(Bag) {
  auto count = static_cast<std::uint32_t>(d.coins.size());
  Serialize(r, count);
  if (count > 64) r.Fail("too many coins");
  SERIALIZE_IGNORE(coins);
  if constexpr (requires { d.coins.clear(); }) {
    if (r.IsReading()) {
      d.coins.clear();
      for (std::uint32_t i = 0; i < count && r.Ok(); ++i) {
        std::int32_t key = 0, value = 0;
        Serialize(r, key);
        Serialize(r, value);
        d.coins.emplace(key, value);
      }
      return;
    }
  }
  for (const auto& coin : d.coins) {
    std::int32_t key = coin.first, value = coin.second;
    Serialize(r, key);
    Serialize(r, value);
  }
}
SERIALIZE_END

}  // namespace

template <int revisions, bool initialised>
struct revctl::NameOf<Unit<revisions, initialised>> {
  static std::string Name() { return "Unit"; }
};
template <int revisions, bool initialised>
struct revctl::NameOf<Army<revisions, initialised>> {
  static std::string Name() { return "Army"; }
};

namespace revctl::harness::test {
namespace {

/// Records SR_INITIAL with its own code and SR_FOULS with the current code. Returns the result of a
/// check with the current code.
template <template <int, bool> class Type, bool initialised>
CheckResult Today() {
  const Folder folder;
  Program(1).Type<Type<1, true>>().Record(folder);
  Program(2).Type<Type<2, true>>().Record(folder);
  return Program(2).Type<Type<2, initialised>>().Check(folder);
}

}  // namespace

TEST_CASE("check: a member that old files leave uninitialized is GH005",
          "[harness][signals][memory]") {
  CHECK(Today<Unit, true>().findings.empty());
  CHECK(Today<Army, true>().findings.empty());
  const CheckResult root = Today<Unit, false>(), nested = Today<Army, false>();
  INFO(Text(root) << Text(nested));
  const Finding finding = Find(root, "GH005", "Unit", "armour");
  CHECK_THAT(finding.message, Catch::Contains("depends on the previous contents of memory"));
  CHECK(finding.revision == "SR_INITIAL");
  CHECK_THAT(FixText(finding.fix), Catch::Contains("initialize the member"));
  CHECK_THAT(FixText(Find(nested, "GH005", "Army", "units[0].armour").fix),
             Catch::Contains("initialize"));
}

TEST_CASE("check: a table written in hash order is GH005", "[harness][signals][memory]") {
  const Folder folder;
  const Program program = Program(1).Type<Bag>().Sample("three", [](void* object) {
    static_cast<Bag*>(object)->coins = {{1, 10}, {500, 20}, {77777, 30}};
  });
  program.Record(folder);
  const CheckResult result = program.Check(folder);
  INFO(Text(result));
  const auto found = std::find_if(
      result.findings.begin(), result.findings.end(),
      [](const Finding& finding) { return findings::NameOf(finding.rule) == "GH005"; });
  REQUIRE(found != result.findings.end());
  CHECK(found->severity == Severity::Error);
  CHECK_THAT(found->field, Catch::StartsWith("key") || Catch::StartsWith("value"));
  CHECK_THAT(Text(result), Catch::Contains("sample: three"));
}

}  // namespace revctl::harness::test
