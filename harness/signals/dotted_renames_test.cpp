// A field may be renamed to a name with several components. Here, `x` becomes `pos.x`, a member of
// a member. Approvals of such renames must work.
#include <catch2/catch.hpp>

#include <revctl/serialize.h>

#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2 };
enum When { Flat, Inside, Elsewhere, Clamped, WithFuel };

struct Place {
  std::int32_t x = 1, y = 2;
};

template <When when>
struct Ship {
  std::int32_t x = 1, y = 2, fuel = 3;
  Place pos, where;
};
SERIALIZE_TEMPLATE((When when), Ship<when>) {
  SERIALIZE_IGNORE(pos);
  SERIALIZE_IGNORE(where);
  if constexpr (when == Flat) {
    ADD(SR_INITIAL, x);
    ADD(SR_INITIAL, y);
  } else {
    SERIALIZE_IGNORE(x);
    SERIALIZE_IGNORE(y);
    if constexpr (when == Elsewhere) {
      ADD(SR_INITIAL, where.x);
      ADD(SR_INITIAL, where.y);
    } else {
      ADD(SR_INITIAL, pos.x);
      ADD(SR_INITIAL, pos.y);
    }
  }
  if constexpr (when == WithFuel) {
    ADD(SR_FOULS, fuel);
  } else {
    SERIALIZE_IGNORE(fuel);
  }
  if (r.IsReading() && when == Clamped) d.pos.x = static_cast<std::int16_t>(d.pos.x);
}
SERIALIZE_END

template <When when>
struct Fleet {
  std::vector<Ship<when>> ships;
};
SERIALIZE_TEMPLATE((When when), Fleet<when>) { ADD(SR_INITIAL, ships); }
SERIALIZE_END

}  // namespace

template <When when>
struct revctl::NameOf<Ship<when>> {
  static std::string Name() { return "Ship"; }
};
template <When when>
struct revctl::NameOf<Fleet<when>> {
  static std::string Name() { return "Fleet"; }
};

namespace revctl::harness::test {
namespace {

void Moved(const Folder& folder, const std::string& from, const std::string& to) {
  for (const char* const field : {"x", "y"}) {
    revctl::golden::Approval approval;
    approval.type = "Ship";
    approval.from = from + field;
    approval.to = to + field;
    approval.reason = "they have become one member";
    REQUIRE(revctl::golden::WriteApproval(folder.path(), approval).ok());
  }
}

template <When when>
Program Fleets(std::size_t revisions) {
  return Program(revisions).Type<Fleet<when>>();
}

}  // namespace

TEST_CASE("renames: fields that move into a member and out again", "[harness][signals][rename]") {
  const Folder folder;
  Fleets<Flat>(1).Record(folder);
  CHECK_THAT(FixText(Find(Fleets<Inside>(1).Check(folder), "GH001", "Ship", "x").fix),
             Catch::Contains("approve --rename Ship.x=pos.x"));
  Moved(folder, "", "pos.");
  const CheckResult inside = Fleets<Inside>(1).Check(folder);
  INFO(Text(inside));
  CHECK(inside.findings.empty());

  const CheckResult clamped = Fleets<Clamped>(1).Check(folder);
  INFO(Text(clamped));
  CHECK(Errors(clamped) == std::vector<std::string>{"GH004 Fleet.ships[0].pos.x"});

  const Program fuelled = Fleets<WithFuel>(2);
  fuelled.Record(folder);
  const CheckResult recorded = fuelled.Check(folder);
  INFO(Text(recorded));
  CHECK(recorded.findings.empty());
}

TEST_CASE("renames: fields that move between members are accepted", "[harness][signals][rename]") {
  const Folder folder;
  Fleets<Inside>(1).Record(folder);
  Moved(folder, "pos.", "where.");
  const CheckResult elsewhere = Fleets<Elsewhere>(1).Check(folder);
  INFO(Text(elsewhere));
  CHECK(elsewhere.findings.empty());
  const Folder back;
  Fleets<Inside>(1).Record(back);
  Moved(back, "pos.", "");
  const CheckResult flat = Fleets<Flat>(1).Check(back);
  INFO(Text(flat));
  CHECK(flat.findings.empty());
}

TEST_CASE("renames: a dotted name is replaced as a whole", "[harness][signals][rename]") {
  const revctl::golden::Approval moved{
      revctl::golden::Approval::Kind::Rename, "T", "x", "pos.x", 0, "", "", {}, {}, {}, "x"};
  const Renames renames({moved});
  CHECK(renames.CanonicalPath("all[3].pos.x") == "all[3].x");
  CHECK(renames.CanonicalPath("all[3].pos.x#count") == "all[3].x#count");
  CHECK(renames.CanonicalPath("d.pos.x > 5 && d.pos.xx > d.pos.y") ==
        "d.x > 5 && d.pos.xx > d.pos.y");
  CHECK(renames.CanonicalPath("repos.x") == "repos.x");
}

}  // namespace revctl::harness::test
