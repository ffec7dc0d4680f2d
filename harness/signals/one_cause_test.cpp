// If one edit breaks many fields, types or values, the text output must have a single finding with
// the first three of them and the total number.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>

#include <revctl/serialize.h>

#include "harness/testing/meeting_test.h"
#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1 };

enum Code { Before, Retyped, Resized, Inserted, Scaled };

/// The type alias and the constant that the variants Retyped and Resized change.
template <Code code>
struct Words {
  using Coord = std::conditional_t<code == Retyped, std::int32_t, std::int16_t>;
  static constexpr std::size_t kSlots = code == Resized ? 5 : 4;
};

template <Code code>
struct Item {
  std::int32_t weight = 1, price = 2, glow = 3;
};
SERIALIZE_TEMPLATE((Code code), Item<code>) {
  ADD(SR_INITIAL, weight);
  if constexpr (code == Inserted) {
    ADD(SR_INITIAL, glow);
  } else {
    SERIALIZE_IGNORE(glow);
  }
  ADD(SR_INITIAL, price);
}
SERIALIZE_END

/// Six root types that use the alias and the constant.
template <Code code, int n>
struct Root {
  typename Words<code>::Coord x = 1, y = 2;
  std::array<std::int32_t, Words<code>::kSlots> slots{};
  std::vector<Item<code>> items;
};
SERIALIZE_TEMPLATE((Code code, int n), Root<code, n>) {
  ADD(SR_INITIAL, x);
  ADD(SR_INITIAL, y);
  ADD(SR_INITIAL, slots);
  ADD(SR_INITIAL, items);
}
SERIALIZE_END

template <Code code>
struct Map {
  std::vector<std::int32_t> heights;
};
SERIALIZE_TEMPLATE((Code code), Map<code>) {
  ADD(SR_INITIAL, heights);
  if (code == Scaled && r.IsReading()) {
    for (std::int32_t& height : d.heights) height = height / 2 + 7;
  }
}
SERIALIZE_END

}  // namespace

template <Code code>
struct revctl::NameOf<Item<code>> {
  static std::string Name() { return "Item"; }
};
template <Code code, int n>
struct revctl::NameOf<Root<code, n>> {
  static std::string Name() { return "Root" + std::to_string(n); }
};
template <Code code>
struct revctl::NameOf<Map<code>> {
  static std::string Name() { return "Map"; }
};

namespace revctl::harness::test {
namespace {

template <Code code>
Program Six() {
  Program program(1);
  program.Type<Root<code, 1>>();
  program.Type<Root<code, 2>>();
  program.Type<Root<code, 3>>();
  program.Type<Root<code, 4>>();
  program.Type<Root<code, 5>>();
  program.Type<Root<code, 6>>();
  return program;
}

template <Code code>
std::string TextAfter() {
  const Folder folder;
  Six<Before>().Record(folder);
  return Text(Six<code>().Check(folder));
}

std::size_t Lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("one cause: a changed type alias in many fields of many types",
          "[harness][signals][fold]") {
  const std::string text = TextAfter<Retyped>();
  INFO(text);
  CHECK(Count(text, "error[GH001]") == 1);
  CHECK_THAT(text, Catch::Contains("Root1.x") &&
                       Catch::Contains("\n  11 more with the same cause:\n") &&
                       Catch::Contains("\n  and 9 more\n"));
  CHECK_THAT(text, Catch::Contains(" more findings follow from it: GH002 ") &&
                       Catch::EndsWith("FAILED: 1 error\n"));
  CHECK(Lines(text) < 40);
}

TEST_CASE("one cause: a constant that is the size of arrays in many types",
          "[harness][signals][fold]") {
  const std::string text = TextAfter<Resized>();
  INFO(text);
  CHECK(Count(text, "error[GH001]") == 1);
  CHECK_THAT(text, Catch::Contains("Root1.slots") &&
                       Catch::Contains("\n  5 more with the same cause:\n") &&
                       Catch::Contains("\n  and 3 more\n"));
  CHECK(Lines(text) < 40);
}

TEST_CASE("one cause: a member inserted in an element type that many types contain",
          "[harness][signals][fold]") {
  const std::string text = TextAfter<Inserted>();
  INFO(text);
  CHECK(Count(text, "error[GH001]") == 1);
  CHECK_THAT(text, Catch::Contains("Item.glow"));
  CHECK(Count(text, "error[") == 1);
  CHECK_THAT(text, Catch::Contains(" follow from it: GH002 "));
  CHECK(Lines(text) < 40);
}

TEST_CASE("one cause: a thousand elements that are read with different values",
          "[harness][signals][fold]") {
  const Folder folder;
  const auto make = [](void* object) {
    static_cast<Map<Before>*>(object)->heights.assign(1000, 900);
  };
  Program(1).Type<Map<Before>>().Sample("wide", make).Record(folder);
  const std::string text = Text(Program(1).Type<Map<Scaled>>().Check(folder));
  INFO(text);
  CHECK(Lines(text) < 30);
  CHECK_THAT(text, Catch::Contains(" more values differ") && Catch::Contains("\n  and "));
}

}  // namespace revctl::harness::test
