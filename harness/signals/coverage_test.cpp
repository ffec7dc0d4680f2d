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

}  // namespace

namespace harness::test {

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
