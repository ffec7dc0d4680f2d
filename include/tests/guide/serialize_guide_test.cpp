#include <catch2/catch.hpp>

#include <cstdint>
#include <cstring>
#include <filesystem>

#include <revctl/file_parts.h>
#include <revctl/json_writer.h>

// The code of docs/guide/serialize.md. It is at global scope because it specializes library
// templates.
#include "serialize.md.inc"

TEST_CASE("guide: serialize", "[guide]") {
  GameScore score;
  score.p1Score = 5;
  score.players.push_back({"ann", 0.25f});
  score.medals["gold"] = 2;
  const auto bytes = Payload(score);
  GameScore back;
  std::string why;
  REQUIRE(ReadPayload(bytes, back, why));
  CHECK(back.players[0].name == "ann");
  CHECK_FALSE(ReadPayload(std::span(bytes).first(15), back, why));
  CHECK_THAT(why, Catch::StartsWith("GameScore.players[0].name: "));

  const std::string path = (std::filesystem::temp_directory_path() / "revctl_guide.save").string();
  REQUIRE(SaveGame(path, score).Ok());
  CHECK(LoadGame(path, back).Ok());
  CHECK(back.medals == score.medals);
  std::filesystem::remove(path);

  Spell spell;
  spell.cast = std::chrono::milliseconds(250);
  spell.runes.items = {1, 2};
  spell.effect = std::make_unique<Burn>();
  spell.path.resize(2);
  spell.path[1][2] = 4;
  spell.marks[{3, 4}] = 5;
  static_assert(revctl::detail::kFlat<maths::Vec3, true> &&
                revctl::detail::kFlat<maths::Vec3, false>);
  revctl::Writer w(SR_LATEST);
  Serialize(w, spell);
  Spell cast;
  revctl::Reader r(w.Bytes(), SR_LATEST);
  Serialize(r, cast);
  REQUIRE(r.AtEnd());
  CHECK(cast.cast == spell.cast);
  CHECK(cast.runes.items == spell.runes.items);
  CHECK(dynamic_cast<Burn*>(cast.effect.get())->damage == 3);
  CHECK(cast.path.at(1)[2] == 4);
  CHECK(cast.marks == spell.marks);

  ModState mod{9}, mod_back;
  std::vector<std::byte> both;
  REQUIRE(SaveBoth(score, mod, both).Ok());
  back = {};
  REQUIRE(LoadBoth(both, back, mod_back).Ok());
  CHECK(back.p1Score == 5);
  CHECK(mod_back.mana == 9);

  std::vector<std::byte> slot;
  REQUIRE(SaveSlot(score, slot).Ok());
  CHECK(std::memcmp(slot.data(), "SLOT", 4) == 0);
  back = {};
  REQUIRE(LoadSlot(slot, back).message() == "");
  CHECK(back.p1Score == 5);
  slot[20] ^= std::byte{1};
  CHECK_THAT(LoadSlot(slot, back).message(), Catch::Contains("the file is damaged"));
  CHECK(LoadSlot(both, back).kind() == revctl::Status::Kind::NotThisFormat);

  // The list of a build from a branch on which players came before fouls. Both revisions got
  // different numbers when they landed.
  static constexpr revctl::ListEntry our_entries[] = {{"SR_INITIAL", 1, 0x1},
                                                      {"SR_FOULS", 2, 0x2},
                                                      {"SR_PLAYERS", 3, 0x3},
                                                      {"SR_NO_FOULS", 4, 0x4}};
  static constexpr revctl::ListEntry branch_entries[] = {
      {"SR_INITIAL", 1, 0x1}, {"SR_PLAYERS", 2, 0x20}, {"SR_FOULS", 3, 0x30}};
  static constexpr revctl::ListTable ours{"main", our_entries, 1},
      playtest{"main", branch_entries, 1};
  // The file that this build writes at its revision 2: two scores, players, medals and an integrity
  // number, but no fouls.
  revctl::Writer build(1);
  Serialize(build, int32_t{3});
  Serialize(build, int32_t{4});
  Serialize(build, std::vector<std::pair<std::string, float>>{{"ben", 0.75F}});
  Serialize(build, std::map<std::string, int32_t>{{"tin", 1}});
  Serialize(build, uint32_t{0});
  std::vector<std::byte> shipped;
  REQUIRE(revctl::MakeFile({.revision = 2, .lineage = 0x20, .payload = build.Bytes()}, {}, shipped)
              .Ok());
  CHECK(revctl::Load(shipped, back, ours).kind() == revctl::Status::Kind::ForeignLineage);
  REQUIRE(LoadPlaytest(shipped, back, ours, playtest).message() == "");
  CHECK(back.p1Score == 3);
  CHECK(back.players.at(0).luck == 0.75F);
  CHECK(back.medals.at("tin") == 1);
  const auto leaves = PlaytestLeaves(build.Bytes(), ours, playtest, 2);
  REQUIRE(leaves.size() == 9);
  CHECK(leaves[3].path == "GameScore.players[0].name");

  CHECK(revctl::ToJson(game::Code::NotFound, SR_LATEST, 0) == "\"NotFound\"");
  CHECK(revctl::TypeName<game::Board<uint8_t, 3>>() == "game::Board<u8,3>");

  Terrain ground = Terrain::Grass;
  const std::byte rock[] = {std::byte{1}, {}, {}, {}},
                  none[] = {std::byte{1}, std::byte{1}, {}, {}};
  revctl::Reader on_rock(rock, SR_LATEST), on_none(none, SR_LATEST);
  Serialize(on_rock, ground);
  CHECK(on_rock.AtEnd());
  CHECK(ground == Terrain::Rock);
  Serialize(on_none, ground);
  CHECK_FALSE(on_none.Ok());

  Inventory inventory, inventory_back;
  inventory.Take(3);
  std::vector<std::byte> items;
  REQUIRE(revctl::Save(SR_LATEST, inventory, items).Ok());
  REQUIRE(revctl::Load(items, inventory_back, SR_LATEST).Ok());
  CHECK(inventory_back.Count() == 1);
  static_assert(revctl::detail::kFlat<Voxel, true>);
  CHECK(revctl::WireSize(std::vector<Voxel>(5), SR_LATEST) == 4 + 5 * 4);
}
