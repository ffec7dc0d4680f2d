// Tests fields that are visited by macros without names. Such fields are identified by their
// position.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include <revctl/named_field.h>
#include <revctl/serialize.h>

#include "golden/store.h"
#include "harness/samples/inventor.h"
#include "harness/selftest/selftest.h"
#include "harness/testdata/named.h"
#include "harness/testing/test_program.h"

namespace unnamed_fields {
struct Hero {
  std::int32_t x = 1, y = 2;
  std::string name;
  std::uint16_t mana = 3, luck = 4;
  std::uint8_t level = 1;
};
SERIALIZE_TYPE(Hero) {
  std::size_t place = 0;
  const auto sync = [&](auto& x) { revctl::SerializeNamed(r, revctl::PlaceName(place++), x); };
  sync(d.x);
  sync(d.y);
  sync(d.name);
  sync(d.mana);
  sync(d.luck);
  sync(d.level);
}
SERIALIZE_END
}  // namespace unnamed_fields
namespace unnamed_with_array {
struct Hero {
  std::int32_t x = 1, y = 2;
  std::array<std::int32_t, 8> backpack{};
  std::string name;
  std::uint16_t mana = 3, luck = 4;
  std::uint8_t level = 1;
};
SERIALIZE_TYPE(Hero) {
  std::size_t place = 0;
  const auto sync = [&](auto& x) { revctl::SerializeNamed(r, revctl::PlaceName(place++), x); };
  sync(d.x);
  sync(d.y);
  for (std::int32_t& item : d.backpack) sync(item);
  sync(d.name);
  sync(d.mana);
  sync(d.luck);
  sync(d.level);
}
SERIALIZE_END
}  // namespace unnamed_with_array
NAMED(unnamed_fields::Hero, "Hero");
NAMED(unnamed_with_array::Hero, "Hero");

/// A program with its own archive, which does not pass names and writes a mark after each hero in a
/// list.
namespace archived {

/// Adapts the program's archive to the library's.
template <class R>
struct Adapter {
  R& r;
  std::size_t place = 0;
  /// Does nothing after an error, like the program's archive.
  void Do(auto& x, revctl::CallSite at = revctl::CallSite::Current()) {
    if (r.Ok()) revctl::SerializeNamed(r, revctl::PlaceName(place++), x, at);
  }
  void Mark(revctl::CallSite at = revctl::CallSite::Current()) {
    if (!r.Ok()) return;
    revctl::SerializeConstant(r, revctl::PlaceName(place++), std::uint32_t{0x42}, "no mark here",
                              at);
  }
};
#define SYNC(x) s.Do(d.x)

/// The original program, and later edits of it.
enum class Now { AsBefore, ArrayInHero, WiderMana, TwoTypes, CodeAsWell };

template <Now now>
struct Item {
  std::uint16_t kind = 1;
  std::conditional_t<now == Now::TwoTypes, std::uint32_t, std::uint8_t> charges{};
};
template <Now now>
struct Hero {
  std::int32_t x = 1, y = 2;
  std::string name;
  std::conditional_t<now == Now::WiderMana || now == Now::TwoTypes, std::uint32_t, std::uint16_t>
      mana{};
  std::vector<Item<now>> items;
  std::uint16_t luck = 4;
  std::uint8_t level = 1;
};
template <>
struct Hero<Now::ArrayInHero> {
  std::int32_t x = 1, y = 2;
  std::array<std::int32_t, 8> backpack{};
  std::string name;
  std::uint16_t mana{};
  std::vector<Item<Now::ArrayInHero>> items;
  std::uint16_t luck = 4;
  std::uint8_t level = 1;
};
template <Now now>
struct Game {
  std::uint32_t day = 1;
  std::vector<Hero<now>> heroes;
  bool cheated = false;
};

template <Now now>
auto RevctlBody(revctl::Tag<Item<now>>) {
  return [](auto& r, auto& d, auto*) {
    Adapter<std::remove_reference_t<decltype(r)>> s{r};
    SYNC(kind);
    SYNC(charges);
  };
}
constexpr int kLineOfBackpack = __LINE__ + 8;
template <Now now>
auto RevctlBody(revctl::Tag<Hero<now>>) {
  return [](auto& r, auto& d, auto*) {
    Adapter<std::remove_reference_t<decltype(r)>> s{r};
    SYNC(x);
    SYNC(y);
    if constexpr (now == Now::ArrayInHero)
      for (std::int32_t& item : d.backpack) s.Do(item);
    SYNC(name);
    SYNC(mana);
    SYNC(items);
    SYNC(luck);
    SYNC(level);
    if (now == Now::CodeAsWell && r.IsReading() && d.luck > 9) d.luck = 9;
  };
}
template <Now now>
auto RevctlBody(revctl::Tag<Game<now>>) {
  return [](auto& r, auto& d, auto*) {
    Adapter<std::remove_reference_t<decltype(r)>> s{r};
    SYNC(day);
    SYNC(heroes);
    SYNC(cheated);
    s.Mark();
  };
}
#undef SYNC

}  // namespace archived
template <archived::Now now>
struct revctl::NameOf<archived::Item<now>> {
  static std::string Name() { return "Item"; }
};
template <archived::Now now>
struct revctl::NameOf<archived::Hero<now>> {
  static std::string Name() { return "Hero"; }
};
template <archived::Now now>
struct revctl::NameOf<archived::Game<now>> {
  static std::string Name() { return "Game"; }
};

namespace revctl::harness::test {

TEST_CASE("check: changed fields without names are one finding", "[harness][signals][places]") {
  const Folder folder;
  Program(1).Type<unnamed_fields::Hero>().Record(folder);
  const CheckResult result = Program(1).Type<unnamed_with_array::Hero>().Check(folder);
  INFO(Text(result));
  CHECK(Errors(result) == std::vector<std::string>{"GH001 Hero.2"});
  const std::string text = Text(result);
  CHECK(std::count(text.begin(), text.end(), '\n') <= 12);
  CHECK(result.findings.size() == 1);
  CHECK_FALSE(Program(1).Type<unnamed_fields::Hero>().Check(folder).errors);
}

using archived::Game;
using archived::Now;

/// Checks the edited program with goldens that the original program recorded.
template <Now now>
CheckResult Said() {
  const Folder folder;
  Program(1).Type<Game<Now::AsBefore>>().Record(folder);
  CHECK_FALSE(Program(1).Type<Game<Now::AsBefore>>().Check(folder).errors);
  return Program(1).Type<Game<now>>().Check(folder);
}

bool NamesOurMacros(const std::string& text) {
  for (const char* ours : {"ADD", "REM", "Serialize(", "SERIALIZE", "r.IsReading", " d."})
    if (text.find(ours) != std::string::npos) return true;
  return false;
}

TEST_CASE("places: reports an array added to a list's type, where reading fails",
          "[harness][signals][places]") {
  const CheckResult result = Said<Now::ArrayInHero>();
  const std::string text = Text(result);
  INFO(text);
  CHECK(Errors(result) == std::vector<std::string>{"GH001 Hero.2"});
  CHECK(result.findings.size() == 1);
  CHECK(std::count(text.begin(), text.end(), '\n') <= 12);
  CHECK_THAT(result.findings[0].file, Catch::EndsWith("unnamed_fields_test.cpp"));
  CHECK(result.findings[0].line == archived::kLineOfBackpack);
  CHECK_FALSE(NamesOurMacros(FixText(result.findings[0].fix)));
}

TEST_CASE("places: each changed type has one finding", "[harness][signals][places]") {
  const CheckResult wider = Said<Now::WiderMana>();
  INFO(Text(wider));
  CHECK(Errors(wider) == std::vector<std::string>{"GH001 Hero.3"});
  CHECK(wider.findings.size() == 1);
  CHECK_FALSE(NamesOurMacros(FixText(wider.findings[0].fix)));
  const CheckResult two = Said<Now::TwoTypes>();
  INFO(Text(two));
  CHECK(Errors(two) == std::vector<std::string>{"GH001 Hero.3", "GH001 Item.1"});
  CHECK(two.findings.size() == 2);
}

TEST_CASE("places: generated objects contain the constants of the format",
          "[harness][signals][places]") {
  const TypeInfo& type = revctl::TypeOf<Game<Now::AsBefore>>();
  for (std::uint64_t seed = 1; seed < 5; ++seed) {
    Game<Now::AsBefore> game;
    Inventor inventor(type, 1, seed);
    inventor.VisitRoot(type, &game);
    REQUIRE(inventor.Ok());
    const std::vector<std::byte> payload = inventor.Payload();
    REQUIRE(payload.size() > 4);
    CHECK(payload[payload.size() - 4] == std::byte{0x42});
    CHECK(payload.back() == std::byte{0});
  }
}

TEST_CASE("places: selftest reports that no signal sees a swap of fields of one type",
          "[harness][signals][places]") {
  const Folder folder;
  const Program program = Program(1).Type<Game<Now::AsBefore>>();
  program.Record(folder);
  const golden::Store store = golden::Store::Open(folder.path());
  const revctl::ListTable list = program.List();
  const SelfTestResult result = SelfTest(program.registry, History(list, store), {});
  CHECK(result.crashes.empty());
  bool told = false;
  for (const SelfTestTable::Row& row : result.table.Rows()) {
    if (row.mutation != "swap, same type") continue;
    told = true;
    CHECK(row.any.places > 0);
    CHECK(row.any.caught == 0);
  }
  CHECK(told);
}

TEST_CASE("places: fixes for upgrade code are written in prose", "[harness][signals][places]") {
  const CheckResult result = Said<Now::CodeAsWell>();
  INFO(Text(result));
  CHECK(result.errors);
  for (const Finding& finding : result.findings) CHECK_FALSE(NamesOurMacros(FixText(finding.fix)));
}

}  // namespace revctl::harness::test
