// Tests that worlds of every revision load, although the code contains only the current structs.
// Also tests the files on disk.
#include "example_test.h"

#include <cstddef>
#include <cstring>
#include <utility>

#include "known_world.h"
#include "world_file.h"

namespace voxel {
namespace {

World Saved(const std::string& name) {
  World world;
  const revctl::Status status =
      revctl::Load(example::Bytes(example::File("saves/" + name + ".save")), world);
  INFO(name << ": " << status.message());
  REQUIRE(status);
  return world;
}

TEST_CASE("doors of four versions are today's doors", "[voxel]") {
  for (const std::string name : {"r1", "r2", "r3", "r4", "r5", "today"}) {
    const World world = Saved(name);
    INFO(name);
    CHECK(world.doors[0].room == 1);
    CHECK(world.doors[0].angle == 90);  // the door was open
    CHECK(world.doors[1].room == 2);
    CHECK(world.doors[1].angle == 0);                // the door was closed
    CHECK(world.doors[1].locked == (name != "r1"));  // r1 had no locks
    CHECK(world.doors[2].room == 0);                 // this door is new in SR_MORE_DOORS
    CHECK(world.doorCount == 2);
  }
}

TEST_CASE("nested structs of older sizes are found where they lay", "[voxel]") {
  for (const std::string name : {"r1", "r2", "r3", "r4", "r5", "today"}) {
    const World world = Saved(name);
    INFO(name);
    CHECK(world.tick == 77);
    CHECK(world.rooms[0].cells[0][1] == Material::Stone);
    CHECK(world.rooms[1].cells[1][2] == Material::Wood);
    CHECK(world.rooms[1].light == (name < "r5" ? 1 : 0.25F));
    CHECK(world.characters[0].hp == 50);
    CHECK(world.characters[1].at[1] == 0.5F);
    CHECK(world.characters[1].hp == -1);  // old files have one byte, which is converted to four
  }
}

TEST_CASE("a current file is the struct as it lies in memory", "[voxel]") {
  const World world = KnownWorld();
  const std::vector<std::byte> file = example::Bytes(example::File("saves/today.save"));
  REQUIRE(file.size() == 16 + sizeof(World));
  CHECK(std::memcmp(file.data() + 16 + offsetof(World, characters), &world.characters,
                    sizeof world.characters) == 0);
}

TEST_CASE("any bytes give a world or an error with its place", "[voxel]") {
  std::vector<std::byte> file = example::Bytes(example::File("saves/today.save"));
  file[16 + offsetof(World, doors) + sizeof(Door) + offsetof(Door, locked)] = std::byte{7};
  World world;
  const revctl::Status status = revctl::Load(file, world);
  INFO(status.message());
  CHECK_FALSE(status);
  // README.md quotes this message, so edit both.
  CHECK_THAT(status.message(),
             Catch::EndsWith(" World.doors[1].locked at offset 54: a bool must be 0 or 1, not 7"));
}

TEST_CASE("a world for builds that did not update, read by their code", "[voxel]") {
  std::vector<std::byte> file;
  World world = KnownWorld();
  REQUIRE(revctl::Save(SR_LOCKS, world, file));
  const std::string path = example::Written("for_r2.save", file);
  const std::string tree = example::Output("voxel_r2_harness", "dump --tree '" + path + "'");
  CHECK_THAT(tree, Catch::Contains("doors[1].locked: true"));
  CHECK_THAT(tree,
             Catch::Contains("doors[0].hp: 10"));  // the DEAD_WITH value for old builds
}

TEST_CASE("worlds are packed on disk if asked for: mostly zeros", "[voxel]") {
  const std::string path = example::Written("packed.save", {});
  const World world = KnownWorld();
  REQUIRE(SaveWorld(path, world));
  const std::vector<std::byte> file = example::Bytes(example::File("saves/today.save")),
                               packed = example::Bytes(path);
  CHECK(packed.size() < file.size() * 3 / 4);
  World again;
  const revctl::Status status = LoadWorld(path, again);
  INFO(status.message());
  REQUIRE(status);
  std::vector<std::byte> resaved;
  REQUIRE(revctl::Save(SR_LATEST, again, resaved));
  CHECK(resaved == file);
  // All revctl tools can read the file if the program saves it unpacked.
  const std::string plain = example::Written("plain.save", {});
  REQUIRE(SaveWorld(plain, world, OnDisk::AsItIs));
  CHECK(example::Bytes(plain) == file);
  World third;
  REQUIRE(LoadWorld(plain, third));
  CHECK(third.tick == world.tick);
  // Files that were written before packing was introduced must still load.
  for (const std::string name : {"r1", "r5", "today"}) {
    World old;
    REQUIRE(LoadWorld(example::File("saves/" + name + ".save"), old));
    CHECK(old.tick == 77);
  }
  // Damaged files must be rejected, either by the unpacking code or by the checks of the unpacked
  // bytes.
  for (std::size_t cut = 0; cut < packed.size(); ++cut) {
    CHECK_FALSE(
        LoadWorld(example::Written("cut.save", {packed.data(), packed.data() + cut}), again));
  }
  const revctl::Status damaged =
      LoadWorld(example::Written("cut.save", {std::byte{0}, std::byte{9}}), again);
  CHECK_THAT(damaged.message(), Catch::Contains("cut.save: cannot be unpacked"));
}

TEST_CASE("the harness reads and writes worlds, packed or not", "[voxel]") {
  const std::string packed = EXAMPLE_PROGRAMS "/packed.world",
                    again = EXAMPLE_PROGRAMS "/again.world", old = EXAMPLE_PROGRAMS "/for_r3.world",
                    plain = EXAMPLE_PROGRAMS "/plain.world";
  REQUIRE(SaveWorld(packed, KnownWorld()));
  REQUIRE(SaveWorld(plain, KnownWorld(), OnDisk::AsItIs));
  CHECK(example::Bytes(packed).at(0) == std::byte{0});
  const std::string json = example::Output("voxel_harness", "dump '" + packed + "'");
  CHECK(json == example::Output("voxel_harness", "dump '" + plain + "'"));
  // The offsets that the harness prints refer to the unpacked file: the first value follows the
  // header.
  CHECK_THAT(example::Output("voxel_harness", "dump --tree '" + packed + "'"),
             Catch::StartsWith("      16    4  4d000000            tick: 77\n"));
  example::Output("voxel_harness", "convert '" + packed + "' --to-json -o '" + again + ".json'");
  example::Output("voxel_harness", "convert '" + again + ".json' --from-json -o '" + again + "'");
  CHECK(example::Bytes(again) == example::Bytes(packed));
  // A file for an early build must be unpacked, because such builds cannot unpack.
  example::Output("voxel_harness",
                  "convert '" + packed + "' --to-revision SR_ANGLE -o '" + old + "' 2>&1");
  CHECK_THAT(example::Output("voxel_r3_harness", "dump --tree '" + old + "'"),
             Catch::Contains("tick: 77\n"));
}

TEST_CASE("the harness refuses damaged packing with the file's name", "[voxel]") {
  std::vector<std::byte> file;
  REQUIRE(revctl::Save(SR_LATEST, KnownWorld(), file));
  const std::vector<std::byte> packed = PackZeros(file);
  for (std::size_t cut = 0; cut < packed.size(); cut += 3) {
    const std::string path = example::Written("cut.world", {packed.data(), packed.data() + cut});
    CHECK_THAT(example::Refusal("voxel_harness", "dump '" + path + "'"),
               Catch::StartsWith("error: " + path + ": "));
  }
  // Set a bool to 7 in the unpacked bytes.
  file.at(revctl::kFileHeaderSize + offsetof(World, doors) + offsetof(Door, locked)) = std::byte{7};
  const std::string path = example::Written("seven.world", PackZeros(file));
  const std::string said = example::Refusal("voxel_harness", "dump '" + path + "'");
  INFO(said);
  CHECK_THAT(said, Catch::Contains(" of the unpacked payload: "));
  // In a file that is not packed, the offset in the message is the position in the file.
  const std::string unpacked = example::Written("seven_plain.world", file);
  const std::string plain = example::Refusal("voxel_harness", "dump '" + unpacked + "'");
  INFO(plain);
  CHECK_THAT(plain,
             Catch::Contains("World.doors[0].locked at offset ") && !Catch::Contains("unpacks"));
}

TEST_CASE("packing: the bytes, and what is no packing", "[voxel]") {
  const auto bytes = [](std::initializer_list<int> values) {
    std::vector<std::byte> out;
    for (const int value : values) out.push_back(static_cast<std::byte>(value));
    return out;
  };
  CHECK(PackZeros(bytes({0, 0, 0, 5, 6, 0})) == bytes({3, 2, 5, 6, 1, 0}));
  std::vector<std::byte> again;
  REQUIRE(UnpackZeros(bytes({3, 2, 5, 6, 1, 0}), 6, again));
  CHECK(again == bytes({0, 0, 0, 5, 6, 0}));
  CHECK_FALSE(UnpackZeros(bytes({3, 2, 5, 6, 1, 0}), 5, again));  // over the limit
  CHECK_FALSE(UnpackZeros(std::vector<std::byte>(1000, std::byte{255}), 1000, again));
  std::vector<std::byte> many(2000, std::byte{0});
  for (std::size_t i = 0; i < many.size(); i += 2) many[i] = std::byte{255};
  CHECK_FALSE(UnpackZeros(many, 1000, again));  // a decompression bomb
}

}  // namespace
}  // namespace voxel
