#include "split_types.h"

namespace split {

SERIALIZE_DEFINE(Item) { ADD(1, id); } SERIALIZE_END

SERIALIZE_DEFINE(Bag) {
  ADD(1, owner);
  ADD(1, items);
  REM(1, 3, std::int32_t, weight, 5);
  ADD(2, inner);
  if (r.IsReading() && weight > 5) d.owner += "!";
} SERIALIZE_END

}  // namespace split
