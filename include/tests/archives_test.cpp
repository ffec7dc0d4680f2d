#include <catch2/catch.hpp>

#include <revctl/fill.h>
#include <revctl/json_writer.h>
#include <revctl/layout_archive.h>
#include <revctl/trace.h>

#include "everything.h"

using everything::Everything;
using everything::SR_INITIAL;
using everything::SR_LATEST;
using everything::SR_MORE;

namespace {

const revctl::LayoutField* Field(const revctl::TypeLayout& type, std::string_view name) {
  for (const auto& field : type.fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

struct Inner {
  std::int32_t a = 1, b = 2;
};
SERIALIZE_TYPE(Inner) {
  ADD(1, a);
  if (r.revision >= 7) ADD(1, b);
}
SERIALIZE_END

struct Branching {
  std::uint8_t kind = 0;
  std::int32_t only_one = 0;
  std::vector<Inner> inner;
  std::int32_t list[3] = {};
};
SERIALIZE_TYPE(Branching) {
  ADD(1, kind);
  if (d.kind == 1) ADD(1, only_one);
  ADD(1, inner);
  for (auto& x : d.list) Serialize(r, x);
  ADD_CONDITIONAL(3, d.kind == 2, list[0]);
  if (r.IsReading() && r.revision < 9) d.kind = 0;
}
SERIALIZE_END

/// A type whose body visits its two fields repeatedly, in an order that depends on the object.
struct Wandering {
  bool second_first = false;
  std::int32_t first = 0, second = 0;
};
SERIALIZE_TYPE(Wandering) {
  for (int i = 0; i < 4; ++i) {
    if ((i % 2 == 1) != d.second_first) ADD(1, second);
    else ADD(1, first);
  }
}
SERIALIZE_END

}  // namespace

TEST_CASE("trace: reads and writes the same bytes as Reader and Writer", "[trace]") {
  for (const std::int64_t revision : {1, 2, 3, 4}) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const Everything object = revctl::Filled<Everything>(revision, seed);
      revctl::Writer fast(revision);
      Serialize(fast, object);
      revctl::TraceWriter slow(revision);
      Serialize(slow, object);
      REQUIRE(std::equal(fast.Bytes().begin(), fast.Bytes().end(), slow.Bytes().begin(),
                         slow.Bytes().end()));

      revctl::TraceReader back(fast.Bytes(), revision);
      Everything read;
      Serialize(back, read);
      REQUIRE(back.AtEnd());
      revctl::Reader reader(fast.Bytes(), revision);
      Everything also;
      Serialize(reader, also);
      REQUIRE(reader.AtEnd());
      REQUIRE(read == also);

      // Both traces have the same leaves, without gaps.
      REQUIRE(back.Leaves().size() == slow.Leaves().size());
      std::size_t offset = 0;
      for (std::size_t i = 0; i < back.Leaves().size(); ++i) {
        const revctl::TraceLeaf& a = back.Leaves()[i];
        const revctl::TraceLeaf& b = slow.Leaves()[i];
        REQUIRE(a.path == b.path);
        REQUIRE(a.text == b.text);
        REQUIRE(a.type == b.type);
        REQUIRE(a.offset == offset);
        REQUIRE(a.size == b.size);
        offset += a.size;
      }
      REQUIRE(offset == fast.Bytes().size());
    }
  }
}

TEST_CASE("trace: leaves have paths, types and texts", "[trace]") {
  revctl::TraceWriter w(SR_LATEST);
  Everything object;
  object.stats["gold"] = 5;
  object.named.push_back({"Zo\xC3\xAB", {0.5f, -1, 0}});
  object.either = everything::Named{"x", {}};
  Serialize(w, object);
  auto text = [&](std::string_view path) -> std::string {
    for (const auto& leaf : w.Leaves()) {
      if (leaf.path == path) return leaf.type + " " + leaf.text;
    }
    return "none";
  };
  CHECK(text("Everything.named#count") == "u32 1");
  CHECK(text("Everything.named[0].at.x") == "f32 0.5");
  CHECK(text("Everything.named[0].name") == "string \"Zo\xC3\xAB\"");
  CHECK(text("Everything.stats#key[0]") == "string \"gold\"");
  CHECK(text("Everything.stats[0]") == "i32 5");
  CHECK(text("Everything.either#index") == "u8 1");
  CHECK(text("Everything.either.name") == "string \"x\"");
  CHECK(text("Everything.maybe#present") == "u8 0");
  CHECK(text("Everything.color") == "everything::Color Red");
  CHECK(text("Everything.wide") == "everything::Wide Low");
  CHECK(text("Everything.flags") == "bitset<11> \"00000000000\"");
  CHECK(text("Everything#integrity") == "u32 0");
}

TEST_CASE("layout: fields are in order with gates, sizes and defaults", "[layout]") {
  revctl::LayoutArchive layouts(SR_MORE);
  Serialize(layouts, Everything{});
  const auto types = layouts.Types();
  REQUIRE(types[0].type == "everything::Everything");
  REQUIRE(types[0].fields[0].name == "yes");
  const auto* position = Field(types[0], "old_position");
  REQUIRE(position != nullptr);
  CHECK(position->form == "rem");
  CHECK(position->since == "SR_MORE");
  CHECK(position->until == "SR_LESS");
  CHECK(position->until_number == 4);
  CHECK(position->size == 12);
  CHECK(position->fallback == R"({"x": 1, "y": 1.5, "z": 3})");
  const auto* rare = Field(types[0], "rare");
  REQUIRE(rare != nullptr);
  CHECK(rare->form == "add_conditional");
  CHECK(rare->condition == "d.yes");
  CHECK_FALSE(rare->always);
  CHECK(Field(types[0], "two")->size == 0);
  CHECK(Field(types[0], "triple")->size == 6);
  CHECK(Field(types[0], "kept")->form == "rem_member");
  CHECK(types[0].compared == std::vector<std::int64_t>{1, 2, 4});

  // The layout also lists types that do not occur in the empty object, and the enumerators of
  // enums.
  std::set<std::string> names;
  for (const auto& type : types) names.insert(type.type);
  CHECK(names == std::set<std::string>{"everything::Everything", "everything::Vec3",
                                       "everything::Named", "everything::Node", "everything::Key"});
  const auto enums = layouts.Enums();
  CHECK(enums.size() == 3);
  CHECK(enums[0].type == "everything::Color");
  CHECK(enums[0].underlying == "u8");
  CHECK(enums[0].enumerators ==
        std::vector<std::pair<std::string, std::int64_t>>{{"Red", 0}, {"Green", 7}, {"Blue", 8}});
  CHECK(enums[1].enumerators ==
        std::vector<std::pair<std::string, std::int64_t>>{{"Low", -4096}, {"High", 1ll << 40}});

  revctl::LayoutArchive first(SR_INITIAL);
  Serialize(first, Everything{});
  CHECK(Field(first.Types()[0], "old_position") == nullptr);
  CHECK(Field(first.Types()[0], "later") == nullptr);
}

TEST_CASE("layout: a branch is recorded if any object takes it", "[layout]") {
  revctl::LayoutArchive layouts(5);
  Branching object;
  Serialize(layouts, object);
  CHECK(Field(layouts.Types()[0], "only_one") == nullptr);
  object.kind = 1;
  Serialize(layouts, object);
  const auto type = layouts.Types()[0];
  REQUIRE(type.fields.size() == 5);
  CHECK(type.fields[1].name == "only_one");
  CHECK_FALSE(type.fields[1].always);
  CHECK(type.fields[2].name == "inner");
  CHECK(type.fields[2].always);
  CHECK(type.fields[3].form == "plain");  // the loop is recorded as a single field
  CHECK(type.fields[4].form == "add_conditional");
}

TEST_CASE("layout: each place is recorded once, in any order of visits", "[layout]") {
  revctl::LayoutArchive layouts(5);
  for (const bool second_first : {false, true}) Serialize(layouts, Wandering{second_first, 0, 0});
  const auto type = layouts.Types()[0];
  REQUIRE(type.fields.size() == 2);
  CHECK(type.fields[0].name == "first");
  CHECK(type.fields[0].always);
}

TEST_CASE("layout: comparisons belong to the body that makes them", "[layout]") {
  revctl::LayoutArchive writing(5);
  Branching object;
  object.inner.resize(2);
  Serialize(writing, object);
  CHECK(writing.Types()[0].compared == std::vector<std::int64_t>{1, 3});
  CHECK(writing.Types()[1].compared == std::vector<std::int64_t>{1, 7});

  revctl::Filler filler(5, 2);
  revctl::LayoutArchive reading(filler);
  Serialize(reading, object);
  CHECK(reading.Types()[0].compared ==
        std::vector<std::int64_t>{1, 3, 9});  // 9: only upgrade code, which runs when reading
}

TEST_CASE("layout: around a reader, sees errors and forwards rejections", "[layout]") {
  const std::byte bytes[] = {std::byte{1}, std::byte{2}};
  revctl::TraceReader inner(bytes, 5);
  revctl::LayoutArchive layouts(inner);
  Branching object;
  Serialize(layouts, object);
  CHECK_FALSE(layouts.Ok());
  CHECK(layouts.error_path() == "Branching.only_one");
  CHECK(inner.error().path == "Branching.only_one");
  CHECK(inner.error().offset == 1);
}

TEST_CASE("json: text of every kind", "[json]") {
  Everything e;
  e.f32 = std::numeric_limits<float>::quiet_NaN();
  e.f64 = -std::numeric_limits<double>::infinity();
  e.u64 = std::numeric_limits<std::uint64_t>::max();
  e.text = "a\"\n\xFF";
  e.lines = {{"x"}, {}};
  e.perhaps.emplace();
  e.by_key[{1, 2}] = {everything::Color::Blue, static_cast<everything::Color>(99)};
  e.names[5] = "five";
  e.either = std::string("s");
  const std::string json = revctl::ToJson(e, SR_LATEST, 0);
  CHECK_THAT(json, Catch::Contains(R"("f32": "NaN", "f64": "-Infinity")"));
  CHECK_THAT(json, Catch::Contains(R"("u64": 18446744073709551615)"));
  CHECK_THAT(json, Catch::Contains(R"("text": "\u0000hex:61220aff")"));
  CHECK_THAT(json, Catch::Contains(R"("lines": [["x"], []])"));
  CHECK_THAT(json, Catch::Contains(R"("perhaps": [null])"));
  CHECK_THAT(json, Catch::Contains(R"("by_key": [[{"a": 1, "b": 2}, ["Blue", 99]]])"));
  CHECK_THAT(json, Catch::Contains(R"("names": {"5": "five"})"));
  CHECK_THAT(json, Catch::Contains(R"("either": {"index": 2, "type": "string", "value": "s"})"));
  CHECK_THAT(json, Catch::Contains(R"("tree": null)"));
}

TEST_CASE("aggregate members are counted by the compiler", "[type_info]") {
  const auto members = [](const revctl::TypeInfo& type) {
    const revctl::TypeMaking* const making = revctl::MakingOf(type);
    REQUIRE(making != nullptr);
    return making->aggregate_members;
  };
  CHECK(members(revctl::detail::TypeWithMaking<everything::Everything>()) == 38);
  CHECK(members(revctl::TypeOf<everything::Vec3>()) == 3);  // a member type of Everything
  CHECK(members(revctl::detail::TypeWithMaking<Branching>()) == 4);
}

TEST_CASE("trace: after an error at the last byte, AtEnd() is false", "[trace]") {
  const std::vector<std::byte> bytes = {std::byte{1}, std::byte{2}};
  revctl::TraceReader trace(bytes, 1);
  std::pair<bool, bool> pair;
  Serialize(trace, pair);
  CHECK_FALSE(trace.Ok());
  CHECK_FALSE(trace.AtEnd());
  const std::vector<std::byte> none;
  revctl::TraceReader refused(none, 1);
  refused.Fail("no");
  CHECK_FALSE(refused.AtEnd());
}
