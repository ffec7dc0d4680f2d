#include <catch2/catch.hpp>

#include <revctl/differ.h>
#include <revctl/fill.h>
#include <revctl/json_reader.h>
#include <revctl/json_writer.h>
#include <revctl/layout_archive.h>
#include <revctl/objects.h>

#include "split_types.h"

// Tests bodies in separate source files. Every archive must run such bodies, and a type must be
// flat in all files or in none.

namespace {

using split::Bag;
using split::Grain;
using split::Point;

const Bag kBag{"ann", {{1}, {2}}, {{"inner", {{3}}, {}}}};

template <class T>
std::vector<std::byte> Payload(const T& value, revctl::Revision at) {
  revctl::Writer w(at);
  Serialize(w, value);
  REQUIRE(w.Ok());
  CHECK(revctl::WireSize(value, at) == w.Bytes().size());
  revctl::TraceWriter trace(at);  // visits each leaf, unlike Writer, which copies in bulk
  Serialize(trace, value);
  CHECK(std::equal(w.Bytes().begin(), w.Bytes().end(), trace.Bytes().begin(), trace.Bytes().end()));
  return {w.Bytes().begin(), w.Bytes().end()};
}

std::vector<Grain> Grains(std::size_t count) {
  std::vector<Grain> grains;
  for (std::size_t i = 0; i < count; ++i) {
    grains.emplace_back(static_cast<std::uint8_t>(i), i % 3 == 0, static_cast<float>(i) / 2);
  }
  return grains;
}

}  // namespace

TEST_CASE("split: a body in a separate source file", "[split]") {
  const auto bytes = Payload(kBag, 4);
  revctl::Reader r(bytes, 4);
  Bag back;
  Serialize(r, back);
  CHECK(r.AtEnd());
  CHECK(back == kBag);
  revctl::Reader bad({bytes.data(), 20}, 4);
  Serialize(bad, back);
  CHECK(bad.error().path == "Bag.inner");
}

TEST_CASE("split: a single friend declaration gives access to a body in another file", "[split]") {
  const auto bytes = Payload(split::Purse(7), 1);
  revctl::Reader r(bytes, 1);
  split::Purse back;
  Serialize(r, back);
  CHECK(back == split::Purse(7));
}

TEST_CASE("split: JSON round trips at each revision", "[split]") {
  CHECK(revctl::ToJson(kBag, 1, 0) ==
        R"({"owner": "ann", "items": [{"id": 1}, {"id": 2}], "weight": 5})");
  revctl::JsonReader heavy(R"({"owner": "bob", "items": [], "weight": 6})", 1);
  Bag bag;
  Serialize(heavy, bag);
  CHECK(bag.owner == "bob!");  // changed by upgrade code
  const std::string text = revctl::ToJson(kBag, 4);
  revctl::JsonReader json(text, 4);
  Bag back;
  Serialize(json, back);
  REQUIRE(json.Ok());
  CHECK(back == kBag);
  revctl::JsonReader wrong(R"({"owner": "bob", "items": [{"id": "x"}], "inner": []})", 4);
  Serialize(wrong, back);
  CHECK(wrong.error().path == "Bag.items[0].id");
}

TEST_CASE("split: every archive visits declared types", "[split]") {
  const Bag filled = revctl::Filled<Bag>(4, 1);
  CHECK(filled.items.size() >= 2);
  CHECK_FALSE(filled.items[0] == filled.items[1]);

  revctl::LayoutArchive layouts(1);
  Serialize(layouts, kBag);
  const auto types = layouts.Types();
  REQUIRE(types.size() == 2);
  CHECK(types[0].type == "split::Bag");
  REQUIRE(types[0].fields.size() == 3);
  CHECK(types[0].fields[1].type == "vector<split::Item>");
  CHECK(types[0].fields[2].name == "weight");
  CHECK(types[0].compared == std::vector<std::int64_t>{1, 2, 3});
  CHECK(types[1].fields[0].type == "i32");
  REQUIRE(types[0].fields[0].line > 0);
  CHECK_THAT(types[0].fields[0].file, Catch::EndsWith("split_types.cpp"));

  Bag other = kBag;
  other.inner[0].items[0].id = 9;
  CHECK(revctl::Differences(kBag, other, 4) ==
        std::vector<revctl::Difference>{{"Bag.inner[0].items[0].id", "3", "9"}});

  const auto bytes = Payload(kBag, 4);
  revctl::TraceReader trace(bytes, 4);
  Bag back;
  Serialize(trace, back);
  REQUIRE(trace.AtEnd());
  CHECK(back == kBag);
  REQUIRE(trace.Leaves().size() == 9);
  CHECK(trace.Leaves()[2].path == "Bag.items[0].id");
  CHECK(trace.Leaves()[2].offset == 11);
}

TEST_CASE("split: pointers in declared types are linked", "[split][objects]") {
  const auto classes = revctl::ObjectClasses().Add<split::Hero>("Hero");
  std::vector<std::unique_ptr<split::Hero>> heroes;
  for (const char* name : {"ann", "ben"})
    heroes.push_back(std::make_unique<split::Hero>(split::Hero{name, nullptr}));
  heroes[0]->rival = heroes[1].get();
  heroes[1]->rival = heroes[0].get();
  std::vector<std::byte> bytes;
  REQUIRE(revctl::SaveObjects(1, classes, heroes, bytes).Ok());
  std::vector<std::unique_ptr<split::Hero>> back;
  REQUIRE(revctl::LoadObjects(bytes, classes, back, 1).Ok());
  REQUIRE(back.size() == 2);
  CHECK(back[0]->rival == back[1].get());
  CHECK(back[1]->rival == back[0].get());
  CHECK(back[1]->name == "ben");
}

TEST_CASE("split: flatness is the same in every file", "[split][flat]") {
  using namespace revctl::detail;
  const split::Flatness seen_here{
      .item = kFlat<split::Item, true>,
      .point = kFlat<Point, true> && kFlat<Point, false>,
      .grain = kFlat<Grain, true> && kFlat<Grain, false>,
      .marker = kFlat<split::Marker, true> || kFlat<split::Marker, false>,
      .point_is_image = kProvesFlatness && !kSwapBytes};
  CHECK(seen_here == split::Flatness{.item = false,
                                     .point = kProvesFlatness,
                                     .grain = kProvesFlatness,
                                     .marker = false,
                                     .point_is_image = kProvesFlatness && !kSwapBytes});
  CHECK(split::SeenFromTheBodies() == seen_here);
}

TEST_CASE("split: flat types are read and written in bulk", "[split][flat]") {
  const std::vector<Point> points{{1, 2, 3}, {4, 5, 6}};
  const auto bytes = Payload(points, 1);
  CHECK(bytes.size() == 4 + 24);
  revctl::Reader r(bytes, 1);
  std::vector<Point> points_back;
  Serialize(r, points_back);
  REQUIRE(r.AtEnd());
  CHECK(points_back == points);

  const auto grains = Grains(40);
  for (const int at : {1, 2, 3}) {
    const std::size_t wire[] = {0, 1 + 2 + 12, 1 + 1 + 2 + 12, 1 + 1 + 12 + 24};
    const auto old = Payload(grains, at);
    REQUIRE(old.size() == 4 + 40 * wire[at]);
    revctl::Reader reader(old, at);
    std::vector<Grain> back;
    Serialize(reader, back);
    REQUIRE(reader.AtEnd());
    CHECK(Payload(back, at) == old);
    if (at == 3) CHECK(back == grains);
    revctl::Reader cut({old.data(), old.size() - 1}, at);
    Serialize(cut, back);
    // The reader checks the total size of all elements before it reads the first one.
    if (revctl::detail::kProvesFlatness) CHECK(back.empty());
    CHECK(cut.offset() == cut.error().offset);
    CHECK_THAT(cut.error().path, Catch::StartsWith("vector<split::Grain>[39]."));
  }
}

TEST_CASE("split: bulk reading also rejects invalid bools", "[split][flat]") {
  auto bytes = Payload(Grains(3), 3);
  bytes[4 + 38 + 1] = std::byte{2};
  revctl::Reader r(bytes, 3);
  std::vector<Grain> back;
  Serialize(r, back);
  CHECK(r.error().path == "vector<split::Grain>[1].wet_");
  if (revctl::detail::kProvesFlatness) CHECK(back.empty());
}

TEST_CASE("split: bodies in headers and other containers are visited one by one", "[split][flat]") {
  const std::array<Grain, 2> pair{Grain(1, true, 3), Grain(2, false, 4)};
  const auto bytes = Payload(pair, 3);
  revctl::Reader r(bytes, 3);
  std::array<Grain, 2> back{};
  Serialize(r, back);
  REQUIRE(r.AtEnd());
  CHECK(back == pair);
  const auto marked = Payload(split::Marker{{1, 2, 3}}, 1);
  CHECK(marked.size() == 12);
  revctl::Reader cut({marked.data(), 9}, 1);
  split::Marker marker;
  Serialize(cut, marker);
  CHECK(cut.error().path == "Marker.at.z");
  CHECK(cut.offset() == 8);
}
