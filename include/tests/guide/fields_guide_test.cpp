#include <catch2/catch.hpp>

#include <revctl/fields.h>
#include <revctl/serialize.h>

#include <cstdint>

// The code of docs/guide/fields.md.
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
}
