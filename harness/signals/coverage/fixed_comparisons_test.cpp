// GH007 must report comparisons with the revision whose result is the same for every file.
#include <algorithm>
#include <catch2/catch.hpp>

#include <revctl/serialize.h>

#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3 };

struct Never {
  std::int32_t hp = 0, mana = 0;
};
SERIALIZE_TYPE(Never) {
  // if (r.revision < SR_INITIAL) is a comment
  if (r.IsReading() && r.revision < SR_INITIAL) d.hp = 1;
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, mana);
}
SERIALIZE_END

/// The revision is compared through a copy, on the right-hand side.
struct NeverTurned {
  std::int32_t hp = 0, mana = 0;
};
SERIALIZE_TYPE(NeverTurned) {
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, mana);
  const auto saved = r.revision;
  if (r.IsReading() && Rev::SR_INITIAL > saved) d.hp = 1;
}
SERIALIZE_END

struct Above {
  std::int32_t hp = 0, mana = 0;
};
SERIALIZE_TYPE(Above) {
  ADD(SR_INITIAL, hp);
  if (r.revision >= 99) Serialize(r, d.mana);
  SERIALIZE_IGNORE(mana);
}
SERIALIZE_END

struct UpToLatest {
  std::int32_t hp = 0, mana = 0;
};
SERIALIZE_TYPE(UpToLatest) {
  ADD(SR_INITIAL, hp);
  ADD(SR_FOULS, mana);
  if (r.IsReading() && r.revision <= SR_PLAYERS) d.hp += 0;
}
SERIALIZE_END

struct FromOldest {
  std::int32_t hp = 0;
};
SERIALIZE_TYPE(FromOldest) {
  if (r.revision >= SR_INITIAL) ADD(SR_INITIAL, hp);
}
SERIALIZE_END

/// Code without a mistake: it compares SR_INITIAL with a member instead of the revision, and all
/// its comparisons with the revision have different results for different files.
struct Sound {
  std::int32_t hp = 0, mana = 0;
};
SERIALIZE_TYPE(Sound) {
  ADD(SR_INITIAL, hp);
  if (d.hp < SR_INITIAL && r.IsReading() && d.hp > 1000) d.hp = 0;
  if (r.IsReading() && r.revision < SR_FOULS) d.mana = d.hp;
  if (r.IsReading() && r.revision > SR_INITIAL && r.revision != SR_PLAYERS) d.hp += 0;
  ADD(SR_FOULS, mana);
}
SERIALIZE_END

}  // namespace

namespace revctl::harness::test {
namespace {

/// Records three revisions and returns the findings about comparisons.
template <class T>
std::vector<Finding> Comparisons() {
  const Folder folder;
  for (std::size_t newest = 1; newest <= 3; ++newest) Program(newest).Type<T>().Record(folder);
  std::vector<Finding> findings = Program(3).Type<T>().Check(folder).findings;
  std::erase_if(findings, [](const Finding& finding) {
    return finding.message.find(" true: ") == std::string::npos;
  });
  return findings;
}

}  // namespace

TEST_CASE("check: a comparison that is never true is GH007 at its line", "[harness][signals]") {
  const auto never = Comparisons<Never>(), turned = Comparisons<NeverTurned>();
  REQUIRE(never.size() == 1);
  CHECK(findings::NameOf(never[0].rule) == "GH007");
  CHECK(never[0].severity == Severity::Warning);
  CHECK_THAT(never[0].message,
             Catch::StartsWith("Never: `r.revision < SR_INITIAL` is never true: no file is older "
                               "than SR_INITIAL, the oldest supported revision"));
  CHECK_THAT(SourceLine(never[0]), Catch::Contains("d.hp = 1"));
  REQUIRE(turned.size() == 1);
  CHECK_THAT(turned[0].message, Catch::Contains("`Rev::SR_INITIAL > saved` is never true"));
}

TEST_CASE("check: a comparison with a number above the latest is GH007", "[harness][signals]") {
  const auto above = Comparisons<Above>();
  REQUIRE(above.size() == 1);
  CHECK(above[0].severity == Severity::Error);
  CHECK_THAT(above[0].message,
             Catch::Contains("`r.revision >= 99` is never true: 99 is above the latest revision"));
  CHECK_THAT(SourceLine(above[0]), Catch::Contains("Serialize(r, d.mana)"));
}

TEST_CASE("check: a comparison that is always true is GH007", "[harness][signals]") {
  const auto latest = Comparisons<UpToLatest>(), oldest = Comparisons<FromOldest>();
  REQUIRE(latest.size() == 1);
  CHECK(latest[0].severity == Severity::Warning);
  CHECK_THAT(FixText(latest[0].fix), Catch::Contains("use `<`"));
  REQUIRE(oldest.size() == 1);
  CHECK(oldest[0].severity == Severity::Note);
}

TEST_CASE("check: comparisons whose result depends on the file are fine", "[harness][signals]") {
  CHECK(Comparisons<Sound>().empty());
}

}  // namespace revctl::harness::test
