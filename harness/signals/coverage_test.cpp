// GH007: an enum's value in a golden that has no name.
#include <catch2/catch.hpp>

#include "harness/test_program.h"
#include "revctl/serialize.h"

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

}  // namespace

REVCTL_ENUMERATORS(Code, Fine, NotFound, Teapot);

namespace harness::test {

TEST_CASE("check: names that the compiler is not asked for are given by a line, which the finding tells",
          "[harness][signals][coverage]") {
  const Folder named, unnamed;
  const auto not_found = [](void* object) { static_cast<Reply<Code>*>(object)->code = Code::NotFound; };
  Program today = Program(1).Type<Reply<Code>>().Sample("lost", not_found);
  today.Record(named);
  CHECK(today.Check(named).findings.empty());
  const golden::Store store = golden::Store::Open(named.path());
  const golden::RevisionRecord& record = store.Find("SR_INITIAL")->record;
  REQUIRE(record.enums.size() == 1);
  CHECK(record.enums[0].enumerators ==
        std::vector<std::pair<std::string, std::int64_t>>{{"Fine", 200}, {"NotFound", 404}, {"Teapot", 418}});
  const auto lost = std::find_if(record.cases.begin(), record.cases.end(),
                                 [](const golden::Case& item) { return item.name == "lost"; });
  REQUIRE(lost != record.cases.end());
  CHECK(lost->values == std::vector<golden::Leaf>{{"code", "NotFound"}});

  const auto lost_too = [](void* object) { static_cast<Reply<Unnamed>*>(object)->code = Unnamed::NotFound; };
  today = Program(1).Type<Reply<Unnamed>>().Sample("lost", lost_too);
  today.Record(unnamed);
  const CheckResult result = today.Check(unnamed);
  INFO(Text(result));
  REQUIRE(result.findings.size() == 1);
  CHECK_THAT(result.findings[0].fix, Catch::Contains("REVCTL_ENUMERATORS(") && Catch::Contains("Unnamed, every"));
}

TEST_CASE("check: a golden that holds a value without a name is pointed out, with its place",
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
  CHECK_FALSE(result.errors);  // old files may hold anything
  REQUIRE(result.findings.size() == 1);
  const Finding& finding = result.findings[0];
  CHECK(finding.rule == "GH007");
  CHECK(finding.severity == Severity::Warning);
  CHECK_THAT(finding.type, Catch::EndsWith("Color"));
  CHECK_THAT(finding.message,
             Catch::Contains("SR_INITIAL/odd holds a value that has no name, at color"));
  CHECK_THAT(finding.fix, Catch::Contains("docs/guide/serialize.md"));
}

}  // namespace harness::test
