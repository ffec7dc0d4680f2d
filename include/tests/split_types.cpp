#include "split_types.h"

#include <revctl/objects.h>

namespace split {

SERIALIZE_DEFINE(Item) { ADD(1, id); }
SERIALIZE_END

SERIALIZE_DEFINE(Bag) {
  ADD(1, owner);
  ADD(1, items);
  REM(1, 3, std::int32_t, weight, 5);
  ADD(2, inner);
  if (r.IsReading() && weight > 5) d.owner += "!";
}
SERIALIZE_END

SERIALIZE_DEFINE(Purse) { ADD(1, coins_); }
SERIALIZE_END

SERIALIZE_DEFINE(Point) {
  ADD(1, x);
  ADD(1, y);
  ADD(1, z);
}
SERIALIZE_END

SERIALIZE_DEFINE(Grain) {
  ADD(1, kind_);
  ADD(2, wet_);
  REM(1, 3, std::int16_t, weight, 7);
  ADD(1, at_);
  ADD(3, path_);
}
SERIALIZE_END

SERIALIZE_DEFINE(Hero) {
  ADD(1, name);
  ADD_REF(1, rival);
}
SERIALIZE_END

Flatness SeenFromTheBodies() {
  using namespace revctl::detail;
  return {.item = kFlat<Item, true>,
          .point = kFlat<Point, true> && kFlat<Point, false>,
          .grain = kFlat<Grain, true> && kFlat<Grain, false>,
          .marker = kFlat<Marker, true> || kFlat<Marker, false>,
          .point_is_image = kImage<Point, true> && kImage<Point, false>};
}

}  // namespace split
