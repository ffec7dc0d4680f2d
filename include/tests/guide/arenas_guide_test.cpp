#include <catch2/catch.hpp>

#include <revctl/serialize.h>

#include <cstdint>
#include <memory_resource>

namespace arenas_guide {

#include "arenas.md.inc"

}  // namespace arenas_guide

TEST_CASE("guide: arenas", "[guide]") {
  using namespace arenas_guide;
  World world;
  world.name = "a name that is longer than what a string keeps in place";
  world.components.push_back({"a script that is longer than what a string keeps in place"});
  world.scores["ann"] = 7;
  std::vector<std::byte> bytes;
  REQUIRE(revctl::Save(SR_LATEST, world, bytes).Ok());
  LoadedWorld loaded;
  REQUIRE(LoadWorld(bytes, loaded).Ok());
  CHECK(loaded.world.components.at(0).script == world.components[0].script);
  CHECK(loaded.world.components.at(0).script.get_allocator().resource() == &loaded.memory);
  std::pmr::monotonic_buffer_resource memory;
  World read;
  REQUIRE(ReadWorld(std::span<const std::byte>(bytes).subspan(16), memory, read));
  CHECK(read.scores == world.scores);
  CHECK(read.scores.get_allocator().resource() == &memory);
}
