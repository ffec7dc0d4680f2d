// The lines that GH001 suggests must be ready to paste. For example, a REM must stay a REM with its
// range and its default.
#include <catch2/catch.hpp>

#include <revctl/serialize.h>

#include "harness/testdata/named.h"
#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3 };

/// The code before and after SR_PLAYERS, which removes both fields that SR_FOULS added.
namespace before {
struct Door {
  std::int32_t health = 0;
  std::uint8_t bleeding = 0;
  std::int32_t mana = 0;
};
SERIALIZE_TYPE(Door) {
  ADD(SR_INITIAL, health);
  ADD_CONDITIONAL(SR_FOULS, d.health < 10, bleeding);
  ADD(SR_FOULS, mana);
}
SERIALIZE_END
}  // namespace before

#define DOOR(name, ...)      \
  namespace name {           \
  struct Door {              \
    std::int32_t health = 0; \
  };                         \
  SERIALIZE_TYPE(Door) {     \
    ADD(SR_INITIAL, health); \
    __VA_ARGS__              \
  }                          \
  SERIALIZE_END              \
  }
// A constant that is not in the list may also be used as a gate.
namespace gated_then {
constexpr auto kGate = SR_FOULS;
struct Gated {
  std::int32_t health = 0, mana = 0;
};
SERIALIZE_TYPE(Gated) {
  ADD(SR_INITIAL, health);
  ADD(kGate, mana);
}
SERIALIZE_END
}  // namespace gated_then
namespace gated_now {
constexpr auto kGate = SR_PLAYERS;
struct Gated {
  std::int32_t health = 0, mana = 0;
};
SERIALIZE_TYPE(Gated) {
  ADD(SR_INITIAL, health);
  ADD(kGate, mana);
}
SERIALIZE_END
}  // namespace gated_now

constexpr int kMana = 4;
DOOR(gone, REM_CONDITIONAL(SR_FOULS, SR_PLAYERS, d.health < 10, std::uint8_t, bleeding, 3);
     REM(SR_FOULS, SR_PLAYERS, std::int32_t, mana, kMana);)
DOOR(condition, REM_CONDITIONAL(SR_FOULS, SR_PLAYERS, d.health < 11, std::uint8_t, bleeding, 3);
     REM(SR_FOULS, SR_PLAYERS, std::int32_t, mana, kMana);)
DOOR(renamed, REM_CONDITIONAL(SR_FOULS, SR_PLAYERS, d.health < 10, std::uint8_t, bleeding, 3);
     REM(SR_FOULS, SR_PLAYERS, std::int32_t, oldMana, kMana);)
DOOR(retyped, REM_CONDITIONAL(SR_FOULS, SR_PLAYERS, d.health < 10, std::uint8_t, bleeding, 3);
     REM(SR_FOULS, SR_PLAYERS, std::int16_t, mana, kMana);)
DOOR(other_default, REM_CONDITIONAL(SR_FOULS, SR_PLAYERS, d.health < 10, std::uint8_t, bleeding, 3);
     REM(SR_FOULS, SR_PLAYERS, std::int32_t, mana, kMana + 1);)
DOOR(other_rare_default,
     REM_CONDITIONAL(SR_FOULS, SR_PLAYERS, d.health < 10, std::uint8_t, bleeding, 4);
     REM(SR_FOULS, SR_PLAYERS, std::int32_t, mana, kMana);)
DOOR(one_more, REM_CONDITIONAL(SR_FOULS, SR_PLAYERS, d.health < 10, std::uint8_t, bleeding, 3);
     REM(SR_FOULS, SR_PLAYERS, std::int32_t, mana, kMana);
     REM(SR_FOULS, SR_PLAYERS, std::int32_t, luck, 7);)
DOOR(swapped, REM(SR_FOULS, SR_PLAYERS, std::int32_t, mana, kMana);
     REM_CONDITIONAL(SR_FOULS, SR_PLAYERS, d.health < 10, std::uint8_t, bleeding, 3);)
#undef DOOR

}  // namespace

NAMED(gated_then::Gated, "Gated");
NAMED(gated_now::Gated, "Gated");
NAMED(before::Door, "Door");
NAMED(gone::Door, "Door");
NAMED(condition::Door, "Door");
NAMED(renamed::Door, "Door");
NAMED(retyped::Door, "Door");
NAMED(other_default::Door, "Door");
NAMED(other_rare_default::Door, "Door");
NAMED(one_more::Door, "Door");
NAMED(swapped::Door, "Door");

namespace revctl::harness::test {
namespace {

const Folder& Recorded() {
  static const Folder folder;
  static const bool once = [] {
    Program(1).Type<before::Door>().Record(folder);
    Program(2).Type<before::Door>().Record(folder);
    Program(3).Type<gone::Door>().Record(folder);
    return true;
  }();
  (void)once;
  return folder;
}

template <class T>
std::string FixOf(const std::string& field) {
  const CheckResult result = Program(3).Type<T>().Check(Recorded());
  return FixText(Find(result, "GH001", "Door", field).fix);
}

}  // namespace

TEST_CASE("printed lines: a field that became a REM is restored as a REM",
          "[harness][signals][lines]") {
  const CheckResult fine = Program(3).Type<gone::Door>().Check(Recorded());
  INFO(Text(fine));
  CHECK_FALSE(fine.errors);
  const std::string bleeding =
      "REM_CONDITIONAL(SR_FOULS, SR_PLAYERS, d.health < 10, uint8_t, bleeding, 3);";
  const std::string mana = "REM(SR_FOULS, SR_PLAYERS, int32_t, mana, kMana);";
  CHECK_THAT(FixOf<condition::Door>("bleeding"),
             Catch::Contains("restore the old one: " + bleeding));
  // A change of only the local variable's name is not an error.
  CHECK_FALSE(Program(3).Type<renamed::Door>().Check(Recorded()).errors);
  CHECK_THAT(FixOf<retyped::Door>("mana"), Catch::StartsWith("restore the line: " + mana));
  CHECK_THAT(FixOf<swapped::Door>("bleeding"), Catch::Contains(bleeding + "\n" + mana));
  // The records contain the default's value, but not its source text.
  CHECK_THAT(FixOf<other_default::Door>("mana"),
             Catch::Contains("restore the line: REM(SR_FOULS, SR_PLAYERS, int32_t, mana, 4);"));
  CHECK_THAT(FixOf<other_rare_default::Door>("bleeding"),
             Catch::Contains("restore the line: " + bleeding));
  const std::string luck = FixOf<one_more::Door>("luck");
  CHECK_THAT(luck, Catch::Contains("remove the line") &&
                       Catch::Contains("REM(SR_FOULS, SR_PLAYERS, int32_t, luck, 7);") &&
                       !Catch::Contains("ADD"));
}

TEST_CASE("printed lines: blame a gate's constant, not the list", "[harness][signals][lines]") {
  const Folder folder;
  Program(2).Type<gated_then::Gated>().Record(folder);
  const Program today = Program(3).Type<gated_now::Gated>();
  const Finding finding = Find(today.Check(folder), "GH001", "Gated", "mana");
  CHECK_THAT(
      finding.message,
      Catch::Contains("the value of its constant changed: recorded kGate = 2, now kGate = 3"));
  CHECK_THAT(finding.details, Catch::Contains("the constant in the gate has a different value"));
  CHECK_THAT(FixText(finding.fix),
             Catch::StartsWith("restore the value of kGate: 2, or write the revision instead of "
                               "the constant: ADD(kGate, mana);"));
  CHECK_THAT(FixText(finding.fix), !Catch::Contains("revctl fix"));
}

}  // namespace revctl::harness::test
