#include <revctl/differ.h>
#include <revctl/fill.h>
#include <revctl/json_reader.h>
#include <revctl/json_writer.h>
#include <revctl/layout_archive.h>
#include <revctl/plain_serialize.h>
#include <revctl/size_counter.h>
#include <catch2/catch.hpp>

#include "history.h"

// Tests plain structs in ordinary bodies, with all archives.
namespace voxel {

struct Save {
  std::string name;
  World world;
  std::vector<Door> spare;
};
SERIALIZE_TYPE(Save) {
  ADD(SR_START, name);
  ADD(SR_START, world);
  ADD(SR_ANGLE, spare);
}
SERIALIZE_END

}  // namespace voxel

namespace {

using namespace voxel;

World SampleWorld() {
  World world;
  REQUIRE(revctl::ReadPlain(BytesOf(SomeWorld<v9::World>()), SR_LATEST, world).Ok());
  return world;
}

}  // namespace

TEST_CASE("plain: a struct in a body is written as its memory image", "[plain][serialize]") {
  Save save{"home", SampleWorld(), {Door{}, Door{}}};
  save.spare[1].room = 99;
  for (int revision = 1; revision <= 9; ++revision) {
    INFO("revision " << revision);
    revctl::Writer w(revision);
    Serialize(w, save);
    REQUIRE(w.Ok());
    std::vector<std::byte> image;
    REQUIRE(revctl::WritePlain(save.world, image, revision).Ok());
    const std::size_t spare = revision >= 2 ? 4 + 2 * revctl::PlainSize<Door>(revision) : 0;
    REQUIRE(w.Bytes().size() == 8 + image.size() + spare);
    CHECK(std::equal(image.begin(), image.end(), w.Bytes().begin() + 8));

    Save back;
    revctl::Reader r(w.Bytes(), revision);
    Serialize(r, back);
    CHECK(r.AtEnd());
    World alone;
    REQUIRE(revctl::ReadPlain(image, revision, alone).Ok());
    std::vector<std::byte> a, b;
    REQUIRE(revctl::WritePlain(back.world, a).Ok());
    REQUIRE(revctl::WritePlain(alone, b).Ok());
    CHECK(a == b);
  }
}

TEST_CASE("plain: archives with paths see the same bytes field by field", "[plain][serialize]") {
  const World world = SampleWorld();
  for (int revision = 1; revision <= 9; ++revision) {
    INFO("revision " << revision);
    revctl::Writer w(revision);
    Serialize(w, world);
    revctl::TraceWriter tw(revision);
    Serialize(tw, world);
    REQUIRE(tw.Ok());
    REQUIRE(tw.Bytes().size() == w.Bytes().size());
    CHECK(std::equal(tw.Bytes().begin(), tw.Bytes().end(), w.Bytes().begin()));

    revctl::TraceReader tr(w.Bytes(), revision);
    World traced;
    Serialize(tr, traced);
    INFO(tr.error_path() << ": " << tr.error_reason());
    REQUIRE(tr.Ok());
    CHECK(tr.AtEnd());
    World read;
    revctl::Reader r(w.Bytes(), revision);
    Serialize(r, read);
    std::vector<std::byte> a, b;
    REQUIRE(revctl::WritePlain(traced, a).Ok());
    REQUIRE(revctl::WritePlain(read, b).Ok());
    CHECK(a == b);
  }
  revctl::TraceWriter two(2);
  Serialize(two, world);
  std::string paths;
  for (const auto& leaf : two.Leaves())
    paths += leaf.path + "@" + std::to_string(leaf.offset) + " ";
  CHECK(paths.find("World.doors[1].locked@" +
                   std::to_string(offsetof(v2::World, doors) + sizeof(v2::Door) +
                                  offsetof(v2::Door, locked))) != std::string::npos);
  CHECK(paths.find("World.grid[1][2]@" + std::to_string(offsetof(v2::World, grid) + 10)) !=
        std::string::npos);
  CHECK(paths.find("World.bounds.high[2]@" + std::to_string(offsetof(v2::World, bounds) + 20)) !=
        std::string::npos);
}

TEST_CASE("plain: errors in bodies name path and offset", "[plain][serialize]") {
  Save save{"home", SampleWorld(), {}};
  revctl::Writer w(2);
  Serialize(w, save);
  std::vector<std::byte> bytes(w.Bytes().begin(), w.Bytes().end());
  const std::size_t lit = 8 + offsetof(v2::World, doors) + offsetof(v2::Door, lit);
  bytes[lit] = std::byte{7};
  revctl::Reader r(bytes, 2);
  Save back;
  Serialize(r, back);
  REQUIRE_FALSE(r.Ok());
  CHECK(r.error().path == "Save.world.doors[0].lit");
  CHECK(r.error().offset == lit);
  CHECK_FALSE(r.error().refused);

  save.world.seed = 666;
  revctl::Writer haunted(2);
  Serialize(haunted, save);
  revctl::Reader again(haunted.Bytes(), 2);
  Serialize(again, back);
  REQUIRE_FALSE(again.Ok());
  CHECK(again.error().refused);
  CHECK(again.error().path == "Save.world");
  CHECK(again.error().reason == "worlds of seed 666 are haunted");
}

TEST_CASE("plain: layouts that the harness records", "[plain][serialize]") {
  revctl::LayoutArchive layouts(revctl::Revision(2));
  World world;
  Serialize(layouts, world);
  const auto types = layouts.Types();
  REQUIRE(types.size() == 3);
  CHECK(types[0].type == "voxel::World");
  std::string door;
  for (const auto& type : types) {
    if (type.type != "voxel::Door") continue;
    for (const auto& field : type.fields)
      door += field.name + ":" + field.type + ":" + field.form + ":" + field.since + " ";
    CHECK(type.compared == std::vector<std::int64_t>{1, 2, 3, 9});
  }
  CHECK(door ==
        "room:u16:add:SR_START :array<u8,2>:plain: angle:f32:add:SR_ANGLE hp:i8:rem:SR_START "
        "lit:bool:rem:SR_START "
        "locked:bool:rem:SR_ANGLE :array<u8,1>:plain: ");
}

TEST_CASE("plain: can be filled, written, read, and converted to JSON", "[plain][serialize]") {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    for (int revision = 1; revision <= 9; ++revision) {
      World world{};
      revctl::Filler filler(revision, seed);
      Serialize(filler, world);
      INFO("seed " << seed << " revision " << revision << ": " << filler.error_path() << ": "
                   << filler.error_reason());
      REQUIRE(filler.Ok());
      std::vector<std::byte> bytes;
      REQUIRE(revctl::WritePlain(world, bytes, revision).Ok());
      World back;
      REQUIRE(revctl::ReadPlain(bytes, revision, back).Ok());
    }
  }
  Door door;
  door.angle = 2.5F;
  CHECK(revctl::ToJson(door, SR_LATEST, 0).find("\"angle\": 2.5") != std::string::npos);
}

TEST_CASE("plain: can be counted, compared and read back from JSON", "[plain][serialize]") {
  Save save{"home", SampleWorld(), {Door{}, Door{}}};
  for (int revision = 1; revision <= 9; ++revision) {
    INFO("revision " << revision);
    revctl::Writer w(revision);
    Serialize(w, save);
    CHECK(revctl::WireSize(save, revision) == w.Bytes().size());
    CHECK(revctl::Differences(save, save, revision).empty());

    // JSON at an old revision contains the fields of that revision. Reading JSON runs the hops,
    // just as reading bytes does.
    const std::string json = revctl::ToJson(save, revision);
    revctl::JsonReader reader(json, revision);
    Save from_json, from_bytes;
    Serialize(reader, from_json);
    INFO(reader.error_path() << ": " << reader.error_reason());
    REQUIRE(reader.Ok());
    revctl::Reader r(w.Bytes(), revision);
    Serialize(r, from_bytes);
    REQUIRE(r.AtEnd());
    CHECK(revctl::Differences(from_json, from_bytes, SR_LATEST).empty());
  }
  Save other = save;
  other.world.doors[2].angle = -1;
  const auto differences = revctl::Differences(save, other, SR_LATEST);
  REQUIRE(differences.size() == 1);
  CHECK(differences[0].path == "Save.world.doors[2].angle");
}

TEST_CASE("plain: truncation inside a body at every byte", "[plain][serialize][storm]") {
  const Save save{"x", SampleWorld(), {Door{}}};
  for (const int revision : {1, 4, 9}) {
    revctl::Writer w(revision);
    Serialize(w, save);
    for (std::size_t n = 0; n < w.Bytes().size(); ++n) {
      revctl::Reader r(w.Bytes().first(n), revision);
      Save back;
      Serialize(r, back);
      if (r.Ok()) FAIL("accepted " << n << " bytes");
      if (r.error().path.find("Save") != 0) FAIL("no path");
    }
  }
}
