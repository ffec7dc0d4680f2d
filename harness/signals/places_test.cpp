// Fields that macros without names visit: they go by their places.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>

#include "harness/testdata/named.h"
#include "harness/testing/test_program.h"
#include "revctl/named_field.h"
#include "revctl/serialize.h"

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

namespace revctl::harness::test {

TEST_CASE("check: fields without names are one finding, at the first that is another",
          "[harness][signals][places]") {
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

}  // namespace revctl::harness::test
