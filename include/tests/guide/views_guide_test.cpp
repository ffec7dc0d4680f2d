#include <catch2/catch.hpp>

#include <unistd.h>
#include <cstdint>
#include <filesystem>
#include <memory_resource>

#include <revctl/map_file.h>
#include <revctl/save_file.h>
#include <revctl/serialize.h>
#include <revctl/view.h>

namespace views_guide {

#include "views.md.inc"

}  // namespace views_guide

TEST_CASE("guide: views", "[guide]") {
  using namespace views_guide;
  const std::string path =
      (std::filesystem::temp_directory_path() / ("revctl_mesh_guide." + std::to_string(::getpid())))
          .string();
  LoadedMesh loaded;
  REQUIRE(revctl::SaveFile(path, SR_LATEST, Triangle()).Ok());
  REQUIRE(LoadMesh(path, loaded).Ok());
  CHECK(loaded.mesh.name == "triangle");
  CHECK(loaded.mesh.verts[1].x == 1);
  CHECK((!loaded.mesh.verts.Owns() && !loaded.mesh.indices.Owns()));
  REQUIRE(revctl::SaveFile(path, SR_INITIAL, Triangle()).Ok());
  REQUIRE(LoadMesh(path, loaded).Ok());
  CHECK((loaded.mesh.verts.Owns() && !loaded.mesh.indices.Owns()));
  CHECK(loaded.mesh.verts[1].color == 0xFFFFFFFF);
  std::filesystem::remove(path);

  const Terrain hills{std::vector<float>{1, 2}};
  std::vector<std::byte> bytes;
  REQUIRE(revctl::Save(SR_LATEST, hills, bytes).Ok());
  Terrain back;
  REQUIRE(revctl::Load(bytes, back, SR_LATEST).Ok());
  CHECK(back.heights == hills.heights);
}

TEST_CASE("guide: arenas", "[guide]") {
  using namespace views_guide;
  World world;
  world.name = "a name that is too long for the short string optimization";
  world.components.push_back({"a script that is too long for the short string optimization"});
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
