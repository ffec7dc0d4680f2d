// An edit of an enum must be reported as a single finding that describes the edit.
#include <algorithm>
#include <catch2/catch.hpp>

#include <revctl/serialize.h>

#include "harness/testdata/named.h"
#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2 };

/// Defines a car with one enum. Each namespace is one version of the program's code.
#define CAR(space, ...)                           \
  namespace space {                               \
  enum class Stat : std::uint8_t { __VA_ARGS__ }; \
  struct Car {                                    \
    Stat best = {};                               \
    std::vector<Stat> others;                     \
  };                                              \
  SERIALIZE_TYPE(Car) {                           \
    ADD(SR_INITIAL, best);                        \
    ADD(SR_INITIAL, others);                      \
  }                                               \
  SERIALIZE_END                                   \
  }

#define TEN(x) x##0, x##1, x##2, x##3, x##4, x##5, x##6, x##7, x##8, x##9
#define FIFTY \
  TEN(A)      \
  , TEN(B)    \
  , TEN(C)    \
  , TEN(D)    \
  , TEN(E)

CAR(before, None, Mass, MaxSpeed, Grip, FIFTY)
CAR(inserted, None, Mass, MaxReliability, MaxSpeed, Grip, FIFTY)
CAR(several, None, Drag, Lift, Mass, MaxSpeed, Glow, Grip, FIFTY)
CAR(removed, None, Mass, Grip, FIFTY)
CAR(swapped, None, MaxSpeed, Mass, Grip, FIFTY)
CAR(carried, None, MaxSpeed, Grip, TEN(A), TEN(B), TEN(C), TEN(D), TEN(E), Mass)
CAR(renamed, None, Weight, MaxSpeed, Grip, FIFTY)
CAR(all_renamed, kNone, kMass, kMaxSpeed, kGrip, FIFTY)
CAR(renamed_and_inserted, None, Weight, MaxReliability, MaxSpeed, Grip, FIFTY)
CAR(appended, None, Mass, MaxSpeed, Grip, FIFTY, Glow)
CAR(appended_later, None, Mass, MaxSpeed, Grip, FIFTY, Glow, Shine)
CAR(removed_later, None, Mass, MaxSpeed, Grip, TEN(A), TEN(B), TEN(C), TEN(D), E0, E1, E2, E3, E4,
    E5, E6, E7, E8, Glow, Shine)
CAR(numbered, None, Mass, MaxSpeed, Grip = 200, FIFTY)

#undef TEN
}  // namespace

#define CAR_NAMES(space)      \
  NAMED(space::Stat, "Stat"); \
  NAMED(space::Car, "Car")
CAR_NAMES(before);
CAR_NAMES(inserted);
CAR_NAMES(several);
CAR_NAMES(removed);
CAR_NAMES(swapped);
CAR_NAMES(carried);
CAR_NAMES(renamed);
CAR_NAMES(all_renamed);
CAR_NAMES(renamed_and_inserted);
CAR_NAMES(appended);
CAR_NAMES(appended_later);
CAR_NAMES(removed_later);
CAR_NAMES(numbered);

namespace revctl::harness::test {
namespace {

template <class Car>
CheckResult CheckedAfterBefore() {
  const Folder folder;
  Program(1).Type<before::Car>().Record(folder);
  return Program(1).Type<Car>().Check(folder);
}

/// Returns the only finding about a changed enum.
template <class Car>
Finding TheOne() {
  const CheckResult result = CheckedAfterBefore<Car>();
  INFO(Text(result));
  REQUIRE(result.findings.size() == 1);
  CHECK(findings::NameOf(result.findings[0].rule) == "GH001");
  CHECK(result.findings[0].type == "Stat");
  return result.findings[0];
}

std::size_t Lines(const Finding& finding) {
  const std::string text = finding.message + "\n" + finding.details + "\n" + FixText(finding.fix);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
}

}  // namespace

TEST_CASE("enums: an insertion is one finding", "[harness][signals][enum]") {
  const Finding finding = TheOne<inserted::Car>();
  CHECK(finding.severity == Severity::Error);
  CHECK_THAT(finding.message,
             Catch::StartsWith("Stat: MaxReliability was inserted before MaxSpeed; "
                               "52 enumerators moved by 1"));
  CHECK_THAT(finding.details,
             Catch::Contains("recorded: MaxSpeed = 2, Grip = 3, A0 = 4 and 49 more") &&
                 Catch::Contains("now:      MaxSpeed = 3, Grip = 4, A0 = 5 and 49 more"));
  CHECK_THAT(FixText(finding.fix),
             Catch::Contains("MaxReliability") && !Catch::Contains("approve"));
  CHECK(Lines(finding) < 10);
}

TEST_CASE("enums: insertions in several places are one finding", "[harness][signals][enum]") {
  CHECK_THAT(TheOne<several::Car>().message,
             Catch::StartsWith("Stat: Drag and Lift were inserted before Mass, Glow was inserted "
                               "before Grip; 2 enumerators moved by 2, 51 by 3"));
}

TEST_CASE("enums: a removal is not a rename of the next enumerator", "[harness][signals][enum]") {
  const Finding finding = TheOne<removed::Car>();
  CHECK_THAT(finding.message,
             Catch::StartsWith("Stat: MaxSpeed was removed; 51 enumerators moved by -1"));
  CHECK_THAT(FixText(finding.fix),
             Catch::Contains("keep MaxSpeed = 2 in Stat") && !Catch::Contains("approve --rename"));
}

TEST_CASE("enums: a reordered enum is one finding", "[harness][signals][enum]") {
  CHECK_THAT(TheOne<swapped::Car>().message,
             Catch::StartsWith("Stat: Mass and MaxSpeed were swapped"));
  CHECK_THAT(TheOne<carried::Car>().message,
             Catch::StartsWith("Stat: Mass moved from 1 to 53; 52 enumerators moved by -1"));
  CHECK_THAT(TheOne<numbered::Car>().message,
             Catch::StartsWith("Stat: 51 enumerators moved by 197"));
}

TEST_CASE("enums: renames are one finding, but each needs an approval",
          "[harness][signals][enum]") {
  const Finding one = TheOne<renamed::Car>();
  CHECK_THAT(one.message, Catch::StartsWith("Stat.Mass was renamed to Weight"));
  CHECK_THAT(FixText(one.fix), Catch::Contains("approve --rename Stat.Mass=Weight"));
  const Finding all = TheOne<all_renamed::Car>();
  CHECK_THAT(all.message, Catch::StartsWith("Stat: None was renamed to kNone, Mass was renamed to "
                                            "kMass, MaxSpeed was renamed to kMaxSpeed and 1 more"));
  CHECK_THAT(FixText(all.fix), Catch::Contains("approve --rename Stat.None=kNone --reason") &&
                                   Catch::Contains("save_harness review   # 1 more") &&
                                   !Catch::Contains("Stat.Grip=kGrip"));
  CHECK(CheckedAfterBefore<all_renamed::Car>().pending.size() == 4);
}

TEST_CASE("enums: a rename is not offered if other names moved", "[harness][signals][enum]") {
  const Finding finding = TheOne<renamed_and_inserted::Car>();
  CHECK_THAT(finding.message,
             Catch::StartsWith("Stat: MaxReliability was inserted before MaxSpeed, Mass was "
                               "renamed to Weight; 52 enumerators moved by 1"));
  CHECK_THAT(FixText(finding.fix), !Catch::Contains("approve"));
  CHECK(CheckedAfterBefore<renamed_and_inserted::Car>().pending.empty());
}

TEST_CASE("enums: an appended enumerator is a note", "[harness][signals][enum]") {
  const Finding finding = TheOne<appended::Car>();
  CHECK(finding.severity == Severity::Note);
  CHECK_THAT(finding.message,
             Catch::StartsWith("Stat.Glow: an enumerator was added without a revision"));
  CHECK_THAT(FixText(finding.fix), Catch::Contains("approve --enumerator Stat.Glow"));
  const Finding two = TheOne<appended_later::Car>();
  CHECK(two.severity == Severity::Note);
  CHECK_THAT(two.message, Catch::StartsWith("Stat: Glow and Shine were added without a revision"));
}

TEST_CASE("enums: a newer record distinguishes a rename from a removal",
          "[harness][signals][enum]") {
  const Folder folder;
  Program(1).Type<before::Car>().Record(folder);
  Program(2).Type<appended_later::Car>().Record(folder);
  const CheckResult clean = Program(2).Type<appended_later::Car>().Check(folder);
  INFO(Text(clean));
  CHECK(clean.findings.empty());
  // Compared with the first record alone, Glow would look like a renamed E9, because E9 was removed
  // and Glow now has its number.
  const CheckResult result = Program(2).Type<removed_later::Car>().Check(folder);
  INFO(Text(result));
  REQUIRE(result.findings.size() == 1);
  CHECK_THAT(result.findings[0].message,
             Catch::StartsWith(
                 "Stat: E9 was removed; 2 enumerators moved by -1 (at SR_INITIAL and SR_FOULS)"));
  CHECK_THAT(FixText(result.findings[0].fix), !Catch::Contains("approve"));
}

}  // namespace revctl::harness::test
