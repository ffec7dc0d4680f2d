// GH007 must report three things: conditions for which only one result was observed, members that
// no body mentions, and enum values in goldens that have no enumerator.
#include <catch2/catch.hpp>

#include <revctl/serialize.h>

#include "harness/recording/record_additions.h"
#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2 };
enum class Color : std::uint8_t { Red, Green, Blue };

struct Player {
  Color color{};
  std::vector<Color> all;
};
SERIALIZE_TYPE(Player) {
  ADD(SR_INITIAL, color);
  ADD(SR_INITIAL, all);
}
SERIALIZE_END

enum class Code : std::int32_t { Fine = 200, NotFound = 404, Teapot = 418 };
enum class Unnamed : std::int32_t { Fine = 200, NotFound = 404 };

template <class E>
struct Reply {
  E code = E::Fine;
};
SERIALIZE_TEMPLATE((class E), Reply<E>) { ADD(SR_INITIAL, code); }
SERIALIZE_END

/// True for a number that no sample contains, because the source text of the condition does not
/// mention it.
bool IsRare(std::int32_t kind) { return kind == 123456789; }

struct Door {
  std::int32_t kind = 0, width = 0, height = 0;
};
SERIALIZE_TYPE(Door) {
  ADD(SR_INITIAL, kind);
  ADD_CONDITIONAL(SR_INITIAL, !IsRare(d.kind), width);
  REM_CONDITIONAL(SR_INITIAL, SR_FOULS, IsRare(d.kind), std::int32_t, hinges, 0);
  ADD(SR_INITIAL, height);
}
SERIALIZE_END
void MakeRare(void* object) { static_cast<Door*>(object)->kind = 123456789; }

struct Before {
  std::int32_t a = 0;
};
SERIALIZE_TYPE(Before) {
  ADD(SR_INITIAL, a);
  if (r.revision < SR_FOULS) d.a = 0;
}
SERIALIZE_END

struct Aged {
  std::int32_t kept = 0, twice = 0, ignored = 0;
};
constexpr int kAgedBegins = __LINE__ + 1;
SERIALIZE_TYPE(Aged) {
  ADD(SR_INITIAL, kept);
  SERIALIZE_IGNORE(ignored);
  ADD(SR_INITIAL, twice);
  // Since SR_FOULS, the member contains twice the value.
  if (r.revision < SR_FOULS) d.twice = d.twice < 1000 ? d.twice * 2 : 2000;
}
SERIALIZE_END

struct AgedByGate {
  std::int32_t kept = 0, later = 0;
};
constexpr int kAgedByGateBegins = __LINE__ + 1;
SERIALIZE_TYPE(AgedByGate) {
  ADD(SR_INITIAL, kept);
  ADD(SR_FOULS, later);
}
SERIALIZE_END

/// The body forgets `b` and `d`, which leaves two gaps. The gap at the end is only padding.
struct Sparse {
  std::int8_t a = 0;
  std::int32_t b = 0;
  std::int32_t c = 0;
  std::int64_t d = 0;
  std::int8_t e = 0;
};
SERIALIZE_TYPE(Sparse) {
  ADD(SR_INITIAL, a);
  ADD(SR_INITIAL, c);
  ADD(SR_INITIAL, e);
}
SERIALIZE_END

/// A struct whose body omits `b`. Alignment alone could explain the size of each gap, but one gap
/// contains this small member.
struct Snug {
  std::int8_t a = 0, b = 0;
  std::int32_t c = 0;
};
SERIALIZE_TYPE(Snug) {
  ADD(SR_INITIAL, a);
  ADD(SR_INITIAL, c);
}
SERIALIZE_END

#define TEN(m, n) m(n##0) m(n##1) m(n##2) m(n##3) m(n##4) m(n##5) m(n##6) m(n##7) m(n##8) m(n##9)
// clang-format off
#define HUNDRED(m, n)                                                                              \
  TEN(m, n##0) TEN(m, n##1) TEN(m, n##2) TEN(m, n##3) TEN(m, n##4) TEN(m, n##5) TEN(m, n##6)       \
  TEN(m, n##7) TEN(m, n##8) TEN(m, n##9)
// clang-format on
struct Crowd {
#define MEMBER(name) std::int32_t name = 0;
  HUNDRED(MEMBER, m)
  TEN(MEMBER, n1)
  TEN(MEMBER, n2)
  TEN(MEMBER, n3)
  std::int32_t forgotten = 0;
};
/// A large type whose body forgets nearly all members.
struct Horde {
  HUNDRED(MEMBER, m)
  TEN(MEMBER, n1)
  TEN(MEMBER, n2)
  TEN(MEMBER, n3)
};
SERIALIZE_TYPE(Horde) {
  ADD(SR_INITIAL, m00);
  ADD(SR_INITIAL, m01);
}
SERIALIZE_END
SERIALIZE_TYPE(Crowd) {
#define VISIT(name) ADD(SR_INITIAL, name);
  HUNDRED(VISIT, m)
  TEN(VISIT, n1)
  TEN(VISIT, n2)
  TEN(VISIT, n3)
}
SERIALIZE_END

}  // namespace

REVCTL_ENUMERATORS(Code, Fine, NotFound, Teapot);

namespace revctl::harness::test {

TEST_CASE("check: an enum with unknown names needs the line that is printed",
          "[harness][signals][coverage]") {
  const Folder named, unnamed;
  const auto not_found = [](void* object) {
    static_cast<Reply<Code>*>(object)->code = Code::NotFound;
  };
  Program today = Program(1).Type<Reply<Code>>().Sample("lost", not_found);
  today.Record(named);
  CHECK(today.Check(named).findings.empty());
  const revctl::golden::Store store = revctl::golden::Store::Open(named.path());
  const revctl::golden::RevisionRecord& record = store.Find("SR_INITIAL")->record;
  REQUIRE(record.enums.size() == 1);
  CHECK(record.enums[0].enumerators == std::vector<std::pair<std::string, std::int64_t>>{
                                           {"Fine", 200}, {"NotFound", 404}, {"Teapot", 418}});
  const auto lost =
      std::find_if(record.cases.begin(), record.cases.end(),
                   [](const revctl::golden::Case& item) { return item.name == "lost"; });
  REQUIRE(lost != record.cases.end());
  CHECK(lost->values == std::vector<revctl::golden::Leaf>{{"code", "NotFound"}});

  const auto lost_too = [](void* object) {
    static_cast<Reply<Unnamed>*>(object)->code = Unnamed::NotFound;
  };
  today = Program(1).Type<Reply<Unnamed>>().Sample("lost", lost_too);
  today.Record(unnamed);
  const CheckResult result = today.Check(unnamed);
  INFO(Text(result));
  REQUIRE(result.findings.size() == 1);
  CHECK_THAT(FixText(result.findings[0].fix),
             Catch::Contains("REVCTL_ENUMERATORS(") && Catch::Contains("Unnamed, every"));
}

TEST_CASE("check: reports an enum value without a name in a golden",
          "[harness][signals][coverage]") {
  const auto named = [](void* object) { static_cast<Player*>(object)->color = Color::Blue; };
  const Folder fine;
  Program(1).Type<Player>().Sample("odd", named).Record(fine);
  CHECK(Program(1).Type<Player>().Sample("odd", named).Check(fine).findings.empty());

  const auto nameless = [](void* object) {
    auto* player = static_cast<Player*>(object);
    player->color = static_cast<Color>(77);
    player->all = {Color::Red, static_cast<Color>(78)};
  };
  const Folder folder;
  Program(1).Type<Player>().Sample("odd", nameless).Record(folder);
  const CheckResult result = Program(1).Type<Player>().Sample("odd", nameless).Check(folder);
  INFO(Text(result));
  CHECK_FALSE(result.errors);  // only a warning, because old files may contain anything
  REQUIRE(result.findings.size() == 1);
  const Finding& finding = result.findings[0];
  CHECK(findings::NameOf(finding.rule) == "GH007");
  CHECK(finding.severity == Severity::Warning);
  CHECK_THAT(finding.type, Catch::EndsWith("Color"));
  CHECK_THAT(
      finding.message,
      Catch::Contains("SR_INITIAL/odd contains a value without an enumerator name, at color"));
  CHECK_THAT(FixText(finding.fix), Catch::Contains("docs/guide/serialize.md"));
}

TEST_CASE("check: reports a result of a condition that nothing reaches",
          "[harness][signals][coverage][condition]") {
  const Folder folder;
  Program(1).Type<Door>().Record(folder);
  const Program today = Program(2).Type<Door>();
  today.Record(folder);
  const CheckResult result = today.Check(folder);
  INFO(Text(result));
  CHECK(result.findings.size() == 2);
  const std::string type = today.registry.types[0].name;
  const Finding live = Find(result, "GH007", type, "width");
  CHECK_THAT(live.message, Catch::Contains("no sample or golden makes `!IsRare(d.kind)` false"));
  CHECK_THAT(FixText(live.fix), Catch::StartsWith("HARNESS_SAMPLE("));
  const Finding gone = Find(result, "GH007", type, "hinges");
  CHECK_THAT(gone.message, Catch::Contains("makes `IsRare(d.kind)` true"));
  CHECK(gone.revision == "SR_INITIAL");
  CHECK_THAT(FixText(gone.fix),
             Catch::StartsWith("save_harness import FILE --type ") &&
                 Catch::Contains("# a file of SR_INITIAL in which the condition is true"));

  SECTION("importing an old file fixes both findings") {
    const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
    const revctl::ListTable list = today.List();
    const History history(list, store);
    std::vector<std::byte> payload;
    Door door{123456789, 0, 7};
    REQUIRE(today.registry.types[0].entry.write(1, &door, payload).ok);
    const Recording import =
        RecordImport(today.registry, today.registry.types[0], history, 0, "user", payload, {});
    REQUIRE(import.troubles.empty());
    REQUIRE(revctl::golden::WriteAddition(folder.path(), import.record, import.payloads).ok());
    const CheckResult after = today.Check(folder);
    INFO(Text(after));
    CHECK(after.findings.empty());
  }
}

TEST_CASE("check: an unrecorded revision before recorded ones is an error",
          "[harness][signals][coverage]") {
  const Folder folder;
  Program(1).Type<Door>().Record(folder);
  Program(3).Type<Door>().Record(folder);
  const Finding passed = Find(Program(3).Type<Door>().Check(folder), "GH007", "", "");
  CHECK(passed.severity == Severity::Error);
  CHECK(passed.message ==
        "SR_FOULS: no goldens are recorded, although later revisions have goldens");
  CHECK_THAT(FixText(passed.fix), Catch::StartsWith("save_harness record --backfill"));
}

TEST_CASE("check: reports code that no old file reaches, at its line",
          "[harness][signals][coverage][place]") {
  const auto told = [](const Program& program) {
    const Folder folder;
    program.Record(folder);
    return Find(program.Check(folder), "GH007", program.registry.types[0].name, "");
  };
  const Finding upgrade = told(Program(2).Type<Aged>());
  CHECK_THAT(upgrade.message, Catch::Contains("reaches its code for files older than SR_FOULS"));
  // The finding must point to the code in the body, not to the comment above it or to the previous
  // type's body.
  CHECK(upgrade.line == kAgedBegins + 5);
  CHECK(told(Program(2).Type<AgedByGate>()).line == kAgedByGateBegins + 2);
}

TEST_CASE("check: goldens cover a condition that no sample changes",
          "[harness][signals][coverage][condition]") {
  const Folder folder;
  Program(1).Type<Door>().Sample("rare", MakeRare).Record(folder);
  const CheckResult result = Program(1).Type<Door>().Check(folder);
  INFO(Text(result));
  CHECK(result.findings.empty());
}

TEST_CASE("check: reports a handwritten sample that is not recorded",
          "[harness][signals][coverage]") {
  const Folder folder;
  Program(1).Type<Door>().Record(folder);
  const Program today = Program(1).Type<Door>().Sample("rare", MakeRare);
  const CheckResult result = today.Check(folder);
  INFO(Text(result));
  REQUIRE(result.findings.size() == 1);
  const Finding& told = result.findings[0];
  CHECK(findings::NameOf(told.rule) == "GH007");
  CHECK(told.severity == Severity::Warning);
  CHECK_THAT(told.message, Catch::Contains("the sample \"rare\" is not recorded"));
  CHECK(told.fix == "save_harness record");
  CHECK(told.file == "game.cpp");
  CHECK(told.line == 9);

  SECTION("its fix works") {
    const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
    const revctl::ListTable list = today.List();
    const History history(list, store);
    const Recording added = RecordAdditions(today.registry, history, {});
    REQUIRE(added.record.cases.size() == 1);
    REQUIRE(revctl::golden::WriteAddition(folder.path(), added.record, added.payloads).ok());
    CHECK(today.Check(folder).findings.empty());
  }
  SECTION("a pending revision must be recorded first, and only that is reported") {
    const CheckResult pending = Program(2).Type<Door>().Sample("rare", MakeRare).Check(folder);
    CHECK_FALSE(pending.findings.empty());
    for (const Finding& finding : pending.findings)
      CHECK(finding.message.find("is not recorded") == std::string::npos);
  }
}

TEST_CASE("check: reports members that no body mentions, with all possible places",
          "[harness][signals][coverage][members]") {
  const auto told = [](const Program& program) {
    const Folder folder;
    program.Record(folder);
    const CheckResult result = program.Check(folder);
    INFO(Text(result));
    REQUIRE(result.findings.size() == 1);
    CHECK(findings::NameOf(result.findings[0].rule) == "GH007");
    return result.findings[0];
  };
  const Finding sparse = told(Program(1).Type<Sparse>());
  CHECK(sparse.severity == Severity::Error);
  CHECK_THAT(sparse.message,
             Catch::Contains(": its Serialize does not mention 2 of 5 members in any ") &&
                 Catch::Contains("; see bytes 1 to 7 and 12 to 23 of the object"));
  CHECK_THAT(told(Program(1).Type<Snug>()).message,
             Catch::Contains("; see bytes 1 to 3 of the object"));
  const Finding crowd = told(Program(1).Type<Crowd>());
  CHECK(crowd.severity == Severity::Warning);
  CHECK_THAT(crowd.message, Catch::Contains("mentions 130 members, too many to count") &&
                                Catch::Contains("; see bytes 520 to 523 of the object"));
  const Finding horde = told(Program(1).Type<Horde>());
  CHECK(horde.severity == Severity::Error);
  CHECK_THAT(horde.message,
             Catch::Contains(" does not mention 125 or more of at least 127 members in ") &&
                 Catch::Contains("; see bytes 8 to 519 of the object"));
}

}  // namespace revctl::harness::test
