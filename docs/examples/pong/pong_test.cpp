// Tests that old saves and goldens load with the results that players expect, as listed in the
// table in README.md.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include <revctl/save_file.h>
#include <array>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "known_match.h"
#include "master_version_list.revctl.h"
#include "match.h"

namespace pong {
namespace {

Match Saved(const std::string& name) {
  Match match;
  const revctl::Status status = revctl::LoadFile<SaveRevision>(PONG_FOLDER "/saves/" + name, match);
  INFO(status.message());
  REQUIRE(status);
  return match;
}

using Scores = std::vector<std::pair<std::string, std::int32_t>>;

Scores ScoresOf(const Match& match) {
  Scores scores;
  for (const Player& player : match.score.players) scores.emplace_back(player.name, player.score);
  return scores;
}

TEST_CASE("revision 1, two scores: both players are in today's list", "[pong]") {
  CHECK(ScoresOf(Saved("r1.save")) == Scores{{"Player 1", 5}, {"Player 2", 3}});
}

TEST_CASE("revision 2, 7 points with 3 fouls: the score is 4", "[pong]") {
  CHECK(ScoresOf(Saved("r2.save")) == Scores{{"Player 1", 4}, {"Player 2", 6}});
}

TEST_CASE("revision 3, more than two players: they follow, less fouls", "[pong]") {
  CHECK(ScoresOf(Saved("r3.save")) ==
        Scores{{"Player 1", 8}, {"Player 2", 2}, {"Cleo", 7}, {"Dan", -1}});
}

TEST_CASE("revision 4, one list with fouls: the fouls are taken off", "[pong]") {
  CHECK(ScoresOf(Saved("r4.save")) == Scores{{"Ann", 4}, {"Ben", 4}, {"Cleo", 7}});
}

TEST_CASE("revision 5, today: as it was saved", "[pong]") {
  CHECK(ScoresOf(Saved("today.save")) == Scores{{"Ann", 4}, {"Ben", 5}, {"Cleo", -2}});
}

/// Runs `pong_harness dump` for the goldens of a revision, and returns its output without spaces.
std::string Goldens(const std::string& revision) {
  const std::string command =
      "'" PONG_HARNESS "' dump '" PONG_FOLDER "/golden/" + revision + ".golden'";
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    if (c != ' ' && c != '\n') text += static_cast<char>(c);
  }
  INFO(command);
  REQUIRE(pclose(pipe) == 0);
  return text;
}

std::string AsJson(const Scores& scores) {
  std::string text;
  for (const auto& [name, score] : scores) {
    text += text.empty() ? "" : ",";
    text += "{\"name\":\"" + name + "\",\"score\":" + std::to_string(score) + "}";
  }
  text = "\"players\":[" + text + "]";
  std::erase(text, ' ');
  return text;
}

TEST_CASE("goldens written by the code of their time give equal scores", "[pong]") {
  const std::vector<std::pair<std::string, Scores>> expected = {
      {"SR_INITIAL", {{"Player 1", 5}, {"Player 2", 3}}},
      {"SR_FOULS", {{"Player 1", 4}, {"Player 2", 6}}},
      {"SR_MORE_PLAYERS", {{"Player 1", 8}, {"Player 2", 2}, {"Cleo", 7}, {"Dan", -1}}},
      {"SR_ONE_LIST", {{"Ann", 4}, {"Ben", 4}, {"Cleo", 7}}},
      {"SR_NO_FOULS", {{"Ann", 4}, {"Ben", 5}, {"Cleo", -2}}},
  };
  for (const auto& [revision, scores] : expected) {
    INFO(revision);
    CHECK_THAT(Goldens(revision), Catch::Contains(AsJson(scores)));
  }
}

TEST_CASE("what never changed is there in every save", "[pong]") {
  for (const std::string name : {"r1.save", "r2.save", "r3.save", "r4.save", "today.save"}) {
    const Match match = Saved(name);
    INFO(name);
    CHECK(match.title == (name < "r3" ? "Ann v. Ben" : "Ann v. Ben v. Cleo"));
    CHECK(match.phase == Phase::Rally);
    CHECK(match.court == std::array<std::uint16_t, 2>{80, 24});
    CHECK(match.ball.x == 0.25f);
    CHECK(match.ball.dx == -1.5f);
    REQUIRE(match.strokes.size() == 2);
    CHECK(match.strokes[0].paddle == -7);
    CHECK(int{match.seats} == (name < "r3" ? 2 : name < "r4" ? 4 : 3));  // r1, r2: two seats
    CHECK(match.postage == std::map<std::string, std::uint32_t>{{"Ann", 155}, {"Ben", 310}});
  }
}

TEST_CASE("a save for players who did not update has today's score", "[pong]") {
  revctl::Writer writer(SR_FOULS);
  Match match = KnownMatch();
  Serialize(writer, match);
  REQUIRE(writer.Ok());
  revctl::Reader reader(writer.Bytes(), SR_FOULS);
  Match old;
  Serialize(reader, old);
  REQUIRE(reader.Ok());
  CHECK(ScoresOf(old) ==
        Scores{{"Player 1", 4}, {"Player 2", 5}});  // that revision has only two players
}

}  // namespace
}  // namespace pong
