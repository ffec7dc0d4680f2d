// The program's own code loads its files of every version, and the harness shows them through the
// adapter.
#include "example_test.h"

#include "game.h"
#include "known_game.h"

namespace realm {
namespace {

/// Loads a file in the same way as the program: first the version, then the game.
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
    CHECK(int{game.heroes[0].level} == 2);  // saved since HERO_LEVELS; computed for older files
    CHECK(game.heroes[0].backpack.size() == (name == "v2" || name == "today" ? 1U : 0U));
  }
}

TEST_CASE("places, types and offsets, where the macros know no names", "[foreign]") {
  const std::string tree =
      example::Output("foreign_harness", "dump --tree '" + example::File("saves/v0.save") + "'");
  INFO(tree);
  // Expects lines with offset, size, bytes, position and value. Heroes are the third field of Game;
  // a hero's second and third fields are the coordinates.
  CHECK_THAT(tree, Catch::Contains("\n      16    7  03000000416e6e      2[0].0: \"Ann\"\n"));
  CHECK_THAT(tree, Catch::Contains("\n      25    2  fcff                2[0].2: -4\n"));
  const std::string schema = example::Output("foreign_harness", "schema --at ARTIFACTS");
  INFO(schema);
  CHECK_THAT(schema, Catch::Contains("\"realm::Hero\":\n"
                                     "    - {name: \"0\", type: string, form: plain}\n"
                                     "    - {name: \"1\", type: i16, size: 2, form: plain}\n"));
  CHECK_THAT(schema,
             Catch::Contains("    - {name: \"2\", type: \"vector<realm::Hero>\", form: plain}\n"
                             "    - {name: \"3\", type: bool, size: 1, form: plain}\n"));
  CHECK_THAT(schema,
             Catch::Contains("{name: \"6\", type: \"vector<realm::Artifact>\", form: plain}\n"));
}

TEST_CASE("the harness reads and writes the program's files of any age", "[foreign]") {
  for (const std::string name : {"v0", "v1", "v2", "today"}) {
    const std::string file = "'" + example::File("saves/" + name + ".save") + "'";
    CHECK_THAT(example::Output("foreign_harness", "dump " + file),
               Catch::Contains("\"0\": \"Ann\""));
    CHECK_THAT(example::Output("foreign_harness", "convert --to-json " + file),
               Catch::Contains("\"0\": \"Ann\""));
  }
  // A file converted to the first version and back must load with that version's code and with the
  // program's own code.
  const std::string today = example::File("saves/today.save"),
                    old = EXAMPLE_PROGRAMS "/for_v0.game";
  example::Output("foreign_harness",
                  "convert '" + today + "' --to-revision FIRST -o '" + old + "' 2>&1");
  CHECK(example::Bytes(old) == [] {
    // The current version does not save mana, so the hero gets the default, 10.
    std::vector<std::byte> first = example::Bytes(example::File("saves/v0.save"));
    first.at(0x1f) = std::byte{10};
    return first;
  }());
  CHECK_THAT(example::Output("foreign_v0_harness", "dump '" + old + "'"),
             Catch::Contains("\"0\": \"Ann\""));
}

TEST_CASE("what is no game is refused with the file's name", "[foreign]") {
  const std::vector<std::byte> game = example::Bytes(example::File("saves/today.save"));
  for (std::size_t cut = 0; cut < game.size(); ++cut) {
    const std::string path = example::Written("cut.game", {game.data(), game.data() + cut});
    const std::string said = example::Refusal("foreign_harness", "dump '" + path + "'");
    CHECK_THAT(said, Catch::StartsWith("error: " + path + ": "));
  }
  std::vector<std::byte> future = game;
  future.at(0) = std::byte{9};
  CHECK_THAT(
      example::Refusal("foreign_harness", "dump '" + example::Written("future.game", future) + "'"),
      Catch::Contains("written at revision 9, which is newer than this program's latest revision, "
                      "NO_MANA = 3"));
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
