#include <catch2/catch.hpp>

#include <revctl/map_file.h>
#include <revctl/objects.h>
#include <revctl/save_file.h>
#include <revctl/save_parts.h>

#include <cstdlib>
#include <filesystem>
#include <numeric>

// Tests files that contain object graphs or parts with different revision lists, and memory-mapped
// files.

namespace forms {

enum class Game { Initial = 1, Latest = 3 };
enum class Mod { Initial = 1, Latest = 7 };
constexpr revctl::ListEntry kGameEntries[] = {{"Initial", 1, 0x11}, {"Latest", 3, 0x33}};
constexpr revctl::ListEntry kModEntries[] = {{"Initial", 1, 0xAA}, {"Latest", 7, 0xBB}};

}  // namespace forms

template <>
struct revctl::ListOf<forms::Game> {
  static constexpr ListTable table{"game", forms::kGameEntries, 1};
};
template <>
struct revctl::ListOf<forms::Mod> {
  static constexpr ListTable table{"mod", forms::kModEntries, 1};
};

namespace forms {

struct World {
  std::vector<std::uint32_t> cells;
};
SERIALIZE_TYPE(World) { ADD(1, cells); }
SERIALIZE_END
struct Mana {
  std::int32_t points = 0;
};
SERIALIZE_TYPE(Mana) { ADD(Mod::Latest, points); }
SERIALIZE_END

struct Crew {
  std::int32_t rank = 0;
  Crew* superior = nullptr;
};
SERIALIZE_TYPE(Crew) {
  ADD(1, rank);
  ADD_REF(1, superior);
}
SERIALIZE_END
using Crews = std::vector<std::unique_ptr<Crew>>;
const revctl::ObjectClasses& Classes() {
  static const auto classes =
      revctl::ObjectClasses().Add<Crew>("Crew").OnUnknown(revctl::Stray::Keep);
  return classes;
}

struct Folder {
  std::string path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "revctl_forms_XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string operator/(const char* name) const { return path + "/" + name; }
  std::ptrdiff_t Count() const {
    return std::distance(std::filesystem::directory_iterator(path), {});
  }
};

World SomeWorld(std::size_t cells) {
  World world;
  world.cells.resize(cells);
  std::iota(world.cells.begin(), world.cells.end(), 5u);
  return world;
}

TEST_CASE("file forms: a framework and a plug-in in one file on disk", "[file][parts]") {
  const Folder folder;
  const std::string path = folder / "slot";
  const revctl::FileFormat format{.magic = 0x12345678, .checksum = true};
  const World world = SomeWorld(9);
  REQUIRE(revctl::SavePartsFile(path, format, revctl::PartAt(Game::Latest, world),
                                revctl::PartAt(Mod::Latest, Mana{6}))
              .message() == "");
  std::vector<std::byte> same, file;
  REQUIRE(revctl::SaveParts(same, format, revctl::PartAt(Game::Latest, world),
                            revctl::PartAt(Mod::Latest, Mana{6}))
              .Ok());
  REQUIRE(revctl::ReadFile(path, file).Ok());
  CHECK(file == same);

  World back;
  Mana mana;
  const auto load = [&] {
    return revctl::LoadPartsFile(path, format, revctl::PartOf<Game>(back),
                                 revctl::PartOf<Mod>(mana));
  };
  REQUIRE(load().message() == "");
  CHECK(back.cells == world.cells);
  CHECK(mana.points == 6);

  // Loading a corrupt file from disk or memory leaves the whole object unchanged.
  file.back() ^= std::byte{1};
  REQUIRE(revctl::ReplaceFile(path, file).Ok());
  mana.points = 42;
  back.cells.clear();
  CHECK(load().kind() == revctl::Status::Kind::Corrupt);
  CHECK_THAT(load().message(), Catch::StartsWith(path + ": the checksum"));
  CHECK(mana.points == 42);
  CHECK(back.cells.empty());
  const auto refused = revctl::SavePartsFile(path, format, revctl::PartAt(Game::Latest, world),
                                             revctl::PartAt(static_cast<Mod>(3), mana));
  CHECK_THAT(refused.message(), Catch::StartsWith(path + ": revision 3 is not in the list `mod`"));
  CHECK(revctl::LoadPartsFile(folder / "none", format, revctl::PartOf<Game>(back)).kind() ==
        revctl::Status::Kind::Io);
  CHECK(folder.Count() == 1);
}

/// Revision enums for which no table has been generated.
enum class Engine { Initial = 1, Latest = 3 };
enum class Addon { Initial = 1, Latest = 7 };

TEST_CASE("file forms: parts newer than the given revision are rejected", "[file][parts]") {
  const Folder folder;
  const std::string path = folder / "slot";
  const World world = SomeWorld(9);
  World back;
  Mana mana;
  const auto load = [&] {
    std::vector<std::byte> bytes;
    REQUIRE(revctl::ReadFile(path, bytes).Ok());
    const revctl::Status status =
        revctl::LoadParts(bytes, {}, revctl::PartOf<Engine>(back, Engine::Latest),
                          revctl::PartOf<Addon>(mana, Addon::Latest));
    const revctl::Status on_disk = revctl::LoadPartsFile(path, {}, revctl::PartOf<Engine>(back, 3),
                                                         revctl::PartOf<Addon>(mana, 7));
    CHECK(on_disk.message() == (status ? "" : path + ": " + status.message()));
    return status;
  };
  const auto save = [&](auto engine, auto addon) {
    REQUIRE(revctl::SavePartsFile(path, {}, revctl::PartAt(engine, world),
                                  revctl::PartAt(addon, Mana{6}))
                .message() == "");
  };
  save(Engine::Latest, Addon::Latest);
  REQUIRE(load().message() == "");
  CHECK(mana.points == 6);
  mana.points = 42;
  save(4, Addon::Latest);
  CHECK(load().kind() == revctl::Status::Kind::Future);
  save(Engine::Latest, 8);  // revision 8 is too new for Addon
  CHECK(load().kind() == revctl::Status::Kind::Future);
  CHECK_THAT(load().message(),
             Catch::StartsWith(
                 "written at revision 8, which is newer than this program's latest revision, 7"));
  CHECK(mana.points == 42);
}

TEST_CASE("file forms: a path with a zero byte is rejected", "[file]") {
  const Folder folder;
  const std::string path = folder / "nul", longer = path + std::string("\0x", 2);
  const World world = SomeWorld(9);
  REQUIRE(revctl::SaveFile(path, Game::Latest, SomeWorld(3)).Ok());
  World back;
  Crews crews;
  revctl::MappedFile mapped;
  const revctl::Status all[] = {
      revctl::SaveFile(longer, Game::Latest, world),
      revctl::LoadFile<Game>(longer, back),
      revctl::SavePartsFile(longer, {}, revctl::PartAt(Game::Latest, world)),
      revctl::LoadPartsFile(longer, {}, revctl::PartOf<Game>(back)),
      revctl::SaveObjectsFile(longer, Game::Latest, Classes(), crews),
      revctl::LoadObjectsFile<Game>(longer, Classes(), crews),
      revctl::MapFile(longer, mapped),
  };
  for (const revctl::Status& status : all) {
    CHECK(status.kind() == revctl::Status::Kind::Io);
    CHECK_THAT(status.message(), Catch::Contains("nul: the path contains a zero byte"));
  }
  CHECK(revctl::LoadFile<Game>(path, back).Ok());
  CHECK(back.cells.size() == 3);
}

TEST_CASE("file forms: a graph in a file on disk", "[file][objects]") {
  const Folder folder;
  const std::string path = folder / "crew";
  Crews crews;
  for (std::int32_t rank = 0; rank < 3; ++rank) {
    crews.push_back(std::make_unique<Crew>());
    crews.back()->rank = rank;
    crews.back()->superior = crews.front().get();
  }
  REQUIRE(
      revctl::SaveObjectsFile(path, Game::Latest, Classes(), crews, {.checksum = true}).message() ==
      "");
  Crews back;
  std::vector<revctl::KeptObject> kept;
  REQUIRE(
      revctl::LoadObjectsFile<Game>(path, Classes(), back, &kept, {.checksum = true}).message() ==
      "");
  REQUIRE(back.size() == 3);
  CHECK(back[2]->superior == back[0].get());
  CHECK(back[2]->rank == 2);
  CHECK(kept.empty());

  const auto none = revctl::ObjectClasses().OnUnknown(revctl::Stray::Keep);
  REQUIRE(revctl::LoadObjectsFile<Game>(path, none, back, &kept, {.checksum = true}).message() ==
          "");
  CHECK(kept.size() == 3);
  REQUIRE(::truncate(path.c_str(), 60) == 0);
  back.resize(1);
  const auto status = revctl::LoadObjectsFile<Game>(path, Classes(), back);
  CHECK(status.kind() == revctl::Status::Kind::Corrupt);
  CHECK_THAT(status.message(), Catch::StartsWith(path + ": reading "));
  CHECK(back.size() == 1);
  // A pointer to an object that is not saved makes saving fail and leaves the file unchanged.
  const Crew stranger;
  crews[1]->superior = const_cast<Crew*>(&stranger);
  const auto refused = revctl::SaveObjectsFile(folder / "new", Game::Latest, Classes(), crews);
  CHECK_THAT(refused.message(), Catch::Contains("new: ") && Catch::Contains("that is not saved"));
  CHECK(folder.Count() == 1);
}

TEST_CASE("file forms: loading from a mapped file", "[file]") {
  const Folder folder;
  const std::string path = folder / "world";
  revctl::MappedFile mapped;
  const World world = SomeWorld(200000);
  REQUIRE(revctl::SaveFile(path, Game::Latest, world).Ok());
  REQUIRE(revctl::MapFile(path, mapped).Ok());
  revctl::FileBytes read;
  REQUIRE(revctl::ReadFile(path, read).Ok());
  const auto as_read = [&] {
    return std::equal(mapped.Bytes().begin(), mapped.Bytes().end(), read.Bytes().begin(),
                      read.Bytes().end());
  };
  CHECK(as_read());
  World back;
  REQUIRE(revctl::Load<Game>(mapped.Bytes(), back).message() == "");
  CHECK(back.cells == world.cells);
  // Replacing the file does not affect the existing mapping.
  REQUIRE(revctl::SaveFile(path, Game::Latest, SomeWorld(3)).Ok());
  CHECK(as_read());
  // A failed call leaves the mapping unchanged.
  CHECK_THAT(revctl::MapFile(folder.path, mapped).message(), Catch::Contains("Is a directory"));
  CHECK_THAT(revctl::MapFile(folder / "none", mapped).message(),
             Catch::Contains("opening " + (folder / "none")));
  CHECK_THAT(revctl::MapFile("/dev/zero", mapped).message(), Catch::Contains("not a regular file"));
  CHECK(as_read());
  // A MappedFile can be reused for another file, even an empty one.
  REQUIRE(revctl::MapFile(path, mapped).Ok());
  CHECK(mapped.Bytes().size() == 16 + 4 + 3 * 4);
  REQUIRE(::truncate(path.c_str(), 0) == 0);
  REQUIRE(revctl::MapFile(path, mapped).Ok());
  CHECK(mapped.Bytes().empty());
  CHECK_FALSE(revctl::Load<Game>(mapped.Bytes(), back).Ok());
}

}  // namespace forms
