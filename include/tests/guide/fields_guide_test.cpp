#include <catch2/catch.hpp>

#include <revctl/fields.h>
#include <revctl/serialize.h>

#include <cstdint>

namespace fields_guide {
#include "fields.md.inc"
}

TEST_CASE("guide: fields", "[guide]") {
  using namespace fields_guide;
  GameScore score;
  score.token = "secret";
  CHECK_THAT(Shown(score), Catch::EndsWith("GameScore{p1Score: 0, p2Score: 0, height: 1.5}"));
  CHECK(RangeOf("height") == "0, 3");
  CHECK(CountFields(score) == 4);
  CHECK(score == score);
  CHECK(revctl::WireSize(score, SR_INITIAL) == 8);

  // The field list can also be in a separate file. Upgrade code runs, and the bytes are the same as
  // for the handwritten struct.
  RoundScore round;
  round.p1Score = 5;
  round.token = "t";
  revctl::Writer w(SR_FOULS);
  Serialize(w, round);
  CHECK(w.Bytes().size() == 4 + 4 + 4 + 1);
  RoundScore back;
  revctl::Reader r(w.Bytes(), SR_FOULS);
  Serialize(r, back);
  REQUIRE(r.AtEnd());
  CHECK(back == round);
  std::vector<std::byte> fouled(w.Bytes().begin(), w.Bytes().end());
  fouled[4] = std::byte{2};
  revctl::Reader upgrade(fouled, SR_FOULS);
  Serialize(upgrade, back);
  CHECK(back.p1Score == 3);
  CHECK_THAT(revctl::ToText(round), Catch::EndsWith("RoundScore{p1Score: 5}"));
}
