// Other ways to define types: one list of fields, a definition file, and a plug-in with its own
// revisions.
#include <catch2/catch.hpp>

#include <fstream>
#include <string>
#include <vector>

#include <revctl/save_parts.h>

#include "forms/one_definition.h"
#include "known_match.h"
#include "known_tournament.h"
#include "master_version_list.revctl.h"
#include "tournament.h"
#include "tournament_list.revctl.h"

namespace pong {
namespace {

using tournament::Tournament;

template <class T>
std::vector<std::byte> Payload(const T& value, std::int64_t revision) {
  revctl::Writer writer(revision);
  Serialize(writer, value);
  REQUIRE(writer.Ok());
  return {writer.Bytes().begin(), writer.Bytes().end()};
}

template <class T>
T Value(const std::vector<std::byte>& payload, std::int64_t revision) {
  revctl::Reader reader(payload, revision);
  T value;
  Serialize(reader, value);
  REQUIRE(reader.AtEnd());
  return value;
}

TEST_CASE("definition and written-out form give the same bytes", "[pong][forms]") {
  const Ball ball = KnownMatch().ball;
  const once::Ball same{ball.x, ball.y, ball.dx, ball.dy};
  const Player ann{"Ann", 7};
  const once::Player also{"Ann", 7};
  for (int revision = SR_INITIAL; revision <= SR_LATEST; ++revision) {
    INFO("revision " << revision);
    CHECK(Payload(ball, revision) == Payload(same, revision));
    CHECK(Payload(ann, revision) == Payload(also, revision));
  }
}

TEST_CASE("the definition file upgrades as the written-out form does", "[pong][forms]") {
  revctl::Writer old(SR_ONE_LIST);
  const std::string name = "Cleo";
  const std::int32_t score = 12, fouls = 5;
  Serialize(old, name);
  Serialize(old, score);
  Serialize(old, fouls);
  const std::vector<std::byte> payload(old.Bytes().begin(), old.Bytes().end());
  CHECK(Value<Player>(payload, SR_ONE_LIST).score == 7);
  CHECK(Value<once::Player>(payload, SR_ONE_LIST) == once::Player{"Cleo", 7});
  CHECK(revctl::ToText(once::Player{"Cleo", 7}).find("score: 7") != std::string::npos);
}

TEST_CASE("game and plug-in share a file, each at its own revision", "[pong][forms]") {
  std::vector<std::byte> file;
  const Tournament cup{{"Ann", "Ben", "Cleo"}, 5000};
  REQUIRE(revctl::SaveParts(file, {}, revctl::PartAt(SR_NO_FOULS, KnownMatch()),
                            revctl::PartAt(TR_INITIAL, cup)));
  Match match;
  Tournament loaded{{}, 1};
  REQUIRE(revctl::LoadParts(file, {}, revctl::PartOf<SaveRevision>(match),
                            revctl::PartOf<TournamentRevision>(loaded)));
  CHECK(match.title == KnownMatch().title);
  CHECK(loaded.names == cup.names);
  CHECK(loaded.prize == 0);  // TR_INITIAL has no prizes

  // If only one part of a file is newer than this program, that part's list rejects it: a plug-in
  // part that is too new with a current game, and the other way around.
  const auto too_new = [&](std::size_t at, int revision) {
    std::vector<std::byte> newer = file;
    newer[at] = std::byte(revision);
    const revctl::Status status = revctl::LoadParts(newer, {}, revctl::PartOf<SaveRevision>(match),
                                                    revctl::PartOf<TournamentRevision>(loaded));
    CHECK(status.kind() == revctl::Status::Kind::Future);
    return status.message();
  };
  CHECK_THAT(
      too_new(4 + 12, TR_PRIZE + 1),
      Catch::Contains("this program's latest revision, TR_PRIZE") && !Catch::Contains("SR_"));
  CHECK_THAT(
      too_new(4, SR_LATEST + 1),
      Catch::Contains("this program's latest revision, SR_NO_FOULS") && !Catch::Contains("TR_"));
  CHECK(match.title == KnownMatch().title);
}

std::vector<std::byte> FileOf(const std::string& name) {
  std::ifstream in(PONG_FOLDER "/" + name, std::ios::binary);
  INFO(name);
  REQUIRE(in);
  std::vector<std::byte> file;
  for (char c = 0; in.get(c);) file.push_back(std::byte(static_cast<unsigned char>(c)));
  REQUIRE(file.size() > revctl::kFileHeaderSize);
  return file;
}

/// Returns a file that joins the game's part at one revision with the plug-in's part at another.
std::vector<std::byte> Together(const std::vector<std::byte>& game,
                                const std::vector<std::byte>& plugin) {
  std::vector<std::byte> file(game.begin(),
                              game.begin() + 16);  // magic, the game's revision and lineage
  file.insert(file.end(), plugin.begin() + 4, plugin.begin() + 16);  // the plug-in's revision
  file.insert(file.end(), game.begin() + 16, game.end());
  file.insert(file.end(), plugin.begin() + 16, plugin.end());
  return file;
}

TEST_CASE("files of game and plug-in of every age load together", "[pong][forms]") {
  const std::vector<std::byte> old_game = FileOf("saves/r4.save"),
                               game = FileOf("saves/today.save");
  const std::vector<std::byte> old_cup = FileOf("tournament/saves/t1.save");
  const std::vector<std::byte> cup = FileOf("tournament/saves/today.save");
  for (const bool game_is_old : {true, false}) {
    for (const bool cup_is_old : {true, false}) {
      INFO("game is old: " << game_is_old << ", tournament is old: " << cup_is_old);
      const std::vector<std::byte> file =
          Together(game_is_old ? old_game : game, cup_is_old ? old_cup : cup);
      Match match;
      Tournament loaded{{}, 1};
      const revctl::Status status = revctl::LoadParts(file, {}, revctl::PartOf<SaveRevision>(match),
                                                      revctl::PartOf<TournamentRevision>(loaded));
      INFO(status.message());
      REQUIRE(status);
      CHECK(match.score.At(1) == (game_is_old ? 4 : 5));   // old save: 4 points, no fouls; now 5
      CHECK(match.score.At(2) == (game_is_old ? 7 : -2));  // 12 points minus 5 fouls (upgrade code)
      CHECK(loaded.names.size() == (cup_is_old ? 2u : 3u));
      CHECK(loaded.prize == (cup_is_old ? 0u : 5000u));  // revisions before TR_PRIZE have no prize
    }
  }
  std::vector<std::byte> written;
  const Tournament known = tournament::KnownTournament();
  REQUIRE(revctl::SaveParts(written, {}, revctl::PartAt(SR_LATEST, KnownMatch()),
                            revctl::PartAt(TR_LATEST, known)));
  CHECK(written == Together(game, cup));  // SaveParts writes the same file
}

TEST_CASE("a save that is too new is refused, and leaves what was there", "[pong]") {
  std::vector<std::byte> file;
  REQUIRE(revctl::Save(SR_LATEST, KnownMatch(), file));
  file[4] = std::byte{SR_LATEST + 1};
  Match match;
  match.title = "as before";
  CHECK(revctl::Load<SaveRevision>(file, match).kind() == revctl::Status::Kind::Future);
  CHECK(match.title == "as before");
}

}  // namespace
}  // namespace pong
