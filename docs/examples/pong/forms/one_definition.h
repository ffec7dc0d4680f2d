// Parts of Pong's saves, each defined once: one list of fields gives the struct, ==, Serialize and
// printing. The bytes equal those of the handwritten types in match.h.
#pragma once
#include <cstdint>
#include <string>

#include <revctl/fields.h>
#include <revctl/serialize.h>

#include "match.h"

namespace pong::once {

#define PONG_BALL(ADD_TYPED, REM)       \
  ADD_TYPED(SR_INITIAL, float, x, 0.5f) \
  ADD_TYPED(SR_INITIAL, float, y, 0.5f) \
  ADD_TYPED(SR_INITIAL, float, dx, 0)   \
  ADD_TYPED(SR_INITIAL, float, dy, 0, UNIT(courts per second))

DEFINE_STRUCT(Ball, PONG_BALL);
SERIALIZE_TYPE(Ball) { ADD_FIELDS(PONG_BALL); }
SERIALIZE_END
DESCRIBE_FIELDS(Ball, PONG_BALL);

// The list can also be in a separate file, which needs no backslashes and is easy for tools to
// read.
#define FIELDS_TYPE Player
#define FIELDS_FILE "player.def"
#define FIELDS_UPGRADE \
  if (r.IsReading() && r.revision < SR_NO_FOULS) d.score = LessFouls(d.score, fouls);
#include <revctl/fields_file.inc>

}  // namespace pong::once
