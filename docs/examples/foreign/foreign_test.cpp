// The program's own files of every version load, by its own code; and what the harness sees through the adapter.
#include "example_test.h"

#include "game.h"
#include "known_game.h"

namespace realm {
namespace {

/// As the program has always loaded its files: the version, then the rest.
Game Loaded(const std::string& name) {
  const std::vector<std::byte> file = example::Bytes(example::File("saves/" + name + ".save"));
  LoadStream head(file, Version::CURRENT);
  std::int32_t version = 0;
  head.Do(version);
  LoadStream rest(head.bytes, static_cast<Version>(version));
  Game game;
  game.Sync(rest);
  INFO(name);
  REQUIRE(rest.ok);
  REQUIRE(rest.bytes.empty());
  REQUIRE(game.heroes.size() == 1);
  return game;
}

TEST_CASE("games of every version load", "[foreign]") {
  for (const std::string name : {"v0", "v1", "v2", "today"}) {
    const Game game = Loaded(name);
    CHECK(game.day == 12);
    CHECK(game.terrain == Terrain::Lava);
    CHECK(game.heroes[0].y == -4);
    CHECK(int{game.heroes[0].level} == 2);  // saved since HERO_LEVELS, worked out before
    CHECK(game.heroes[0].backpack.size() == (name == "v2" || name == "today" ? 1U : 0U));
  }
}

TEST_CASE("the harness knows places, types and offsets where the macros know no names", "[foreign]") {
  const std::string tree = example::Output("foreign_harness", "dump --tree --revision FIRST '" +
      example::Written("payload", [] {
        std::vector<std::byte> file = example::Bytes(example::File("saves/v0.save"));
        file.erase(file.begin(), file.begin() + 4);
        return file;
      }()) + "'");
  INFO(tree);
  // Offset, size, bytes, place, value. Heroes are Game's third field, places a hero's second and third.
  CHECK_THAT(tree, Catch::Contains("\n      12    7  03000000416e6e      2[0].0: \"Ann\"\n"));
  CHECK_THAT(tree, Catch::Contains("\n      21    2  fcff                2[0].2: -4\n"));
  const std::string schema = example::Output("foreign_harness", "schema --at ARTIFACTS");
  INFO(schema);
  CHECK_THAT(schema, Catch::Contains("\"realm::Hero\":\n    - {name: 0, type: string}\n    - {name: 1, type: i16, size: 2}\n"));
  CHECK_THAT(schema, Catch::Contains("{name: 2, type: \"vector<realm::Hero>\"}\n    - {name: 3, type: bool, size: 1}\n"));
  CHECK_THAT(schema, Catch::Contains("{name: 6, type: \"vector<realm::Artifact>\"}\n"));
}

TEST_CASE("the adapter is at most 60 lines, comments and all", "[foreign]") {
  std::ifstream in(example::File("adapter.h"));
  int lines = 0;
  for (std::string line; std::getline(in, line); ++lines) CHECK(line.size() <= 120);
  CHECK(lines > 20);
  CHECK(lines <= 60);
}

}  // namespace
}  // namespace realm
