// The schema of an older revision must contain the enumerators of that time, not the current ones.
#include "harness/schema/schema.h"

#include <catch2/catch.hpp>

#include <revctl/serialize.h>

#include "harness/testing/test_program.h"

namespace {
enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3 };
}  // namespace

// The game at three revisions. SR_FOULS appends Storm, and SR_PLAYERS adds Mode.
namespace one {
enum class Element : std::uint8_t { Fire, Water };
struct Hero {
  Element element{};
};
SERIALIZE_TYPE(Hero) { ADD(SR_INITIAL, element); }
SERIALIZE_END
}  // namespace one
namespace two {
enum class Element : std::uint8_t { Fire, Water, Storm };
struct Hero {
  Element element{};
};
SERIALIZE_TYPE(Hero) { ADD(SR_INITIAL, element); }
SERIALIZE_END
}  // namespace two
namespace three {
enum class Element : std::uint8_t { Fire, Water, Storm };
enum class Mode : std::uint8_t { Easy, Hard };
struct Hero {
  Element element{};
  std::vector<Mode> modes;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, element);
  ADD(SR_PLAYERS, modes);
}
SERIALIZE_END
}  // namespace three

#define NAMED(type, name)                      \
  template <>                                  \
  struct revctl::NameOf<type> {                \
    static std::string Name() { return name; } \
  };
NAMED(one::Hero, "Hero")
NAMED(two::Hero, "Hero")
NAMED(three::Hero, "Hero")
NAMED(one::Element, "Element")
NAMED(two::Element, "Element")
NAMED(three::Element, "Element")
NAMED(three::Mode, "Mode")

namespace revctl::harness::test {

TEST_CASE("schema: has the recorded enums of an older revision", "[harness][schema]") {
  const Folder folder;
  Program(1).Type<one::Hero>().Record(folder);
  Program(2).Type<two::Hero>().Record(folder);
  Program today = Program(3).Type<three::Hero>();
  const auto at = [&](std::int64_t number) {
    const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
    const revctl::ListTable list = today.List();
    return SchemaAt(today.registry, History(list, store), "", number, 1);
  };
  for (const bool recorded : {false, true}) {  // true if the newest revision is recorded
    INFO(recorded);
    if (recorded) today.Record(folder);
    CHECK(at(1).enums.size() == 1);
    CHECK(at(1).enums.at("Element").enumerators.size() == 2);
    CHECK(at(2).enums.at("Element").enumerators.size() == 3);
    CHECK(at(2).enums.size() == 1);
    CHECK(at(3).enums.at("Element").enumerators.size() == 3);
    CHECK(at(3).enums.at("Mode").enumerators.size() == 2);
    CHECK(ChangesText(CompareSchemas(at(1), at(2))) == "+ Element.Storm = 2\n");
    const std::string changes = ChangesText(CompareSchemas(at(2), at(3)));
    CHECK_THAT(changes, Catch::Contains("Mode.Hard = 1"));
    CHECK_THAT(changes, !Catch::Contains("Storm"));
  }
}

}  // namespace revctl::harness::test
